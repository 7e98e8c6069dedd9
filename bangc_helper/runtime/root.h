/* SPDX-License-Identifier: MIT
 *
 * Everything a root supplies to the shared half of libcnrt, and nothing else. What the shared half
 * offers to a root stands in the other headers of this folder. A root also defines what compiled
 * kernels call (bang_runtime.h and the headers of the language), and these public functions:
 *
 *   cnrt.h           cnrtInvokeHostFunc
 *   cnrt_external.h  cnrtxEnqueue, cnrtxComplete, cnrtxShare, cnrtxStreamAll, cnrtxHostReaches,
 *                    cnrtxSettingCount, cnrtxGetSetting, cnrtxTraceBegin, cnrtxTraceEnd
 *
 * and, where root.cmake sets MLUOP_ROOT_HAS_IPC, those that unsupported_ipc.c refuses otherwise.
 *
 * Every function may be called by several threads at a time, with the public function that causes
 * the call below each group. No lock of the shared half is held, except where a comment says so: a
 * function that is called under a lock must not call what takes that lock. Functions with a
 * cnrtRet_t return the error; the public function makes it the thread's last error.
 */
#ifndef RUNTIME_ROOT_H_
#define RUNTIME_ROOT_H_

#include <pthread.h>

#include "common.h"

/* ---- Devices --------------------------------------------------------------------------------- */

enum {
  RT_MAX_DEVICES = 64,
  RT_MAX_DIM = 65535,    /* tasks of a launch in one dimension */
  RT_LEAST_PRIORITY = 7, /* of a queue, and the default; 0 is the greatest */
};

/* Defined by the root. A device lives as long as the process. */
struct rt_device;

/* Number of devices; 0 for a root without hardware. The first call may search for them. */
unsigned rt_device_count(void);

/* Device by number, NULL when there is none. */
struct rt_device *rt_device(int ordinal);

/* Its number. Also called under the lock of memory.c. */
int rt_device_ordinal(const struct rt_device *device);

/* Device of the calling host thread, which most calls without a handle use; NULL when there is no
 * device. Also called under the lock of an entity (task_topo_entity.c). */
struct rt_device *rt_current_device(void);

/* Chooses the device of the calling host thread; the number is valid. By cnrtSetDevice,
 * cnCtxSetCurrent. */
cnrtRet_t rt_set_current_device(int ordinal);

/* Attributes that depend on the hardware; units as in cnrtDeviceAttr_t. */
struct rt_device_facts {
  int architecture; /* __BANG_ARCH__ of its kernels */
  int clusters;
  int cores;          /* per cluster */
  int union_clusters; /* unions may have any number up to this; 0: only sizes with a name */
  int largest_union;  /* N of the largest UnionN, 0: as many clusters as there are */
  int largest_dim;    /* tasks in one dimension of a launch, 0: RT_MAX_DIM */
  int nram_bytes;
  int wram_bytes;
  int sram_bytes;
  int l2_bytes;
  int clock_khz;
  int memory_clock_khz;
  int bus_bits;
  int vector_bytes; /* of the vectors that a core processes at a time */
  int has_ecc;
};

/* The facts, which do not change. By cnrtDeviceGetAttribute, and by every launch that checks its
 * dimensions. */
const struct rt_device_facts *rt_device_facts(const struct rt_device *device);

/* The name a device reports. By cnrtGetDeviceProperties, cnDeviceGetName, cndevGetCardName... */
const char *rt_device_name(const struct rt_device *device);

/* Its unique identifier; `uuid` is cleared. By cnDeviceGetUuid, cnrtGetDeviceProperties, and every
 * search for a device by its identifier. */
void rt_device_uuid(const struct rt_device *device, cnrtUUID_t *uuid);

/* Bytes of its memory. By cnrtGetDeviceProperties, cnDeviceTotalMem. */
uint64_t rt_device_memory(const struct rt_device *device);

/* Memory that a program can use now; an error means that the device is lost. By cnrtMemGetInfo,
 * cndevGetMemoryUsage, cndevGetCardHealthState. */
cnrtRet_t rt_device_memory_info(struct rt_device *device, size_t *free_bytes, size_t *total);

/* Writes the PCI address of a device (pci.h has its form), false when it does not fit; and the
 * device at an address, or NULL. By cnrtDeviceGetPCIBusId, cnrtDeviceGetByPCIBusId and the driver's
 * equivalents. */
bool rt_device_pci(char *text, int length, const struct rt_device *device);
struct rt_device *rt_device_by_pci(const char *text);

/* True if kernels and copies of one device reach the memory of another. By
 * cnrtGetPeerAccessibility, the driver's equivalent, and cnrtMemPoolGetAccess. */
bool rt_device_reaches(const struct rt_device *device, const struct rt_device *peer);

/* How host threads wait for the device, a cnrtDeviceFlags_t. By cnrtSetDeviceFlag,
 * cnrtGetDeviceFlag. */
