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

/* Counts follow the record of a rank. */
static int64_t rows_between(const A2aCall *call, int from, int to) {
  return ((const int64_t *)(a2a_record(&call->args, call->records, from) + 1))[to];
}

/* Every rank checks all counts, so all return the same status. */
static mluOpStatus_t check_counts(const A2aCall *call) {
  const A2aGeometry *g = &call->args.geometry;
  if (g->kind == A2A_DISPATCH) return MLUOP_STATUS_SUCCESS;
  const int64_t slots = g->top_k * a2a_local_tokens(g);
  for (int to = 0; to < g->ranks; ++to) {
    int64_t rows = 0;
    for (int from = 0; from < g->ranks; ++from) rows += rows_between(call, from, to);
    CHECK_ELSE(BAD_PARAM, rows <= slots,
               "%s expert_metadata: wanted the same on all ranks of a group, with an expert on one "
               "rank, got %lld rows for the %lld slots of rank %d.",
               call->api, (long long)rows, (long long)slots, to);
  }
  return MLUOP_STATUS_SUCCESS;
}

/* Sends to and receives from a position; no message without rows. */
static cnclResult_t swap_message(const A2aCall *call, int position, int8_t **sent,
                                 int8_t **received) {
  const A2aArgs *args = &call->args;
  const A2aGeometry *g = &args->geometry;
  const int peer = a2a_rank_at(g, position);
  const size_t send_bytes = (size_t)a2a_message_bytes(g, rows_between(call, g->rank, peer));
  const size_t recv_bytes = (size_t)a2a_message_bytes(g, rows_between(call, peer, g->rank));
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

static mluOpStatus_t swap_messages(const A2aCall *call) {
  const A2aGeometry *g = &call->args.geometry;
  int8_t *sent = call->args.sent, *received = call->args.received;
  MLUOP_RETURN_IF_FAILED(a2a_cncl_status(call->api, "starting the messages", cnclGroupStart()));
  cnclResult_t result = CNCL_RET_SUCCESS;
  for (int position = 0; position < g->group_size && result == CNCL_RET_SUCCESS; ++position) {
    if (position != g->position) result = swap_message(call, position, &sent, &received);
  }
  const cnclResult_t ended = cnclGroupEnd();
  return a2a_cncl_status(call->api, "sending and receiving rows",
                         result == CNCL_RET_SUCCESS ? ended : result);
}

mluOpStatus_t a2a_exchange_messages(A2aCall *call) {
  const A2aGeometry *g = &call->args.geometry;
  cnrtQueue_t queue = call->handle->queue;
  const int64_t tokens = a2a_local_tokens(g) * g->group_size;
  const cnrtDim3_t send_dim =
      a2a_task_dim(call->handle, tokens * a2a_rows_per_token(g) * g->row_bytes, tokens);
  call->args.send_tasks = (int)send_dim.x;
  MLUOP_RETURN_IF_FAILED(KernelA2aCount(send_dim, queue, &call->args));
  MLUOP_RETURN_IF_FAILED(a2a_announce(call));
  MLUOP_RETURN_IF_FAILED(KernelA2aPack(send_dim, queue, &call->args));
  MLUOP_RETURN_IF_FAILED(a2a_fetch_records(call));
  MLUOP_RETURN_IF_FAILED(check_counts(call));
  MLUOP_RETURN_IF_FAILED(swap_messages(call));
  return KernelA2aFill(call->fill_dim, queue, &call->args);
}
