/* SPDX-License-Identifier: MIT
 *
 * Comparisons of 16-bit floats with one number, as bits: every pattern of bits against numbers from
 * all over, each beside its neighbours, and against the special ones.
 */
#include "bang/table.h"
#include "bang/vector_api.h"
#include "harness.h"
#include "oracle.h"

enum { PATTERNS = 1 << 16, SPREAD = 1999 };
static const int ops[] = {BANG_EQ, BANG_NE, BANG_LT, BANG_LE, BANG_GT, BANG_GE};
static const char *const op_names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
static long checked;

static uint16_t patterns[PATTERNS];
static Exact values[PATTERNS];

static void compare_with(int type, uint16_t number, const char *isa) {
  static unsigned char bits[PATTERNS / 8];
  for (int k = 0; k < 6; k++) {
    __bang_vec_bitindex(ops[k], type, bits, patterns, &number, 1, PATTERNS);
    for (int i = 0; i < PATTERNS; i++) {
      checked++;
      if ((bits[i / 8] >> i % 8 & 1) != oracle_predicate(ops[k], values[i], values[number])) {
        test_fail("%s, %s: 0x%04x %s 0x%04x", isa, oracle_type_name(type), (unsigned)i, op_names[k],
                  (unsigned)number);
      }
    }
  }
}

static void compare_all(const char *isa) {
  static const int types[] = {BANG_F16, BANG_BF16};
  static const uint16_t ends[] = {0x7c00, 0x7f80}; /* infinity */
  for (int i = 0; i < PATTERNS; i++) patterns[i] = (uint16_t)i;
  for (int t = 0; t < 2; t++) {
    for (int i = 0; i < PATTERNS; i++) values[i] = oracle_get(types[t], patterns + i);
    const int centres[] = {0, 0x8000, ends[t], ends[t] | 0x8000, 0x7fff, 0xffff};
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
