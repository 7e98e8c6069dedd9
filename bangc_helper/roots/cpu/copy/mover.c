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
#include "copy/mover_x86_64.inc"

#define MOVER_KIND(name) ordinary_##name
#define MOVER_WRITE(stream, store) store
#include "copy/mover_x86_64.inc"

/* Without streaming stores the vectors stay as wide: a line of several stores would leave the core
 * more slowly, whatever kind they are. */
static const Mover *best_mover(void) {
  enum { SSE2, AVX2, AVX512, WIDTHS };
  static const Mover *const movers[2][WIDTHS] = {
      {&ordinary_sse2_mover, &ordinary_avx2_mover, &ordinary_avx512_mover},
      {&streaming_sse2_mover, &streaming_avx2_mover, &streaming_avx512_mover}};
  const char *isa = getenv("MLUOP_CPU_ISA");
  int limit = !isa || !*isa || !strncasecmp(isa, "avx512", 6) ? AVX512
              : !strcasecmp(isa, "avx2")                      ? AVX2
                                                              : SSE2;
  __builtin_cpu_init();
  if (limit == AVX512 && !__builtin_cpu_supports("avx512f")) limit = AVX2;
  if (limit == AVX2 && !__builtin_cpu_supports("avx2")) limit = SSE2;
  return movers[rt_settings()->streaming_stores][limit];
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
