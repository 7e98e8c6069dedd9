/* SPDX-License-Identifier: MIT
 *
 * One rank's part of a collective or of a transfer between two ranks.
 */
#ifndef CNCL_CALL_H_
#define CNCL_CALL_H_

#include "cnrt_external.h"
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
  uint64_t number; /* how manyth collective of the communicator, or transfer of the pair */
  uint64_t count;
  uint32_t tag; /* for the transport */
  uint32_t lanes;
  uint32_t eager; /* bytes of data that travel behind the lanes; the transport decides */
  uint32_t padding;
  struct cncl_lane lane[];
};

static inline size_t cncl_header_bytes(const struct cncl_header *header) {
  return sizeof(*header) + header->lanes * sizeof(header->lane[0]);
}

/* The data behind a header that arrived. */
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

/* "AllReduce of 4 float (sum)" */
void cncl_describe(const struct cncl_header *header, char *text, size_t size);

/* Whether the calls that met fit together. headers[r] is rank r's, or of a pair the sender's and
 * the receiver's. When they do not fit, text says why and names the ranks. */
bool cncl_agree(const struct cncl_header *const *headers, int count, char *text, size_t size);

struct cncl_batch;

struct cncl_call {
  struct cncl_call *next; /* of the same batch */
  struct cncl_batch *batch;
  struct cnclComm *comm; /* retained */
  cnrtQueue_t queue;
  int queue_device;
  const char *send;
  char *recv;
  const char **sends; /* cnclAlltoAllv: per rank */
  char **recvs;
  struct cncl_header *header;
};

/* A new call with room for `lanes` lanes; NULL when memory is short. Retains the communicator. */
struct cncl_call *cncl_call_create(struct cnclComm *comm, uint32_t lanes);
/* Frees a call that was never submitted. */
void cncl_call_discard(struct cncl_call *call);

/* Numbers the calls of a list and puts them into their queues; those of one queue start together.
 * Takes over the list. */
cnclResult_t cncl_submit(struct cncl_call *list);

/* Ends a call; the operation in the queue ends with the last of its calls. */
void cncl_call_done(struct cncl_call *call, cnrtRet_t result);

/* A piece of a buffer of a call. */
struct cncl_part {
  char *address;
  size_t bytes;
};

/* What the call's rank sends to a peer and receives from it, for calls that only move data. */
struct cncl_part cncl_outgoing(const struct cncl_call *call, int peer);
struct cncl_part cncl_incoming(const struct cncl_call *call, int peer);

/* The elements of a reduction that rank `owner` reduces when ranks share the work. */
struct cncl_slice {
  size_t offset;
  size_t count;
};
struct cncl_slice cncl_slice(const struct cncl_header *header, int ranks, int owner);

#endif /* CNCL_CALL_H_ */
