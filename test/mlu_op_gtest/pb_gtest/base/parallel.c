/* SPDX-License-Identifier: MIT */
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/stream.h"

enum { PARALLEL_THREADS_MAX = 64, PARALLEL_THREADS_DEFAULT = 20 };

static atomic_int parallel_threads_set;

void mluop_parallel_set_threads(int threads) {
  atomic_store(&parallel_threads_set, threads);
}

int mluop_parallel_threads(void) {
  int threads = atomic_load(&parallel_threads_set);
  if (threads <= 0) {
    const char *wish = getenv("OMP_NUM_THREADS");
    threads = wish ? atoi(wish) : 0;
  }
  if (threads <= 0) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    threads = cores > PARALLEL_THREADS_DEFAULT ? PARALLEL_THREADS_DEFAULT : (int)cores;
  }
  if (threads < 1) {
    return 1;
  }
  return threads > PARALLEL_THREADS_MAX ? PARALLEL_THREADS_MAX : threads;
}

size_t mluop_parallel_pieces(size_t count, size_t grain) {
  return (count + grain - 1) / grain;
}

typedef struct ParallelJob {
  size_t count, grain, n_pieces;
  mluopParallelBody body;
  void *arg;
  atomic_size_t next;
} ParallelJob;

static void *parallel_work(void *arg) {
  ParallelJob *job = arg;
  for (;;) {
    const size_t piece = atomic_fetch_add(&job->next, 1);
    if (piece >= job->n_pieces) {
      mluop_stream_finish();
      return NULL;
    }
    const size_t begin = piece * job->grain;
    const size_t left = job->count - begin;
    job->body(job->arg, piece, begin, begin + (left < job->grain ? left : job->grain));
  }
}

void mluop_parallel_for(size_t count, size_t grain, mluopParallelBody body, void *arg) {
  mluop_parallel_for_on(mluop_parallel_threads(), count, grain, body, arg);
}

void mluop_parallel_for_on(int n_threads, size_t count, size_t grain, mluopParallelBody body,
                           void *arg) {
  ParallelJob job = {.count = count,
                     .grain = grain,
                     .n_pieces = mluop_parallel_pieces(count, grain),
                     .body = body,
                     .arg = arg};
  pthread_t threads[PARALLEL_THREADS_MAX];
  size_t wanted = n_threads > PARALLEL_THREADS_MAX ? PARALLEL_THREADS_MAX : (size_t)n_threads;
  if (wanted > job.n_pieces) {
    wanted = job.n_pieces;
  }
  size_t started = 0;
  /* The calling thread works too, and alone when no thread can be had. */
  while (started + 1 < wanted && !pthread_create(&threads[started], NULL, parallel_work, &job)) {
    ++started;
  }
  parallel_work(&job);
  for (size_t i = 0; i < started; ++i) {
    pthread_join(threads[i], NULL);
  }
}
