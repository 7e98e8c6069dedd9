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

static void no_fence(void) {}

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

/* For any CPU. Arm CPUs detect that whole lines are written, so they need no other mover. */
typedef uint64_t PlainVector __attribute__((vector_size(16), aligned(1), may_alias));

#define MOVER(name) plain_##name
#define MOVER_NAME "plain"
#define MOVER_TARGET
#define MOVER_VECTOR PlainVector
#define MOVER_WIDTH 16
#define MOVER_LOAD(p) (*(const PlainVector *)(p))
#define MOVER_STORE(p, v) (*(PlainVector *)(p) = (v))
#define MOVER_STREAM(p, v) (*(PlainVector *)(p) = (v))
#define MOVER_FENCE no_fence
#include "copy/mover_body.inc"

/* Sanitizers do not see streaming stores. */
#if defined(__x86_64__) && !COPY_IS_SANITIZED
#include <immintrin.h>

static void streaming_fence(void) {
  _mm_sfence();
}

#define MOVER(name) sse2_##name
#define MOVER_NAME "sse2"
#define MOVER_TARGET
#define MOVER_VECTOR __m128i
#define MOVER_WIDTH 16
#define MOVER_LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define MOVER_STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define MOVER_STREAM(p, v) _mm_stream_si128((__m128i *)(p), v)
#define MOVER_FENCE streaming_fence
#include "copy/mover_body.inc"

#define MOVER(name) avx2_##name
#define MOVER_NAME "avx2"
#define MOVER_TARGET __attribute__((target("avx2")))
#define MOVER_VECTOR __m256i
#define MOVER_WIDTH 32
#define MOVER_LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define MOVER_STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define MOVER_STREAM(p, v) _mm256_stream_si256((__m256i *)(p), v)
#define MOVER_FENCE streaming_fence
#include "copy/mover_body.inc"

#define MOVER(name) avx512_##name
#define MOVER_NAME "avx512"
#define MOVER_TARGET __attribute__((target("avx512f")))
#define MOVER_VECTOR __m512i
#define MOVER_WIDTH 64
#define MOVER_LOAD(p) _mm512_loadu_si512((const void *)(p))
#define MOVER_STORE(p, v) _mm512_storeu_si512((void *)(p), v)
#define MOVER_STREAM(p, v) _mm512_stream_si512((__m512i *)(p), v)
#define MOVER_FENCE streaming_fence
#include "copy/mover_body.inc"
#endif

static Mover chosen;

static void choose_mover(void) {
  chosen = plain_mover;
#if defined(__x86_64__) && !COPY_IS_SANITIZED
  const char *isa = getenv("MLUOP_CPU_ISA");
  int limit = !isa || !*isa || !strncasecmp(isa, "avx512", 6) ? 2
              : !strcasecmp(isa, "avx2")                      ? 1
                                                              : 0;
  __builtin_cpu_init();
  if (limit >= 2 && __builtin_cpu_supports("avx512f"))
    chosen = avx512_mover;
  else if (limit >= 1 && __builtin_cpu_supports("avx2"))
    chosen = avx2_mover;
  else
    chosen = sse2_mover;
  if (!rt_settings()->streaming_stores) chosen = plain_mover;
#endif
}

const Mover *bang_mover(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, choose_mover);
  return &chosen;
}
