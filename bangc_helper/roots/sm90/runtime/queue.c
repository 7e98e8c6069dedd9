/* SPDX-License-Identifier: MIT */
#include "queue.h"

#include <stdlib.h>

#include "function.h"
#include "handles.h"
#include "thread_queue.h"

static struct rt_handles live_queues = RT_HANDLES_INITIALIZER;

static void retain(void *pointer) {
  rt_queue_retain(pointer);
}

void rt_queue_retain(struct CNqueue_st *queue) {
  atomic_fetch_add(&queue->references, 1);
}

/* Retains a queue in a device's list, unless it is about to leave it. The device's lock is held. */
static bool retain_listed(struct CNqueue_st *queue) {
  int references = atomic_load(&queue->references);
  while (references != 0 &&
         !atomic_compare_exchange_weak(&queue->references, &references, references + 1)) {
  }
  return references != 0;
}

static void link_locked(struct CNqueue_st *queue) {
  struct rt_device *device = queue->device;
  queue->device_next = device->queues;
  if (device->queues != NULL) {
    device->queues->device_prev = queue;
  }
  device->queues = queue;
}

static void unlink_locked(struct CNqueue_st *queue) {
  if (queue->device_prev != NULL) {
    queue->device_prev->device_next = queue->device_next;
  } else {
    queue->device->queues = queue->device_next;
  }
  if (queue->device_next != NULL) {
    queue->device_next->device_prev = queue->device_prev;
  }
}

/* Pending work still completes: whatever holds a queue has a reference, CUDA keeps the stream until
 * then, and scratch memory is freed in stream order. */
static void end(struct CNqueue_st *queue) {
  struct rt_device *device = queue->device;
  pthread_mutex_lock(&device->lock);
  unlink_locked(queue);
  pthread_mutex_unlock(&device->lock);
  if (rt_device_enter(device) == cnrtSuccess) {
    rt_kernel_graphs_end(&queue->graphs);
    if (queue->scratch != NULL) {
      rt_cuda(cudaFreeAsync(queue->scratch, queue->stream));
    }
    if (queue->barriers != NULL) {
      rt_cuda(cudaFreeAsync(queue->barriers, queue->stream));
    }
    rt_cuda(cudaStreamDestroy(queue->stream));
  }
  pthread_mutex_destroy(&queue->lock);
  free(queue);
}

void rt_queue_release(struct CNqueue_st *queue) {
  if (atomic_fetch_sub(&queue->references, 1) == 1) {
    end(queue);
  }
}

/* ---- Objects ---- */

/* CUDA's priorities are negative for urgent streams, and there are fewer. */
static int cuda_priority(int priority) {
  int least = 0;
  int greatest = 0;
  if (rt_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest)) != cnrtSuccess) {
    return 0;
  }
  return least + (RT_LEAST_PRIORITY - priority) * (greatest - least) / RT_LEAST_PRIORITY;
}

static cnrtRet_t create(struct rt_device *device, int priority, struct CNqueue_st **result) {
  cnrtRet_t error = rt_device_enter(device);
  if (error != cnrtSuccess) {
    return error;
  }
  struct CNqueue_st *queue = calloc(1, sizeof(*queue));
  if (queue == NULL) {
    return cnrtErrorSysNoMem;
  }
  error = rt_cuda(
      cudaStreamCreateWithPriority(&queue->stream, cudaStreamNonBlocking, cuda_priority(priority)));
  if (error != cnrtSuccess) {
    free(queue);
    return error;
  }
  pthread_mutex_init(&queue->lock, NULL);
  atomic_init(&queue->references, 1);
  queue->device = device;
  queue->priority = priority;
  pthread_mutex_lock(&device->lock);
  link_locked(queue);
  pthread_mutex_unlock(&device->lock);
  *result = queue;
  return cnrtSuccess;
}

/* A queue that a device has implicitly, stored in *slot of the device; retained. */
static struct CNqueue_st *implicit_queue(struct rt_device *device, struct CNqueue_st **slot,
                                         cnrtRet_t *error) {
  struct CNqueue_st *fresh = NULL;
  pthread_mutex_lock(&device->lock);
  struct CNqueue_st *queue = *slot;
  if (queue != NULL) {
    rt_queue_retain(queue);
  }
  pthread_mutex_unlock(&device->lock);
  if (queue != NULL) {
    return queue;
  }
  *error = create(device, RT_LEAST_PRIORITY, &fresh);
  if (*error != cnrtSuccess) {
    return NULL;
  }
  pthread_mutex_lock(&device->lock);
  const bool first = *slot == NULL;
  if (first) {
    *slot = fresh;
  }
  queue = *slot;
  rt_queue_retain(queue);
  pthread_mutex_unlock(&device->lock);
  if (!first) {
    rt_queue_release(fresh);
  }
  return queue;
}

/* Makes a queue's device current; releases the queue if that fails. */
static struct CNqueue_st *entered(struct CNqueue_st *queue, cnrtRet_t *error) {
  if (queue != NULL) {
    *error = rt_device_enter(queue->device);
    if (*error != cnrtSuccess) {
      rt_queue_release(queue);
      queue = NULL;
    }
  }
  return queue;
}

struct CNqueue_st *rt_queue_acquire(cnrtQueue_t handle, cnrtRet_t *error) {
  struct CNqueue_st *queue = NULL;
  *error = cnrtSuccess;
  if (handle == cnrtQueuePerThread) {
    return rt_thread_queue_acquire(error);
  }
  if (rt_queue_is_implicit(handle)) {
    struct rt_device *device = rt_current_device();
    if (device == NULL) {
      *error = cnrtErrorNoDevice;
      return NULL;
    }
    queue = implicit_queue(device, &device->default_queue, error);
  } else if (rt_handles_retain(&live_queues, handle, retain)) {
    queue = handle;
  } else {
    *error = cnrtErrorInvalidResourceHandle;
  }
  return entered(queue, error);
}

