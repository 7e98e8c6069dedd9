/* SPDX-License-Identifier: MIT
 *
 * The forms of the sampling kernels, how each divides rows among tasks, and the workspace for that.
 */
#include "core/check.h"
#include "core/context.h"
#include "core/logging.h"
#include "kernels/kernel.h"
#include "kernels/top_k_top_p_sample/sample_forms.h"

/* Alignment of the slots; the workspace may begin anywhere. */
#define SLOT_ALIGN 64

/* `groups` unions of `clusters` clusters share rows; clusters 0: each task takes whole rows. */
typedef struct Split {
  int clusters;
  int64_t groups;
  int64_t group_tasks;
} Split;

typedef mluOpStatus_t (*Kernel)(cnrtDim3_t k_dim, cnrtFunctionType_t k_type, cnrtQueue_t queue,
                                mluOpDataType_t dtype, const TopKTopPArgs *args);

static mluOpStatus_t launch(const char *form, Kernel kernel, mluOpHandle_t handle,
                            const Split *split, mluOpDataType_t dtype, TopKTopPArgs *args) {
  const cnrtDim3_t dim = {(unsigned)(split->groups * split->group_tasks), 1, 1};
  args->group_tasks = (int)split->group_tasks;
  VLOG(5, "%s: %u tasks, %d for a row", form, dim.x, args->group_tasks);
  return kernel(dim,
                split->clusters == 0 ? cnrtFuncTypeBlock
                                     : (cnrtFunctionType_t)(cnrtFuncTypeUnion1 * split->clusters),
                handle->queue, dtype, args);
}

/* Shares each row among the tasks of a union: `wanted` clusters, rounded up to a power of two, or
 * fewer by the limit and by the unions that there are. `total` clusters run at a time. */
static Split share_rows(mluOpHandle_t handle, int64_t batch, int64_t total, int64_t wanted,
                        int64_t limit) {
  int64_t clusters = 1;
  while (clusters < wanted && 2 * clusters <= limit &&
         mluop_context_union_of(handle, (size_t)(2 * clusters)) == 2 * clusters)
    clusters *= 2;
  const Split shared = {(int)clusters, MIN(batch, total / clusters),
                        clusters * handle->core_num_per_cluster};
  return shared;
}

/* Every task has two slots. */
static size_t slots_size(const Split *split, size_t slot_bytes) {
  return split->group_tasks == 1 ? 0
                                 : 2 * (size_t)(split->groups * split->group_tasks) * slot_bytes;
}

static char *align_slots(void *workspace) {
  return (char *)ALIGN_UP((uintptr_t)workspace, SLOT_ALIGN);
}

/* ---- reference ---- */

/* Fewest elements of a row per task, where tasks share it. */
#define REFERENCE_TILE 4096

/* Half of the work on a row is on short lists, where a group is no faster than one core. So rows
 * that fit a core, with room for their larger elements, go to single cores if there are enough
 * rows. Otherwise a cluster shares a row. Several clusters exchange data in GDRAM, which takes
 * longer than everything else, so there are only as many as it takes to hold a row. */
static Split split_reference(mluOpHandle_t handle, mluOpDataType_t dtype, int64_t batch,
                             int64_t vocab) {
  const int64_t cores = mluop_context_core_num(handle), per_cluster = handle->core_num_per_cluster;
  const int64_t total = handle->capability_cluster_num, tiles = CEIL_DIV(vocab, REFERENCE_TILE);
  const int64_t row_bytes = tiles * REFERENCE_TILE * (dtype == MLUOP_DTYPE_FLOAT ? 4 : 2);
  const int64_t room = handle->nram_size - TOP_K_TOP_P_OTHER_BYTES; /* per core */
  const Split alone = {0, MIN(batch, cores), 1};
  if ((row_bytes + vocab <= room && 2 * batch > cores) || tiles == 1 || per_cluster == 1 ||
      per_cluster > TOP_K_TOP_P_CLUSTER_TASKS)
    return alone;
  return share_rows(handle, batch, total, CEIL_DIV(row_bytes, per_cluster * room),
                    MIN(total / batch, MIN(tiles, TOP_K_TOP_P_MAX_GROUP) / per_cluster));
}

