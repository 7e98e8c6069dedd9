/* SPDX-License-Identifier: MIT
 *
 * Ranks anywhere:
 *
 *   count, announce, pack, gather; the host reads the counts; send and receive, fill the output
 *
 * The host waits for the counts, because CNCL takes the sizes of messages from the host. */
#include <stdlib.h>

#include "core/check.h"
#include "core/context.h"
#include "core/logging.h"
#include "kernels/all_to_all/exchange_host.h"
#include "kernels/kernel.h"

static int64_t rows_between(const A2aRecords *records, int from, int to) {
  const int8_t *record = records->data + from * records->call->args.record_bytes;
  return ((const int64_t *)(record + sizeof(A2aRecord)))[to];
}

/* Every rank checks all counts, so all return the same status. */
static mluOpStatus_t check_counts(const A2aRecords *records) {
  const A2aGeometry *g = &records->call->args.geometry;
  if (g->kind == A2A_DISPATCH) return MLUOP_STATUS_SUCCESS;
  const int64_t slots = g->top_k * a2a_local_tokens(g);
  for (int to = 0; to < g->ranks; ++to) {
    int64_t rows = 0;
    for (int from = 0; from < g->ranks; ++from) rows += rows_between(records, from, to);
    CHECK_ELSE(BAD_PARAM, rows <= slots,
               "%s expert_metadata: wanted the same on all ranks of a group, with an expert on one "
               "rank, got %lld rows for the %lld slots of rank %d.",
               records->call->api, (long long)rows, (long long)slots, to);
  }
  return MLUOP_STATUS_SUCCESS;
}

/* Sends to and receives from a position; no message without rows. */
static cnclResult_t swap_message(const A2aRecords *records, int position, int8_t **sent,
                                 int8_t **received) {
  const A2aCall *call = records->call;
  const A2aArgs *args = &call->args;
  const A2aGeometry *g = &args->geometry;
  const int peer = a2a_rank_at(g, position);
  const size_t send_bytes = (size_t)a2a_message_bytes(g, rows_between(records, g->rank, peer));
  const size_t recv_bytes = (size_t)a2a_message_bytes(g, rows_between(records, peer, g->rank));
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

static mluOpStatus_t swap_messages(const A2aRecords *records) {
  const A2aGeometry *g = &records->call->args.geometry;
  const char *api = records->call->api;
  int8_t *sent = records->call->args.sent, *received = records->call->args.received;
  MLUOP_RETURN_IF_FAILED(a2a_cncl_status(api, "starting the messages", cnclGroupStart()));
  cnclResult_t result = CNCL_RET_SUCCESS;
  for (int position = 0; position < g->group_size && result == CNCL_RET_SUCCESS; ++position) {
    if (position != g->position) result = swap_message(records, position, &sent, &received);
  }
  const cnclResult_t ended = cnclGroupEnd();
  return a2a_cncl_status(api, "sending and receiving rows",
                         result == CNCL_RET_SUCCESS ? ended : result);
}

mluOpStatus_t a2a_exchange_messages(const A2aCall *call) {
  const A2aGeometry *g = &call->args.geometry;
  cnrtQueue_t queue = call->handle->queue;
  const int64_t tokens = a2a_local_tokens(g) * g->group_size;
  const cnrtDim3_t send_dim =
      a2a_task_dim(call->handle, tokens * a2a_rows_per_token(g) * g->row_bytes, tokens);
  MLUOP_RETURN_IF_FAILED(KernelA2aCount(send_dim, queue, &call->args));
  MLUOP_RETURN_IF_FAILED(KernelA2aAnnounce(queue, &call->args, (int)send_dim.x));
  MLUOP_RETURN_IF_FAILED(KernelA2aPack(send_dim, queue, &call->args));

  A2aRecords records;
  mluOpStatus_t status = a2a_fetch_records(call, &records);
  if (status == MLUOP_STATUS_SUCCESS) status = check_counts(&records);
  if (status == MLUOP_STATUS_SUCCESS) status = swap_messages(&records);
  free(records.data);
  if (status != MLUOP_STATUS_SUCCESS) return status;
  return KernelA2aFill(call->fill_dim, queue, &call->args);
}
