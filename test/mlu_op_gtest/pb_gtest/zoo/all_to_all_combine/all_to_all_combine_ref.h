/* SPDX-License-Identifier: MIT */
#ifndef ZOO_ALL_TO_ALL_COMBINE_REF_H_
#define ZOO_ALL_TO_ALL_COMBINE_REF_H_

#include <stdbool.h>
#include <stdint.h>

/* One call on all ranks, in host memory; the data of the ranks follow each other.
 */
typedef struct AllToAllCombineCall {
  int64_t mesh_rows, mesh_cols;
  int cluster_axis, shard_dim;
  bool local_reduce;
  int64_t batch, sequence, top_k, experts; /* batch and sequence of a whole group */
  int64_t row_bytes;
  int id_bytes, map_bytes; /* 2: unsigned, 4: signed */
  bool is_metadata_shared; /* one slab for all ranks instead of one per rank */
  const void *input;       /* [ranks, experts / ranks or 1, batch, sequence] rows */
  const void *metadata;    /* [1 or ranks, batch, sequence, top_k] */
  const void *mapping;     /* [experts, ranks] */
  void *output;            /* [ranks, top_k, batch or part of it, sequence or part of it] rows */
} AllToAllCombineCall;

/* Ranks along the cluster axis, and output rows of one rank. */
int64_t all_to_all_combine_group(const AllToAllCombineCall *call);
int64_t all_to_all_combine_rows(const AllToAllCombineCall *call);

/* The definition of the operator. */
void all_to_all_combine_ref(const AllToAllCombineCall *call);

/* Minimum of bytes moved on all ranks together: rows that reach an output are read and written,
 * other output rows are written, and every rank reads its metadata and mapping once. */
int64_t all_to_all_combine_theory_bytes(const AllToAllCombineCall *call);

/* Rows that reach an output, on all ranks together. */
int64_t all_to_all_combine_moved_rows(const AllToAllCombineCall *call);

#endif /* ZOO_ALL_TO_ALL_COMBINE_REF_H_ */
