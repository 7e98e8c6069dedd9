/* SPDX-License-Identifier: MIT
 *
 * Operations composed of others, on pieces that fit the first-level cache: repeated segments, fused
 * pairs, comparisons as bits.
 */
#include <stdlib.h>
#include <string.h>

#include "bang_runtime.h"
#include "vector/computed.h"
#include "vector/scalar_float.h"
#include "vector/vector.h"

#define PIECE_BYTES 4096

/* Repeats a short segment until the piece is full, so that kernels get long operands. Returns the
 * number of elements in `repeated`, a multiple of segment_n, or 0 if the segment is long enough as
 * it is. */
static int64_t repeat_segment(unsigned char *repeated, const void *segment, int64_t segment_n,
                              int64_t n, int size) {
  size_t bytes = (size_t)segment_n * (size_t)size;
  if (bytes * 2 > PIECE_BYTES || n <= segment_n) {
    return 0;
  }
  int64_t copies = (int64_t)(PIECE_BYTES / bytes);
  for (int64_t i = 0; i < copies; i++) {
    memcpy(repeated + (size_t)i * bytes, segment, bytes);
  }
  return copies * segment_n;
}

BANG_API void __bang_vec_cycle(int op, int type, void *dst, const void *a, const void *segment,
                               int64_t n, int64_t segment_n) {
  if (n <= 0) {
    return;
  }
  if (segment_n <= 0 || n % segment_n != 0) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND,
                 "cycle: %lld elements are no multiple of the segment's %lld", (long long)n,
                 (long long)segment_n);
    return;
  }
  int size = bang_type_size(type);
  unsigned char repeated[PIECE_BYTES];
  int64_t step = repeat_segment(repeated, segment, segment_n, n, size);
  const void *b = step == 0 ? segment : repeated;
  step = step == 0 ? segment_n : step;
  for (int64_t i = 0; i < n; i += step) {
    int64_t count = n - i < step ? n - i : step;
    __bang_vec_binary(op, type, (char *)dst + i * size, (const char *)a + i * size, b, count);
  }
}

BANG_API void __bang_vec_bitindex(int op, int type, void *dst, const void *a, const void *b,
                                  int b_is_scalar, int64_t n) {
  if (n > 0) {
    bang_isa->compare_bits[op][type](dst, a, b, b_is_scalar, n);
  }
}

/* ---- fusion ---- */

/* In the order of mluFusionOpCode. */
static const unsigned char fusion_ops[BANG_FUSION_COUNT][2] = {
    {BANG_MUL, BANG_ADD}, {BANG_MUL, BANG_SUB}, {BANG_ADD, BANG_MUL}, {BANG_SUB, BANG_MUL},
    {BANG_ADD, BANG_ADD}, {BANG_ADD, BANG_SUB}, {BANG_SUB, BANG_SUB}, {BANG_SUB, BANG_ADD}};

/* MLUOP_BANG_FUSION_ROUND=once keeps the intermediate result unrounded. By default both operations
 * round, as hardware without a fused unit does. Read once. */
static int rounds_once(void) {
  static int choice; /* 0 unknown, 1 twice, 2 once */
  int known = __atomic_load_n(&choice, __ATOMIC_RELAXED);
  if (known == 0) {
    const char *setting = getenv("MLUOP_BANG_FUSION_ROUND");
    known = setting != NULL && strcmp(setting, "once") == 0 ? 2 : 1;
    __atomic_store_n(&choice, known, __ATOMIC_RELAXED);
  }
  return known == 2;
}

static double apply(int op, double a, double b) {
  return op == BANG_MUL ? a * b : op == BANG_ADD ? a + b : a - b;
}

/* Keeps the intermediate result in double. */
static void fuse_once(const unsigned char *ops, int type, char *dst, const char *a, const char *b,
                      int64_t b_step, const char *c, int64_t c_step, int64_t n) {
  int size = bang_type_size(type);
  for (int64_t i = 0; i < n; i++) {
    double x =
        apply(ops[0], bang_get_float(a + i * size, type), bang_get_float(b + i * b_step, type));
    x = apply(ops[1], x, bang_get_float(c + i * c_step, type));
    uint16_t bits;
    float single = (float)x;
    switch (type) {
      case BANG_F32:
        memcpy(dst + i * size, &single, sizeof single);
        break;
      case BANG_F16:
        bits = bang_exact_half_bits(bang_round_half(x, BANG_RN));
        memcpy(dst + i * size, &bits, sizeof bits);
        break;
      default:
        bits = bang_exact_bfloat_bits(bang_round_bfloat(x, BANG_RN));
        memcpy(dst + i * size, &bits, sizeof bits);
        break;
    }
  }
}

