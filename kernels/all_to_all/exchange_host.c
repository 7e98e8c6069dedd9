/* SPDX-License-Identifier: MIT
 *
 * The steps of a call. All ranks in this process:
 *
 *   announce, gather the records, fill the output from the memory of the ranks, gather again
 *
 * all in the queue: the first gather says that the inputs are there, the second one that nobody
 * reads them any more. Ranks in other processes:
 *
 *   count, announce, gather, pack; the host reads the counts; send and receive, fill the output
 *
 * where the host has to wait for the counts, because the sizes of messages are host arguments. */
#include "kernels/all_to_all/exchange_host.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/context.h"
#include "core/logging.h"
#include "kernels/kernel.h"

/* A task should have at least this much to move, else starting it costs more than it saves. */
#define MIN_TASK_BYTES (64 * 1024)

/* How many ranks of the communicator live in this process. Not every CNCL can tell; without an
 * answer they are treated as ranks of other processes, which is always right. */
extern cnclResult_t cnclxGetLocalRankCount(int *count, const cnclComm_t comm) __attribute__((weak));

static mluOpStatus_t cncl_status(const char *api, const char *what, cnclResult_t result) {
  if (result == CNCL_RET_SUCCESS) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s: %s.", api, what, cnclGetErrorStr(result));
  return MLUOP_STATUS_EXECUTION_FAILED;
}

static mluOpStatus_t cnrt_status(const char *api, const char *what, cnrtRet_t result) {
  if (result == cnrtSuccess) return MLUOP_STATUS_SUCCESS;
  LOG_ERROR("%s %s: %s.", api, what, cnrtGetErrorStr(result));
  return MLUOP_STATUS_EXECUTION_FAILED;
}

static mluOpStatus_t find_staged(const char *api, cnclComm_t comm, int ranks, bool *is_staged) {
  int local = 1;
  if (cnclxGetLocalRankCount != NULL) {
    MLUOP_RETURN_IF_FAILED(cncl_status(api, "comm", cnclxGetLocalRankCount(&local, comm)));
  }
  *is_staged = local < ranks;
  return MLUOP_STATUS_SUCCESS;
}

static cnrtDim3_t task_dim(mluOpHandle_t handle, int64_t bytes, int64_t tokens) {
  int64_t useful = CEIL_DIV(bytes, (int64_t)MIN_TASK_BYTES);
  if (useful > mluop_context_core_num(handle)) useful = mluop_context_core_num(handle);
  if (useful > tokens) useful = tokens;
  cnrtDim3_t dim = {(unsigned)(useful > 0 ? useful : 1), 1, 1};
  return dim;
}

/* ---- workspace ---- */

static int8_t *take(uintptr_t *next, int64_t bytes) {
  int8_t *part = (int8_t *)*next;
  *next += ALIGN_UP((uintptr_t)bytes, A2A_ALIGN);
  return part;
}

/* Lays the parts out from `begin` on; returns the end. */
static uintptr_t lay_out(mluOpHandle_t handle, uintptr_t begin, A2aArgs *args) {
  const A2aGeometry *g = &args->geometry;
  uintptr_t next = ALIGN_UP(begin, A2A_ALIGN);
  args->record_bytes =
      (int64_t)sizeof(A2aRecord) + (args->is_staged ? g->ranks * (int64_t)sizeof(int64_t) : 0);
  args->announced = take(&next, args->record_bytes);
  args->gathered = take(&next, args->record_bytes * g->ranks);
  if (!args->is_staged) return next;

  const int64_t tokens = a2a_local_tokens(g), others = g->group_size - 1;
  const int64_t sent = others * tokens * a2a_rows_per_token(g);
  const int64_t slots = g->kind == A2A_DISPATCH ? others * tokens : g->top_k * tokens;
  const int64_t received = sent < slots ? sent : slots;
  const int64_t ends = others * 2 * A2A_ALIGN; /* parts of messages are rounded up */
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
  MLUOP_RETURN_IF_FAILED(find_staged(api, comm, geometry->ranks, &args.is_staged));
  /* The workspace may begin anywhere. */
  *bytes = lay_out(handle, 0, &args) + A2A_ALIGN;
  return MLUOP_STATUS_SUCCESS;
}

/* ---- ranks in other processes ---- */

typedef struct StagedCall {
  const A2aCall *call;
  const A2aArgs *args;
  int8_t *records; /* of all ranks, on the host */
} StagedCall;

static int64_t rows_between(const StagedCall *staged, int from, int to) {
  const int8_t *record = staged->records + from * staged->args->record_bytes;
  return ((const int64_t *)(record + sizeof(A2aRecord)))[to];
}

