/* SPDX-License-Identifier: MIT
 *
 * A result has the same bits on every instruction set and at every position in an array, even if it
 * is NaN. A third of the float operands are NaNs of all kinds.
 */
#include <math.h>
#include <string.h>

#include "bang/table.h"
#include "bang/vector_api.h"
#include "harness.h"
#include "oracle.h"
#include "rows.h"

enum { N = 203, SEGMENT = 29, FUSIONS = 8, ROWS = 5, COLUMNS = 7, LANE_BYTES = 1 << 10 };
static long checked;

/* A result of the first instruction set; the others must give the same. */
typedef struct Result {
  unsigned char bytes[N * 8];
} Result;

static uint64_t random_bits(int type) {
  static const uint64_t infinity[] = {
      [BANG_F16] = 0x7c00, [BANG_BF16] = 0x7f80, [BANG_F32] = 0x7f800000};
  const uint64_t bits = test_random();
  if (!oracle_is_float(type)) return bits;
  const unsigned kind = (unsigned)(bits >> 40) % 6;
  return kind < 2    ? bits | infinity[type] | 1
         : kind == 2 ? infinity[type] | (bits & 1u << 31)
                     : bits;
}

static void fill(int type, void *dst, int64_t n) {
  const int size = oracle_size(type);
  for (int64_t i = 0; i < n; i++) {
    const uint64_t bits = random_bits(type);
    memcpy((char *)dst + i * size, &bits, (size_t)size);
  }
}

static void compare(const char *name, int type, const char *isa, const char *with, const void *got,
                    const void *want, size_t bytes) {
  checked++;
  if (memcmp(got, want, bytes) != 0) {
    test_fail("%s<%s>: %s gives other bits than %s", name, oracle_type_name(type), isa, with);
  }
}

/* The operands; every instruction set gets the same ones. */
static _Alignas(64) unsigned char a[N * 8], b[N * 8], c[N * 8];
static const char *first_isa;

/* Stores the result of the first instruction set, and compares later results with it. */
static void compare_with_first(const char *name, int type, const char *isa, const Result *got,
                               Result *first) {
  if (isa == first_isa) {
    *first = *got;
  } else {
    compare(name, type, isa, first_isa, got->bytes, first->bytes, sizeof got->bytes);
  }
}

static int is_elementwise(const Row *row) {
  return row->kind == ROW_UNARY || row->kind == ROW_BINARY || row->kind == ROW_SCALAR ||
         row->kind == ROW_CONVERT;
}

static void run_row(const Row *row, const char *isa, Result *first) {
  const int size = oracle_size(row->type), dst_size = oracle_size(row->dst_type);
  const int64_t n = row->kind == ROW_CYCLE ? N / SEGMENT * SEGMENT : N;
  const int64_t extra = row->kind == ROW_CYCLE ? SEGMENT : 0;
  Result whole = {0}, single = {0};
  row->call(whole.bytes, a, b, n, extra, 0);
  compare_with_first(row->name, row->type, isa, &whole, first);
  if (!is_elementwise(row)) return;
  for (int64_t i = 0; i < n; i++) {
    row->call(single.bytes + i * dst_size, a + i * size,
              b + (row->kind == ROW_BINARY ? i * size : 0), 1, extra, 0);
  }
  compare(row->name, row->type, isa, "it gives for single elements", whole.bytes, single.bytes,
          sizeof whole.bytes);
}

static void run_fusions(int type, const char *isa, Result first[FUSIONS]) {
  const int size = oracle_size(type);
  for (int op = 0; op < FUSIONS; op++) {
    Result whole = {0}, single = {0};
    __bang_vec_fusion(op, type, whole.bytes, a, b, 0, c, 0, N, N);
    compare_with_first("fusion", type, isa, &whole, &first[op]);
    for (int i = 0; i < N; i++) {
      const int at = i * size;
      __bang_vec_fusion(op, type, single.bytes + at, a + at, b + at, 1, c + at, 1, 1, 1);
    }
    compare("fusion", type, isa, "it gives for single elements", whole.bytes, single.bytes,
            sizeof whole.bytes);
  }
}

static void run_sums(int type, const char *isa, Result *first) {
  Result sums = {0};
  for (int64_t n = 0; n < N; n++) {
    __bang_vec_sum(type, sums.bytes + n * oracle_size(type), a, n);
  }
  compare_with_first("sum", type, isa, &sums, first);
}

