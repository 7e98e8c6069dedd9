/* SPDX-License-Identifier: MIT
 *
 * Programs that initialise MPI themselves (own_mpi.c). On a busy machine that takes many seconds,
 * which must not count toward the time that ranks wait for each other. */
#ifndef TEST_COMM_OWN_MPI_H_
#define TEST_COMM_OWN_MPI_H_

/* NULL without own_mpi.c: then CNCL initialises MPI when needed. Returns 0 on success. */
int own_mpi_begin(void) __attribute__((weak));
int own_mpi_end(void) __attribute__((weak));

#endif /* TEST_COMM_OWN_MPI_H_ */
