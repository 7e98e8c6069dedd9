/* SPDX-License-Identifier: MIT
 *
 * The runtime reports launches and tasks (trace.h). They are recorded here, and when a launch ends,
 * the clock computes how long it took.
 */
#include "runtime/trace.h"

#include <stdlib.h>

#include "bang_runtime.h"
#include "card_queue.h"
#include "checks/check.h"
#include "hooks/core.h"
#include "record_text.h"
#include "runtime/group.h"
#include "runtime/launch.h"
#include "runtime/queue.h"

/* Launches in flight, by their number. */
struct known_run {
  uint32_t number;
  struct card_run *run;
  struct known_run *next;
};

static struct {
  pthread_mutex_t lock;
  struct known_run *known;
  uint32_t last_number;
} runs = {.lock = PTHREAD_MUTEX_INITIALIZER};

void rt_trace_launch(struct rt_launch *launch) {
  card_checks_begin();
  struct known_run *added = calloc(1, sizeof(*added));
  struct card_run *run = card_run_create();
  if (added == NULL || run == NULL) { /* the launch is not recorded and takes no time */
    free(added);
    if (run != NULL) {
      card_run_destroy(run);
    }
    return;
  }
  card_check_launch(run);
  added->run = run;
  pthread_mutex_lock(&runs.lock);
  added->number = ++runs.last_number;
  if (added->number == 0) { /* 0 means "not recorded" */
    added->number = ++runs.last_number;
  }
  added->next = runs.known;
  runs.known = added;
  launch->trace_number = added->number;
  pthread_mutex_unlock(&runs.lock);
}

static struct card_run *find_run(uint32_t number) {
  pthread_mutex_lock(&runs.lock);
  const struct known_run *known = runs.known;
  while (known != NULL && known->number != number) {
    known = known->next;
  }
  struct card_run *run = known != NULL ? known->run : NULL;
  pthread_mutex_unlock(&runs.lock);
  return run;
}

static struct card_run *take_run(uint32_t number) {
  pthread_mutex_lock(&runs.lock);
  struct known_run **link = &runs.known;
  while (*link != NULL && (*link)->number != number) {
    link = &(*link)->next;
  }
  struct known_run *known = *link;
  if (known != NULL) {
    *link = known->next;
  }
  pthread_mutex_unlock(&runs.lock);
  struct card_run *run = known != NULL ? known->run : NULL;
  free(known);
  return run;
}

/* ---- Tasks ---- */

/* Frames of a task lie below that of rt_trace_task_begin, or slightly above, since it returns
 * first. */
enum { FRAME_SLACK = 4096 };

void rt_trace_task_begin(const struct rt_launch *launch, const struct rt_task *task) {
  struct card_core *core = card_core();
  struct card_run *run = find_run(launch->trace_number);
  (void)task;
  if (core == NULL || run == NULL) {
    return;
  }
  core->stack_low = rt_core_self()->stack_low;
  core->stack_high = (uintptr_t)__builtin_frame_address(0) + FRAME_SLACK;
  card_core_begin(core, run);
  card_check_task_begin(core);
}

/* The number of a union group, in the order of the launch's dimensions. */
static uint32_t group_number(const struct rt_launch *launch, const struct rt_group *group) {
  const unsigned width = group->clusters * rt_settings()->cores;
  const unsigned columns = (unsigned)launch->dim.x / width;
  return (uint32_t)group->first.x / width +
         columns * ((uint32_t)group->first.y + (uint32_t)launch->dim.y * (uint32_t)group->first.z);
}

void rt_trace_task_end(void) {
  struct card_core *core = card_recording();
  const struct rt_core *self = rt_core_self();
  if (core == NULL) {
    return;
  }
  struct card_run *run = core->run;
  card_check_task_end(core);
  struct card_task task = {.x = (uint32_t)__bang_taskIdX,
                           .y = (uint32_t)__bang_taskIdY,
                           .z = (uint32_t)__bang_taskIdZ,
                           .group = (uint32_t)__bang_taskId};
  if (self->member != NULL) {
    task.group = group_number(self->launch, self->member->group);
    task.cluster = self->member->cluster;
    task.core = (uint32_t)self->member->core_id;
  }
  card_core_end(core);
  if (!card_writer_end(&core->writer, &task.log)) {
    run->is_whole = false;
  }
  card_run_add_task(run, &task);
}

/* Ignored: spans are in the host's time. */
void rt_trace_span(enum rt_trace_kind kind, uint64_t begin_ns, uint64_t end_ns, uint64_t bytes,
                   uint64_t count) {
  (void)kind;
  (void)begin_ns;
  (void)end_ns;
  (void)bytes;
  (void)count;
}

/* ---- Time ---- */

/* A launch that failed takes no time. */
void rt_trace_launch_over(const struct rt_launch *launch) {
  struct card_run *run = take_run(launch->trace_number);
  struct CNqueue_st *queue = launch->op.queue;
  if (run == NULL) {
    return;
  }
  struct card_launch described = {.kernel = launch->kernel->name,
                                  .dim = {launch->dim.x, launch->dim.y, launch->dim.z},
                                  .union_clusters = launch->union_clusters};
  if (atomic_load(&launch->fault) == 0 && card_run_describe(run, &described)) {
    struct card_operation operation = {.kind = CARD_OP_LAUNCH, .launch = &described};
    card_write_records(&described, card_queue_play(queue, &operation));
    card_run_release(&described);
  }
  card_check_launch_over(run, launch->kernel->name,
                         (uint32_t)(launch->dim.x * launch->dim.y * launch->dim.z),
                         atomic_load(&launch->fault));
  card_run_destroy(run);
}