static size_t reference_size(const Split *split) {
  return split->clusters > 1 ? slots_size(split, sizeof(int32_t) * TOP_K_TOP_P_SLOT_WORDS) : 0;
}

/* Takes all rows, or those that are open. These are few, mostly none, and a device that runs
 * several small tasks on a core starts large ones in turns: half as many find that out sooner. */
static mluOpStatus_t launch_reference(mluOpHandle_t handle, const void *call) {
  const TopKTopPCall *c = call;
  TopKTopPArgs args = c->args;
  Split split = split_reference(handle, c->dtype, args.batch, args.vocab);
  if (args.is_open != NULL && mluop_small_tasks_overlap(&handle->facts))
    split.groups = CEIL_DIV(split.groups, 2);
  args.slots = split.clusters > 1 ? align_slots(c->workspace) : NULL;
  return launch("reference", KernelSampleRows, handle, &split, c->dtype, &args);
}

/* Launches a form with slots, and the reference form for the few rows that it may leave open: their
 * words follow the slots, and the slots of the reference form follow them. */
static mluOpStatus_t launch_form(const char *form, Kernel kernel, mluOpHandle_t handle,
                                 const TopKTopPCall *call, const Split *split, size_t slot_bytes,
                                 bool may_leave_open) {
  TopKTopPCall rest = *call;
  TopKTopPArgs args = call->args;
  args.slots = align_slots(call->workspace);
  args.slot_bytes = (int64_t)slot_bytes;
  if (may_leave_open) args.is_open = (int32_t *)(args.slots + slots_size(split, slot_bytes));
  MLUOP_RETURN_IF_FAILED(launch(form, kernel, handle, split, call->dtype, &args));
  if (!may_leave_open) return MLUOP_STATUS_SUCCESS;
  rest.args.is_open = args.is_open;
  rest.workspace = args.is_open + args.batch;
  return launch_reference(handle, &rest);
}

static size_t open_rows_size(const Split *reference, int64_t batch) {
  return (size_t)batch * sizeof(int32_t) + SLOT_ALIGN + reference_size(reference);
}

/* ---- scalar_tables ---- */

/* Fewest tiles of a row per task: a barrier costs about as much. */
#define MIN_SHARED_TILES 4
/* Rows differ in cost, and so do cores that others use: a core that finishes early takes another
 * task. */
#define TASKS_PER_CORE 4

static Split split_scalar_tables(mluOpHandle_t handle, int64_t batch, int64_t vocab) {
  const int64_t cores = mluop_context_core_num(handle), per_cluster = handle->core_num_per_cluster;
  const int64_t most = CEIL_DIV(vocab, TOP_K_TOP_P_TILE) / MIN_SHARED_TILES; /* tasks per row */
  const Split alone = {0, MIN(batch, cores * TASKS_PER_CORE), 1};
  if (batch >= cores || per_cluster > most || cores == 1) return alone;
  const int64_t total = handle->capability_cluster_num;
  return share_rows(handle, batch, total, total, MIN(total / batch, most / per_cluster));
}

static size_t tables_slot_size(mluOpDataType_t dtype) {
  const size_t counts = TOP_K_TOP_P_COUNTS_WORDS(dtype == MLUOP_DTYPE_FLOAT);
  return ALIGN_UP(sizeof(int32_t) * (TOP_K_TOP_P_LIST_WORDS + counts), SLOT_ALIGN);
}

/* Rows of floats may be left open. */
static mluOpStatus_t launch_scalar_tables(mluOpHandle_t handle, const void *call) {
  const TopKTopPCall *c = call;
  const Split split = split_scalar_tables(handle, c->args.batch, c->args.vocab);
  return launch_form("scalar_tables", KernelScalarTables, handle, c, &split,
                     tables_slot_size(c->dtype), c->dtype == MLUOP_DTYPE_FLOAT);
}

/* ---- small_tasks ---- */

/* Largest union with hardware barriers on all devices, in clusters, and the shortest rows worth a
 * launch. */
#define SMALL_MAX_CLUSTERS 4
#define SMALL_MIN_TILES 8
/* Fewest tiles of a task. */
#define SMALL_SHARED_TILES 2
/* Most tiles of a task with noise or a filtered row, if there are tasks for it: lists of more tiles
 * would not suffice for top-p, and fewer tasks per row take several times as long. */
