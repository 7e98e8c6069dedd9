/* SPDX-License-Identifier: MIT
 *
 * What a rank tells the others about its call.
 */
#ifndef CNCL_HEADER_H_
#define CNCL_HEADER_H_

#include "common.h"

enum cncl_kind {
  CNCL_BROADCAST,
  CNCL_ALL_GATHER,
  CNCL_REDUCE,
  CNCL_ALL_REDUCE,
  CNCL_REDUCE_SCATTER,
  CNCL_ALL_TO_ALL,
  CNCL_ALL_TO_ALL_V,
  CNCL_SEND,
  CNCL_RECV,
  CNCL_KIND_COUNT,
};

/* What a rank sends to and receives from one peer in cnclAlltoAllv. */
struct cncl_lane {
  uint32_t send_count;
  uint32_t send_type;
  uint32_t recv_count;
  uint32_t recv_type;
};

/* What a rank tells the others about its call; travels between processes as it is. */
struct cncl_header {
  uint32_t kind;
  uint32_t type;
  uint32_t op;
  int32_t root;
  int32_t rank;
  int32_t peer;    /* the other side of a send or receive */
  uint64_t number; /* in order: of the communicator's collectives, or of the pair's transfers */
  uint64_t count;
  uint32_t tag; /* for the transport */
  uint32_t lanes;
  uint32_t eager; /* bytes of data sent after the lanes; the transport decides */
  uint32_t padding;
  struct cncl_lane lane[];
};

static inline size_t cncl_header_bytes(const struct cncl_header *header) {
  return sizeof(*header) + header->lanes * sizeof(header->lane[0]);
}

/* The data after a header that arrived. */
static inline char *cncl_eager_data(const struct cncl_header *header) {
  return (char *)header + cncl_header_bytes(header);
}

static inline bool cncl_is_pair(const struct cncl_header *header) {
  return header->kind == CNCL_SEND || header->kind == CNCL_RECV;
}

static inline bool cncl_is_reduction(const struct cncl_header *header) {
  return header->kind == CNCL_REDUCE || header->kind == CNCL_ALL_REDUCE ||
         header->kind == CNCL_REDUCE_SCATTER;
}

#endif /* CNCL_HEADER_H_ */
