/* SPDX-License-Identifier: MIT
 *
 * A program that uses MPI itself: it sends clique ids with MPI, so that each clique is a part of
 * the job, sends MPI messages during CNCL calls, and finalises MPI.
 *
 *   mpi_program_test [free_first | finalize_first | single]
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "cncl_external.h"
#include "world.h"

enum { COUNT = 5000, ROUNDS = 20 };

static int process;
static int processes;
static int program_failures;

#define EXPECT(condition)                                                                   \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      fprintf(stderr, "%s:%d: process %d: check failed: %s\n", __FILE__, __LINE__, process, \
              #condition);                                                                  \
      ++program_failures;                                                                   \
    }                                                                                       \
  } while (0)

/* The processes with even numbers form one clique, those with odd numbers another. */
static cnclComm_t join_half(void) {
  struct cnclCliqueId id;
  const int device = 0;
  int rank = -1;
  int size = 0;
  MPI_Comm half;
  cnclComm_t comm = NULL;
  MPI_Comm_split(MPI_COMM_WORLD, process % 2, process, &half);
  MPI_Comm_rank(half, &rank);
  MPI_Comm_size(half, &size);
  if (rank == 0) {
    EXPECT(cnclGetCliqueId(&id) == CNCL_RET_SUCCESS);
  }
  MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, half);
  EXPECT(cnclInitComms(&comm, 1, &device, &rank, size, &id) == CNCL_RET_SUCCESS);
  MPI_Comm_free(&half);
  return comm;
}

static void use_both(cnclComm_t comm) {
  int rank = -1;
  int size = 0;
  int local = 0;
  EXPECT(cnclGetCommRank(&rank, comm) == CNCL_RET_SUCCESS);
  EXPECT(cnclGetCommCount(&size, comm) == CNCL_RET_SUCCESS);
  EXPECT(cnclxGetLocalRankCount(&local, comm) == CNCL_RET_SUCCESS);
  EXPECT(local == 1);
  /* All processes are on one host, so they can map each other's memory unless a setting forbids it.
   */
  EXPECT(cnclxGetReachableRankCount(&local, comm) == CNCL_RET_SUCCESS);
  EXPECT(local == (cnrtxSharesMemory() ? size : 1));
  int32_t *values = device_alloc(COUNT * sizeof(int32_t));
  for (int round = 0; round < ROUNDS; ++round) {
    int sum = 0;
    for (int i = 0; i < COUNT; ++i) {
      values[i] = (rank + 1) * round + i;
    }
    EXPECT(cnclAllReduce(values, values, COUNT, cnclInt32, cnclSum, comm, NULL) ==
           CNCL_RET_SUCCESS);
    MPI_Allreduce(&process, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT(sum == processes * (processes - 1) / 2);
    EXPECT(cnrtQueueSync(NULL) == cnrtSuccess);
    EXPECT(values[COUNT - 1] == size * (size + 1) / 2 * round + size * (COUNT - 1));
  }
  device_free(values);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "free_first";
  int level = MPI_THREAD_SINGLE;
  if (strcmp(mode, "single") == 0) {
    MPI_Init(&argc, &argv);
    MPI_Query_thread(&level);
  } else {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (level < MPI_THREAD_MULTIPLE) {
    /* Such an MPI allows one thread only, and CNCL needs its own: it must refuse. */
    const int device = 0;
    cnclComm_t comm = NULL;
    EXPECT(cnclInitComms(&comm, 1, &device, &process, processes, NULL) == CNCL_RET_ERR_INIT);
    MPI_Finalize();
  } else {
    cnclComm_t comm = join_half();
    use_both(comm);
    if (strcmp(mode, "finalize_first") == 0) {
      MPI_Finalize();
    }
    EXPECT(cnclFreeComm(comm) == CNCL_RET_SUCCESS);
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0) {
      MPI_Finalize();
    }
  }
  return program_failures == 0 ? 0 : 1;
}
