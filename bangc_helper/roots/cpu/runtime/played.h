/* SPDX-License-Identifier: MIT
 *
 * Settings that a played device decides instead of the user. The CPU's own device decides none; a
 * root that plays a certain device has its own version of played.c.
 */
#ifndef RUNTIME_PLAYED_H_
#define RUNTIME_PLAYED_H_

#include <stdint.h>

struct rt_played {
  unsigned devices;
  unsigned clusters;
  unsigned cores; /* per cluster */
  uint64_t memory_bytes;
};

/* Changes settings from the environment. Called once, before any setting is used. */
void rt_played_adjust(struct rt_played *played);

#endif /* RUNTIME_PLAYED_H_ */