static void second_operand(int op, int type, void *dst, const void *a, const void *b,
                           int b_is_scalar, int64_t n) {
  if (b_is_scalar) {
    __bang_vec_scalar(op, type, dst, a, b, n);
  } else {
    __bang_vec_binary(op, type, dst, a, b, n);
  }
}

static int are_floats_aligned(const char *dst, const char *a, const char *b, const char *c) {
  return (((uintptr_t)dst | (uintptr_t)a | (uintptr_t)b | (uintptr_t)c) & (sizeof(float) - 1)) == 0;
}

/* One operation after the other, on pieces. Not inlined, and neither is fuse_repeated(): the usual
 * call would touch the memory of their arrays, which is not in the first-level cache. */
static __attribute__((noinline)) void fuse_in_turn(const unsigned char *ops, int type, char *dst,
                                                   const char *a, const char *b, int b_is_scalar,
                                                   const char *c, int c_is_scalar, int64_t n) {
  int size = bang_type_size(type);
  unsigned char middle[PIECE_BYTES];
  int64_t step = PIECE_BYTES / size;
  for (int64_t i = 0; i < n; i += step) {
    int64_t count = n - i < step ? n - i : step;
    second_operand(ops[0], type, middle, a + i * size, b_is_scalar ? b : b + i * size, b_is_scalar,
                   count);
    second_operand(ops[1], type, dst + i * size, middle, c_is_scalar ? c : c + i * size,
                   c_is_scalar, count);
  }
}

/* Operands without repetition. */
static void fuse(int op, int type, char *dst, const char *a, const char *b, int b_is_scalar,
                 const char *c, int c_is_scalar, int64_t n) {
  const int64_t size = bang_type_size(type), b_step = b_is_scalar ? 0 : size,
                c_step = c_is_scalar ? 0 : size;
  if (rounds_once() && (BANG_SET_FLOAT >> type & 1)) {
    fuse_once(fusion_ops[op], type, dst, a, b, b_step, c, c_step, n);
    return;
  }
  if (type != BANG_F32 || !are_floats_aligned(dst, a, b, c)) {
    fuse_in_turn(fusion_ops[op], type, dst, a, b, b_is_scalar, c, c_is_scalar, n);
    return;
  }
  for (int64_t i = 0, count; i < n; i += count) {
    count = bang_next_piece(n - i);
    bang_isa->fusion[op]((float *)(dst + i * size), (const float *)(a + i * size),
                         (const float *)(b + i * b_step), b_is_scalar,
                         (const float *)(c + i * c_step), c_is_scalar, count);
  }
}

/* Repeats the segments of operands that are no scalars. */
static __attribute__((noinline)) void fuse_repeated(int op, int type, void *dst, const void *a,
                                                    const void *b, int b_is_scalar, const void *c,
                                                    int c_is_scalar, int64_t n, int64_t segment_n) {
  int size = bang_type_size(type);
  unsigned char repeated_b[PIECE_BYTES], repeated_c[PIECE_BYTES];
  int64_t step = segment_n;
  if (!b_is_scalar) {
    int64_t repeated = repeat_segment(repeated_b, b, segment_n, n, size);
    b = repeated != 0 ? repeated_b : b;
    step = repeated != 0 ? repeated : step;
  }
  if (!c_is_scalar) {
    int64_t repeated = repeat_segment(repeated_c, c, segment_n, n, size);
    c = repeated != 0 ? repeated_c : c;
    step = repeated != 0 ? repeated : step;
  }
  for (int64_t i = 0; i < n; i += step) {
    int64_t count = n - i < step ? n - i : step;
    fuse(op, type, (char *)dst + i * size, (const char *)a + i * size, b, b_is_scalar, c,
         c_is_scalar, count);
  }
}

BANG_API void __bang_vec_fusion(int op, int type, void *dst, const void *a, const void *b,
                                int b_is_scalar, const void *c, int c_is_scalar, int64_t n,
                                int64_t segment_n) {
  if (n <= 0) {
    return;
  }
  if (op < 0 || op >= BANG_FUSION_COUNT) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND, "fusion: no operation %d", op);
  } else if (segment_n == n || (b_is_scalar && c_is_scalar)) {
    fuse(op, type, dst, a, b, b_is_scalar, c, c_is_scalar, n);
  } else if (segment_n <= 0 || n % segment_n != 0) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND,
                 "fusion: %lld elements are no multiple of the segment's %lld", (long long)n,
                 (long long)segment_n);
  } else {
    fuse_repeated(op, type, dst, a, b, b_is_scalar, c, c_is_scalar, n, segment_n);
  }
}
