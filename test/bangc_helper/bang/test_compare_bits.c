/* SPDX-License-Identifier: MIT
 *
 * Comparisons of 16-bit floats with one number, giving bits: all bit patterns against numbers
 * spread over the whole range, and against special numbers and their neighbours.
 */
#include <string.h>

#include "bang/table.h"
#include "bang/vector_api.h"
#include "harness.h"
#include "oracle.h"

enum { PATTERNS = 1 << 16, SPREAD = 1999 };
static const int ops[] = {BANG_EQ, BANG_NE, BANG_LT, BANG_LE, BANG_GT, BANG_GE};
static const char *const op_names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
static long checked;

/* All bit patterns: numbers, then NaNs with a clear sign bit, then the other NaNs. ends[] is where
 * each kind ends, since the vector units take other paths without NaNs or without negative ones. */
static uint16_t patterns[PATTERNS];
static int ends[3];
static double
    values[PATTERNS]; /* of patterns; doubles are exact, and fast to compare on every CPU */

static int kind_of(uint16_t pattern, uint16_t infinity) {
  if ((pattern & 0x7fff) <= infinity) return 0;
  return pattern & 0x8000 ? 2 : 1;
}

static void fill_patterns(int type, uint16_t infinity) {
  int n = 0;
  for (int kind = 0; kind < 3; kind++) {
    for (int i = 0; i < PATTERNS; i++) {
      if (kind_of((uint16_t)i, infinity) == kind) patterns[n++] = (uint16_t)i;
    }
    ends[kind] = n;
  }
  for (int i = 0; i < PATTERNS; i++) values[i] = (double)oracle_get(type, patterns + i);
}

static int holds(int op, double a, double b) {
  switch (op) {
    case BANG_EQ:
      return a == b;
    case BANG_NE:
      return a != b;
    case BANG_LT:
      return a < b;
    case BANG_LE:
      return a <= b;
    case BANG_GT:
      return a > b;
    default:
      return a >= b;
  }
}

static void check_bits(const unsigned char *bits, int n, int k, int type, uint16_t number,
                       const char *isa) {
  const double value = (double)oracle_get(type, &number);
  for (int i = 0; i < n; i++) {
    checked++;
    if ((bits[i / 8] >> i % 8 & 1) != holds(ops[k], values[i], value)) {
      test_fail("%s, %s, %d elements: 0x%04x %s 0x%04x", isa, oracle_type_name(type), n,
                (unsigned)patterns[i], op_names[k], (unsigned)number);
    }
  }
}

static void compare_with(int type, uint16_t number, const char *isa) {
  static unsigned char bits[PATTERNS / 8];
  static uint16_t in_place[PATTERNS]; /* the bits overwrite the elements */
  for (int k = 0; k < 6; k++) {
    for (int kinds = 0; kinds < 3; kinds++) {
      const int n = ends[kinds];
      __bang_vec_bitindex(ops[k], type, bits, patterns, &number, 1, n);
      check_bits(bits, n, k, type, number, isa);
      memcpy(in_place, patterns, sizeof in_place);
      __bang_vec_bitindex(ops[k], type, in_place, in_place, &number, 1, n);
      check_bits((const unsigned char *)in_place, n, k, type, number, isa);
    }
  }
}

static void compare_all(const char *isa) {
  static const int types[] = {BANG_F16, BANG_BF16};
  static const uint16_t infinities[] = {0x7c00, 0x7f80};
  for (int t = 0; t < 2; t++) {
    fill_patterns(types[t], infinities[t]);
    const int centres[] = {0, 0x8000, infinities[t], infinities[t] | 0x8000, 0x7fff, 0xffff};
    for (int i = 0; i < 6; i++) {
      for (int near = -2; near <= 2; near++)
        compare_with(types[t], (uint16_t)(centres[i] + near), isa);
    }
    for (int number = 7; number < PATTERNS; number += SPREAD)
      compare_with(types[t], (uint16_t)number, isa);
  }
}

int main(void) {
  test_each_isa(compare_all);
  return test_finish("comparisons as bits", checked);
}
