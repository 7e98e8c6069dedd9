/* SPDX-License-Identifier: MIT
 *
 * What a device that is played decides, not the user. The CPU's own device decides nothing; a root
 * that plays a certain one has its own version of played.c.
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

/* Changes what the environment asks for. Called once, before anything else asks. */
void rt_played_adjust(struct rt_played *played);

#endif /* RUNTIME_PLAYED_H_ */