void rt_device_set_flags(struct rt_device *device, unsigned flags);
unsigned rt_device_flags(const struct rt_device *device);

/* Starts to count the use of devices; later calls do nothing. By cndevInit. */
void rt_usage_start(void);

/* Percent of the cores' time that was used recently, by all processes and by this one: since the
 * previous call, or since rt_usage_start. False when the root cannot tell. By
 * cndevGetDeviceUtilizationInfo, cndevGetProcessUtilization. */
bool rt_device_usage(struct rt_device *device, int *percent);
bool rt_process_usage(struct rt_device *device, int *percent);

/* The memory node a device is close to, -1 when it is equally close to several; false when the root
 * cannot tell. By cndevGetNUMANodeIdByDevId. */
bool rt_device_numa_node(const struct rt_device *device, int *node);

/* Last step of cnrtDeviceReset, after queues, notifiers and memory are gone. */
cnrtRet_t rt_device_reset(struct rt_device *device);

/* ---- Queues ---------------------------------------------------------------------------------- */

/* A queue's part in a capture (capture.h); NULL: it is not captured. */
typedef struct rt_branch *_Atomic rt_queue_branch_t;

/* Defined by the root. Its first member is an rt_queue_branch_t, which belongs to capture.c.
 * Operations of a queue run in order. Operations of a captured queue go to rt_capture_node instead.
 */
struct CNqueue_st;

/* Finds and retains the queue that a handle means: NULL and cnrtQueueLegacy are the default queue
 * of the current device, cnrtQueuePerThread is rt_thread_queue_acquire's. NULL with *error set when
 * there is none. A retained queue stays valid even when it is destroyed. By every call with a
 * queue. */
struct CNqueue_st *rt_queue_acquire(cnrtQueue_t handle, cnrtRet_t *error);
void rt_queue_release(struct CNqueue_st *queue);

/* A new queue of a device; the priority is valid. By cnrtQueueCreate, and by thread_queue.c for the
 * queue of a thread. */
cnrtRet_t rt_queue_create(struct rt_device *device, int priority, struct CNqueue_st **queue);

/* Releases the program's hold on a queue; pending work is still done. By cnrtQueueDestroy, and at
 * the end of a thread that has a queue of its own. */
cnrtRet_t rt_queue_destroy(cnrtQueue_t queue);

/* Waits until everything submitted so far is done; returns and clears the first error. By
 * cnrtQueueSync, never in a task nor in a host function of the same queue. */
cnrtRet_t rt_queue_wait(struct CNqueue_st *queue);

/* Success or the first error when the queue is empty, else cnrtErrorNotReady. By cnrtQueueQuery. */
cnrtRet_t rt_queue_query(struct CNqueue_st *queue);

int rt_queue_priority(const struct CNqueue_st *queue);

/* Device of a queue; NULL with *error set when there is no such queue. Also called under the lock
 * of captures. */
struct rt_device *rt_queue_device(cnrtQueue_t queue, cnrtRet_t *error);

/* Where a queue stores the thread it belongs to, numbered by thread_queue.c; 0: none. The queue is
 * retained. */
uint64_t *rt_queue_owner(struct CNqueue_st *queue);

/* Waits for all queues of a device; returns the first error and clears all. By cnrtSyncDevice and
 * cnrtDeviceReset, never in a task nor in a host function. */
cnrtRet_t rt_device_wait(struct rt_device *device);

/* Destroys all queues of a device, which are idle. By cnrtDeviceReset. */
void rt_device_destroy_queues(struct rt_device *device);

/* Calls function(argument) when all work submitted so far to any queue is done; perhaps before it
 * returns, and on any thread. By cnrtFree and the other functions that free memory. */
void rt_queues_call_after_pending(void (*function)(void *argument), void *argument);

/* The queue whose host function the calling thread runs, or NULL; and whether the calling thread
 * runs a task. By the calls that wait. */
const struct CNqueue_st *rt_host_function_queue(void);
bool rt_in_task(void);

/* ---- Notifiers ------------------------------------------------------------------------------- */

struct CNnotifier_st {
  pthread_mutex_t lock;
  _Atomic int references;
  unsigned flags;
  struct rt_device *device;
  void *latest; /* the root's data about the latest placement; guarded by lock */
  bool placed;  /* placed at least once; set by the root, guarded by lock */
  /* If other processes place it as well: what they share (shared_notifier.h), else NULL; and the
   * number of the latest placement here, set by the root, guarded by lock. */
  struct rt_shared_notifier *shared;
  uint32_t shared_number;
  struct rt_mark *_Atomic mark; /* the latest placement was in a capture (capture.h); else NULL */
  struct CNnotifier_st *next, *prev; /* in the list of all */
};