/* The first gather, and the records on the host. */
static mluOpStatus_t fetch_records(const StagedCall *staged) {
  const A2aCall *call = staged->call;
  const A2aArgs *args = staged->args;
  const size_t bytes = (size_t)(args->record_bytes * args->geometry.ranks);
  MLUOP_RETURN_IF_FAILED(cnrt_status(call->api, "copying the counts",
                                     cnrtMemcpyAsync(staged->records, args->gathered, bytes,
                                                     call->handle->queue, cnrtMemcpyDevToHost)));
  return cnrt_status(call->api, "waiting for the counts of all ranks",
                     cnrtQueueSync(call->handle->queue));
}

/* Every rank looks at all records, so all come to the same answer. */
static mluOpStatus_t check_records(const StagedCall *staged) {
  const A2aCall *call = staged->call;
  const A2aArgs *args = staged->args;
  const A2aGeometry *g = &args->geometry;
  for (int rank = 0; rank < g->ranks; ++rank) {
    const A2aRecord *record = (const A2aRecord *)(staged->records + rank * args->record_bytes);
    const int field = a2a_difference(record, &args->own);
    if (field < A2A_RECORD_COMMON) {
      LOG_ERROR("%s rank %d: wanted the %s of rank %d, %lld, got %lld.", call->api, rank,
                a2a_field_text(field), g->rank, (long long)args->own.word[field],
                (long long)record->word[field]);
      return MLUOP_STATUS_BAD_PARAM;
    }
  }
  if (g->kind == A2A_DISPATCH) return MLUOP_STATUS_SUCCESS;
  const int64_t slots = g->top_k * a2a_local_tokens(g);
  for (int to = 0; to < g->ranks; ++to) {
    int64_t rows = 0;
    for (int from = 0; from < g->ranks; ++from) rows += rows_between(staged, from, to);
    if (rows > slots) {
      LOG_ERROR(
          "%s expert_metadata: wanted the same on all ranks of a group, with an expert on one "
          "rank, got %lld rows for the %lld slots of rank %d.",
          call->api, (long long)rows, (long long)slots, to);
      return MLUOP_STATUS_BAD_PARAM;
    }
  }
  return MLUOP_STATUS_SUCCESS;
}

/* Messages to and from a position; none when there are no rows. */
static cnclResult_t swap_message(const StagedCall *staged, int position, int8_t **sent,
                                 int8_t **received) {
  const A2aCall *call = staged->call;
  const A2aArgs *args = staged->args;
  const A2aGeometry *g = &args->geometry;
  const int peer = a2a_rank_at(g, position);
  const size_t send_bytes = (size_t)a2a_message_bytes(g, rows_between(staged, g->rank, peer));
  const size_t recv_bytes = (size_t)a2a_message_bytes(g, rows_between(staged, peer, g->rank));
  cnclResult_t result = CNCL_RET_SUCCESS;
  if (send_bytes > 0)
    result = cnclSend(*sent, send_bytes, cnclUint8, peer, call->comm, call->handle->queue);
  if (result == CNCL_RET_SUCCESS && recv_bytes > 0)
    result = cnclRecv(*received, recv_bytes, cnclUint8, peer, call->comm, call->handle->queue);
  *sent += send_bytes;
  *received += recv_bytes;
  if (result != CNCL_RET_SUCCESS || g->kind != A2A_DISPATCH) return result;

  const size_t slab_bytes = (size_t)(a2a_local_tokens(g) * g->top_k * g->id_bytes);
  CNCL_CHECK(
      cnclSend((void *)args->ids, slab_bytes, cnclUint8, peer, call->comm, call->handle->queue));
  return cnclRecv(args->slabs + (size_t)position * slab_bytes, slab_bytes, cnclUint8, peer,
                  call->comm, call->handle->queue);
}

static mluOpStatus_t swap_messages(const StagedCall *staged) {
  const A2aGeometry *g = &staged->args->geometry;
  const char *api = staged->call->api;
  int8_t *sent = staged->args->sent, *received = staged->args->received;
  MLUOP_RETURN_IF_FAILED(cncl_status(api, "starting the messages", cnclGroupStart()));
  cnclResult_t result = CNCL_RET_SUCCESS;
  for (int position = 0; position < g->group_size && result == CNCL_RET_SUCCESS; ++position) {
    if (position != g->position) result = swap_message(staged, position, &sent, &received);
  }
  const cnclResult_t ended = cnclGroupEnd();
  return cncl_status(api, "sending and receiving rows",
                     result == CNCL_RET_SUCCESS ? ended : result);
}

static mluOpStatus_t gather_records(const A2aCall *call, const A2aArgs *args) {
  return cncl_status(call->api, "gathering what the ranks passed",
                     cnclAllGather(args->announced, args->gathered, (size_t)args->record_bytes,
                                   cnclUint8, call->comm, call->handle->queue));
}

