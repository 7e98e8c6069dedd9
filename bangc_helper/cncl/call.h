/* SPDX-License-Identifier: MIT
 *
 * One rank's part of a collective or of a transfer between two ranks.
 */
#ifndef CNCL_CALL_H_
#define CNCL_CALL_H_

#include "cnrt.h"
#include "header.h"

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
  /* Ends the call; the operation in the queue ends with its last call. */
  void (*done)(struct cncl_call *call, cnrtRet_t result);
};

#endif /* CNCL_CALL_H_ */
