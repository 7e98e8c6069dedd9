/* SPDX-License-Identifier: MIT
 *
 * The collectives and transfers of cncl.h: checks the arguments, then puts a call into its queue.
 */
#include <stdio.h>

#include "clique.h"
#include "cnrt_external.h"
#include "comm.h"
#include "group.h"
#include "parts.h"
#include "submit.h"

/* Arguments of a public function; those it does not have are 0. */
struct request {
  const char *function;
  enum cncl_kind kind;
  cnclComm_t comm;
  cnrtQueue_t queue;
  const void *send;
  void *recv;
  size_t count;
  cnclDataType_t type;
  cnclReduceOp_t op;
  int root;
  int peer;
};

static bool overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  const uintptr_t first = (uintptr_t)a;
  const uintptr_t second = (uintptr_t)b;
  return a_bytes != 0 && b_bytes != 0 && first < second + b_bytes && second < first + a_bytes;
}

static cnclResult_t check_buffer(const char *function, const char *name, const void *address,
                                 size_t bytes) {
  if (bytes == 0) {
    return CNCL_RET_SUCCESS;
  }
  if (address == NULL) {
    return cncl_refuse(CNCL_RET_ERR_NULL_POINTER, "%s: %s is NULL", function, name);
  }
  if (!cnrtxIsDeviceMemory(address, bytes)) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS,
                       "%s: %s must point to %zu bytes of device memory, but does not", function,
                       name, bytes);
  }
  return CNCL_RET_SUCCESS;
}

static cnclResult_t check_queue(const char *function, const struct cnclComm *comm,
                                cnrtQueue_t queue, int *device) {
  if (cnrtxQueueDevice(queue, device) != cnrtSuccess) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS, "%s: queue is not a queue", function);
  }
  if (*device != comm->device) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS,
                       "%s: queue must belong to device %d of the communicator, but belongs to "
                       "device %d",
                       function, comm->device, *device);
  }
  if (cnrtxRefuseCapture(queue) != cnrtSuccess) {
    return cncl_refuse(CNCL_RET_ERR_UNSUPPORTED,
                       "%s: the queue is captured; this makes the capture invalid", function);
  }
  if (atomic_load(&comm->clique->broken)) {
    return cncl_refuse(CNCL_RET_ASYNC_ERROR, "%s: the communicator failed before", function);
  }
  return CNCL_RET_SUCCESS;
}

/* Elements of the rank's send and receive buffers. */
static void extents(const struct request *r, size_t *send, size_t *recv) {
  const size_t ranks = (size_t)r->comm->clique->ranks;
  const bool is_root = r->comm->rank == r->root;
  *send = r->count;
  *recv = r->count;
  switch (r->kind) {
    case CNCL_BROADCAST:
      *send = is_root ? r->count : 0;
      break;
    case CNCL_REDUCE:
      *recv = is_root ? r->count : 0;
      break;
    case CNCL_ALL_GATHER:
      *recv = r->count * ranks;
      break;
    case CNCL_REDUCE_SCATTER:
      *send = r->count * ranks;
      break;
    case CNCL_ALL_TO_ALL:
      *send = r->count * ranks;
      *recv = r->count * ranks;
      break;
    case CNCL_SEND:
      *recv = 0;
      break;
    case CNCL_RECV:
      *send = 0;
      break;
    default:
      break;
  }
}

/* Where the send buffer may be if it overlaps the receive buffer. */
static bool in_place(const struct request *r, size_t element) {
  const char *send = r->send;
  const char *recv = r->recv;
  const size_t own = (size_t)r->comm->rank * r->count * element;
  switch (r->kind) {
    case CNCL_ALL_GATHER:
      return send == recv + own;
    case CNCL_REDUCE_SCATTER:
      return recv == send + own;
    case CNCL_ALL_TO_ALL:
      return false;
    default:
      return send == recv;
  }
}

static cnclResult_t check_buffers(const struct request *r) {
  const size_t element = cncl_type_size(r->type);
  if (element == 0) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS, "%s: 0x%x is not a data type", r->function,
                       (unsigned)r->type);
  }
  if (r->count > SIZE_MAX / element / (size_t)r->comm->clique->ranks) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS, "%s: count %zu is too large", r->function, r->count);
  }
  size_t send = 0;
  size_t recv = 0;
  extents(r, &send, &recv);
  CNCL_CHECK(check_buffer(r->function, "the send buffer", r->send, send * element));
  CNCL_CHECK(check_buffer(r->function, "the receive buffer", r->recv, recv * element));
  if (overlap(r->send, send * element, r->recv, recv * element) && !in_place(r, element)) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS,
                       "%s: the buffers overlap in a way this call does not allow", r->function);
  }
  return CNCL_RET_SUCCESS;
}

