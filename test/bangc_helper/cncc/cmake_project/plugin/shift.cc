/* SPDX-License-Identifier: MIT */
#include "shift.h"

static_assert(sizeof(PLUGIN_TEXT) == 4, "the definition arrived as it was written");

int plugin_run(cnrtQueue_t queue, int *data, int n) {
  launch_shift(data, n, PLUGIN_SIGN * PLUGIN_STEP, queue);
  return cnrtQueueSync(queue) == cnrtSuccess ? 0 : 1;
}