static mluOpStatus_t exchange_staged(const A2aCall *call, const A2aArgs *args,
                                     cnrtDim3_t fill_dim) {
  const A2aGeometry *g = &args->geometry;
  cnrtQueue_t queue = call->handle->queue;
  const int64_t tokens = a2a_local_tokens(g) * g->group_size;
  const cnrtDim3_t send_dim =
      task_dim(call->handle, tokens * a2a_rows_per_token(g) * g->row_bytes, tokens);
  MLUOP_RETURN_IF_FAILED(KernelA2aCount(send_dim, queue, args));
  MLUOP_RETURN_IF_FAILED(KernelA2aAnnounce(queue, args, (int)send_dim.x));
  MLUOP_RETURN_IF_FAILED(gather_records(call, args));

  const StagedCall staged = {call, args, malloc((size_t)(args->record_bytes * g->ranks))};
  if (staged.records == NULL) {
    LOG_ERROR("%s no memory for the counts of %d ranks.", call->api, g->ranks);
    return MLUOP_STATUS_ALLOC_FAILED;
  }
  mluOpStatus_t status = fetch_records(&staged);
  if (status == MLUOP_STATUS_SUCCESS) status = check_records(&staged);
  if (status == MLUOP_STATUS_SUCCESS) status = KernelA2aPack(send_dim, queue, args);
  if (status == MLUOP_STATUS_SUCCESS) status = swap_messages(&staged);
  free(staged.records);
  if (status != MLUOP_STATUS_SUCCESS) return status;
  return KernelA2aFill(fill_dim, queue, args);
}

/* ---- all ranks in this process ---- */

static mluOpStatus_t exchange_direct(const A2aCall *call, const A2aArgs *args,
                                     cnrtDim3_t fill_dim) {
  MLUOP_RETURN_IF_FAILED(KernelA2aAnnounce(call->handle->queue, args, 0));
  MLUOP_RETURN_IF_FAILED(gather_records(call, args));
  MLUOP_RETURN_IF_FAILED(KernelA2aFill(fill_dim, call->handle->queue, args));
  return gather_records(call, args);
}

static A2aRecord make_record(const A2aCall *call) {
  const A2aGeometry *g = &call->geometry;
  return (A2aRecord){{[A2A_RECORD_MAGIC] = A2A_RECORD_MAGIC_NUMBER,
                      [A2A_RECORD_KIND] = g->kind,
                      [A2A_RECORD_DTYPE] = call->dtype,
                      [A2A_RECORD_ID_DTYPE] = call->id_dtype,
                      [A2A_RECORD_MAP_DTYPE] = call->map_dtype,
                      [A2A_RECORD_MESH_ROWS] = call->mesh_rows,
                      [A2A_RECORD_MESH_COLS] = g->mesh_cols,
                      [A2A_RECORD_CLUSTER_AXIS] = g->cluster_axis,
                      [A2A_RECORD_SHARD_DIM] = g->shard_dim,
                      [A2A_RECORD_BATCH] = g->batch,
                      [A2A_RECORD_SEQUENCE] = g->sequence,
                      [A2A_RECORD_TOP_K] = g->top_k,
                      [A2A_RECORD_HIDDEN] = call->hidden,
                      [A2A_RECORD_EXPERTS] = g->num_experts,
                      [A2A_RECORD_INPUT] = (int64_t)(uintptr_t)call->input,
                      [A2A_RECORD_IDS] = (int64_t)(uintptr_t)call->ids}};
}

mluOpStatus_t a2a_exchange(const A2aCall *call) {
  const A2aGeometry *g = &call->geometry;
  A2aArgs args = {.geometry = *g,
                  .own = make_record(call),
                  .input = call->input,
                  .ids = call->ids,
                  .mapping = call->mapping,
                  .output = call->output,
                  .output_ids = call->output_ids};
  MLUOP_RETURN_IF_FAILED(find_staged(call->api, call->comm, g->ranks, &args.is_staged));
  lay_out(call->handle, (uintptr_t)call->workspace, &args);
  const bool is_dispatch = g->kind == A2A_DISPATCH;
  const int64_t tokens = is_dispatch ? a2a_tokens(g) : a2a_local_tokens(g);
  const cnrtDim3_t fill_dim =
      task_dim(call->handle, tokens * (is_dispatch ? 1 : g->top_k) * g->row_bytes, tokens);
  VLOG(5, "%s rank %d of %d, %s, %u tasks of type block", call->api, g->rank, g->ranks,
       args.is_staged ? "ranks in other processes" : "all ranks in this process", fill_dim.x);
  return args.is_staged ? exchange_staged(call, &args, fill_dim)
                        : exchange_direct(call, &args, fill_dim);
}
