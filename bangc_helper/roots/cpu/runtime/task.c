/* SPDX-License-Identifier: MIT */
#include "task.h"

#include "arena.h"
#include "bang_runtime.h"
#include "cluster_copies.h"
#include "copy/engine.h"
#include "device_access.h"
#include "fault.h"
#include "settings.h"
#include "trace.h"

/* initial-exec TLS: fast to set for each task. */
#define FIXED_TLS __thread __attribute__((tls_model("initial-exec")))

extern FIXED_TLS int __bang_taskId, __bang_taskIdX, __bang_taskIdY, __bang_taskIdZ;
extern FIXED_TLS int __bang_taskDim, __bang_taskDimX, __bang_taskDimY, __bang_taskDimZ;
extern FIXED_TLS int __bang_coreId, __bang_coreDim, __bang_clusterId, __bang_clusterDim;
RT_EXPORT FIXED_TLS uint64_t __bang_task_epoch;

static void set_builtins(const struct rt_launch *launch, const struct rt_task *task) {
  __bang_taskDimX = (int)launch->dim.x;
  __bang_taskDimY = (int)launch->dim.y;
  __bang_taskDimZ = (int)launch->dim.z;
  __bang_taskDim = __bang_taskDimX * __bang_taskDimY * __bang_taskDimZ;
  __bang_taskIdX = task->x;
  __bang_taskIdY = task->y;
  __bang_taskIdZ = task->z;
  __bang_taskId = task->x + (task->y + task->z * __bang_taskDimY) * __bang_taskDimX;
  __bang_coreId = task->core_id;
  __bang_coreDim = (int)rt_settings()->cores;
  __bang_clusterId = task->cluster_id;
  __bang_clusterDim = task->cluster_dim;
  ++__bang_task_epoch;
}

/* Offset of a task's stack in a cache line. Otherwise it would depend on the size of the program's
 * thread-local storage, and with it the number of cache lines of a kernel's frames: on Arm the time
 * of a kernel that moves rows varies by up to a tenth. */
enum { CACHE_LINE_BYTES = 64, STACK_PLACE = 48 };

/* A separate function, so that nothing that must survive siglongjmp is in this frame's registers.
 */
static __attribute__((noinline)) bool run_guarded(struct rt_core *core, struct rt_launch *launch) {
  if (sigsetjmp(core->escape, 0) != 0) {
    core->in_task = false;
    return false;
  }
  core->in_task = true;
  const int previous = rt_device_access_open();
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  void *shift = __builtin_alloca((frame + STACK_PLACE) % CACHE_LINE_BYTES);
  __asm__ volatile("" : : "r"(shift));
  launch->kernel->run(launch->closure);
  __bang_copy_engine_finish();
  rt_device_access_close(previous);
  core->in_task = false;
  return true;
}

bool rt_task_run(struct rt_launch *launch, const struct rt_task *task, struct rt_member *member) {
  struct rt_core *core = rt_core_self();
  set_builtins(launch, task);
  core->launch = launch;
  core->member = member;
  core->copies = member != NULL ? &member->group->cluster[member->cluster].copies : NULL;
  if (rt_settings()->poison) {
    rt_poison_core(member == NULL);
  }
  __bang_copy_engine_reset();
  const bool traced = launch->trace_number != 0;
  if (traced) {
    rt_trace_task_begin(launch, task);
    bang_copy_engine_trace(1);
  }
  if (rt_settings()->task_limit_ns != 0) {
    atomic_store(&core->started_ns, rt_now_ns());
  }
  const bool completed = run_guarded(core, launch);
  if (rt_settings()->task_limit_ns != 0) {
    atomic_store(&core->started_ns, 0);
  }
  if (traced) {
    bang_copy_engine_trace(0);
    rt_trace_task_end();
  }
  if (!completed) {
    rt_cluster_copy_end();
    __bang_copy_engine_reset();
    rt_fault_report(core);
  }
  core->launch = NULL;
  core->member = NULL;
  return completed;
}
