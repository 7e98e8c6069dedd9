/* SPDX-License-Identifier: MIT */
#include "kernels/gather_in_ub/paged_cache_write/paged_cache_write.h"
#include "kernels/limits.h"
#include "kernels/utils/last_samples.h"

static const char *small_tasks_cannot(mluOpHandle_t handle, const void *call) {
  const PagedCacheWriteCall *c = call;
  (void)handle;
  if (c->cache.row_num > INT32_MAX) return "the cache has too many rows";
  return c->cache.row_bytes > PAGED_WRITE_MAX_ROW_BYTES ? "rows are too long" : NULL;
}

static const char *small_tasks_do_not_pay(mluOpHandle_t handle, const void *call) {
  const PagedCacheWriteCall *c = call;
  if (!mluop_small_tasks_overlap(&handle->facts)) return "a core runs one task at a time";
  return c->cache.row_num > LAST_SAMPLES_HINTS ? "there are more rows than hints" : NULL;
}

MLUOP_VARIANTS(paged_cache_write,
               {"small_tasks", small_tasks_cannot, small_tasks_do_not_pay,
                PagedCacheWriteSmallTasks},
               {"reference", NULL, NULL, PagedCacheWriteReference});
