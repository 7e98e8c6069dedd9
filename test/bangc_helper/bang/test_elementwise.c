/* SPDX-License-Identifier: MIT
 *
 * Compares every row of the elementwise tables with the oracle on every instruction set: odd
 * lengths, unaligned addresses, in place, with guards around the destination.
 */
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "oracle.h"
#include "rows.h"

static long checked;

enum { MAX_N = 1031 };
static const int64_t lengths[] = {0, 1, 7, 8, 63, 64, 65, 200, MAX_N};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

/* True for operations whose result may be 0 of either sign. */
static int zero_sign_is_open(const Row *row) {
  return row->kind != ROW_UNARY &&
         (row->op == BANG_MAX || row->op == BANG_MIN || row->op == BANG_NAN_MAX ||
          row->op == BANG_NAN_MIN || row->op == BANG_MAX_FIRST || row->op == BANG_MIN_FIRST);
}

static void compare(const Row *row, const char *isa, int64_t n, int64_t i, const void *got,
                    const void *want, int tolerance, const void *a, const void *b) {
  int64_t distance = oracle_distance(row->dst_type, got, want);
  checked++;
  int same_sign = memcmp(got, want, (size_t)oracle_size(row->dst_type)) == 0 || distance != 0 ||
                  zero_sign_is_open(row) || oracle_get(row->dst_type, want) != 0;
  if (distance > tolerance || !same_sign) {
    test_fail("%s<%s> on %s, n %lld, element %lld: %Lg, %Lg -> %.10Lg, want %.10Lg", row->name,
              oracle_type_name(row->type), isa, (long long)n, (long long)i,
              oracle_get(row->type, a), b != NULL ? oracle_get(row->type, b) : 0,
              oracle_get(row->dst_type, got), oracle_get(row->dst_type, want));
  }
}

static int is_tz(const Row *row) {
  return row->kind != ROW_UNARY && (row->op == BANG_ADD_TZ || row->op == BANG_SUB_TZ);
}

static void fill(const Row *row, void *dst, int64_t n) {
  if (is_tz(row)) {
    test_moderate_numbers(row->type, dst, n);
  } else {
    test_numbers(row->type, dst, n);
  }
}

/* in_place: the destination is a buffer of its own (0), the first source (1) or the second source
 * (2). */
static void run_arithmetic(const Row *row, const char *isa, int64_t n, size_t misalign,
                           int in_place) {
  int size = oracle_size(row->type);
  int64_t segment = row->kind == ROW_CYCLE ? (n % 8 == 0 && n > 0 ? n / 8 : n > 0 ? n : 1) : n;
  int64_t b_n = row->kind == ROW_CYCLE ? segment : row->kind == ROW_BINARY ? n : 1;
  Guarded a = guarded_new((size_t)(n * size), misalign),
          b = guarded_new((size_t)(b_n * size), misalign);
  Guarded d = guarded_new((size_t)(n * size), misalign);
  unsigned char a_copy[MAX_N * 8], b_copy[MAX_N * 8];
  fill(row, a.data, n);
  fill(row, b.data, b_n);
  memcpy(a_copy, a.data, a.bytes);
  memcpy(b_copy, b.data, b.bytes);
  Guarded *out = in_place == 1 ? &a : in_place == 2 ? &b : &d;
  row->call(out->data, a.data, b.data, n, segment, 0);
  for (int64_t i = 0; i < n; i++) {
    unsigned char want[8];
    const void *x = a_copy + i * size;
    const void *y = b_copy + (row->kind == ROW_CYCLE    ? i % segment
                              : row->kind == ROW_BINARY ? i
                                                        : 0) *
                                 size;
    if (row->kind == ROW_UNARY) {
      oracle_unary(row->op, row->type, want, x);
      compare(row, isa, n, i, out->data + i * size, want,
              oracle_tolerance_unary(row->op, row->type), x, NULL);
    } else {
      oracle_binary(row->op, row->type, want, x, y);
      compare(row, isa, n, i, out->data + i * size, want,
              oracle_tolerance_binary(row->op, row->type), x, y);
    }
  }
  if (guarded_broken(&d) || guarded_broken(&a) || guarded_broken(&b)) {
    test_fail("%s<%s> on %s, n %lld writes outside its destination", row->name,
              oracle_type_name(row->type), isa, (long long)n);
  }
  if ((out != &a && memcmp(a.data, a_copy, a.bytes) != 0) ||
      (out != &b && memcmp(b.data, b_copy, b.bytes) != 0)) {
    test_fail("%s<%s> on %s changes a source", row->name, oracle_type_name(row->type), isa);
  }
  guarded_free(&a);
  guarded_free(&b);
  guarded_free(&d);
}

