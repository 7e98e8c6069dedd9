/* SPDX-License-Identifier: MIT */
#ifdef __BANG__
#error "__BANG__ is for kernels"
#endif
#include "units.h"

int plain_c(int x) {
  return 2 * x;
}
