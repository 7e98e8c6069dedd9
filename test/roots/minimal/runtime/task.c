/* SPDX-License-Identifier: MIT
 *
 * Launches: the caller's thread runs the tasks one after another. In a union a second thread is the
 * memory core, and barriers synchronise the two.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "bang_runtime.h"
#include "launch_config.h"
#include "queue.h"
#include "threads.h"
#include "unions.h"

RT_EXPORT __thread int __bang_taskId, __bang_taskIdX, __bang_taskIdY, __bang_taskIdZ;
RT_EXPORT __thread int __bang_taskDim, __bang_taskDimX, __bang_taskDimY, __bang_taskDimZ;
RT_EXPORT __thread int __bang_coreId, __bang_coreDim, __bang_clusterId, __bang_clusterDim;
RT_EXPORT __thread uint64_t __bang_task_epoch;

static __thread jmp_buf *escape; /* jumps out of the running task; NULL outside of a task */
static __thread int fault;

/* There is one core: a launch waits until it is free. */
static pthread_mutex_t core_lock = PTHREAD_MUTEX_INITIALIZER;

/* The running union task, if any. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  const struct rt_launch_config *config; /* what the memory core must start; NULL: nothing */
  const bangKernelOps *kernel;
  const void *closure;
  unsigned index;
  unsigned live, arrived, generation;
  int fault; /* of the first core that failed; the other one leaves at its next barrier */
  bool is_union, has_thread;
} cluster = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

bool rt_in_task(void) {
  return escape != NULL;
}

RT_EXPORT int __bang_in_task(void) {
  return escape != NULL;
}

RT_EXPORT void __bang_fault(int code, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  rt_warn("%s; error %d %s", text, code, cnrtGetErrorName((cnrtRet_t)code));
  if (escape == NULL) {
    rt_fail((cnrtRet_t)code);
    return;
  }
  fault = code;
  longjmp(*escape, 1);
}

#if defined(__aarch64__)
RT_EXPORT void __bang_divided_by_zero(const struct bangSourcePlace *place, uintptr_t dividend,
                                      uintptr_t divisor) {
  (void)dividend;
  (void)divisor;
  if (escape != NULL) {
    __bang_fault(CN_INVOKE_ERROR_KERNEL_TRAP, "integer division by zero at %s:%u", place->file,
                 place->line);
  }
}
#endif

static void set_builtins(const struct rt_launch_config *config, unsigned index, bool is_union) {
  __bang_taskDimX = (int)config->dim.x;
  __bang_taskDimY = (int)config->dim.y;
  __bang_taskDimZ = (int)config->dim.z;
  __bang_taskDim = __bang_taskDimX * __bang_taskDimY * __bang_taskDimZ;
  __bang_taskId = (int)index;
  __bang_taskIdX = (int)(index % config->dim.x);
  __bang_taskIdY = (int)(index / config->dim.x % config->dim.y);
  __bang_taskIdZ = (int)(index / config->dim.x / config->dim.y);
  __bang_coreDim = 1;
  __bang_clusterDim = is_union ? 1 : 0;
  ++__bang_task_epoch;
}

/* Returns the fault of the task, or 0. */
static int run(const bangKernelOps *kernel, const void *closure) {
  jmp_buf place;
  fault = 0;
  escape = &place;
  if (setjmp(place) == 0) {
    kernel->run(closure);
  }
  escape = NULL;
  return fault;
}

/* ---- Unions ---- */

static void open_locked(void) {
  cluster.arrived = 0;
  ++cluster.generation;
  pthread_cond_broadcast(&cluster.changed);
}

/* A core of the union has returned. */
static void leave(int code) {
  pthread_mutex_lock(&cluster.lock);
  --cluster.live;
  if (cluster.fault == 0) {
    cluster.fault = code;
  }
  if (cluster.arrived != 0 && (cluster.arrived == cluster.live || code != 0)) {
    open_locked();
  }
  pthread_cond_broadcast(&cluster.changed);
  pthread_mutex_unlock(&cluster.lock);
}

