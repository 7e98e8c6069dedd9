/* SPDX-License-Identifier: MIT
 *
 * Which bytes go where.
 */
#include "parts.h"

static const struct cncl_part nothing = {NULL, 0};

static struct cncl_part part(const char *address, size_t offset, size_t bytes) {
  if (bytes == 0) {
    return nothing; /* the address may be NULL */
  }
  const struct cncl_part part = {(char *)address + offset, bytes};
  return part;
}

struct cncl_part cncl_outgoing(const struct cncl_call *call, int peer) {
  const struct cncl_header *header = call->header;
  const size_t bytes = header->count * cncl_type_size(header->type);
  switch (header->kind) {
    case CNCL_BROADCAST:
      return header->rank == header->root ? part(call->send, 0, bytes) : nothing;
    case CNCL_ALL_GATHER:
      return part(call->send, 0, bytes);
    case CNCL_ALL_TO_ALL:
      return part(call->send, (size_t)peer * bytes, bytes);
    case CNCL_ALL_TO_ALL_V: {
      const struct cncl_lane *lane = &header->lane[peer];
      return part(call->sends[peer], 0, lane->send_count * cncl_type_size(lane->send_type));
    }
    case CNCL_SEND:
      return peer == header->peer ? part(call->send, 0, bytes) : nothing;
    default:
      return nothing;
  }
}

struct cncl_part cncl_incoming(const struct cncl_call *call, int peer) {
  const struct cncl_header *header = call->header;
  const size_t bytes = header->count * cncl_type_size(header->type);
  switch (header->kind) {
    case CNCL_BROADCAST:
      return peer == header->root ? part(call->recv, 0, bytes) : nothing;
    case CNCL_ALL_GATHER:
    case CNCL_ALL_TO_ALL:
      return part(call->recv, (size_t)peer * bytes, bytes);
    case CNCL_ALL_TO_ALL_V: {
      const struct cncl_lane *lane = &header->lane[peer];
      return part(call->recvs[peer], 0, lane->recv_count * cncl_type_size(lane->recv_type));
    }
    case CNCL_RECV:
      return peer == header->peer ? part(call->recv, 0, bytes) : nothing;
    default:
      return nothing;
  }
}

struct cncl_slice cncl_slice(const struct cncl_header *header, int ranks, int owner) {
  struct cncl_slice slice;
  if (header->kind == CNCL_REDUCE_SCATTER) {
    slice.offset = (size_t)owner * header->count;
    slice.count = header->count;
  } else {
    const size_t base = header->count / (size_t)ranks;
    const size_t more = header->count % (size_t)ranks; /* this many ranks have one more */
    const size_t before = (size_t)owner < more ? (size_t)owner : more;
    slice.offset = (size_t)owner * base + before;
    slice.count = base + ((size_t)owner < more);
  }
  return slice;
}
