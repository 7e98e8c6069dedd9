/* SPDX-License-Identifier: MIT
 *
 * A thread that looks for calls that have waited too long. It exists while cliques do.
 */
#ifndef CNCL_WATCHDOG_H_
#define CNCL_WATCHDOG_H_

#include "common.h"

/* A clique was created; false when the thread cannot be started. The thread calls check()
 * periodically. */
bool cncl_watchdog_acquire(void (*check)(void));
/* A clique was freed. */
void cncl_watchdog_release(void);

#endif /* CNCL_WATCHDOG_H_ */
