/* SPDX-License-Identifier: MIT
 *
 * Geometry, records and kernels of all_to_all_combine and all_to_all_dispatch. Both fill slots of
 * the output with rows of inputs of several ranks: those along the cluster axis of the mesh, the
 * group. */
#ifndef KERNELS_ALL_TO_ALL_EXCHANGE_H_
#define KERNELS_ALL_TO_ALL_EXCHANGE_H_

#include <stdbool.h>
#include <stdint.h>

#include "cnrt.h"
#include "core/variant.h"
#include "mlu_op.h"

#ifdef __BANG__
#define A2A_FUNCTION __mlu_func__
#else
#define A2A_FUNCTION static inline
#endif

/* Limit of the ids of a token, and slots of one step of a task. */
#define A2A_MAX_SLOTS 4096
/* Limit of experts times ranks of a group: a task keeps that many entries on chip. */
#define A2A_MAX_TABLE 65536
#define A2A_MAX_RANKS 1024
/* Alignment of the parts of messages and of the workspace. */
#define A2A_ALIGN 64

typedef enum A2aKind {
  A2A_COMBINE,         /* every selected expert sends a row to the slot that selected it */
  A2A_COMBINE_REDUCED, /* every rank sends one row per token, to the slot of its lowest expert */
  A2A_DISPATCH,        /* a token's row goes to every rank that has a selected expert */
} A2aKind;

typedef struct A2aGeometry {
  A2aKind kind;
  int rank, ranks;
  int mesh_cols;
  int cluster_axis;
  int group_size;          /* ranks along the cluster axis */
  int position;            /* of this rank in the group */
  int shard_dim;           /* 1: tokens are split by batch, 2: by sequence */
  int64_t batch, sequence; /* of the whole group */
  int64_t local_batch, local_sequence;
  int64_t top_k;
  int num_experts, experts_per_rank;
  int64_t row_bytes;
  int id_bytes, map_bytes; /* of one id and of one element of the mapping */
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

/* True if there is nothing to move. If the records agree, it is the same on every rank. */
A2A_FUNCTION bool a2a_is_empty(const A2aGeometry *g) {
  return a2a_tokens(g) == 0 || g->top_k == 0 || g->num_experts == 0 || g->row_bytes == 0;
}

/* The number, in the whole group, of token `local` of the rank at `position`. */
A2A_FUNCTION int64_t a2a_token(const A2aGeometry *g, int position, int64_t local) {
  if (g->shard_dim == 1) return position * a2a_local_tokens(g) + local;
  return local / g->local_sequence * g->sequence + position * g->local_sequence +
         local % g->local_sequence;
}

/* How many tokens from `local` on, at most `most`, are consecutive in the group. */
A2A_FUNCTION int64_t a2a_run(const A2aGeometry *g, int64_t local, int64_t most) {
  if (g->shard_dim == 1) return most;
  int64_t rest = g->local_sequence - local % g->local_sequence;
  return rest < most ? rest : most;
}

/* Most rows that a rank sends for one token. */
A2A_FUNCTION int64_t a2a_rows_per_token(const A2aGeometry *g) {
  if (g->kind != A2A_COMBINE) return 1;
  return g->top_k < g->experts_per_rank ? g->top_k : g->experts_per_rank;
}

/* A message: the slots of its rows, ascending, then the rows. Slot token * top_k + k counts from
 * the first token of the receiver (combine) or of the sender (dispatch, where top_k is taken as 1).
 */
A2A_FUNCTION int64_t a2a_slots_bytes(int64_t rows) {
  return (rows * (int64_t)sizeof(int32_t) + A2A_ALIGN - 1) / A2A_ALIGN * A2A_ALIGN;
}

A2A_FUNCTION int64_t a2a_message_bytes(const A2aGeometry *g, int64_t rows) {
  return a2a_slots_bytes(rows) + (rows * g->row_bytes + A2A_ALIGN - 1) / A2A_ALIGN * A2A_ALIGN;
}

/* The record of a call, which ranks exchange. All words before A2A_RECORD_COMMON must agree. */
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
      A2A_RECORD_COMMON, /* the rest differs between ranks */
  A2A_RECORD_INPUT = A2A_RECORD_COMMON,
  A2A_RECORD_IDS,
  /* Where input and ids lie for other processes: handle of the allocation (0: it cannot be mapped)
   * and offset in bytes. */
  A2A_RECORD_INPUT_HANDLE,
  A2A_RECORD_INPUT_OFFSET,
  A2A_RECORD_IDS_HANDLE,
  A2A_RECORD_IDS_OFFSET,
  A2A_RECORD_WORDS
} A2aRecordField;

