/* SPDX-License-Identifier: MIT
 *
 * What the host files of the sampling family hand to their kernel. */
#ifndef KERNELS_TOP_K_TOP_P_SAMPLE_TOP_K_TOP_P_SAMPLE_H_
#define KERNELS_TOP_K_TOP_P_SAMPLE_TOP_K_TOP_P_SAMPLE_H_

#include <stdbool.h>
#include <stdint.h>

#include "cnrt.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TOP_K_TOP_P_MAX_K 1024
#define TOP_K_TOP_P_MAX_VOCAB (1 << 20)

/* Elements a task reads at a time; a row that several tasks share is cut at multiples of it. */
#define TOP_K_TOP_P_TILE 2048

/* Elements of one key range that are sorted on chip; also what a task may tell the others at once.
 */
#define TOP_K_TOP_P_SORT_MAX 8192

/* The 2^16 values of 16-bit logits are counted and told in so many blocks: the number of elements
 * of each, the largest value (and words for what follows to be aligned), then the counts, then the
 * mass of each block as double; then the number of records of the noise, ranks and divisors, so
 * many at a time. */
#define TOP_K_TOP_P_BLOCKS 128
#define TOP_K_TOP_P_LARGEST_WORDS 16
#define TOP_K_TOP_P_RECORDS 16
#define TOP_K_TOP_P_HALF_SLOT_WORDS \
  ((1 << 16) + 3 * TOP_K_TOP_P_BLOCKS + TOP_K_TOP_P_LARGEST_WORDS + 1 + 2 * TOP_K_TOP_P_RECORDS)

/* Behind what a task tells the others, for words that two tasks change (deal.mluh): in the middle
 * they are away from everything that is fetched with another cache line. */
#define TOP_K_TOP_P_DEAL_BYTES 256

/* The small tasks of KernelQuickSample: elements read at a time, words a task tells the others, the
 * longest rows; and the index of a row they did not do. */
#define TOP_K_TOP_P_QUICK_TILE 1024
#define TOP_K_TOP_P_QUICK_SLOT_WORDS (TOP_K_TOP_P_QUICK_TILE + 256)
#define TOP_K_TOP_P_QUICK_VOCAB (1 << 18)
#define TOP_K_TOP_P_OPEN (-1)

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

  /* Groups of this many tasks take rows; with more than one, the tasks of a group (a union) work on
   * one row after the other, meet at barriers and talk through slots of the workspace, two per
   * task. */
  int group_tasks;
  char *slots;
  int64_t slot_bytes;
  uint64_t launch_id; /* no other launch has it, nor one of the next numbers */

  bool is_open_only; /* only rows with index TOP_K_TOP_P_OPEN */
} TopKTopPArgs;

/* Launches the kernel for logits of `dtype`: float, half or bfloat16. */
mluOpStatus_t KernelTopKTopP(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                             mluOpDataType_t dtype, const TopKTopPArgs *args);

/* Launches the kernel for usual draws: index is wanted, nothing else; no min_p; groups of 4 to 16
 * tasks. Rows it does not do are left open. So many of its tasks share a core; 0: it is not worth
 * it on this device, and is not there. */
int KernelQuickSampleTasksPerCore(void);
mluOpStatus_t KernelQuickSample(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                                mluOpDataType_t dtype, const TopKTopPArgs *args)
    __attribute__((weak, visibility("hidden")));

#ifdef __cplusplus
}
#endif

#endif /* KERNELS_TOP_K_TOP_P_SAMPLE_TOP_K_TOP_P_SAMPLE_H_ */