uint64_t *rt_queue_owner(struct CNqueue_st *queue) {
  return &queue->owner;
}

struct CNqueue_st *rt_queue_acquire_side(struct rt_device *device, cnrtRet_t *error) {
  *error = cnrtSuccess;
  return entered(implicit_queue(device, &device->side_queue, error), error);
}

struct rt_device *rt_queue_device(cnrtQueue_t handle, cnrtRet_t *error) {
  struct CNqueue_st *queue = rt_queue_acquire(handle, error);
  if (queue == NULL) {
    return NULL;
  }
  struct rt_device *device = queue->device;
  rt_queue_release(queue);
  return device;
}

cnrtRet_t rt_queue_create(struct rt_device *device, int priority, struct CNqueue_st **result) {
  struct CNqueue_st *queue = NULL;
  const cnrtRet_t error = create(device, priority, &queue);
  if (error != cnrtSuccess) {
    return error;
  }
  if (!rt_handles_add(&live_queues, queue)) {
    rt_queue_release(queue);
    return cnrtErrorSysNoMem;
  }
  *result = queue;
  return cnrtSuccess;
}

cnrtRet_t rt_queue_destroy(cnrtQueue_t queue) {
  if (!rt_handles_remove(&live_queues, queue)) {
    return cnrtErrorInvalidResourceHandle;
  }
  rt_queue_release(queue);
  return cnrtSuccess;
}

int rt_queue_priority(const struct CNqueue_st *queue) {
  return queue->priority;
}

/* Grows memory of the queue to at least `wanted` bytes; *is_new if it was reallocated. Kernels in
 * the stream keep the old memory. */
static cnrtRet_t grow(struct CNqueue_st *queue, void **memory, size_t *bytes, size_t wanted,
                      bool *is_new) {
  *is_new = wanted > *bytes;
  if (!*is_new) {
    return cnrtSuccess;
  }
  void *grown = NULL;
  const cnrtRet_t error = rt_cuda(cudaMallocAsync(&grown, wanted, queue->stream));
  if (error != cnrtSuccess) {
    return error;
  }
  if (*memory != NULL) {
    rt_cuda(cudaFreeAsync(*memory, queue->stream));
  }
  *memory = grown;
  *bytes = wanted;
  return cnrtSuccess;
}

cnrtRet_t rt_queue_scratch(struct CNqueue_st *queue, size_t bytes, char **memory) {
  bool is_new = false;
  const cnrtRet_t error = grow(queue, &queue->scratch, &queue->scratch_bytes, bytes, &is_new);
  *memory = queue->scratch;
  return error;
}

cnrtRet_t rt_queue_barriers(struct CNqueue_st *queue, size_t words, unsigned long long **barriers) {
  bool is_new = false;
  const size_t bytes = words * sizeof(**barriers);
  cnrtRet_t error = grow(queue, &queue->barriers, &queue->barrier_bytes, bytes, &is_new);
  if (error == cnrtSuccess && is_new) {
    error = rt_cuda(cudaMemsetAsync(queue->barriers, 0, bytes, queue->stream));
    if (error != cnrtSuccess) {
      queue->barrier_bytes = 0; /* nothing may count in it */
    }
  }
  *barriers = queue->barriers;
  return error;
}

/* ---- All queues of a device ---- */

int rt_device_queues(struct rt_device *device, struct CNqueue_st ***list) {
  int count = 0;
  pthread_mutex_lock(&device->lock);
  for (struct CNqueue_st *queue = device->queues; queue != NULL; queue = queue->device_next) {
    ++count;
  }
  *list = malloc((size_t)(count + 1) * sizeof(**list));
  int retained = 0;
  for (struct CNqueue_st *queue = device->queues; *list != NULL && queue != NULL;
       queue = queue->device_next) {
    if (retain_listed(queue)) {
      (*list)[retained++] = queue;
    }
  }
  pthread_mutex_unlock(&device->lock);
  return *list != NULL ? retained : -1;
}

void rt_device_destroy_queues(struct rt_device *device) {
  struct CNqueue_st **queues = NULL;
  const int count = rt_device_queues(device, &queues);
  pthread_mutex_lock(&device->lock);
  const struct CNqueue_st *implicit[] = {device->default_queue, device->side_queue};
  device->default_queue = NULL;
  device->side_queue = NULL;
  pthread_mutex_unlock(&device->lock);
  for (int i = 0; i < count; ++i) {
    if (queues[i] == implicit[0] || queues[i] == implicit[1] ||
        rt_handles_remove(&live_queues, queues[i])) {
      rt_queue_release(queues[i]); /* the reference of the program, or of the device */
    }
    rt_queue_release(queues[i]);
  }
  free(queues);
}

cnrtRet_t rt_device_reset(struct rt_device *device) {
  cnrtRet_t error = rt_device_enter(device);
  if (error != cnrtSuccess) {
    return error;
  }
  if (device->is_shared) { /* others may be using the GPU */
    return rt_device_error(device, cudaDeviceSynchronize());
  }
  rt_device_forget_memory(device);
  rt_functions_forget(device);
  error = rt_cuda(cudaDeviceReset());
  if (error == cnrtSuccess) {
    error = rt_cuda(cudaFree(NULL));
  }
  if (error == cnrtErrorBusy) {
    rt_warn("device %d is lost: after a fault CUDA gives a GPU to new processes only",
            device->ordinal);
  }
  return error;
}

bool rt_in_task(void) {
  return false; /* tasks do not run on host threads */
}
