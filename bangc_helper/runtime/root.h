/* SPDX-License-Identifier: MIT
 *
 * Everything a root supplies to the shared half of libcnrt, and nothing else. What the shared half
 * offers to a root stands in the other headers of this folder. A root also defines what compiled
 * kernels call (bang_runtime.h and the headers of the language), and these public functions:
 *
 *   cnrt.h           cnrtInvokeHostFunc
 *   cnrt_external.h  cnrtxEnqueue, cnrtxComplete, cnrtxShare, cnrtxStream, cnrtxHostReaches,
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

/* How many there are; a root without hardware has none. The first call may look for them. */
unsigned rt_device_count(void);

/* Device by number, NULL when there is none. */
struct rt_device *rt_device(int ordinal);

/* Its number. Called under the lock of memory.c, too. */
int rt_device_ordinal(const struct rt_device *device);

/* Device of the calling host thread, NULL when there is none at all: what most calls without a
 * handle work on. Called under the lock of an entity (task_topo_entity.c), too. */
struct rt_device *rt_current_device(void);

/* Chooses the device of the calling host thread; the number is valid. By cnrtSetDevice,
 * cnCtxSetCurrent. */
cnrtRet_t rt_set_current_device(int ordinal);

/* What attributes say that depends on the hardware; units as in cnrtDeviceAttr_t. */
struct rt_device_facts {
  int architecture; /* __BANG_ARCH__ of its kernels */
  int clusters;
  int cores;          /* per cluster */
  int union_clusters; /* a union may have any number of them up to this; 0: as its type's name */
  int largest_union;  /* N of the largest UnionN, 0: as many clusters as there are */
  int largest_dim;    /* tasks in one dimension of a launch, 0: RT_MAX_DIM */
  int nram_bytes;
  int wram_bytes;
  int sram_bytes;
  int l2_bytes;
  int clock_khz;
  int memory_clock_khz;
  int bus_bits;
  int vector_bytes; /* of the vectors a core computes with at a time */
  int has_ecc;
};

/* They do not change. By cnrtDeviceGetAttribute, and by every launch that checks its shape. */
const struct rt_device_facts *rt_device_facts(const struct rt_device *device);

/* The name a device reports. By cnrtGetDeviceProperties, cnDeviceGetName, cndevGetCardName... */
const char *rt_device_name(const struct rt_device *device);

/* Its unique identifier; `uuid` is cleared. By cnDeviceGetUuid, cnrtGetDeviceProperties, and every
 * search for a device by its identifier. */
void rt_device_uuid(const struct rt_device *device, cnrtUUID_t *uuid);

/* Bytes of its memory. By cnrtGetDeviceProperties, cnDeviceTotalMem. */
uint64_t rt_device_memory(const struct rt_device *device);

/* Its memory as a program sees it now; an error tells that the device is lost. By cnrtMemGetInfo,
 * cndevGetMemoryUsage, cndevGetCardHealthState. */
cnrtRet_t rt_device_memory_info(struct rt_device *device, size_t *free_bytes, size_t *total);

/* Writes the PCI address of a device (pci.h has its form); false when it does not fit. And the
 * device that has this address, or NULL. By cnrtDeviceGetPCIBusId, cnrtDeviceGetByPCIBusId and
 * their kin. */
bool rt_device_pci(char *text, int length, const struct rt_device *device);
struct rt_device *rt_device_by_pci(const char *text);

/* Whether kernels and copies of one device reach the memory of another. By
 * cnrtGetPeerAccessibility, its kin of the driver, and cnrtMemPoolGetAccess. */
bool rt_device_reaches(const struct rt_device *device, const struct rt_device *peer);

/* How host threads wait for the device, a cnrtDeviceFlags_t. By cnrtSetDeviceFlag,
 * cnrtGetDeviceFlag. */
void rt_device_set_flags(struct rt_device *device, unsigned flags);
unsigned rt_device_flags(const struct rt_device *device);

