/* SPDX-License-Identifier: MIT
 *
 * What all_to_all_combine and all_to_all_dispatch share: the geometry of a call, what a rank tells
 * the others about it, and the kernels. Both operators fill slots of the output with rows of
 * inputs that belong to several ranks, the ones along the cluster axis of the mesh: the group. */
#ifndef KERNELS_ALL_TO_ALL_EXCHANGE_H_
#define KERNELS_ALL_TO_ALL_EXCHANGE_H_

#include <stdbool.h>
#include <stdint.h>

#include "cnrt.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __BANG__
#define A2A_FUNCTION __mlu_func__
#else
#define A2A_FUNCTION static inline
#endif

/* Ids of one token, and slots of one step of a task. */
#define A2A_MAX_SLOTS 4096
/* Experts of all ranks of a group: a task keeps them on chip. */
#define A2A_MAX_TABLE 65536
#define A2A_MAX_RANKS 1024
/* Parts of messages and of the workspace begin at a multiple of this. */
#define A2A_ALIGN 64

typedef enum A2aKind {
  A2A_COMBINE,         /* a row of every selected expert, to the slot that selected it */
  A2A_COMBINE_REDUCED, /* one row per rank and token, to the slot of the lowest expert */
  A2A_DISPATCH,        /* the token's row to every rank that has a selected expert */
} A2aKind;

typedef struct A2aGeometry {
  A2aKind kind;
  int rank, ranks;
  int mesh_cols;
  int cluster_axis;
  int group_size;          /* ranks along the cluster axis */
  int position;            /* of this rank among them */
  int shard_dim;           /* 1: tokens are split by batch, 2: by sequence */
  int64_t batch, sequence; /* of the whole group */
  int64_t local_batch, local_sequence;
  int64_t top_k;
  int num_experts, experts_per_rank;
  int64_t row_bytes;
  int id_bytes, map_bytes; /* of one element of the metadata and of the mapping */
} A2aGeometry;

A2A_FUNCTION int a2a_rank_at(const A2aGeometry *g, int position) {
  return g->cluster_axis == 0 ? position * g->mesh_cols + g->rank % g->mesh_cols
                              : g->rank / g->mesh_cols * g->mesh_cols + position;
}

A2A_FUNCTION int64_t a2a_tokens(const A2aGeometry *g) {
  return g->batch * g->sequence;
}

A2A_FUNCTION int64_t a2a_local_tokens(const A2aGeometry *g) {
  return g->local_batch * g->local_sequence;
}

/* Whether there is nothing to move; so it is on every rank, when the records of all agree. */
A2A_FUNCTION bool a2a_is_empty(const A2aGeometry *g) {
  return a2a_tokens(g) == 0 || g->top_k == 0 || g->num_experts == 0 || g->row_bytes == 0;
}

/* The number in the whole group of token `local` of the rank at a position. */
A2A_FUNCTION int64_t a2a_token(const A2aGeometry *g, int position, int64_t local) {
  if (g->shard_dim == 1) return position * a2a_local_tokens(g) + local;
  return local / g->local_sequence * g->sequence + position * g->local_sequence +
         local % g->local_sequence;
}

/* How many tokens from `local` on, `most` at most, have consecutive numbers in the group. */
A2A_FUNCTION int64_t a2a_run(const A2aGeometry *g, int64_t local, int64_t most) {
  if (g->shard_dim == 1) return most;
  int64_t rest = g->local_sequence - local % g->local_sequence;
  return rest < most ? rest : most;
}

/* Rows a rank may send for one token. */
A2A_FUNCTION int64_t a2a_rows_per_token(const A2aGeometry *g) {
  if (g->kind != A2A_COMBINE) return 1;
  return g->top_k < g->experts_per_rank ? g->top_k : g->experts_per_rank;
}

/* A message: the slots of its rows, ascending, then the rows. Slot token * top_k + k counts from
 * the first token of the receiver (combine) or of the sender (dispatch, where top_k counts as 1).
 */
A2A_FUNCTION int64_t a2a_slots_bytes(int64_t rows) {
  return (rows * (int64_t)sizeof(int32_t) + A2A_ALIGN - 1) / A2A_ALIGN * A2A_ALIGN;
}

A2A_FUNCTION int64_t a2a_message_bytes(const A2aGeometry *g, int64_t rows) {
  return a2a_slots_bytes(rows) + (rows * g->row_bytes + A2A_ALIGN - 1) / A2A_ALIGN * A2A_ALIGN;
}

