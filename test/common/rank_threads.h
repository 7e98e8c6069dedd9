/* SPDX-License-Identifier: MIT
 *
 * Rank threads for tests: a thread with a device, a queue, a handle and a communicator for every
 * rank of this process. Under mpirun the ranks are spread evenly over the processes. */
#ifndef TEST_COMMON_RANK_THREADS_H_
#define TEST_COMMON_RANK_THREADS_H_

#include "mlu_op_comm.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RankContext {
  int rank, ranks;
  mluOpHandle_t handle;
  cnrtQueue_t queue;
  cnclComm_t comm;
} RankContext;

typedef struct RankThreads RankThreads;

/* NULL, with a line on stderr, if they cannot be started. */
RankThreads *rank_threads_create(int ranks);
void rank_threads_destroy(RankThreads *threads);

/* The ranks of this process: [first, first + count). */
int rank_threads_first(const RankThreads *threads);
int rank_threads_count(const RankThreads *threads);
/* One of them. */
const RankContext *rank_threads_at(const RankThreads *threads, int rank);

/* Number of processes that the ranks are spread over. */
int rank_threads_processes(void);

/* Runs body on the thread of every rank of this process, with its device current, and waits.
 * Returns the result of the lowest rank that did not return 0, or 0. */
int rank_threads_run(RankThreads *threads, int (*body)(const RankContext *rank, void *arg),
                     void *arg);

/* Aborts the communicator of a rank of this process; afterwards the rank has none. */
cnclResult_t rank_threads_abort(RankThreads *threads, int rank);

/* Describes a tensor; NULL on failure. */
mluOpTensorDescriptor_t rank_threads_describe(mluOpDataType_t dtype, int dim_num,
                                              const int64_t *dims);

#ifdef __cplusplus
}
#endif
#endif /* TEST_COMMON_RANK_THREADS_H_ */
