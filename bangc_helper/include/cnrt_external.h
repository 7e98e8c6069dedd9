/* SPDX-License-Identifier: MIT
 *
 * For libraries that work beside this runtime (communication, tools), not for programs: operations
 * in a queue that something outside the runtime completes, work shared by the runtime's threads,
 * and the list of settings.
 */
#ifndef CNRT_EXTERNAL_H_
#define CNRT_EXTERNAL_H_

#include <stdbool.h>
#include <stdint.h>

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An operation that waits in a queue for cnrtxComplete. */
typedef struct cnrtxOp *cnrtxOp_t;

/* Called once when the queue reaches the operation. */
typedef void (*cnrtxStart_t)(cnrtxOp_t op, void *arg);

enum {
  /* start may block (sockets, locks held for long): it is called on a service thread. */
  CNRTX_START_MAY_BLOCK = 0,
  /* start returns quickly: it is called on whatever thread reaches it, a worker thread included. */
  CNRTX_START_INLINE = 1,
};

/* Appends an operation to a queue. Everything after it waits until cnrtxComplete(op, ...) is
 * called, from any thread, inside start or later. No thread is occupied meanwhile. `what` names the
 * operation in messages and must stay valid. */
cnrtRet_t cnrtxEnqueue(cnrtQueue_t queue, cnrtxStart_t start, void *arg, int flags,
                       const char *what);

/* Ends an operation exactly once; a result other than cnrtSuccess becomes the queue's error, which
 * its next synchronisation returns. `op` is no longer valid afterwards. */
void cnrtxComplete(cnrtxOp_t op, cnrtRet_t result);

/* Device a queue belongs to; NULL is the default queue of the current device. */
cnrtRet_t cnrtxQueueDevice(cnrtQueue_t queue, int *device);

/* For work that cannot be captured, before anything of it is submitted: cnrtSuccess, or, when the
 * queue is captured, cnrtErrorQueueCaptureUnsupported. The capture is invalid then, so that its end
 * tells what its topology would lack. */
cnrtRet_t cnrtxRefuseCapture(cnrtQueue_t queue);

/* ---- Moving data ---- */

/* Whether [address, address + bytes) lies in one allocation of a device. */
bool cnrtxIsDeviceMemory(const void *address, size_t bytes);

/* Whether the host may touch device memory. Where it may not, cnrtxStream is the way to it. */
bool cnrtxHostReaches(void);

/* Whether other processes can map what cnrtMalloc gives from now on (cnrtAcquireMemHandle), without
 * waiting for anything. */
bool cnrtxSharesMemory(void);

/* One piece of shared work. */
typedef void (*cnrtxTask_t)(void *arg, uint64_t index);
/* Called once, by the thread that ends the last piece. */
typedef void (*cnrtxFinished_t)(void *arg);

enum {
  /* This thread works, too; cnrtxShare returns when nothing is left for it to do. */
  CNRTX_SHARE_HELP = 0,
  /* Only worker threads work; cnrtxShare returns at once. */
  CNRTX_SHARE_LEAVE = 1,
};

/* Runs task(arg, i) for every i below total, in any order and on all threads that are free, then
 * finished(arg), which may happen before or after cnrtxShare returns. */
void cnrtxShare(uint64_t total, cnrtxTask_t task, cnrtxFinished_t finished, void *arg, int flags);

/* Copies between memory of devices and of the host, outside of any queue: on the CPU past the
 * caches, for transfers larger than they are. The ranges do not overlap; other threads see the
 * result after any synchronisation. */
void cnrtxStream(void *target, const void *source, size_t bytes);

/* ---- Settings ---- */

/* One setting that the runtime reads from the environment. */
typedef struct cnrtxSetting {
  const char *name;
  const char *default_value;
  const char *meaning;
} cnrtxSetting;

/* Number of settings, and setting `index` or NULL. */
size_t cnrtxSettingCount(void);
const cnrtxSetting *cnrtxGetSetting(size_t index);

/* Traces all launches between the two, on every device; MLUOP_CPU_TRACE does it for one launch
 * without a change of the program. Call both while no queue works. End writes the file, in the
 * format that chrome://tracing and ui.perfetto.dev open: per task what the core does and which
 * copies are in flight, with their bytes. cnrtErrorArgsInvalid without a begin. */
void cnrtxTraceBegin(void);
cnrtRet_t cnrtxTraceEnd(const char *path);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* CNRT_EXTERNAL_H_ */
