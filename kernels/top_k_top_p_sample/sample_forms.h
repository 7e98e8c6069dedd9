/* SPDX-License-Identifier: MIT
 *
 * What the host files of the sampling family hand to a kernel, and the forms of that kernel. */
#ifndef KERNELS_TOP_K_TOP_P_SAMPLE_SAMPLE_FORMS_H_
#define KERNELS_TOP_K_TOP_P_SAMPLE_SAMPLE_FORMS_H_

#include <stdbool.h>
#include <stdint.h>

#include "cnrt.h"
#include "core/variant.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TOP_K_TOP_P_MAX_K 1024
#define TOP_K_TOP_P_MAX_VOCAB (1 << 20)

typedef struct TopKTopPArgs {
  const void *logits;
  int64_t row_stride; /* of logits, in elements */
  const int32_t *top_k;
  const void *top_p; /* type of logits */
  const void *min_p; /* type of logits; NULL: off */
  const float *q;    /* NULL: no noise */
  float eps;
  int64_t batch;
  int vocab;

  int64_t *index;     /* NULL: filter only */
  void *filtered;     /* NULL: not wanted */
  bool is_float_kept; /* filtered is float, else it has the type of logits */

  /* Groups of this many tasks take rows. Tasks of a group with more than one are in one union, meet
   * at barriers and exchange data through slots, two for each task: in the workspace, or where
   * `slots` is NULL in the memory of their cluster. */
  int group_tasks;
  char *slots;
  int64_t slot_bytes;

  int32_t *is_open; /* of each row: a variant leaves it to the reference form; NULL: all rows */
} TopKTopPArgs;

/* A checked call. The workspace is large enough for every form. */
typedef struct TopKTopPCall {
  mluOpDataType_t dtype; /* of logits: float, half or bfloat16 */
  TopKTopPArgs args;     /* without what the forms add */
  void *workspace;
} TopKTopPCall;

extern const mluopVariantTable top_k_top_p_sample_variants;
extern const mluopVariantTable apply_top_k_top_p_variants;

/* Bytes of workspace for any of the forms. */
size_t top_k_top_p_workspace_size(mluOpHandle_t handle, mluOpDataType_t dtype, int64_t batch,
                                  int64_t vocab);

/* ---- the reference form, for every call ---- */

/* Words of a slot: what a task tells the others, and a list of elements. */
#define TOP_K_TOP_P_SLOT_WORDS (48 + 4096)
/* Bytes of a core's memory that hold something else than a row, with the stack. */
#define TOP_K_TOP_P_OTHER_BYTES (256 * 1024)
/* The most tasks of a group, and those of one cluster that have slots in its memory. */
#define TOP_K_TOP_P_MAX_GROUP 32
#define TOP_K_TOP_P_CLUSTER_TASKS 8

mluOpStatus_t KernelSampleRows(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                               mluOpDataType_t dtype, const TopKTopPArgs *args);

/* ---- scalar_tables: histograms by scalar code, for every call but rows of floats that it marks as
 * open ---- */

/* Elements a task reads at a time; a row that several tasks share is cut at multiples of it. */
#define TOP_K_TOP_P_TILE 2048

/* Floats of one bucket that are sorted on chip. */
#define TOP_K_TOP_P_SORT_MAX 8192
/* The counters of the 2^16 values of 16-bit logits lie in this many blocks. */
#define TOP_K_TOP_P_BLOCKS 128
/* Words of a slot: the counts of a task with the totals of their blocks, or a list of values and
 * ids. */
#define TOP_K_TOP_P_COUNTS_SLOT_WORDS (1 + TOP_K_TOP_P_BLOCKS + (1 << 16))
#define TOP_K_TOP_P_LIST_SLOT_WORDS (1 + 2 * TOP_K_TOP_P_SORT_MAX)

mluOpStatus_t KernelScalarTables(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                                 mluOpDataType_t dtype, const TopKTopPArgs *args);

/* ---- small_tasks: usual draws by many small tasks ---- */

/* Elements read at a time, words a task tells the others, the longest rows, tasks of a group. */
#define TOP_K_TOP_P_SMALL_TILE 1024
#define TOP_K_TOP_P_SMALL_SLOT_WORDS (TOP_K_TOP_P_SMALL_TILE + 256)
#define TOP_K_TOP_P_SMALL_VOCAB (1 << 18)
#define TOP_K_TOP_P_SMALL_MIN_TASKS 4
#define TOP_K_TOP_P_SMALL_MAX_TASKS 16

/* For an index and nothing else, no min_p. Rows it does not do it marks as open. */
mluOpStatus_t KernelSmallTasks(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                               mluOpDataType_t dtype, const TopKTopPArgs *args);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_TOP_K_TOP_P_SAMPLE_SAMPLE_FORMS_H_ */
