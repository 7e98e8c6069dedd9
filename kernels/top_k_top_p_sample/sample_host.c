/* SPDX-License-Identifier: MIT */
#include "kernels/top_k_top_p_sample/sample_host.h"

#include <stdatomic.h>
#include <time.h>

#include "core/check.h"
#include "core/context.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "kernels/kernel.h"

/* Slots begin at a multiple of this, wherever the workspace begins. */
#define SLOT_ALIGN 64
/* A task that shares a row gets at least this many tiles of it: a barrier costs about as much. */
#define MIN_SHARED_TILES 4

/* Rows differ in what they cost, and so do cores that others use too: a core that is done early
 * takes another task. */
#define TASKS_PER_CORE 4
/* The small tasks leave few rows, mostly none: so many unions of those that would take all rows are
 * launched for them. */
#define OPEN_ROWS_PART 2

/* How the tasks are cut: `groups` unions of `clusters` clusters share rows, or, when clusters is 0,
 * single tasks take rows alone. */
typedef struct SampleSplit {
  int clusters;
  int64_t groups;
  int64_t group_tasks;
} SampleSplit;

static mluOpStatus_t check_logits(const char *api, mluOpTensorDescriptor_t logits_desc) {
  CHECK_RANK(api, logits_desc, 2);
  CHECK_DTYPE(api, logits_desc, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_FLOAT);
  int64_t batch = logits_desc->dims[0], vocab = logits_desc->dims[1];
  CHECK_VALUE(api, batch, batch > 0, "1 or more rows in logits_desc");
  CHECK_VALUE(api, vocab, vocab > 0 && vocab <= TOP_K_TOP_P_MAX_VOCAB,
              "1 to %d columns in logits_desc", TOP_K_TOP_P_MAX_VOCAB);
  CHECK_ROWS(api, logits_desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t sample_check_inputs(const char *api, mluOpHandle_t handle,
                                  const SampleInputs *inputs) {
  mluOpTensorDescriptor_t logits_desc = inputs->logits_desc, top_k_desc = inputs->top_k_desc;
  mluOpTensorDescriptor_t top_p_desc = inputs->top_p_desc, min_p_desc = inputs->min_p_desc;
  CHECK_HANDLE(api, handle);
  CHECK_ARCH(api, handle, MLUOP_MLU370);
  CHECK_DESC(api, logits_desc);
  CHECK_DESC(api, top_k_desc);
  CHECK_DESC(api, top_p_desc);
  MLUOP_RETURN_IF_FAILED(check_logits(api, logits_desc));
  CHECK_RANK(api, top_k_desc, 1);
  CHECK_RANK(api, top_p_desc, 1);
  CHECK_DTYPE(api, top_k_desc, MLUOP_DTYPE_INT32);
  CHECK_SAME_DTYPE(api, top_p_desc, logits_desc);
  CHECK_DIM(api, top_k_desc, 0, logits_desc->dims[0]);
  CHECK_DIM(api, top_p_desc, 0, logits_desc->dims[0]);
  CHECK_CONTIGUOUS(api, top_k_desc);
  CHECK_CONTIGUOUS(api, top_p_desc);
  if (min_p_desc == NULL) return MLUOP_STATUS_SUCCESS;
  CHECK_RANK(api, min_p_desc, 1);
  CHECK_SAME_DTYPE(api, min_p_desc, logits_desc);
  CHECK_DIM(api, min_p_desc, 0, logits_desc->dims[0]);
  CHECK_CONTIGUOUS(api, min_p_desc);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t sample_check_data(const char *api, const SampleInputs *inputs) {
  const void *logits = inputs->logits, *top_k = inputs->top_k, *top_p = inputs->top_p;
  const void *min_p = inputs->min_p;
  CHECK_DATA(api, logits);
  CHECK_DATA(api, top_k);
  CHECK_DATA(api, top_p);
  CHECK_OPTIONAL(api, min_p, inputs->min_p_desc);
  return MLUOP_STATUS_SUCCESS;
}

/* The longest union that meets at hardware barriers everywhere, in clusters, and the shortest rows
 * worth a launch of their own. */
#define QUICK_MOST_CLUSTERS 4
#define QUICK_LEAST_TILES 8
/* Tasks of a quick row, a power of two. */
#define QUICK_LEAST_TASKS 4
#define QUICK_MOST_TASKS 16
/* A task of a quick row has at least this many tiles. */
#define QUICK_SHARED_TILES 2
/* With noise it has no more than this if there are tasks for it: what it lists of more would not do
 * for top-p, and a row by fewer tasks takes several times as long. */
#define QUICK_NOISE_TILES 16

/* How the small tasks are cut; clusters is 0 when this device or these rows are none for them. */
static SampleSplit split_quick(mluOpHandle_t handle, int64_t batch, int64_t vocab, bool has_noise) {
  SampleSplit none = {0, 0, 0};
  int64_t tiles = CEIL_DIV(vocab, TOP_K_TOP_P_QUICK_TILE);
  int64_t total = (int64_t)handle->capability_cluster_num * KernelQuickSampleTasksPerCore();
  int64_t per_cluster = handle->core_num_per_cluster;
  if (total == 0 || tiles < QUICK_LEAST_TILES || vocab > TOP_K_TOP_P_QUICK_VOCAB) return none;
  int64_t clusters = 1;
  while (clusters < QUICK_MOST_CLUSTERS && 2 * clusters <= handle->capability_cluster_num &&
         2 * clusters * per_cluster * QUICK_SHARED_TILES <= tiles &&
         (2 * clusters * batch <= total ||
          (has_noise && clusters * per_cluster * QUICK_NOISE_TILES < tiles)))
    clusters *= 2;
  int64_t tasks = clusters * per_cluster;
  if (tasks < QUICK_LEAST_TASKS || tasks > QUICK_MOST_TASKS || (tasks & (tasks - 1)) != 0)
    return none;
  int64_t groups = total / clusters < batch ? total / clusters : batch;
  SampleSplit shared = {(int)clusters, groups, tasks};
  return shared;
}

static SampleSplit split_rows(mluOpHandle_t handle, int64_t batch, int64_t vocab) {
  int64_t cores = mluop_context_core_num(handle), per_cluster = handle->core_num_per_cluster;
  int64_t most = CEIL_DIV(vocab, TOP_K_TOP_P_TILE) / MIN_SHARED_TILES; /* tasks per row */
  int64_t tasks = cores * TASKS_PER_CORE;
  SampleSplit alone = {0, batch < tasks ? batch : tasks, 1};
  if (batch >= cores || per_cluster > most || cores == 1) return alone;
  /* A row for each group, as many clusters as there are for it: a union has 1, 2, 4, 8 or 16. */
  int64_t clusters = 1, total = handle->capability_cluster_num;
  while (clusters < 16 && 2 * clusters * batch <= total && 2 * clusters * per_cluster <= most)
    clusters *= 2;
  int64_t groups = total / clusters < batch ? total / clusters : batch;
  SampleSplit shared = {(int)clusters, groups, clusters * per_cluster};
  return shared;
}

/* Room for what a task tells the others: counts of all 16-bit values, or elements to sort with
 * their number; lists of top-k are shorter. */
static size_t slot_size(mluOpDataType_t dtype) {
  size_t words =
      dtype == MLUOP_DTYPE_FLOAT ? 1 + 2 * TOP_K_TOP_P_SORT_MAX : TOP_K_TOP_P_HALF_SLOT_WORDS;
  return ALIGN_UP(sizeof(int32_t) * words, SLOT_ALIGN) + TOP_K_TOP_P_DEAL_BYTES;
}

static size_t group_size(const SampleSplit *split, mluOpDataType_t dtype) {
  return 2 * (size_t)split->group_tasks * slot_size(dtype);
}

static size_t quick_slot_size(void) {
  return sizeof(int32_t) * TOP_K_TOP_P_QUICK_SLOT_WORDS;
}

/* Both kernels use the same memory, one after the other. */
size_t sample_workspace_size(mluOpHandle_t handle, mluOpTensorDescriptor_t logits_desc) {
  int64_t batch = logits_desc->dims[0], vocab = logits_desc->dims[1];
  SampleSplit split = split_rows(handle, batch, vocab);
  size_t bytes = 0;
  if (split.clusters != 0) bytes = (size_t)split.groups * group_size(&split, logits_desc->dtype);
  for (int has_noise = 0; has_noise < 2; ++has_noise) { /* it is not known yet */
    SampleSplit quick = split_quick(handle, batch, vocab, has_noise != 0);
    size_t quick_bytes = 2 * quick.groups * quick.group_tasks * quick_slot_size();
    if (quick_bytes > bytes) bytes = quick_bytes;
  }
  return bytes == 0 ? 0 : SLOT_ALIGN + bytes;
}

mluOpStatus_t sample_get_workspace_size(const char *api, mluOpHandle_t handle,
                                        mluOpTensorDescriptor_t logits_desc,
                                        size_t *workspace_size) {
  CHECK_HANDLE(api, handle);
  CHECK_ARCH(api, handle, MLUOP_MLU370);
  CHECK_DESC(api, logits_desc);
  CHECK_NOT_NULL(api, workspace_size);
  MLUOP_RETURN_IF_FAILED(check_logits(api, logits_desc));
  *workspace_size = sample_workspace_size(handle, logits_desc);
  return MLUOP_STATUS_SUCCESS;
}

/* As good as random: not even the launches of another process, whose memory a workspace may have
 * been, have had it (SplitMix64). */
static uint64_t make_launch_id(void) {
  static _Atomic uint64_t launches;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t x = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  x += (uintptr_t)&launches + 0x9e3779b97f4a7c15u * (atomic_fetch_add(&launches, 1) + 1);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static cnrtFunctionType_t union_type(int clusters) {
  return (cnrtFunctionType_t)(cnrtFuncTypeUnion1 * clusters);
}

/* What it leaves is for the kernel for all rows. */
static mluOpStatus_t launch_quick(const char *api, mluOpHandle_t handle, const SampleSplit *quick,
                                  mluOpDataType_t dtype, TopKTopPArgs *args) {
  cnrtDim3_t k_dim = {(unsigned)(quick->groups * quick->group_tasks), 1, 1};
  args->group_tasks = (int)quick->group_tasks;
  args->slot_bytes = (int64_t)quick_slot_size();
  args->is_open_only = true;
  VLOG(5, "%s %u small tasks, %d for a row", api, k_dim.x, args->group_tasks);
  return KernelQuickSample(k_dim, union_type(quick->clusters), handle->queue, dtype, args);
}

mluOpStatus_t sample_launch(const char *api, mluOpHandle_t handle, const SampleInputs *inputs,
                            void *workspace, TopKTopPArgs *args) {
  mluOpTensorDescriptor_t logits_desc = inputs->logits_desc;
  args->logits = inputs->logits;
  args->batch = logits_desc->dims[0];
  args->vocab = (int)logits_desc->dims[1];
  args->row_stride = args->batch > 1 ? logits_desc->strides[0] : args->vocab;
  args->top_k = inputs->top_k;
  args->top_p = inputs->top_p;
  args->min_p = inputs->min_p;

  args->slots = (char *)ALIGN_UP((uintptr_t)workspace, SLOT_ALIGN);
  SampleSplit quick = split_quick(handle, args->batch, args->vocab, args->q != NULL);
  bool is_usual = args->index != NULL && args->filtered == NULL && args->min_p == NULL;
  SampleSplit split = split_rows(handle, args->batch, args->vocab);
  if (quick.clusters > 0 && is_usual) {
    MLUOP_RETURN_IF_FAILED(launch_quick(api, handle, &quick, logits_desc->dtype, args));
    split.groups = CEIL_DIV(split.groups, OPEN_ROWS_PART);
  }
  args->group_tasks = (int)split.group_tasks;
  if (split.clusters > 0) {
    args->slot_bytes = (int64_t)slot_size(logits_desc->dtype);
    args->launch_id = make_launch_id();
  }
  cnrtDim3_t k_dim = {(unsigned)(split.groups * split.group_tasks), 1, 1};
  cnrtFunctionType_t k_type = split.clusters > 0 ? union_type(split.clusters) : cnrtFuncTypeBlock;
  VLOG(5, "%s %u tasks, %d for a row", api, k_dim.x, args->group_tasks);
  return KernelTopKTopP(k_dim, k_type, handle->queue, logits_desc->dtype, args);
}
