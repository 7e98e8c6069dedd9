/* SPDX-License-Identifier: MIT */
#include "run/pattern.h"

#include <string.h>
#include <time.h>

/* The first is a NaN of every float type; the second the infinity of float, whose high half is
 * bfloat16's. */
static const uint32_t nan_word = UINT32_C(0xFFFFFFFF);
static const uint32_t inf_word = UINT32_C(0x7F800000);

uint32_t mluop_fill_word(const mluopTestOptions *options) {
  if (options->set_gdram) {
    return strcmp(options->set_gdram, "INF") ? nan_word : inf_word;
  }
  const time_t now = time(NULL);
  struct tm today;
  localtime_r(&now, &today);
  return today.tm_mday % 2 ? inf_word : nan_word;
}
