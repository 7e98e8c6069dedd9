/* SPDX-License-Identifier: MIT
 *
 * The engine's loop.
 */
#ifndef CNCL_MPI_LOOP_H_
#define CNCL_MPI_LOOP_H_

#include "mpi/engine.h"

/* Runs until engine_stop. */
void engine_run(void);

#endif /* CNCL_MPI_LOOP_H_ */