/* From when on the use of devices is counted; the first call counts. By cndevInit. */
void rt_usage_start(void);

/* Percent of the time of its cores that was in use lately, by anybody and by this process: since a
 * call of a moment ago, or since rt_usage_start. False when the root cannot tell. By
 * cndevGetDeviceUtilizationInfo, cndevGetProcessUtilization. */
bool rt_device_usage(struct rt_device *device, int *percent);
bool rt_process_usage(struct rt_device *device, int *percent);

/* The memory node a device is close to, -1 when it is equally close to several; false when the root
 * cannot tell. By cndevGetNUMANodeIdByDevId. */
bool rt_device_numa_node(const struct rt_device *device, int *node);

/* Last step of cnrtDeviceReset, after queues, notifiers and memory are gone. */
cnrtRet_t rt_device_reset(struct rt_device *device);

/* ---- Queues ---------------------------------------------------------------------------------- */

/* The part that a queue has in a capture (capture.h); NULL: it is not captured. */
typedef struct rt_branch *_Atomic rt_queue_branch_t;

/* Defined by the root, with an rt_queue_branch_t as its first member, which belongs to capture.c.
 * Operations of a queue are done in order. An operation that is submitted to a queue which is
 * captured goes to rt_capture_node instead. */
struct CNqueue_st;

/* Finds the queue a caller means (NULL and cnrtQueueLegacy: the default queue of the current
 * device; cnrtQueuePerThread: rt_thread_queue_acquire) and retains it; NULL with *error set when
 * there is none. A queue that is retained stays valid, destroyed or not. By every call with a
 * queue. */
struct CNqueue_st *rt_queue_acquire(cnrtQueue_t handle, cnrtRet_t *error);
void rt_queue_release(struct CNqueue_st *queue);

/* A new queue of a device; the priority is valid. By cnrtQueueCreate, and by thread_queue.c for the
 * queue of a thread. */
cnrtRet_t rt_queue_create(struct rt_device *device, int priority, struct CNqueue_st **queue);

/* Ends a program's hold on a queue; pending work is still done. By cnrtQueueDestroy, and at the end
 * of a thread that has a queue of its own. */
cnrtRet_t rt_queue_destroy(cnrtQueue_t queue);

/* Waits until everything submitted so far is done; returns and clears the first error. By
 * cnrtQueueSync, never in a task nor in a host function of the same queue. */
cnrtRet_t rt_queue_wait(struct CNqueue_st *queue);

/* Success or the first error when the queue is empty, else cnrtErrorNotReady. By cnrtQueueQuery. */
cnrtRet_t rt_queue_query(struct CNqueue_st *queue);

int rt_queue_priority(const struct CNqueue_st *queue);

/* Device a queue belongs to; NULL with *error set when there is no such queue. Called under the
 * lock of captures, too. */
struct rt_device *rt_queue_device(cnrtQueue_t queue, cnrtRet_t *error);

/* Where a queue says which thread it belongs to, as thread_queue.c numbers them; 0: none. The queue
 * is retained. */
uint64_t *rt_queue_owner(struct CNqueue_st *queue);

/* Waits for all queues of a device; returns the first error and clears all. By cnrtSyncDevice and
 * cnrtDeviceReset, never in a task nor in a host function. */
cnrtRet_t rt_device_wait(struct rt_device *device);

/* Destroys all queues of a device, which are idle. By cnrtDeviceReset. */
void rt_device_destroy_queues(struct rt_device *device);

/* Calls function(argument) once everything submitted so far to any queue is done; maybe at once,
 * and on any thread. By cnrtFree and its kin. */
void rt_queues_call_after_pending(void (*function)(void *argument), void *argument);

/* Queue whose host function the calling thread is running, or NULL; whether the calling thread is
 * running a task. By the calls that wait. */
const struct CNqueue_st *rt_host_function_queue(void);
bool rt_in_task(void);

/* ---- Notifiers ------------------------------------------------------------------------------- */

