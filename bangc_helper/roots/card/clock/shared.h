/* SPDX-License-Identifier: MIT
 *
 * Atomics and locks, which serialise cores.
 */
#ifndef CARD_CLOCK_SHARED_H_
#define CARD_CLOCK_SHARED_H_

#include "clock/state.h"

/* Returns when an operation on `place` ends that is issued at `now` and takes `cost`. */
int64_t shared_atomic(struct play *play, int64_t now, uint64_t place, int64_t cost);
/* False: another core holds the lock; this one continues when it gets it. */
bool shared_lock(struct play *play, struct core *core, uint32_t id);
void shared_unlock(struct play *play, struct core *core, uint32_t id);

#endif /* CARD_CLOCK_SHARED_H_ */