/* What ranks tell each other: all words but the addresses must agree. */
#define A2A_RECORD_MAGIC_NUMBER 0x6132615f63616c6cLL
/* clang-format off */
#define A2A_RECORD_FIELDS(X)                       \
  X(MAGIC, "start of a record")                    \
  X(KIND, "operator or local_reduce")              \
  X(DTYPE, "data type")                            \
  X(ID_DTYPE, "data type of the metadata")         \
  X(MAP_DTYPE, "data type of the mapping")         \
  X(MESH_ROWS, "mesh_rows")                        \
  X(MESH_COLS, "mesh_cols")                        \
  X(CLUSTER_AXIS, "cluster_axis")                  \
  X(SHARD_DIM, "shard dimension")                  \
  X(BATCH, "batch")                                \
  X(SEQUENCE, "sequence")                          \
  X(TOP_K, "top-k")                                \
  X(HIDDEN, "hidden size")                         \
  X(EXPERTS, "number of experts")
/* clang-format on */
typedef enum A2aRecordField {
#define A2A_FIELD(name, text) A2A_RECORD_##name,
  A2A_RECORD_FIELDS(A2A_FIELD)
#undef A2A_FIELD
      A2A_RECORD_COMMON, /* from here on every rank has its own */
  A2A_RECORD_INPUT = A2A_RECORD_COMMON,
  A2A_RECORD_IDS,
  /* Where the two lie in memory that other processes may map: handle of the allocation, 0 if there
   * is none, and bytes from its start. */
  A2A_RECORD_INPUT_HANDLE,
  A2A_RECORD_INPUT_OFFSET,
  A2A_RECORD_IDS_HANDLE,
  A2A_RECORD_IDS_OFFSET,
  A2A_RECORD_WORDS
} A2aRecordField;

typedef struct A2aRecord {
  int64_t word[A2A_RECORD_WORDS];
} A2aRecord;

/* The first word in which two records differ though they should not, or A2A_RECORD_COMMON. */
A2A_FUNCTION int a2a_difference(const A2aRecord *a, const A2aRecord *b) {
  int field = 0;
  while (field < A2A_RECORD_COMMON && a->word[field] == b->word[field]) ++field;
  return field;
}

/* The rank to name first when rank `differing` is the lowest that differs from rank 0: all ranks
 * come to the same answer. Rank 0 when the two behind it, which are `second` and `third`, are
 * alike. */
A2A_FUNCTION int a2a_odd_rank(int differing, const A2aRecord *second, const A2aRecord *third) {
  return differing == 1 && a2a_difference(second, third) == A2A_RECORD_COMMON ? 0 : differing;
}

#define A2A_DIFFERENCE "rank %d passed %s %lld, rank %d passed %lld: wanted the same on all ranks."

/* Of a field before A2A_RECORD_COMMON. */
A2A_FUNCTION const char *a2a_field_text(int field) {
#define A2A_FIELD(name, text) text,
  const char *const texts[] = {A2A_RECORD_FIELDS(A2A_FIELD)};
#undef A2A_FIELD
  return texts[field];
}

/* What the kernels need. Records of all ranks lie in `gathered`, record_bytes apart; when rows go
 * through messages, each is followed by the number of rows, int64, for every rank. */
typedef struct A2aArgs {
  A2aGeometry geometry;
  A2aRecord own;
  const int8_t *input;
  const int8_t *ids;     /* metadata of a combine, indices of a dispatch */
  const int8_t *mapping; /* [experts, ranks] */
  int8_t *announced;     /* workspace: this rank's record */
  int8_t *gathered;      /* workspace: all records */
  int64_t record_bytes;
  bool is_staged;   /* rows go through messages */
  int32_t *counts;  /* workspace, staged: [tasks, group_size] rows of a task for each position */
  int8_t *sent;     /* workspace, staged: messages by position */
  int8_t *received; /* workspace, staged: messages by position */
  int8_t *slabs;    /* workspace, staged dispatch: indices of all positions */
  int8_t *output;
  int8_t *output_ids;   /* dispatch */
  bool copies_in_order; /* a device fact */
} A2aArgs;

/* Writes `announced` and clears `gathered`; staged, `counts` of `tasks` tasks are added up first.
 */
mluOpStatus_t KernelA2aAnnounce(cnrtQueue_t queue, const A2aArgs *args, int tasks);

/* Fills the output, if it has elements: with rows that lie in the memory of the group's ranks, or,
 * staged, in messages and in this rank's memory. When the records of the ranks differ, nothing is
 * written and the kernel ends with a fault; when the gather failed, whose error is in the queue,
 * nothing is written. */
mluOpStatus_t KernelA2aFill(cnrtDim3_t k_dim, cnrtQueue_t queue, const A2aArgs *args);

/* Staged: counts the rows for every position; writes the messages. Both get the same k_dim. */
mluOpStatus_t KernelA2aCount(cnrtDim3_t k_dim, cnrtQueue_t queue, const A2aArgs *args);
mluOpStatus_t KernelA2aPack(cnrtDim3_t k_dim, cnrtQueue_t queue, const A2aArgs *args);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_ALL_TO_ALL_EXCHANGE_H_ */
