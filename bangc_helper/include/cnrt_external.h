/* SPDX-License-Identifier: MIT
 *
 * For libraries that extend this runtime (communication, tools), not for programs: queue operations
 * that are completed from outside the runtime, work shared by the runtime's threads, and the list
 * of settings.
 */
#ifndef CNRT_EXTERNAL_H_
#define CNRT_EXTERNAL_H_

#include <stdbool.h>
#include <stdint.h>

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An operation in a queue that waits for cnrtxComplete. */
typedef struct cnrtxOp *cnrtxOp_t;

/* Called once when the queue reaches the operation. */
typedef void (*cnrtxStart_t)(cnrtxOp_t op, void *arg);

enum {
  /* start may block (sockets, long-held locks), so it is called on a service thread. */
  CNRTX_START_MAY_BLOCK = 0,
  /* start returns quickly and is called on whichever thread reaches it, possibly a worker thread.
   */
  CNRTX_START_INLINE = 1,
};

/* Appends an operation to a queue. Later work waits until cnrtxComplete(op, ...) is called, by any
 * thread, inside start or later. No thread is blocked meanwhile. `what` names the operation in
 * messages and must stay valid. */
cnrtRet_t cnrtxEnqueue(cnrtQueue_t queue, cnrtxStart_t start, void *arg, int flags,
                       const char *what);

/* Ends an operation; call it exactly once. A result other than cnrtSuccess becomes the queue's
 * error, which its next synchronisation returns. `op` is invalid afterwards. */
void cnrtxComplete(cnrtxOp_t op, cnrtRet_t result);

/* Device of a queue; NULL is the default queue of the current device. */
cnrtRet_t cnrtxQueueDevice(cnrtQueue_t queue, int *device);

/* To be called before submitting work that cannot be captured. Returns cnrtSuccess, or
 * cnrtErrorQueueCaptureUnsupported if the queue is being captured; that invalidates the capture,
 * because its topology would be incomplete. */
cnrtRet_t cnrtxRefuseCapture(cnrtQueue_t queue);

/* ---- Moving data ---- */

/* Whether [address, address + bytes) lies within one allocation of a device. */
bool cnrtxIsDeviceMemory(const void *address, size_t bytes);

/* Whether the host can access device memory directly; if not, use cnrtxStream. */
bool cnrtxHostReaches(void);

/* Whether other processes can map memory that cnrtMalloc returns from now on (cnrtAcquireMemHandle)
 * without waiting for work in flight. */
bool cnrtxSharesMemory(void);

/* One piece of shared work. */
typedef void (*cnrtxTask_t)(void *arg, uint64_t index);
/* Called once, by the thread that finishes the last piece. */
typedef void (*cnrtxFinished_t)(void *arg);

enum {
  /* The calling thread works as well; cnrtxShare returns when no piece is left for it. */
  CNRTX_SHARE_HELP = 0,
  /* Only worker threads work; cnrtxShare returns at once. */
  CNRTX_SHARE_LEAVE = 1,
};

/* Runs task(arg, i) for every i < total, in any order, on all free threads, then finished(arg),
 * which may run before or after cnrtxShare returns. */
void cnrtxShare(uint64_t total, cnrtxTask_t task, cnrtxFinished_t finished, void *arg, int flags);

/* Copies between device and host memory, outside of any queue, and waits until it is done. On the
 * CPU it bypasses the caches, for transfers larger than they are. The ranges must not overlap;
 * other threads see the result after any synchronisation. */
void cnrtxStream(void *target, const void *source, size_t bytes);

/* The same for `count` copies in any order, which are waited for together. */
void cnrtxStreamAll(void *const *targets, const void *const *sources, const size_t *bytes,
                    size_t count);

/* ---- Settings ---- */

/* One setting that the runtime reads from the environment. */
typedef struct cnrtxSetting {
  const char *name;
  const char *default_value;
  const char *meaning;
} cnrtxSetting;

/* Number of settings; setting `index`, or NULL. */
size_t cnrtxSettingCount(void);
const cnrtxSetting *cnrtxGetSetting(size_t index);

/* Traces all launches between Begin and End, on every device; MLUOP_CPU_TRACE traces a single
 * launch without changing the program. Call both while no queue has work. End writes a file for
 * chrome://tracing and ui.perfetto.dev with, per task, what the core does and which copies are in
 * flight, in bytes. End without Begin is cnrtErrorArgsInvalid. */
void cnrtxTraceBegin(void);
cnrtRet_t cnrtxTraceEnd(const char *path);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* CNRT_EXTERNAL_H_ */
