/* SPDX-License-Identifier: MIT
 *
 * Arguments and forms of the sampling kernels, and what the host files of the family share. */
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
  bool is_float_kept; /* filtered is float, else of the type of logits */

  /* Each group of this many tasks takes rows in turn. A group of several tasks is a union that
   * meets at barriers and exchanges data through slots, two for each task: in the workspace or, if
   * `slots` is NULL, in the memory of their cluster. */
  int group_tasks;
  char *slots;
  int64_t slot_bytes;

  int32_t *is_open; /* per row: left to the reference form; NULL: it takes all rows */
} TopKTopPArgs;

/* A checked call. The workspace fits every form. */
typedef struct TopKTopPCall {
  mluOpDataType_t dtype; /* of logits: float, half or bfloat16 */
  TopKTopPArgs args;     /* without what the forms add */
  void *workspace;
} TopKTopPCall;

extern const mluopVariantTable top_k_top_p_sample_variants;
extern const mluopVariantTable apply_top_k_top_p_variants;

/* Bytes of workspace that fit every form. */
size_t top_k_top_p_workspace_size(mluOpHandle_t handle, mluOpDataType_t dtype, int64_t batch,
                                  int64_t vocab);

/* ---- checks and launch ---- */

typedef struct mluopTensors mluopTensors; /* core/tensor_rules.h */

/* All tables of the family begin with these three. */
enum { LOGITS, TOP_K, TOP_P, SAMPLE_COMMON_ROWS };
#define SAMPLE_COMMON_RULES                                                                \
  MLUOP_IN(logits, MLUOP_TYPES(MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_FLOAT), \
           MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_SPACED_ROWS, MLUOP_GAUSSIAN(0, 2.5)),   \
      MLUOP_IN(top_k, MLUOP_INT32, SAMPLE_PER_ROW, MLUOP_REAL(1, 50)),                     \
      MLUOP_IN(top_p, MLUOP_TYPE_OF(LOGITS), SAMPLE_PER_ROW, MLUOP_REAL(0.9, 0.95))
#define SAMPLE_PER_ROW MLUOP_DIMS(MLUOP_DIM(LOGITS, 0))

/* Checks the handle and these three descriptors. */
mluOpStatus_t sample_check_inputs(mluopTensors *tensors);

/* Body of the workspace queries, which only have the logits. */
mluOpStatus_t sample_get_workspace_size(mluopTensors *tensors, size_t *workspace_size);

/* Bytes of workspace for checked logits. */
size_t sample_workspace_size(const mluopTensors *tensors);

/* Adds these three tensors to `args` and launches. */
mluOpStatus_t sample_launch(const mluopVariantTable *variants, const mluopTensors *tensors,
                            const TopKTopPArgs *args, void *workspace);

/* ---- the reference form, for every call ---- */

/* Words of a slot: published words, then a list of elements. */
#define TOP_K_TOP_P_SLOT_WORDS (48 + 4096)
/* NRAM for everything but a row, including the stack. */
#define TOP_K_TOP_P_OTHER_BYTES (256 * 1024)
/* Most tasks of a group, and of a group whose slots are in the memory of its cluster. */
#define TOP_K_TOP_P_MAX_GROUP 32
#define TOP_K_TOP_P_CLUSTER_TASKS 8

mluOpStatus_t KernelSampleRows(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                               mluOpDataType_t dtype, const TopKTopPArgs *args);

/* ---- scalar_tables: histograms by scalar code, for every call but rows of floats that it marks as
 * open ---- */

/* Elements loaded at a time; tasks share rows at multiples of it. */
#define TOP_K_TOP_P_TILE 2048

/* Floats of one bucket that are sorted on chip. */
#define TOP_K_TOP_P_SORT_MAX 8192
/* The counters of the 2^16 values of 16-bit logits lie in this many blocks. */
#define TOP_K_TOP_P_BLOCKS 128
/* Words of a slot: a list of two words per element, then the counts of a task with the totals of
 * their blocks. */
#define TOP_K_TOP_P_LIST_WORDS (2 + 2 * TOP_K_TOP_P_SORT_MAX)
#define TOP_K_TOP_P_COUNTS_WORDS(is_float) (1 + TOP_K_TOP_P_BLOCKS + ((is_float) ? 4096 : 1 << 16))

mluOpStatus_t KernelScalarTables(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                                 mluOpDataType_t dtype, const TopKTopPArgs *args);

/* ---- small_tasks: usual rows by many small tasks ---- */

/* Elements loaded at a time, words of a slot, most tiles of a task, tasks of a group. */
#define TOP_K_TOP_P_SMALL_TILE 1024
#define TOP_K_TOP_P_SMALL_SLOT_WORDS (TOP_K_TOP_P_SMALL_TILE + 256)
#define TOP_K_TOP_P_SMALL_MAX_TILES 64
#define TOP_K_TOP_P_SMALL_MIN_TASKS 4
#define TOP_K_TOP_P_SMALL_MAX_TASKS 16

/* Only for calls without min_p. Marks rows that it cannot handle as open. */
mluOpStatus_t KernelSmallTasks(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                               mluOpDataType_t dtype, const TopKTopPArgs *args);

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_TOP_K_TOP_P_SAMPLE_SAMPLE_FORMS_H_ */
