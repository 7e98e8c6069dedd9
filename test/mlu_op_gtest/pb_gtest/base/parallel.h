/* SPDX-License-Identifier: MIT
 *
 * Splits a range over threads. The pieces depend on the range and the grain only, never on the
 * number of threads, so a body that works per piece gives the same result on any machine. */
#ifndef MLUOP_TEST_BASE_PARALLEL_H_
#define MLUOP_TEST_BASE_PARALLEL_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*mluopParallelBody)(void *arg, size_t piece, size_t begin, size_t end);

/* Number of pieces mluop_parallel_for makes of `count` items. */
size_t mluop_parallel_pieces(size_t count, size_t grain);

void mluop_parallel_for(size_t count, size_t grain, mluopParallelBody body, void *arg);
/* With its own number of threads, for work that waits rather than computes. */
void mluop_parallel_for_on(int n_threads, size_t count, size_t grain, mluopParallelBody body,
                           void *arg);

/* Threads used by later calls of this process; 0 returns to the default (OMP_NUM_THREADS, else the
 * smaller of 20 and the number of cores). */
void mluop_parallel_set_threads(int threads);
int mluop_parallel_threads(void);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_BASE_PARALLEL_H_ */
