/* SPDX-License-Identifier: MIT */
#ifndef ZOO_ALL_TO_ALL_DISPATCH_REF_H_
#define ZOO_ALL_TO_ALL_DISPATCH_REF_H_

#include <stdint.h>

/* One call on all ranks, in host memory; the data of the ranks follow each other.
 */
typedef struct AllToAllDispatchCall {
  int64_t mesh_rows, mesh_cols;
  int cluster_axis, concat_dim;
  int64_t local_batch, local_sequence, top_k, experts;
  int64_t row_bytes;
  int id_bytes, map_bytes; /* 2: unsigned, 4: signed */
  const void *input;       /* [ranks, local_batch, local_sequence] rows */
  const void *indices;     /* [ranks, local_batch, local_sequence, top_k] */
  const void *mapping;     /* [experts, ranks] */
  void *output;            /* [ranks, tokens of a group] rows */
  void *metadata;          /* [ranks, tokens of a group, top_k] */
} AllToAllDispatchCall;

/* Ranks along the cluster axis. */
int64_t all_to_all_dispatch_group(const AllToAllDispatchCall *call);

/* The definition of the operator. */
void all_to_all_dispatch_ref(const AllToAllDispatchCall *call);

/* Minimum of bytes moved on all ranks together: every row that reaches an output is read and
 * written, every other output row is written; indices are read and metadata written. */
int64_t all_to_all_dispatch_theory_bytes(const AllToAllDispatchCall *call);

#endif /* ZOO_ALL_TO_ALL_DISPATCH_REF_H_ */
