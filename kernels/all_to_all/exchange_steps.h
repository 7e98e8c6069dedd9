/* SPDX-License-Identifier: MIT
 *
 * The ways of exchanging rows, and the steps they share. */
#ifndef KERNELS_ALL_TO_ALL_EXCHANGE_STEPS_H_
#define KERNELS_ALL_TO_ALL_EXCHANGE_STEPS_H_

#include "kernels/all_to_all/exchange_host.h"

/* SUCCESS, or EXECUTION_FAILED and a line with `what` and the error. */
mluOpStatus_t a2a_cncl_status(const char *api, const char *what, cnclResult_t result);
mluOpStatus_t a2a_cnrt_status(const char *api, const char *what, cnrtRet_t result);

/* Tasks for so many bytes and tokens. */
cnrtDim3_t a2a_task_dim(mluOpHandle_t handle, int64_t bytes, int64_t tokens);

/* Queues the gathering of all records. */
mluOpStatus_t a2a_gather_records(const A2aCall *call);

/* Records on the host. */
typedef struct A2aRecords {
  const A2aCall *call;
  int8_t *data;
} A2aRecords;

static inline A2aRecord *a2a_record(const A2aRecords *records, int rank) {
  return (A2aRecord *)(records->data + rank * records->call->args.record_bytes);
}

/* Gathers the records, waits for the queue, copies them to the host and compares them. Every rank
 * compares all records, so all return the same status. The caller frees `data`, also after a
 * failure. */
mluOpStatus_t a2a_fetch_records(const A2aCall *call, A2aRecords *records);

/* Ranks in processes that can map each other's memory: rows are read from there. Sets *is_done to
 * false, on all ranks, if some rank's data cannot be mapped; then nothing has happened. */
mluOpStatus_t a2a_exchange_mapped(const A2aCall *call_without_handles, bool *is_done);

/* Ranks anywhere: rows travel in messages. */
mluOpStatus_t a2a_exchange_messages(const A2aCall *call);

#endif /* KERNELS_ALL_TO_ALL_EXCHANGE_STEPS_H_ */
