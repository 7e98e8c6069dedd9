/* SPDX-License-Identifier: MIT */
#include "played.h"

void rt_played_adjust(struct rt_played *played) {
  (void)played;
}
