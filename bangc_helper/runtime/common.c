/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  SPIN_MIN_NS = 500,
  SPIN_MAX_NS = 100000,
  SPIN_PROBE_NS = SPIN_MAX_NS, /* longer than a sleeping CPU takes to wake */
  SPIN_PROBE_EVERY = 64,       /* failures before a longer budget is tried again */
  /* Polls between two calls of sched_yield. Few if another thread takes the CPU, since it may be
   * the one that is waited for; many if none does, since yielding takes longer than the wait. */
  SPIN_ROUND_SHARED = 8,
  SPIN_ROUND_ALONE = 64,
  YIELD_TAKEN_NS = 800, /* a yield that no thread takes returns sooner than this */
};

static __thread cnrtRet_t last_error = cnrtSuccess;

cnrtRet_t rt_fail(cnrtRet_t code) {
  if (code != cnrtSuccess) {
    last_error = code;
  }
  return code;
}

RT_EXPORT cnrtRet_t cnrtGetLastError(void) {
  const cnrtRet_t code = last_error;
  last_error = cnrtSuccess;
  return code;
}

RT_EXPORT cnrtRet_t cnrtPeekAtLastError(void) {
  return last_error;
}

void rt_warn(const char *format, ...) {
  /* Assembled first so that lines of several threads do not mix. */
  char line[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof(line), format, args);
  va_end(args);
  fprintf(stderr, "cnrt: %s\n", line);
}

size_t rt_page_bytes(void) {
  return (size_t)sysconf(_SC_PAGESIZE); /* glibc read it at the start */
}

size_t rt_whole_pages(size_t bytes) {
  const size_t page = rt_page_bytes();
  return (bytes + page - 1) / page * page;
}

uint64_t rt_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void rt_futex_wait(_Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns) {
  struct timespec limit;
  if (timeout_ns != 0) {
    limit.tv_sec = (time_t)(timeout_ns / 1000000000u);
    limit.tv_nsec = (long)(timeout_ns % 1000000000u);
  }
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, timeout_ns != 0 ? &limit : NULL, NULL, 0);
}

void rt_futex_wake(_Atomic uint32_t *word, unsigned count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count > INT_MAX ? INT_MAX : (int)count, NULL, NULL,
          0);
}

void rt_brief_mutex_init(pthread_mutex_t *mutex) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
  pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

static void learn(struct rt_spin *spin, uint32_t budget, bool success) {
  if (success) {
    const uint32_t more = budget * 2 > SPIN_MAX_NS ? SPIN_MAX_NS : budget * 2;
    atomic_store_explicit(&spin->budget_ns, more, memory_order_relaxed);
    atomic_store_explicit(&spin->failures, 0, memory_order_relaxed);
    return;
  }
  const uint32_t failures = atomic_fetch_add_explicit(&spin->failures, 1, memory_order_relaxed) + 1;
  uint32_t less = budget / 4 < SPIN_MIN_NS ? SPIN_MIN_NS : budget / 4;
  if (failures % SPIN_PROBE_EVERY == 0) {
    less = SPIN_PROBE_NS;
  }
  atomic_store_explicit(&spin->budget_ns, less, memory_order_relaxed);
}

bool rt_spin_until(struct rt_spin *spin, bool (*done)(const void *argument), const void *argument) {
  if (done(argument)) {
    return true; /* nothing learned */
  }
  static __thread int round = SPIN_ROUND_SHARED;
  const uint32_t budget = atomic_load_explicit(&spin->budget_ns, memory_order_relaxed);
  uint64_t now = rt_now_ns();
  const uint64_t end = now + budget;
  bool success = false;
  do {
    /* The thread that is waited for may be using the CPUs, so poll once more. */
    const bool last = spin->crowded != NULL && spin->crowded();
    for (int i = 0; i < round && !success; ++i) {
      rt_cpu_relax();
      success = done(argument);
    }
    if (!success && last) {
      return false; /* nothing learned either */
    }
    if (!success) {
      const uint64_t offered = rt_now_ns();
      sched_yield();
      now = rt_now_ns();
      round = now - offered < YIELD_TAKEN_NS ? SPIN_ROUND_ALONE : SPIN_ROUND_SHARED;
    }
  } while (!success && now < end);
  learn(spin, budget, success);
  return success;
}