RT_EXPORT void __bang_barrier(bangBarrier which, const char *file, int line) {
  (void)file;
  (void)line;
  const bool is_for_both = which == BANG_BARRIER_CLUSTER || which == BANG_BARRIER_ALL;
  if (escape == NULL || !cluster.is_union || !is_for_both) {
    return; /* every other set has just one core */
  }
  pthread_mutex_lock(&cluster.lock);
  if (++cluster.arrived == cluster.live) {
    open_locked();
  } else {
    const unsigned generation = cluster.generation;
    while (cluster.generation == generation) {
      pthread_cond_wait(&cluster.changed, &cluster.lock);
    }
  }
  const bool is_aborted = cluster.fault != 0;
  pthread_mutex_unlock(&cluster.lock);
  if (is_aborted) {
    longjmp(*escape, 1);
  }
}

static void wake_memory_core(void) {
  pthread_mutex_lock(&cluster.lock);
  pthread_cond_broadcast(&cluster.changed);
  pthread_mutex_unlock(&cluster.lock);
}

static void *memory_core(void *argument) {
  (void)argument;
  for (;;) {
    pthread_mutex_lock(&cluster.lock);
    while (cluster.config == NULL && !rt_threads_stopping()) {
      pthread_cond_wait(&cluster.changed, &cluster.lock);
    }
    const struct rt_launch_config *config = cluster.config;
    cluster.config = NULL;
    pthread_mutex_unlock(&cluster.lock);
    if (config == NULL) {
      return NULL;
    }
    set_builtins(config, cluster.index, true);
    __bang_coreId = BANG_MPU_CORE_ID;
    leave(run(cluster.kernel, cluster.closure));
  }
}

static int run_union(const struct rt_launch_config *config, unsigned index,
                     const bangKernelOps *kernel, const void *closure) {
  if (!cluster.has_thread) {
    rt_threads_on_stop(wake_memory_core);
    cluster.has_thread = rt_thread_create("memory-core", memory_core, NULL);
    if (!cluster.has_thread) {
      return CN_INVOKE_ERROR_OUT_OF_RESOURCES;
    }
  }
  pthread_mutex_lock(&cluster.lock);
  cluster.kernel = kernel;
  cluster.closure = closure;
  cluster.index = index;
  cluster.live = 2;
  cluster.arrived = 0;
  cluster.fault = 0;
  cluster.is_union = true;
  cluster.config = config;
  pthread_cond_broadcast(&cluster.changed);
  pthread_mutex_unlock(&cluster.lock);
  leave(run(kernel, closure));
  pthread_mutex_lock(&cluster.lock);
  while (cluster.live != 0) {
    pthread_cond_wait(&cluster.changed, &cluster.lock);
  }
  cluster.is_union = false;
  const int code = cluster.fault;
  pthread_mutex_unlock(&cluster.lock);
  return code;
}

/* ---- Launches ---- */

static int run_tasks(const struct rt_launch_config *config, const bangKernelOps *kernel,
                     const void *closure) {
  const bool is_union = rt_union_clusters(config->type) > 0;
  const unsigned tasks = config->dim.x * config->dim.y * config->dim.z;
  int code = 0;
  pthread_mutex_lock(&core_lock);
  for (unsigned i = 0; i < tasks && code == 0; ++i) {
    set_builtins(config, i, is_union);
    code = is_union ? run_union(config, i, kernel, closure) : run(kernel, closure);
  }
  pthread_mutex_unlock(&core_lock);
  return code;
}

static cnrtRet_t launch(const struct rt_launch_config *config, const bangKernelOps *kernel,
                        const void *closure) {
  cnrtRet_t error = rt_launch_config_check(kernel->name, config, rt_current_device());
  struct CNqueue_st *queue = error == cnrtSuccess ? queue_for_work(config->queue, &error) : NULL;
  if (queue == NULL) {
    return error;
  }
  const int code = run_tasks(config, kernel, closure);
  int none = cnrtSuccess;
  if (code != 0) {
    atomic_compare_exchange_strong(&queue->error, &none, code);
  }
  rt_queue_release(queue);
  return cnrtSuccess;
}

RT_EXPORT void __bang_launch_submit(const bangKernelOps *ops, const void *closure) {
  struct rt_launch_config config;
  const cnrtRet_t error = rt_launch_config_take(ops->name, &config);
  rt_fail(error != cnrtSuccess ? error : launch(&config, ops, closure));
}
