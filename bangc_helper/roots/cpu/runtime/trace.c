/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bang_runtime.h"
#include "cnrt_external.h"
#include "core.h"
#include "launch.h"
#include "settings.h"
#include "trace_file.h"

enum { MAX_EVENTS = 1 << 20 };

/* Events of one thread. Logs live as long as the process, as the runtime's threads do. */
struct trace_log {
  pthread_mutex_t lock; /* guards the events: launches of other threads may outlive a recording */
  struct rt_trace_event *events;
  size_t count, capacity;
  size_t dropped;
  struct trace_log *next;

  /* The running task. */
  uint32_t launch;
  int track;
  uint64_t task_begin_ns, last_end_ns;
};

static struct {
  pthread_mutex_t lock;
  struct trace_log *logs;
  struct rt_trace_launch_name *names;
  size_t name_count;
  _Atomic bool recording;    /* between cnrtxTraceBegin and cnrtxTraceEnd */
  _Atomic uint64_t launches; /* launches of the process, counted if the environment asks for one */
  _Atomic uint32_t traced;   /* numbers given to traced launches */
  _Atomic uint32_t asked;    /* of these, the one that the environment asks for; 0: not yet */
  _Atomic uint32_t written;  /* launches up to this number: later events of theirs are dropped */
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread struct trace_log *own_log __attribute__((tls_model("initial-exec")));

static struct trace_log *find_log(void) {
  if (own_log == NULL) {
    own_log = calloc(1, sizeof(*own_log));
    if (own_log != NULL) {
      pthread_mutex_init(&own_log->lock, NULL);
      pthread_mutex_lock(&trace.lock);
      own_log->next = trace.logs;
      trace.logs = own_log;
      pthread_mutex_unlock(&trace.lock);
    }
  }
  return own_log;
}

static void append_locked(struct trace_log *log, const struct rt_trace_event *event) {
  if (event->launch <= atomic_load(&trace.written)) {
    return;
  }
  if (log->count == log->capacity) {
    const size_t larger = log->capacity != 0 ? 2 * log->capacity : 1024;
    struct rt_trace_event *grown =
        larger <= MAX_EVENTS ? realloc(log->events, larger * sizeof(*grown)) : NULL;
    if (grown == NULL) {
      ++log->dropped;
      return;
    }
    log->events = grown;
    log->capacity = larger;
  }
  log->events[log->count++] = *event;
}

static void append(struct trace_log *log, const struct rt_trace_event *event) {
  pthread_mutex_lock(&log->lock);
  append_locked(log, event);
  pthread_mutex_unlock(&log->lock);
}

void rt_trace_span(enum rt_trace_kind kind, uint64_t begin_ns, uint64_t end_ns, uint64_t bytes,
                   uint64_t count) {
  struct trace_log *log = own_log;
  if (log == NULL) {
    return;
  }
  struct rt_trace_event event = {.kind = kind,
                                 .launch = log->launch,
                                 .track = log->track,
                                 .begin_ns = begin_ns,
                                 .end_ns = end_ns,
                                 .bytes = bytes,
                                 .count = count};
  if (kind == RT_TRACE_WAIT || kind == RT_TRACE_BARRIER) {
    if (begin_ns > log->last_end_ns) {
      struct rt_trace_event compute = event;
      compute.kind = RT_TRACE_COMPUTE;
      compute.begin_ns = log->last_end_ns;
      compute.end_ns = begin_ns;
      compute.bytes = compute.count = 0;
      append(log, &compute);
    }
    log->last_end_ns = end_ns;
  }
  append(log, &event);
}

void rt_trace_task_begin(const struct rt_launch *launch, const struct rt_task *task) {
  struct trace_log *log = find_log();
  if (log == NULL) {
    return;
  }
  const bool is_memory_core = task->core_id == BANG_MPU_CORE_ID;
  const int number = task->x + (task->y + task->z * (int)launch->dim.y) * (int)launch->dim.x;
  log->launch = launch->trace_number;
  log->track = 2 * number + (is_memory_core ? 1 : 0);
  log->task_begin_ns = log->last_end_ns = rt_now_ns();
}

void rt_trace_task_end(void) {
  struct trace_log *log = own_log;
  if (log == NULL) {
    return;
  }
  const uint64_t now = rt_now_ns();
  rt_trace_span(RT_TRACE_COMPUTE, log->last_end_ns, now, 0, 0);
  rt_trace_span(RT_TRACE_TASK, log->task_begin_ns, now, 0, 0);
}

static bool environment_wants(void) {
  const struct rt_settings *settings = rt_settings();
  return settings->trace_file != NULL &&
         atomic_fetch_add(&trace.launches, 1) + 1 == settings->trace_launch;
}

void rt_trace_launch(struct rt_launch *launch) {
  launch->trace_number = 0;
  const bool asked = environment_wants();
  if (!asked && !atomic_load_explicit(&trace.recording, memory_order_relaxed)) {
    return;
  }
  pthread_mutex_lock(&trace.lock);
  /* The recording may have ended meanwhile. */
  struct rt_trace_launch_name *names =
      asked || atomic_load(&trace.recording)
          ? realloc(trace.names, (trace.name_count + 1) * sizeof(*names))
          : NULL;
  if (names != NULL) {
    trace.names = names;
    launch->trace_number = atomic_fetch_add(&trace.traced, 1) + 1;
    if (asked) {
      atomic_store(&trace.asked, launch->trace_number);
    }
    names[trace.name_count++] =
        (struct rt_trace_launch_name){.launch = launch->trace_number,
                                      .kernel = launch->kernel->name,
                                      .dim = launch->dim,
                                      .union_clusters = launch->union_clusters};
  }
  pthread_mutex_unlock(&trace.lock);
}

static uint64_t earliest_locked(void) {
  uint64_t earliest = UINT64_MAX;
  for (const struct trace_log *log = trace.logs; log != NULL; log = log->next) {
    for (size_t i = 0; i < log->count; ++i) {
      earliest = log->events[i].begin_ns < earliest ? log->events[i].begin_ns : earliest;
    }
  }
  return earliest;
}

/* False when there is no file or it is incomplete, which often only shows when it is closed. */
static bool close_file(FILE *file) {
  if (file == NULL) {
    return false;
  }
  const bool is_good = ferror(file) == 0;
  return fclose(file) == 0 && is_good;
}

/* Writes the events and drops them. */
static cnrtRet_t write_all(const char *path) {
  pthread_mutex_lock(&trace.lock);
  for (struct trace_log *log = trace.logs; log != NULL; log = log->next) {
    pthread_mutex_lock(&log->lock);
  }
  FILE *file = fopen(path, "we");
  const uint64_t origin_ns = earliest_locked();
  size_t dropped = 0;
  if (file != NULL) {
    rt_trace_file_begin(file, trace.names, trace.name_count);
    for (struct trace_log *log = trace.logs; log != NULL; log = log->next) {
      rt_trace_file_events(file, log->events, log->count, origin_ns);
      dropped += log->dropped;
    }
    rt_trace_file_end(file, dropped);
  }
  const bool written = close_file(file);
  if (!written) {
    rt_warn("trace: %s cannot be written: %s", path, strerror(errno));
  }
  for (struct trace_log *log = trace.logs; log != NULL; log = log->next) {
    free(log->events);
    log->events = NULL;
    log->count = log->capacity = log->dropped = 0;
  }
  atomic_store(&trace.written, atomic_load(&trace.traced));
  for (struct trace_log *log = trace.logs; log != NULL; log = log->next) {
    pthread_mutex_unlock(&log->lock);
  }
  free(trace.names);
  trace.names = NULL;
  trace.name_count = 0;
  pthread_mutex_unlock(&trace.lock);
  return written ? cnrtSuccess : cnrtErrorSys;
}

void rt_trace_launch_over(const struct rt_launch *launch) {
  if (launch->trace_number == atomic_load(&trace.asked) &&
      !atomic_load_explicit(&trace.recording, memory_order_relaxed)) {
    write_all(rt_settings()->trace_file);
  }
}

RT_EXPORT void cnrtxTraceBegin(void) {
  atomic_store(&trace.recording, true);
}

RT_EXPORT cnrtRet_t cnrtxTraceEnd(const char *path) {
  if (path == NULL || !atomic_exchange(&trace.recording, false)) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  return rt_fail(write_all(path));
}
