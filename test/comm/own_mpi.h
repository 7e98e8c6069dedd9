/* SPDX-License-Identifier: MIT
 *
 * Programs that start MPI themselves, as own_mpi.c does it. That takes the time it takes, on a busy
 * machine many seconds, and none of what ranks may wait for each other. */
#ifndef TEST_COMM_OWN_MPI_H_
#define TEST_COMM_OWN_MPI_H_

/* NULL in programs without own_mpi.c: there CNCL starts MPI when it needs it. 0 when it worked. */
int own_mpi_begin(void) __attribute__((weak));
int own_mpi_end(void) __attribute__((weak));

#endif /* TEST_COMM_OWN_MPI_H_ */