struct CNnotifier_st {
  pthread_mutex_t lock;
  _Atomic int references;
  unsigned flags;
  struct rt_device *device;
  void *latest; /* what the root knows of the latest placement; guarded by lock */
  bool placed;  /* at least once, set by the root; guarded by lock */
  /* Other processes place it, too (shared_notifier.h), or NULL; the number of the latest placement
   * here, set by the root, guarded by lock. */
  struct rt_shared_notifier *shared;
  uint32_t shared_number;
  struct rt_mark *_Atomic mark; /* the latest placement was in a capture (capture.h); else NULL */
  struct CNnotifier_st *next, *prev; /* in the list of all */
};

/* Prepares and ends `latest`. Nobody else knows the notifier then; its lock is not held. By
 * cnrtNotifierCreate and the release of the last hold. Called under the lock of an entity, too. */
cnrtRet_t rt_notifier_begin(struct CNnotifier_st *notifier);
void rt_notifier_end(struct CNnotifier_st *notifier);

/* Places the notifier in the queue, and lets the queue wait for the latest placement. By
 * cnrtPlaceNotifier, cnrtQueueWaitNotifier, and under the lock of an entity by
 * cnrtTaskTopoEntityInvoke. Both are retained; neither is part of a capture. */
cnrtRet_t rt_notifier_place(struct CNnotifier_st *notifier, struct CNqueue_st *queue);
cnrtRet_t rt_notifier_queue_wait(struct CNnotifier_st *notifier, struct CNqueue_st *queue);

/* Lets the calling thread wait for the latest placement; tells whether it was reached
 * (cnrtErrorNotReady: no); milliseconds between two that were. By cnrtWaitNotifier,
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
  /* What belongs to them beyond that, where a root needs it. */
  char *mapping;
  size_t mapping_size;
  size_t heap_offset; /* in what other processes may map; 0: it is not there */
};

/* Takes memory of pages->size bytes from the device and sets the rest of *pages; rt_no_memory(kind)
 * when there is not enough. Size 0 still gives an address of its own. Kinds are the first three. By
 * cnrtMalloc and its kin. */
cnrtRet_t rt_pages_take(struct rt_device *device, enum rt_memory_kind kind, struct rt_pages *pages);

/* Gives it back; nothing uses it any more. Called on whatever thread rt_queues_call_after_pending
 * chose, and by cnrtDeviceReset. */
void rt_pages_give_back(struct rt_device *device, enum rt_memory_kind kind,
                        const struct rt_pages *pages);

/* Fills pages that were just taken with zeros, unless they are zero anyway. By cnZmalloc. */
cnrtRet_t rt_pages_clear(void *start, size_t bytes);

/* Whether the host reads and writes the memory of devices as its own. By cnrtMmap. */
bool rt_pages_host_reaches(void);

/* Where a variable of kernels lies on the current device, and how large it is;
 * cnrtErrorInvalidSymbol for any other address. By cnrtGetSymbolAddress and its kin. */
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

/* Done when the call returns, after what the current device's default queue has to do. Addresses
 * and directions are checked, bytes is not 0. By cnrtMemcpy, cnrtMemset, cnrtMemcpy2D and their
 * kin. */
cnrtRet_t rt_transfer_now(const struct rt_transfer *transfer);
cnrtRet_t rt_box_copy_now(const struct rt_box *dst, const struct rt_box *src, cnrtExtent_t extent);

/* Done in the order of a queue. By the same with Async in their names. */
cnrtRet_t rt_transfer_enqueue(const struct rt_transfer *transfer, cnrtQueue_t queue);
cnrtRet_t rt_box_copy_enqueue(const struct rt_box *dst, const struct rt_box *src,
                              cnrtExtent_t extent, cnrtQueue_t queue);

/* ---- Threads --------------------------------------------------------------------------------- */

/* Stack that a thread of the runtime gets: what a task or a host function may use. Called under the
 * lock of threads.c. */
size_t rt_thread_stack_bytes(void);

#endif /* RUNTIME_ROOT_H_ */
