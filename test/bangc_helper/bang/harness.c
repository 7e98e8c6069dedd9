/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bang/vector_api.h"
#include "oracle.h"

uint64_t test_random(void) {
  static uint64_t state = 0x9e3779b97f4a7c15u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1du;
}

enum { GUARD = 192, GUARD_BYTE = 0xa5 };

Guarded guarded_new(size_t bytes, size_t misalign) {
  Guarded g;
  g.bytes = bytes;
  g.total = (GUARD + misalign + bytes + GUARD + 63) / 64 * 64;
  g.memory = aligned_alloc(64, g.total);
  if (g.memory == NULL) {
    fprintf(stderr, "no memory for a test\n");
    exit(2);
  }
  g.data = g.memory + GUARD + misalign;
  memset(g.memory, GUARD_BYTE, g.total);
  return g;
}

int guarded_broken(Guarded *g) {
  int broken = 0;
  for (unsigned char *p = g->memory; p < g->memory + g->total; p++) {
    if ((p < g->data || p >= g->data + g->bytes) && *p != GUARD_BYTE) {
      *p = GUARD_BYTE;
      broken = 1;
    }
  }
  return broken;
}

void guarded_free(Guarded *g) {
  free(g->memory);
}

static void special_number(int type, void *p, unsigned k) {
  static const uint16_t half[] = {0x0000, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x0001,
                                  0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3c00, 0xbc00,
                                  0x3800, 0xb800, 0x4100, 0x5640, 0x7c01};
  static const uint16_t bfloat[] = {0x0000, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x0001,
                                    0x8001, 0x007f, 0x0080, 0x7f7f, 0xff7f, 0x3f80, 0xbf80,
                                    0x3f00, 0xbf00, 0x4020, 0x42c8, 0x7f81};
  static const uint32_t single[] = {
      0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x00000001,
      0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f800000, 0xbf800000,
      0x3f000000, 0xbf000000, 0x40200000, 0xc0200000, 0x4f000000, 0xcf000000, 0x4effffff,
      0x4f7fffff, 0x477fe000, 0x477ff000, 0x33000000, 0x33800001, 0x38800000, 0x387fe000,
      0x3f801000, 0x3f803000, 0x7f800001};
  if (type == BANG_F16) {
    memcpy(p, &half[k % (sizeof half / sizeof *half)], 2);
  } else if (type == BANG_BF16) {
    memcpy(p, &bfloat[k % (sizeof bfloat / sizeof *bfloat)], 2);
  } else if (type == BANG_F32) {
    memcpy(p, &single[k % (sizeof single / sizeof *single)], 4);
  } else {
    int width = oracle_size(type) * 8;
    const uint64_t integer[] = {
        0, 1, ~(uint64_t)0, (uint64_t)1 << (width - 1), ((uint64_t)1 << (width - 1)) - 1, 2};
    memcpy(p, &integer[k % 6], (size_t)oracle_size(type));
  }
}

void test_numbers(int type, void *dst, int64_t n) {
  int size = oracle_size(type);
  for (int64_t i = 0; i < n; i++) {
    char *p = (char *)dst + i * size;
    uint64_t r = test_random();
    unsigned kind = r % 8;
    r = test_random();
    if (kind == 0) {
      special_number(type, p, (unsigned)(r % 60));
    } else if (kind < 4 || !oracle_is_float(type)) {
      /* Any bits, and sometimes small numbers, so that equal pairs and valid shifts occur. */
      uint64_t bits = kind == 1 || (kind > 5 && !oracle_is_float(type)) ? r % 70 : r;
      if (oracle_is_float(type) && kind == 1) {
        oracle_put(type, p, (Exact)(int64_t)(r % 33) / 4 - 4, BANG_RN);
      } else {
        memcpy(p, &bits, (size_t)size);
      }
    } else {
      oracle_put(type, p, ldexpl((Exact)(int64_t)r, (int)(test_random() % 40) - 83), BANG_RN);
    }
  }
}

void test_moderate_numbers(int type, void *dst, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    char *p = (char *)dst + i * oracle_size(type);
    uint64_t r = test_random();
    if (!oracle_is_float(type)) {
      test_numbers(type, p, 1);
    } else if (r % 16 == 0) {
      special_number(type, p, (unsigned)(r >> 8) % 6);
    } else {
      oracle_put(type, p, ldexpl((Exact)(int64_t)r, (int)(r >> 8) % 12 - 63), BANG_RN);
    }
  }
}

void test_each_isa(void (*body)(const char *isa)) {
  static const char *const names[] = {"baseline", "bf16",        "avx2",
                                      "avx512",   "avx512_bf16", "avx512_amx"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (__bang_vec_use_isa(names[i]) != NULL) {
      body(names[i]);
    }
  }
  __bang_vec_use_isa(NULL);
}

static long failures;

void test_fail(const char *format, ...) {
  if (++failures <= 40) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "FAIL ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
  }
}

int test_finish(const char *what, long checked) {
  printf("%s: %ld checks, %ld failures\n", what, checked, failures);
  return failures != 0 || checked == 0;
}
