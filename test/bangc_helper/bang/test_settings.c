/* SPDX-License-Identifier: MIT
 *
 * Tests the environment variables of the vector units. Arguments: the values of MLUOP_CPU_ISA and
 * MLUOP_BANG_FUSION_ROUND (once or twice) that this process was started with.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bang/table.h"
#include "bang/vector_api.h"
#include "harness.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: test_settings ISA once|twice\n");
    return 2;
  }
  const char *isa = __bang_vec_isa();
  /* If the processor lacks the wanted instruction set, the runtime uses another one. */
  int has_wanted = __bang_vec_use_isa(argv[1]) != NULL;
  if (has_wanted && strcmp(isa, argv[1]) != 0) {
    test_fail("MLUOP_CPU_ISA=%s gives %s", argv[1], isa);
  }
  /* The square of 1 + 2^-12 does not fit a float, so rounding it changes the result. */
  float x = 1.0f + 0x1p-12f, minus_one = -1.0f, result;
  volatile float square = x * x;
  float twice = square - 1.0f, once = fmaf(x, x, -1.0f);
  __bang_vec_fusion(0, BANG_F32, &result, &x, &x, 1, &minus_one, 1, 1, 1);
  if (result != (strcmp(argv[2], "once") == 0 ? once : twice) || once == twice) {
    test_fail("MLUOP_BANG_FUSION_ROUND=%s: %a, once %a, twice %a", argv[2], result, once, twice);
  }
  return test_finish("settings", 2);
}
