/* SPDX-License-Identifier: MIT
 *
 * Begin and end of the engine's thread and of MPI.
 */
#ifndef CNCL_MPI_LIFETIME_H_
#define CNCL_MPI_LIFETIME_H_

#include <stdbool.h>

/* Starts the engine on first use; false when it cannot run (any more). */
bool lifetime_start(void);

#endif /* CNCL_MPI_LIFETIME_H_ */