static void run_matmul(const char *isa, Result *first) {
  Result product = {0};
  enum { DEPTH = N / COLUMNS };
  _Static_assert(ROWS <= COLUMNS && DEPTH * 4 <= LANE_BYTES, "the operands hold so many numbers");
  static unsigned char weights[64 * LANE_BYTES];
  for (int row = 0; row < COLUMNS; row++) {
    memcpy(weights + row * LANE_BYTES, b + row * DEPTH * 4, DEPTH * 4);
  }
  __bang_vec_matmul(BANG_F32, product.bytes, BANG_F32, a, BANG_F32, weights, NULL, 0, ROWS, DEPTH,
                    COLUMNS, LANE_BYTES, 0);
  compare_with_first("matmul", BANG_F32, isa, &product, first);
}

/* A matrix product of 16-bit floats must have the bits of a plain loop, which rounds each product
 * before adding it. A fused multiply-add would be faster, but gives other bits. */
static void run_products(int type, uint16_t low, uint16_t high, const char *isa) {
  enum { M = 21, K = 70, COLUMN_COUNT = 19 };
  static uint16_t src[M * K], weights[64 * LANE_BYTES / 2];
  static float got[M * COLUMN_COUNT], factors[M * K], rows[COLUMN_COUNT][K];
  for (int i = 0; i < M * K; i++) {
    src[i] = (uint16_t)((low + test_random() % (uint64_t)(high - low)) | (test_random() & 0x8000));
  }
  for (int i = 0; i < 64 * LANE_BYTES / 2; i++) {
    weights[i] =
        (uint16_t)((low + test_random() % (uint64_t)(high - low)) | (test_random() & 0x8000));
  }
  __bang_vec_matmul(BANG_F32, got, type, src, type, weights, NULL, 0, M, K, COLUMN_COUNT,
                    LANE_BYTES, 0);
  __bang_vec_convert(BANG_F32, factors, type, src, M * K, 0, BANG_RN);
  for (int j = 0; j < COLUMN_COUNT; j++) {
    __bang_vec_convert(BANG_F32, rows[j], type, weights + j * LANE_BYTES / 2, K, 0, BANG_RN);
  }
  for (int i = 0; i < M * COLUMN_COUNT; i++) {
    float want = 0.0f;
    for (int k = 0; k < K; k++) {
      volatile float product = factors[i / COLUMN_COUNT * K + k] * rows[i % COLUMN_COUNT][k];
      want += product;
    }
    if (isnan(want) && isnan(got[i])) continue;
    compare("matmul", type, isa, "plain loops", &got[i], &want, sizeof want);
  }
}

static void run_all(const char *isa) {
  enum { MAX_ROWS = 4096 };
  static Result of_rows[MAX_ROWS], of_fusions[BANG_TYPE_COUNT][FUSIONS], of_sums[BANG_TYPE_COUNT];
  static Result of_matmul;
  static unsigned char operands[BANG_TYPE_COUNT][3][N * 8];
  int count;
  const Row *rows = test_rows(&count);
  if (count > MAX_ROWS) test_fail("%d rows do not fit", count);
  if (first_isa == NULL) {
    first_isa = isa;
    for (int type = 0; type < BANG_TYPE_COUNT; type++) {
      for (int k = 0; k < 3; k++) fill(type, operands[type][k], N);
    }
  }
  for (int type = 0; type < BANG_TYPE_COUNT; type++) {
    memcpy(a, operands[type][0], sizeof a);
    memcpy(b, operands[type][1], sizeof b);
    memcpy(c, operands[type][2], sizeof c);
    for (int i = 0; i < count && i < MAX_ROWS; i++) {
      if (rows[i].type == type && rows[i].kind != ROW_ONE) run_row(&rows[i], isa, &of_rows[i]);
    }
    if (!oracle_is_float(type)) continue;
    run_fusions(type, isa, of_fusions[type]);
    run_sums(type, isa, &of_sums[type]);
    if (type == BANG_F32) run_matmul(isa, &of_matmul);
  }
  run_products(BANG_F16, 0x0000, 0x7c00, isa);
  run_products(BANG_F16, 0x7bf0, 0x7c10, isa); /* with infinities and NaNs */
  run_products(BANG_BF16, 0x3c00, 0x4400, isa);
  run_products(BANG_BF16, 0x1b00, 0x1c00, isa); /* products below the smallest normal number */
  run_products(BANG_BF16, 0x5f00, 0x5fa0, isa); /* products above the largest number */
}

int main(void) {
  test_each_isa(run_all);
  return test_finish("bits on every instruction set", checked);
}
