/* SPDX-License-Identifier: MIT */
#include "cpu_placement.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "common.h"

enum { NO_CPU = -1 };

/* Threads that started work on each CPU; the kernel may have moved them since. */
static struct RT_OWN_CACHE_LINE { _Atomic unsigned threads; } busy[CPU_SETSIZE];

/* The CPUs of the main thread, in the order of their numbers. */
static int cpus[CPU_SETSIZE];
static int cpu_count;

static void list_cpus(void) {
  cpu_set_t allowed;
  if (sched_getaffinity(getpid(), sizeof(allowed), &allowed) != 0) {
    return;
  }
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) {
      cpus[cpu_count++] = cpu;
    }
  }
}

static int place_of(int cpu) {
  int place = 0;
  while (place < cpu_count && cpus[place] < cpu) {
    ++place;
  }
  return place;
}

static bool is_free(int cpu) {
  return atomic_load_explicit(&busy[cpu].threads, memory_order_relaxed) == 0;
}

/* Claims a CPU without a busy thread, if the calling thread may run there. */
static bool claim_idle_cpu(int cpu, const cpu_set_t *allowed) {
  unsigned nobody = 0;
  return CPU_ISSET(cpu, allowed) && atomic_compare_exchange_strong(&busy[cpu].threads, &nobody, 1);
}

/* Makes the kernel move the calling thread, then restores its affinity. */
static bool go_to(int cpu, const cpu_set_t *allowed) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(cpu, &only);
  return sched_setaffinity(0, sizeof(only), &only) == 0 &&
         sched_setaffinity(0, sizeof(*allowed), allowed) == 0;
}

static int move_to_idle_cpu(int cpu) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, list_cpus);
  const int place = place_of(cpu);
  for (int i = 0; i < cpu_count; ++i) { /* CPUs with close numbers share more caches */
    const int other = cpus[(place + i) % cpu_count];
    cpu_set_t allowed;
    if (!is_free(other) || sched_getaffinity(0, sizeof(allowed), &allowed) != 0 ||
        !claim_idle_cpu(other, &allowed)) {
      continue;
    }
    const bool has_gone = go_to(other, &allowed);
    rt_cpu_leave(has_gone ? cpu : other);
    return has_gone ? other : cpu;
  }
  return cpu;
}

int rt_cpu_enter(void) {
  const int cpu = sched_getcpu();
  if (cpu < 0 || cpu >= CPU_SETSIZE) {
    return NO_CPU;
  }
  const bool is_shared =
      atomic_fetch_add_explicit(&busy[cpu].threads, 1, memory_order_relaxed) != 0;
  return is_shared ? move_to_idle_cpu(cpu) : cpu;
}

void rt_cpu_leave(int cpu) {
  if (cpu != NO_CPU) {
    atomic_fetch_sub_explicit(&busy[cpu].threads, 1, memory_order_relaxed);
  }
}
