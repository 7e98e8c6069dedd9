/* SPDX-License-Identifier: MIT
 *
 * Data in device memory that MPI cannot access. Processes that can map each other's memory send a
 * note with the place of the data; the receiver copies from there and answers. All others send
 * messages from page-locked host memory. For the engine's thread.
 */
#ifndef CNCL_MPI_APART_H_
#define CNCL_MPI_APART_H_

#include "mpi/requests.h"

/* As start_data. */
bool start_apart(struct transfer *transfer, enum direction direction, struct cncl_part part,
                 int rank, int tag);

/* Frees the page-locked memory. */
void apart_end(void);

#endif /* CNCL_MPI_APART_H_ */