typedef struct A2aRecord {
  int64_t word[A2A_RECORD_WORDS];
} A2aRecord;

/* Arguments of the kernels. `gathered` holds the records of all ranks, record_bytes apart; if rows
 * go through messages, each record is followed by an int64 number of rows for every rank. */
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
  int send_tasks;   /* staged: tasks that count and pack; 0: no row is sent */
  int32_t *counts;  /* workspace, staged: [tasks, group_size], rows of a task for each position */
  int8_t *sent;     /* workspace, staged: messages by position */
  int8_t *received; /* workspace, staged: messages by position */
  int8_t *slabs;    /* workspace, staged dispatch: ids of all positions */
  int8_t *output;
  int8_t *output_ids;   /* dispatch only */
  bool copies_in_order; /* a device fact */
} A2aArgs;

/* A difference between the calls of two ranks. */
typedef struct A2aDifference {
  int odd, other, field; /* the rank to blame, one it differs from, the word */
  long long odd_value, other_value;
} A2aDifference;
#define A2A_DIFFERENCE "rank %d passed %s %lld, rank %d passed %lld: wanted the same on all ranks."
#define A2A_DIFFERENCE_VALUES(d) \
  (d).odd, a2a_field_text((d).field), (d).odd_value, (d).other, (d).other_value

/* Text of a field before A2A_RECORD_COMMON. */
A2A_FUNCTION const char *a2a_field_text(int field) {
#define A2A_FIELD(name, text) text,
  const char *const texts[] = {A2A_RECORD_FIELDS(A2A_FIELD)};
#undef A2A_FIELD
  return texts[field];
}

/* The first common word in which two records differ, or A2A_RECORD_COMMON. */
A2A_FUNCTION int a2a_differing_field(const A2aRecord *a, const A2aRecord *b) {
  int field = 0;
  while (field < A2A_RECORD_COMMON && a->word[field] == b->word[field]) ++field;
  return field;
}

A2A_FUNCTION A2aRecord *a2a_record(const A2aArgs *args, const int8_t *records, int rank) {
  return (A2aRecord *)(records + rank * args->record_bytes);
}

/* True if the records of all ranks differ in a common word. It blames the lowest rank that differs
 * from rank 0, or rank 0 if ranks 1 and 2 agree, so all ranks blame the same. */
A2A_FUNCTION bool a2a_find_difference(const A2aArgs *args, const int8_t *records,
                                      A2aDifference *difference) {
  const A2aRecord *first = a2a_record(args, records, 0), *second = a2a_record(args, records, 1);
  for (int rank = 1; rank < args->geometry.ranks; ++rank) {
    const A2aRecord *record = a2a_record(args, records, rank);
    const int field = a2a_differing_field(first, record);
    if (field == A2A_RECORD_COMMON) continue;
    const bool is_first_odd =
        rank == 1 && args->geometry.ranks > 2 &&
        a2a_differing_field(second, a2a_record(args, records, 2)) == A2A_RECORD_COMMON;
    const A2aRecord *odd = is_first_odd ? first : record, *other = is_first_odd ? record : first;
    const A2aDifference found = {is_first_odd ? 0 : rank, is_first_odd ? rank : 0, field,
                                 odd->word[field], other->word[field]};
    *difference = found;
    return true;
  }
  return false;
}

/* Announce, by one task, adds up `counts`, writes `announced` and clears `gathered`. Fill fills the
 * output from the memory of the group's ranks or, if staged, from messages and this rank's memory.
 * If the records differ, it writes nothing and faults. If the gather failed, whose error is in the
 * queue, it writes nothing. Staged, by send_tasks tasks: Count counts the rows for every position,
 * Pack writes the messages. */
#define A2A_KERNEL(name) \
  MLUOP_OF_KERNEL mluOpStatus_t name(cnrtDim3_t k_dim, cnrtQueue_t queue, const A2aArgs *args)
A2A_KERNEL(KernelA2aAnnounce);
A2A_KERNEL(KernelA2aFill);
A2A_KERNEL(KernelA2aCount);
A2A_KERNEL(KernelA2aPack);

#endif /* KERNELS_ALL_TO_ALL_EXCHANGE_H_ */
