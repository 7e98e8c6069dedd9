/* SPDX-License-Identifier: MIT */
#include "kernels/gather_in_ub/gather_host.h"

#include "core/context.h"
#include "core/logging.h"
#include "kernels/gather_in_ub/gather_rows.h"
#include "kernels/gather_in_ub/paged_host.h"
#include "kernels/gather_in_ub/quick_gather.h"

mluOpStatus_t gather_launch(mluOpHandle_t handle, const char *api, const PagedCache *cache,
                            const PageTables *tables, const PagedQueries *queries, void *output) {
  const bool is_quick = QuickGatherSuits(cache, queries);
  const PagedLaunch launch =
      paged_launch(handle, queries->query_num, queries->ids_per_query, cache->row_bytes,
                   is_quick ? QUICK_GATHER_IDS : KernelGatherRowsUnitIds(),
                   is_quick ? QUICK_GATHER_TASKS_PER_CORE : KernelGatherRowsTasksPerCore());
  if (is_quick) {
    VLOG(5, "%s tasks of type block with %d rows each", api, launch.unit_ids);
    return KernelQuickGather(handle->queue, *cache, *tables, *queries, launch.unit_ids, output);
  }
  VLOG(5, "%s %u tasks of type block, %d rows at a time", api, launch.dim.x, launch.unit_ids);
  return KernelGatherRows(launch.dim, cnrtFuncTypeBlock, handle->queue, *cache, *tables, *queries,
                          launch.unit_ids, output);
}
