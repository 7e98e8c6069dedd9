/* SPDX-License-Identifier: MIT
 *
 * Chooses the way of a call, lays out its workspace, and has the way for ranks of one process:
 *
 *   announce, gather the records, fill the output from the memory of the ranks, gather again
 *
 * All of it is queued: the first gather means that the inputs are there, the second one that nobody
 * reads them any more. The other ways are in exchange_mapped.c and exchange_messages.c. */
#include "kernels/all_to_all/exchange_host.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/context.h"
#include "core/logging.h"
#include "kernels/kernel.h"

/* Bytes per task below which starting a task costs more than it saves. */
#define MIN_TASK_BYTES (64 * 1024)

/* Ranks of the communicator in this process. A CNCL without this function is treated as if the
 * other ranks were in other processes, which is always right. */
extern cnclResult_t cnclxGetLocalRankCount(int *count, const cnclComm_t comm) __attribute__((weak));

/* Ranks whose memory this process can map. Without this function: only its own. */
extern cnclResult_t cnclxGetReachableRankCount(int *count, const cnclComm_t comm)
    __attribute__((weak));

mluOpStatus_t a2a_cncl_status(const char *api, const char *what, cnclResult_t result) {
  CHECK_ELSE(EXECUTION_FAILED, result == CNCL_RET_SUCCESS, "%s %s: %s.", api, what,
             cnclGetErrorStr(result));
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t a2a_cnrt_status(const char *api, const char *what, cnrtRet_t result) {
  CHECK_ELSE(EXECUTION_FAILED, result == cnrtSuccess, "%s %s: %s.", api, what,
             cnrtGetErrorStr(result));
  return MLUOP_STATUS_SUCCESS;
}

typedef enum Way {
  WAY_DIRECT,   /* all ranks are in this process */
  WAY_MAPPED,   /* in processes that can map each other's memory */
  WAY_MESSAGES, /* anywhere */
} Way;

/* The result is the same on all ranks. */
static mluOpStatus_t choose_way(const char *api, cnclComm_t comm, int ranks, Way *way) {
  int local = 1, reachable = 1;
  if (cnclxGetLocalRankCount != NULL) {
    MLUOP_RETURN_IF_FAILED(a2a_cncl_status(api, "comm", cnclxGetLocalRankCount(&local, comm)));
  }
  if (cnclxGetReachableRankCount != NULL) {
    MLUOP_RETURN_IF_FAILED(
        a2a_cncl_status(api, "comm", cnclxGetReachableRankCount(&reachable, comm)));
  }
  *way = local == ranks ? WAY_DIRECT : reachable == ranks ? WAY_MAPPED : WAY_MESSAGES;
  return MLUOP_STATUS_SUCCESS;
}

cnrtDim3_t a2a_task_dim(mluOpHandle_t handle, int64_t bytes, int64_t tokens) {
  return mluop_context_task_dim(handle, (size_t)bytes, MIN_TASK_BYTES, tokens);
}

/* ---- workspace ---- */

static int8_t *take(uintptr_t *next, int64_t bytes) {
  int8_t *part = (int8_t *)*next;
  *next += ALIGN_UP((uintptr_t)bytes, A2A_ALIGN);
  return part;
}

/* Lays the parts out from `begin` on and returns their end. */
static uintptr_t lay_out(mluOpHandle_t handle, uintptr_t begin, bool is_staged, A2aArgs *args) {
  const A2aGeometry *g = &args->geometry;
  uintptr_t next = ALIGN_UP(begin, A2A_ALIGN);
  args->is_staged = is_staged;
  args->record_bytes =
      (int64_t)sizeof(A2aRecord) + (is_staged ? g->ranks : 0) * (int64_t)sizeof(int64_t);
  args->announced = take(&next, args->record_bytes);
  args->gathered = take(&next, args->record_bytes * g->ranks);
  if (!is_staged) return next;

  const int64_t tokens = a2a_local_tokens(g), others = g->group_size - 1;
  const int64_t sent = others * tokens * a2a_rows_per_token(g);
  const int64_t slots = g->kind == A2A_DISPATCH ? others * tokens : g->top_k * tokens;
  const int64_t received = sent < slots ? sent : slots;
  const int64_t ends = others * 2 * A2A_ALIGN; /* the two parts of a message are rounded up */
  args->counts = (int32_t *)take(
      &next, mluop_context_core_num(handle) * g->group_size * (int64_t)sizeof(int32_t));
  args->sent = take(&next, a2a_message_bytes(g, sent) + ends);
  args->received = take(&next, a2a_message_bytes(g, received) + ends);
  if (g->kind == A2A_DISPATCH) {
    args->slabs = take(&next, g->group_size * tokens * g->top_k * g->id_bytes);
  }
  return next;
}

mluOpStatus_t a2a_workspace_bytes(const char *api, mluOpHandle_t handle, cnclComm_t comm,
                                  const A2aGeometry *geometry, size_t *bytes) {
  A2aArgs args = {.geometry = *geometry};
  Way way = WAY_MESSAGES;
  MLUOP_RETURN_IF_FAILED(choose_way(api, comm, geometry->ranks, &way));
  /* Room to align an arbitrary workspace. Mapping may turn out to be impossible, so there is always
   * room for messages. */
  *bytes = lay_out(handle, 0, way != WAY_DIRECT, &args) + A2A_ALIGN;
  return MLUOP_STATUS_SUCCESS;
}

/* ---- records ---- */

mluOpStatus_t a2a_announce(const A2aCall *call) {
  const cnrtDim3_t one_task = {1, 1, 1};
  return KernelA2aAnnounce(one_task, call->handle->queue, &call->args);
}

mluOpStatus_t a2a_gather_records(const A2aCall *call) {
  const A2aArgs *args = &call->args;
  return a2a_cncl_status(call->api, "gathering what the ranks passed",
                         cnclAllGather(args->announced, args->gathered, (size_t)args->record_bytes,
                                       cnclUint8, call->comm, call->handle->queue));
}

/* The queue has an error of CNCL without its reason, so it is reported as such. */
static mluOpStatus_t wait_for_records(const A2aCall *call) {
  const cnrtRet_t result = cnrtQueueSync(call->handle->queue);
  CHECK_ELSE(EXECUTION_FAILED,
             result == cnrtSuccess || cnclGetCommAsyncError(call->comm) == CNCL_RET_SUCCESS,
             "%s comm: wanted what all ranks passed, got a failure of CNCL, which said why.",
             call->api);
  return a2a_cnrt_status(call->api, "waiting for the records of all ranks", result);
}

mluOpStatus_t a2a_fetch_records(A2aCall *call) {
  const A2aArgs *args = &call->args;
  const size_t bytes = (size_t)(args->record_bytes * args->geometry.ranks);
  free(call->records);
  call->records = malloc(bytes);
  CHECK_ELSE(ALLOC_FAILED, call->records != NULL, "%s no memory for the records of %d ranks.",
             call->api, args->geometry.ranks);
  MLUOP_RETURN_IF_FAILED(a2a_gather_records(call));
  MLUOP_RETURN_IF_FAILED(
      a2a_cnrt_status(call->api, "copying the records",
                      cnrtMemcpyAsync(call->records, args->gathered, bytes, call->handle->queue,
                                      cnrtMemcpyDevToHost)));
  MLUOP_RETURN_IF_FAILED(wait_for_records(call));
  A2aDifference found;
  CHECK_ELSE(BAD_PARAM, !a2a_find_difference(args, call->records, &found), "%s " A2A_DIFFERENCE,
             call->api, A2A_DIFFERENCE_VALUES(found));
  return MLUOP_STATUS_SUCCESS;
}

/* ---- a call ---- */

static mluOpStatus_t exchange_direct(const A2aCall *call) {
  MLUOP_RETURN_IF_FAILED(a2a_announce(call));
  MLUOP_RETURN_IF_FAILED(a2a_gather_records(call));
  MLUOP_RETURN_IF_FAILED(KernelA2aFill(call->fill_dim, call->handle->queue, &call->args));
  return a2a_gather_records(call);
}

/* Ranks of other processes without elements only compare their records. They do so by the way that
 * a rank with elements would take, so that the two meet. */
static mluOpStatus_t exchange_nothing(A2aCall *call) {
  MLUOP_RETURN_IF_FAILED(a2a_announce(call));
  return a2a_fetch_records(call);
}

mluOpStatus_t a2a_exchange(A2aCall *call, void *workspace) {
  const A2aGeometry *g = &call->args.geometry;
  Way way = WAY_MESSAGES;
  MLUOP_RETURN_IF_FAILED(a2a_check_state(call->api, call->handle, call->comm));
  MLUOP_RETURN_IF_FAILED(choose_way(call->api, call->comm, g->ranks, &way));
  const bool is_dispatch = g->kind == A2A_DISPATCH;
  const int64_t tokens = is_dispatch ? a2a_tokens(g) : a2a_local_tokens(g);
  call->fill_dim =
      a2a_task_dim(call->handle, tokens * (is_dispatch ? 1 : g->top_k) * g->row_bytes, tokens);
  VLOG(5, "%s rank %d of %d, %s, %u tasks of type block", call->api, g->rank, g->ranks,
       way == WAY_DIRECT   ? "all ranks in this process"
       : way == WAY_MAPPED ? "ranks in processes whose memory can be mapped"
                           : "ranks in other processes",
       call->fill_dim.x);
  lay_out(call->handle, (uintptr_t)workspace, way == WAY_MESSAGES, &call->args);
  if (way == WAY_DIRECT) return exchange_direct(call);
  if (a2a_is_empty(g)) return exchange_nothing(call);
  if (way == WAY_MAPPED) {
    bool is_done = false;
    const mluOpStatus_t status = a2a_exchange_mapped(call, &is_done);
    if (status != MLUOP_STATUS_SUCCESS || is_done) return status;
    lay_out(call->handle, (uintptr_t)workspace, true, &call->args);
  }
  return a2a_exchange_messages(call);
}

const char *MLUOP_WIN_API mluOpCommGetLastErrorMessage(void) {
  return mluop_last_error();
}
