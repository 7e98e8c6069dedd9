/* SPDX-License-Identifier: MIT */
#include "own_mpi.h"

#include <mpi.h>

int own_mpi_begin(void) {
  int level = MPI_THREAD_SINGLE;
  return MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS ||
         level != MPI_THREAD_MULTIPLE;
}

int own_mpi_end(void) {
  return MPI_Finalize() != MPI_SUCCESS;
}