/* Initialises and ends `latest`, while nothing else knows the notifier and its lock is not held. By
 * cnrtNotifierCreate and the release of the last hold. Also called under the lock of an entity. */
cnrtRet_t rt_notifier_begin(struct CNnotifier_st *notifier);
void rt_notifier_end(struct CNnotifier_st *notifier);

/* Places the notifier in the queue, and lets the queue wait for the latest placement. By
 * cnrtPlaceNotifier, cnrtQueueWaitNotifier, and under the lock of an entity by
 * cnrtTaskTopoEntityInvoke. Both are retained; neither is part of a capture. */
cnrtRet_t rt_notifier_place(struct CNnotifier_st *notifier, struct CNqueue_st *queue);
cnrtRet_t rt_notifier_queue_wait(struct CNnotifier_st *notifier, struct CNqueue_st *queue);

/* Waits on the calling thread for the latest placement; asks whether it was reached
 * (cnrtErrorNotReady: no); milliseconds between two that were reached. By cnrtWaitNotifier,
 * cnrtQueryNotifier, cnrtNotifierDuration. */
cnrtRet_t rt_notifier_wait(struct CNnotifier_st *notifier);
cnrtRet_t rt_notifier_query(struct CNnotifier_st *notifier);
cnrtRet_t rt_notifier_elapsed(struct CNnotifier_st *start, struct CNnotifier_st *end, double *ms);

/* Whether processes can share notifiers. By cnrtNotifierCreateWithFlags, the functions of their
 * handles, and an attribute. */
bool rt_notifiers_may_be_shared(void);

/* ---- Memory ---------------------------------------------------------------------------------- */

enum rt_memory_kind {
  RT_MEMORY_DEVICE,
  RT_MEMORY_CONSTANT, /* kernels only read it */
  RT_MEMORY_HOST,
  RT_MEMORY_PEER,   /* of a device of another process */
  RT_MEMORY_SYMBOL, /* a variable of kernels that is the host's as well */
};

/* The pages of one allocation. */
struct rt_pages {
  char *start;
  size_t size; /* as the program asked */
  /* Further data that a root needs about them. */
  char *mapping;
  size_t mapping_size;
  size_t heap_offset; /* position in memory that other processes may map; 0: it is not there */
};

/* Takes pages->size bytes from the device and sets the rest of *pages; rt_no_memory(kind) when
 * there is not enough. Size 0 gets an address of its own, too. Only the first three kinds occur. By
 * cnrtMalloc and the other functions that allocate. */
cnrtRet_t rt_pages_take(struct rt_device *device, enum rt_memory_kind kind, struct rt_pages *pages);

/* Gives pages back that nothing uses any more. Called on the thread that
 * rt_queues_call_after_pending chose, and by cnrtDeviceReset. */
void rt_pages_give_back(struct rt_device *device, enum rt_memory_kind kind,
                        const struct rt_pages *pages);

/* Fills new pages with zeros, unless they are zero already. By cnZmalloc. */
cnrtRet_t rt_pages_clear(void *start, size_t bytes);

/* True if the host can read and write device memory directly. By cnrtMmap. */
bool rt_pages_host_reaches(void);

/* Address and size of a kernel variable on the current device; cnrtErrorInvalidSymbol for any other
 * address. By cnrtGetSymbolAddress and the other functions on symbols. */
cnrtRet_t rt_symbol_find(const void *symbol, char **start, size_t *size);

/* ---- Copies and fills ------------------------------------------------------------------------ */

/* A copy, or with source NULL a fill with the low `width` bytes of pattern. */
struct rt_transfer {
  char *target;
  const char *source;
  size_t bytes;
  uint32_t pattern;
  unsigned width;
};

/* A box inside a pitched array. */
struct rt_box {
  char *start;
  size_t pitch; /* bytes from row to row */
  size_t plane; /* bytes from plane to plane */
};

/* Done when the call returns, after the pending work of the current device's default queue.
 * Addresses and directions are checked, bytes is not 0. By cnrtMemcpy, cnrtMemset, cnrtMemcpy2D and
 * their variants. */
cnrtRet_t rt_transfer_now(const struct rt_transfer *transfer);
cnrtRet_t rt_box_copy_now(const struct rt_box *dst, const struct rt_box *src, cnrtExtent_t extent);

/* Done in the order of a queue. By the Async variants of these functions. */
cnrtRet_t rt_transfer_enqueue(const struct rt_transfer *transfer, cnrtQueue_t queue);
cnrtRet_t rt_box_copy_enqueue(const struct rt_box *dst, const struct rt_box *src,
                              cnrtExtent_t extent, cnrtQueue_t queue);

/* ---- Threads --------------------------------------------------------------------------------- */

/* Stack size of a runtime thread, which tasks and host functions use. Called under the lock of
 * threads.c. */
size_t rt_thread_stack_bytes(void);

#endif /* RUNTIME_ROOT_H_ */
