/* SPDX-License-Identifier: MIT */
#include "copy/mover.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "copy/runs.h"
#include "copy/sanitized.h"
#include "runtime/settings.h"

/* Copies less than a line. */
static inline __attribute__((always_inline)) void move_part(char *dst, const char *src,
                                                            size_t size) {
#define MOVE_IF(n)       \
  if (size & (n)) {      \
    memcpy(dst, src, n); \
    dst += (n);          \
    src += (n);          \
  }
  MOVE_IF(32)
  MOVE_IF(16)
  MOVE_IF(8)
  MOVE_IF(4)
  MOVE_IF(2)
  MOVE_IF(1)
#undef MOVE_IF
}

/* Bytes of a run of `size` before its first whole cache line. */
static inline size_t part_before_line(const char *dst, size_t size) {
  size_t part = (size_t)(-(uintptr_t)dst % MOVER_LINE);
  return part < size ? part : size;
}

#if defined(__x86_64__) && !COPY_IS_SANITIZED
#include <immintrin.h>

static void fence(void) {
  _mm_sfence();
}

#define MOVER_KIND(name) streaming_##name
#define MOVER_WRITE(stream, store) stream
#define MOVER_OWN(p) ((void)(p))
#include "copy/mover_x86_64.inc"

#define MOVER_KIND(name) ordinary_##name
#define MOVER_WRITE(stream, store) store
#define MOVER_OWN(p) ((void)(p))
#include "copy/mover_x86_64.inc"

/* As an instruction: where the compiler may not assume it, its builtin only reads. */
#define MOVER_KIND(name) owned_##name
#define MOVER_WRITE(stream, store) store
#define MOVER_OWN(p) __asm__ volatile("prefetchw %0" : : "m"(*(const char *)(p)))
#include "copy/mover_x86_64.inc"

/* Few streaming stores of these cores are on their way at a time. Of lines that they ask for ahead
 * more are, so they copy up to 1.2 times as quickly, and write up to 1.4 times. Later cores do not.
 */
static int streams_slowly(void) {
  return __builtin_cpu_is("skylake-avx512") || __builtin_cpu_is("cascadelake") ||
         __builtin_cpu_is("cooperlake");
}

/* Without streaming stores the vectors stay as wide: a line of several stores would leave the core
 * more slowly, whatever kind they are. */
static const Mover *best_mover(void) {
  enum { SSE2, AVX2, AVX512, WIDTHS };
  static const Mover *const movers[][WIDTHS] = {
      [RT_STORES_ORDINARY] = {&ordinary_sse2_mover, &ordinary_avx2_mover, &ordinary_avx512_mover},
      [RT_STORES_OWNED] = {&owned_sse2_mover, &owned_avx2_mover, &owned_avx512_mover},
      [RT_STORES_STREAMING] = {&streaming_sse2_mover, &streaming_avx2_mover,
                               &streaming_avx512_mover}};
  const char *isa = getenv("MLUOP_CPU_ISA");
  int limit = !isa || !*isa || !strncasecmp(isa, "avx512", 6) ? AVX512
              : !strcasecmp(isa, "avx2")                      ? AVX2
                                                              : SSE2;
  __builtin_cpu_init();
  if (limit == AVX512 && !__builtin_cpu_supports("avx512f")) limit = AVX2;
  if (limit == AVX2 && !__builtin_cpu_supports("avx2")) limit = SSE2;
  enum rt_stores stores = rt_settings()->stores;
  if (stores == RT_STORES_AUTO) stores = streams_slowly() ? RT_STORES_OWNED : RT_STORES_STREAMING;
  return movers[stores][limit];
}
#else
/* Arm CPUs detect that whole lines are written, and sanitizers do not see streaming stores. */
static void fence(void) {}

typedef uint64_t PlainVector __attribute__((vector_size(16), aligned(1), may_alias));

#define MOVER(name) plain_##name
#define MOVER_TARGET
#define MOVER_VECTOR PlainVector
#define MOVER_WIDTH 16
#define MOVER_LOAD(p) (*(const PlainVector *)(p))
#define MOVER_STORE(p, v) (*(PlainVector *)(p) = (v))
#define MOVER_STREAM(p, v) (*(PlainVector *)(p) = (v))
#define MOVER_OWN(p) ((void)(p))
#include "copy/mover_body.inc"

static const Mover *best_mover(void) {
  return &plain_mover;
}
#endif

static const Mover *chosen;

static void choose_mover(void) {
  chosen = best_mover();
}

const Mover *bang_mover(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, choose_mover);
  return chosen;
}
