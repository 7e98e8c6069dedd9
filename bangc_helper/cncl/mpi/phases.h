/* SPDX-License-Identifier: MIT
 *
 * The phases of a transfer.
 */
#ifndef CNCL_MPI_PHASES_H_
#define CNCL_MPI_PHASES_H_

#include "mpi/engine.h"

/* Start the phase; false when that fails. */
bool phase_exchange(struct transfer *transfer);
bool phase_reduce(struct transfer *transfer);
bool phase_distribute(struct transfer *transfer);

#endif /* CNCL_MPI_PHASES_H_ */
