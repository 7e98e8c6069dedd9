/* SPDX-License-Identifier: MIT
 *
 * What every file of the runtime needs: export mark, last error, pages, time, futex, spinning.
 */
#ifndef RUNTIME_COMMON_H_
#define RUNTIME_COMMON_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cn_api.h"
#include "cnrt.h"

/* The library is built with hidden visibility; this marks what programs may call. */
#define RT_EXPORT __attribute__((visibility("default")))

/* Records a failure as the calling thread's last error and returns it; success passes through. */
cnrtRet_t rt_fail(cnrtRet_t code);

/* One line on stderr: "cnrt: ...". */
void rt_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Bytes of a page: addresses and offsets of mappings are multiples of it. 4 KB on most machines,
 * 16 KB or 64 KB with some kernels for 64-bit Arm. */
size_t rt_page_bytes(void);
/* Rounds a number of bytes up to whole pages. */
size_t rt_whole_pages(size_t bytes);

/* Monotonic clock in nanoseconds. */
uint64_t rt_now_ns(void);

/* Sleeps while *word == expected, at most timeout_ns (0: no limit). Spurious returns are possible.
 */
void rt_futex_wait(_Atomic uint32_t *word, uint32_t expected, uint64_t timeout_ns);
/* Wakes up to `count` sleepers. */
void rt_futex_wake(_Atomic uint32_t *word, unsigned count);

/* A mutex that is held for a few instructions only: a thread that finds it locked polls before it
 * sleeps. */
void rt_brief_mutex_init(pthread_mutex_t *mutex);
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#define RT_BRIEF_MUTEX_INITIALIZER PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#else
#define RT_BRIEF_MUTEX_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#endif

/* Tells the CPU that this is a spin loop. */
static inline void rt_cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/* Alignment for a member that threads poll: members before and after it never share its cache line.
 */
#define RT_CACHE_LINE_PADDING(name) char name[64]
/* For types whose objects are written often by different threads: an object never shares a cache
 * line with anything else. */
#define RT_OWN_CACHE_LINE __attribute__((aligned(64)))

/* How long to spin before sleeping. With free CPUs, an event often comes within microseconds, and
 * sleeping would add delay. Without free CPUs, spinning keeps the other side from running. The
 * budget adapts to earlier waits. */
struct RT_OWN_CACHE_LINE rt_spin {
  _Atomic uint32_t budget_ns;
  _Atomic uint32_t failures; /* in a row */
  bool (*crowded)(void);     /* true if no CPU is free for spinning; NULL: unknown */
};

#define RT_SPIN_INITIALIZER(is_crowded) \
  { .budget_ns = 20000, .crowded = is_crowded }

/* Spins until done(argument) holds; false when the budget is used up or CPUs are short. */
bool rt_spin_until(struct rt_spin *spin, bool (*done)(const void *argument), const void *argument);

#endif /* RUNTIME_COMMON_H_ */
