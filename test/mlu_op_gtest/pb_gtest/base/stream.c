/* SPDX-License-Identifier: MIT */
#include "base/stream.h"

#include <string.h>

enum { FILL_BLOCK = 1024 };

#ifdef __x86_64__
#include <emmintrin.h>

enum { VECTOR = sizeof(__m128i) };

void mluop_stream_copy(void *to, const void *from, size_t size) {
  char *target = to;
  const char *source = from;
  const size_t ahead = (size_t)(-(uintptr_t)target % VECTOR);
  const size_t head = ahead < size ? ahead : size;
  memcpy(target, source, head);
  size_t at = head;
  for (; at + VECTOR <= size; at += VECTOR) {
    _mm_stream_si128((__m128i *)(target + at), _mm_loadu_si128((const __m128i *)(source + at)));
  }
  memcpy(target + at, source + at, size - at);
}

void mluop_stream_finish(void) {
  _mm_sfence();
}
#else
void mluop_stream_copy(void *to, const void *from, size_t size) {
  memcpy(to, from, size);
}

void mluop_stream_finish(void) {}
#endif

void mluop_stream_fill(void *to, size_t size, uint32_t pattern) {
  uint32_t block[FILL_BLOCK];
  for (size_t i = 0; i < FILL_BLOCK; ++i) {
    block[i] = pattern;
  }
  for (size_t at = 0; at < size; at += sizeof(block)) {
    mluop_stream_copy((char *)to + at, block,
                      size - at < sizeof(block) ? size - at : sizeof(block));
  }
}
