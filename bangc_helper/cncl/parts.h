/* SPDX-License-Identifier: MIT
 *
 * Which bytes go where.
 */
#ifndef CNCL_PARTS_H_
#define CNCL_PARTS_H_

#include "call.h"

/* A piece of a buffer of a call. */
struct cncl_part {
  char *address;
  size_t bytes;
};

/* What the call's rank sends to a peer and receives from it, for calls without a reduction. */
struct cncl_part cncl_outgoing(const struct cncl_call *call, int peer);
struct cncl_part cncl_incoming(const struct cncl_call *call, int peer);

/* The elements of a reduction that rank `owner` reduces when ranks share the work. */
struct cncl_slice {
  size_t offset;
  size_t count;
};
struct cncl_slice cncl_slice(const struct cncl_header *header, int ranks, int owner);

#endif /* CNCL_PARTS_H_ */