static cnclResult_t check(const struct request *r, int *device) {
  const int ranks = r->comm->clique->ranks;
  if (r->root < 0 || r->root >= ranks || r->peer < 0 || r->peer >= ranks) {
    const bool root = r->peer == 0;
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS, "%s: %s must be 0 to %d, but is %d", r->function,
                       root ? "root" : "peer", ranks - 1, root ? r->root : r->peer);
  }
  if (cncl_op_name((uint32_t)r->op) == NULL) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS, "%s: op %d does not exist", r->function, (int)r->op);
  }
  CNCL_CHECK(check_buffers(r));
  return check_queue(r->function, r->comm, r->queue, device);
}

static cnclResult_t submit(const struct request *r) {
  int device = 0;
  CNCL_CHECK(check(r, &device));
  struct cncl_call *call = cncl_call_create(r->comm, 0);
  if (call == NULL) {
    return CNCL_RET_ERR_SYS_MALLOC;
  }
  call->queue = r->queue;
  call->queue_device = device;
  call->send = r->send;
  call->recv = r->recv;
  call->header->kind = r->kind;
  call->header->type = (uint32_t)r->type;
  call->header->op = (uint32_t)r->op;
  call->header->root = r->root;
  call->header->peer = r->peer;
  call->header->count = r->count;
  return cncl_group_call(call);
}

static cnclResult_t make_call(const struct request *r) {
  if (!cncl_comm_acquire(r->comm)) {
    return cncl_group_refused(
        cncl_refuse(CNCL_RET_ERR_NOT_INIT, "%s: comm is not a communicator", r->function));
  }
  const cnclResult_t result = submit(r);
  cncl_comm_release(r->comm);
  return cncl_group_refused(result);
}

CNCL_EXPORT cnclResult_t cnclBroadcast(const void *send_buffer, void *recv_buffer, size_t count,
                                       cnclDataType_t datatype, int root, cnclComm_t comm,
                                       cnrtQueue_t queue) {
  return make_call(&(struct request){"cnclBroadcast", CNCL_BROADCAST, comm, queue, send_buffer,
                                     recv_buffer, count, datatype, .root = root});
}

CNCL_EXPORT cnclResult_t cnclBcast(void *buffer, size_t count, cnclDataType_t datatype, int root,
                                   cnclComm_t comm, cnrtQueue_t queue) {
  return cnclBroadcast(buffer, buffer, count, datatype, root, comm, queue);
}

CNCL_EXPORT cnclResult_t cnclAllGather(const void *send_buffer, void *recv_buffer,
                                       size_t count_per_rank, cnclDataType_t datatype,
                                       cnclComm_t comm, cnrtQueue_t queue) {
  return make_call(&(struct request){"cnclAllGather", CNCL_ALL_GATHER, comm, queue, send_buffer,
                                     recv_buffer, count_per_rank, datatype, .root = 0});
}

CNCL_EXPORT cnclResult_t cnclReduce(const void *send_buffer, void *recv_buffer, size_t count,
                                    cnclDataType_t datatype, cnclReduceOp_t op, int root,
                                    cnclComm_t comm, cnrtQueue_t queue) {
  return make_call(&(struct request){"cnclReduce", CNCL_REDUCE, comm, queue, send_buffer,
                                     recv_buffer, count, datatype, .op = op, .root = root});
}

CNCL_EXPORT cnclResult_t cnclAllReduce(const void *send_buffer, void *recv_buffer, size_t count,
                                       cnclDataType_t datatype, cnclReduceOp_t op, cnclComm_t comm,
                                       cnrtQueue_t queue) {
  return make_call(&(struct request){"cnclAllReduce", CNCL_ALL_REDUCE, comm, queue, send_buffer,
                                     recv_buffer, count, datatype, .op = op});
}

CNCL_EXPORT cnclResult_t cnclReduceScatter(const void *send_buffer, void *recv_buffer,
                                           size_t recv_count, cnclDataType_t datatype,
                                           cnclReduceOp_t op, cnclComm_t comm, cnrtQueue_t queue) {
  return make_call(&(struct request){"cnclReduceScatter", CNCL_REDUCE_SCATTER, comm, queue,
                                     send_buffer, recv_buffer, recv_count, datatype, .op = op});
}

CNCL_EXPORT cnclResult_t cnclAlltoAll(const void *send_buffer, void *recv_buffer,
                                      size_t count_per_peer, cnclDataType_t datatype,
                                      cnclComm_t comm, cnrtQueue_t queue) {
  return make_call(&(struct request){"cnclAlltoAll", CNCL_ALL_TO_ALL, comm, queue, send_buffer,
                                     recv_buffer, count_per_peer, datatype, .root = 0});
}

CNCL_EXPORT cnclResult_t cnclSend(void *buffer, size_t count, cnclDataType_t datatype, int peer,
                                  cnclComm_t comm, cnrtQueue_t queue) {
  return make_call(&(struct request){"cnclSend", CNCL_SEND, comm, queue, buffer, NULL, count,
                                     datatype, .peer = peer});
}