static void run_bitindex(const Row *row, const char *isa, int64_t n, size_t misalign) {
  int size = oracle_size(row->type);
  int64_t b_n = row->kind == ROW_BITINDEX ? n : 1;
  Guarded a = guarded_new((size_t)(n * size), misalign),
          b = guarded_new((size_t)(b_n * size), misalign);
  Guarded d = guarded_new((size_t)(n + 7) / 8, misalign);
  test_numbers(row->type, a.data, n);
  test_numbers(row->type, b.data, b_n);
  row->call(d.data, a.data, b.data, n, 0, 0);
  for (int64_t i = 0; i < n; i++) {
    unsigned char want[8];
    oracle_binary(row->op, row->type, want, a.data + i * size, b.data + (b_n == 1 ? 0 : i) * size);
    checked++;
    if ((d.data[i / 8] >> (i % 8) & 1) != (oracle_get(row->type, want) != 0)) {
      test_fail("%s<%s> on %s, n %lld: bit %lld", row->name, oracle_type_name(row->type), isa,
                (long long)n, (long long)i);
    }
  }
  if (guarded_broken(&d)) {
    test_fail("%s<%s> on %s writes outside its destination", row->name, oracle_type_name(row->type),
              isa);
  }
  guarded_free(&a);
  guarded_free(&b);
  guarded_free(&d);
}

/* where: 0 separate buffers; 1 in place, not widening; 2 widening, with the source in the upper
 * part of the destination. */
static void run_conversion(const Row *row, const char *isa, int64_t n, size_t misalign, int where,
                           int position, int second) {
  int src_size = oracle_size(row->type), dst_size = oracle_size(row->dst_type);
  Guarded a = guarded_new((size_t)(n * src_size), misalign),
          d = guarded_new((size_t)(n * dst_size), misalign);
  unsigned char copy[MAX_N * 8];
  test_numbers(row->type, copy, n);
  memcpy(a.data, copy, a.bytes);
  const unsigned char *src = a.data;
  unsigned char *dst = d.data;
  if (where == 1) {
    dst = a.data;
  } else if (where == 2) {
    src = memcpy(d.data + n * (dst_size - src_size), copy, (size_t)(n * src_size));
  }
  row->call(dst, src, NULL, n, position, second);
  int shift = row->kind == ROW_CONVERT_FIX    ? (oracle_is_float(row->type) ? -position : position)
              : row->kind == ROW_CONVERT_FIX2 ? second - position
                                              : 0;
  for (int64_t i = 0; i < n; i++) {
    unsigned char want[8];
    oracle_convert(row->dst_type, want, row->type, copy + i * src_size, shift, row->op);
    compare(row, isa, n, i, dst + i * dst_size, want, 0, copy + i * src_size, NULL);
  }
  if (guarded_broken(&d) || guarded_broken(&a)) {
    test_fail("%s<%s> on %s, n %lld writes outside its destination", row->name,
              oracle_type_name(row->type), isa, (long long)n);
  }
  guarded_free(&a);
  guarded_free(&d);
}

static void run_row(const Row *row, const char *isa) {
  for (int k = 0; k < LENGTHS; k++) {
    int64_t n = lengths[k];
    size_t misalign = k % 2 == 0 ? 0 : (size_t)oracle_size(row->type) * (size_t)(k % 5);
    switch (row->kind) {
      case ROW_BITINDEX:
      case ROW_BITINDEX_SCALAR:
        run_bitindex(row, isa, n, misalign);
        break;
      case ROW_CONVERT:
      case ROW_CONVERT_FIX:
      case ROW_CONVERT_FIX2: {
        int dst_size = oracle_size(row->dst_type), src_size = oracle_size(row->type);
        static const int positions[] = {0, 3, -3, 0, 14, -40, 0, -1, 0};
        misalign = k % 2 == 0 ? 0 : 8;
        run_conversion(row, isa, n, misalign, 0, positions[k], k % 3);
        if (n < MAX_N) {
          run_conversion(row, isa, n, misalign, dst_size <= src_size ? 1 : 2, 0, 0);
        }
        break;
      }
      case ROW_ONE:
        if (n <= 65) {
          run_conversion(row, isa, n, 0, 0, 0, 0);
        }
        break;
      default:
        run_arithmetic(row, isa, n, misalign, 0);
        if (n < MAX_N) { /* in place, the longest one adds nothing */
          run_arithmetic(row, isa, n, misalign, 1);
        }
        if (n < MAX_N && row->kind == ROW_BINARY) {
          run_arithmetic(row, isa, n, misalign, 2);
        }
        break;
    }
  }
}

static void run_all(const char *isa) {
  int count;
  const Row *rows = test_rows(&count);
  for (int i = 0; i < count; i++) {
    run_row(&rows[i], isa);
  }
}

int main(void) {
  test_each_isa(run_all);
  return test_finish("elementwise overloads", checked);
}