#define SMALL_NOISE_TILES 16

/* clusters is 0 if small tasks cannot do these rows. */
static Split split_small_tasks(mluOpHandle_t handle, int64_t batch, int64_t vocab, bool has_noise) {
  const Split none = {0, 0, 0};
  const int64_t tiles = CEIL_DIV(vocab, TOP_K_TOP_P_SMALL_TILE);
  const int64_t total = (int64_t)handle->capability_cluster_num * handle->facts.tasks_per_core;
  const int64_t per_cluster = handle->core_num_per_cluster;
  if (tiles < SMALL_MIN_TILES) return none;
  const int64_t free_clusters = total / batch / 2 + 1; /* fewer can be doubled for every row */
  const int64_t for_noise = has_noise ? CEIL_DIV(tiles, per_cluster * SMALL_NOISE_TILES) : 1;
  const Split shared =
      share_rows(handle, batch, total, MAX(free_clusters, for_noise),
                 MIN(SMALL_MAX_CLUSTERS, tiles / (per_cluster * SMALL_SHARED_TILES)));
  const int64_t tasks = shared.group_tasks;
  return tasks < TOP_K_TOP_P_SMALL_MIN_TASKS || tasks > TOP_K_TOP_P_SMALL_MAX_TASKS ||
                 (tasks & (tasks - 1)) != 0 || tiles > tasks * TOP_K_TOP_P_SMALL_MAX_TILES
             ? none
             : shared;
}

#define SMALL_SLOT_BYTES (sizeof(int32_t) * TOP_K_TOP_P_SMALL_SLOT_WORDS)

static Split split_small_call(mluOpHandle_t handle, const TopKTopPArgs *args) {
  return split_small_tasks(handle, args->batch, args->vocab,
                           args->q != NULL || args->filtered != NULL);
}

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const TopKTopPArgs *args = &((const TopKTopPCall *)call)->args;
  if (args->min_p != NULL) return "min-p is wanted";
  return split_small_call(handle, args).clusters == 0 ? "rows or clusters are too short or too long"
                                                      : NULL;
}

static mluOpStatus_t launch_small_tasks(mluOpHandle_t handle, const void *call) {
  const TopKTopPCall *c = call;
  const Split split = split_small_call(handle, &c->args);
  return launch_form("small_tasks", KernelSmallTasks, handle, c, &split, SMALL_SLOT_BYTES, true);
}

/* ---- all ---- */

size_t top_k_top_p_workspace_size(mluOpHandle_t handle, mluOpDataType_t dtype, int64_t batch,
                                  int64_t vocab) {
  const Split tables = split_scalar_tables(handle, batch, vocab);
  const Split reference = split_reference(handle, dtype, batch, vocab);
  const size_t open_bytes = open_rows_size(&reference, batch);
  size_t bytes = slots_size(&tables, tables_slot_size(dtype));
  if (dtype == MLUOP_DTYPE_FLOAT) bytes += open_bytes;
  if (bytes < reference_size(&reference)) bytes = reference_size(&reference);
  for (int has_noise = 0; has_noise < 2; ++has_noise) { /* unknown before the call */
    const Split small = split_small_tasks(handle, batch, vocab, has_noise != 0);
    if (small.clusters == 0) continue;
    const size_t small_bytes = slots_size(&small, SMALL_SLOT_BYTES) + open_bytes;
    if (bytes < small_bytes) bytes = small_bytes;
  }
  return bytes == 0 ? 0 : SLOT_ALIGN + bytes;
}

MLUOP_VARIANTS(top_k_top_p_sample,
               {"small_tasks", small_tasks_cannot, mluop_small_tasks_do_not_pay,
                launch_small_tasks},
               {"scalar_tables", NULL, mluop_scalar_tables_do_not_pay, launch_scalar_tables},
               {"reference", NULL, NULL, launch_reference});
const mluopVariantTable apply_top_k_top_p_variants =
    MLUOP_VARIANT_TABLE("apply_top_k_top_p", top_k_top_p_sample_forms);