CNCL_EXPORT cnclResult_t cnclRecv(void *buffer, size_t count, cnclDataType_t datatype, int peer,
                                  cnclComm_t comm, cnrtQueue_t queue) {
  return make_call(&(struct request){"cnclRecv", CNCL_RECV, comm, queue, NULL, buffer, count,
                                     datatype, .peer = peer});
}

/* ---- cnclAlltoAllv ---- */

struct vectors {
  const void **send_buffers;
  const uint32_t *send_counts;
  const cnclDataType_t *send_types;
  void **recv_buffers;
  const uint32_t *recv_counts;
  const cnclDataType_t *recv_types;
};

static const char all_to_all_v[] = "cnclAlltoAllv";

/* One direction of the exchange with one peer; *bytes is its size. */
static cnclResult_t check_side(const char *side, int peer, const void *buffer, uint32_t count,
                               cnclDataType_t type, size_t *bytes) {
  const size_t element = cncl_type_size(type);
  if (element == 0 && count != 0) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS,
                       "%s: 0x%x, the type of %s_types[%d], is not a data "
                       "type",
                       all_to_all_v, (unsigned)type, side, peer);
  }
  char name[48];
  snprintf(name, sizeof(name), "%s_buffers[%d]", side, peer);
  *bytes = element * count;
  return check_buffer(all_to_all_v, name, buffer, *bytes);
}

static cnclResult_t fill_lanes(struct cncl_call *call, const struct vectors *v, int ranks) {
  for (int peer = 0; peer < ranks; ++peer) {
    size_t bytes = 0;
    CNCL_CHECK(check_side("send", peer, v->send_buffers[peer], v->send_counts[peer],
                          v->send_types[peer], &bytes));
    CNCL_CHECK(check_side("recv", peer, v->recv_buffers[peer], v->recv_counts[peer],
                          v->recv_types[peer], &bytes));
    call->sends[peer] = v->send_buffers[peer];
    call->recvs[peer] = v->recv_buffers[peer];
    struct cncl_lane *lane = &call->header->lane[peer];
    lane->send_count = v->send_counts[peer];
    lane->send_type = (uint32_t)v->send_types[peer];
    lane->recv_count = v->recv_counts[peer];
    lane->recv_type = (uint32_t)v->recv_types[peer];
  }
  for (int target = 0; target < ranks; ++target) {
    for (int source = 0; source < ranks; ++source) {
      const struct cncl_part out = cncl_outgoing(call, target);
      const struct cncl_part in = cncl_incoming(call, source);
      if (overlap(out.address, out.bytes, in.address, in.bytes)) {
        return cncl_refuse(CNCL_RET_ERR_ARGUMENTS,
                           "%s: send_buffers[%d] and recv_buffers[%d] overlap", all_to_all_v,
                           target, source);
      }
    }
  }
  return CNCL_RET_SUCCESS;
}

static cnclResult_t submit_vectors(const struct vectors *v, cnclComm_t comm, cnrtQueue_t queue) {
  if (v->send_buffers == NULL || v->send_counts == NULL || v->send_types == NULL ||
      v->recv_buffers == NULL || v->recv_counts == NULL || v->recv_types == NULL) {
    return cncl_refuse(CNCL_RET_ERR_NULL_POINTER, "%s: a list is NULL", all_to_all_v);
  }
  int device = 0;
  CNCL_CHECK(check_queue(all_to_all_v, comm, queue, &device));
  const int ranks = comm->clique->ranks;
  struct cncl_call *call = cncl_call_create(comm, (uint32_t)ranks);
  if (call == NULL) {
    return CNCL_RET_ERR_SYS_MALLOC;
  }
  call->queue = queue;
  call->queue_device = device;
  call->header->kind = CNCL_ALL_TO_ALL_V;
  const cnclResult_t result = fill_lanes(call, v, ranks);
  if (result != CNCL_RET_SUCCESS) {
    cncl_call_discard(call);
    return result;
  }
  return cncl_group_call(call);
}

CNCL_EXPORT cnclResult_t cnclAlltoAllv(const void **send_buffers, uint32_t *send_counts,
                                       cnclDataType_t *send_types, void **recv_buffers,
                                       uint32_t *recv_counts, cnclDataType_t *recv_types,
                                       cnclComm_t comm, cnrtQueue_t queue) {
  const struct vectors v = {send_buffers, send_counts, send_types,
                            recv_buffers, recv_counts, recv_types};
  if (!cncl_comm_acquire(comm)) {
    return cncl_group_refused(
        cncl_refuse(CNCL_RET_ERR_NOT_INIT, "%s: comm is not a communicator", all_to_all_v));
  }
  const cnclResult_t result = submit_vectors(&v, comm, queue);
  cncl_comm_release(comm);
  return cncl_group_refused(result);
}
