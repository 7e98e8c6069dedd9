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

static void parallel_work(ParallelJob *job) {
  for (;;) {
    const size_t piece = atomic_fetch_add(&job->next, 1);
    if (piece >= job->n_pieces) {
      mluop_stream_finish();
      return;
    }
    const size_t begin = piece * job->grain;
    const size_t left = job->count - begin;
    job->body(job->arg, piece, begin, begin + (left < job->grain ? left : job->grain));
  }
}

/* Threads are kept for the next call, since starting one is slow. They serve one call at a time. */
static struct {
  pthread_mutex_t in_use; /* held by the caller that is served */
  pthread_mutex_t lock;   /* guards what follows */
  pthread_cond_t called, left;
  size_t threads;
  ParallelJob *job;
  size_t wanted;  /* how many more threads may join the job */
  size_t working; /* threads at work on the job */
} helpers = {.in_use = PTHREAD_MUTEX_INITIALIZER,
             .lock = PTHREAD_MUTEX_INITIALIZER,
             .called = PTHREAD_COND_INITIALIZER,
             .left = PTHREAD_COND_INITIALIZER};

static void *help(void *arg) {
  (void)arg;
  pthread_mutex_lock(&helpers.lock);
  for (;;) {
    while (!helpers.wanted) {
      pthread_cond_wait(&helpers.called, &helpers.lock);
    }
    --helpers.wanted;
    ++helpers.working;
    ParallelJob *job = helpers.job;
    pthread_mutex_unlock(&helpers.lock);
    parallel_work(job);
    pthread_mutex_lock(&helpers.lock);
    if (--helpers.working == 0) {
      pthread_cond_signal(&helpers.left);
    }
  }
  return NULL;
}

static void hire_locked(size_t wanted) {
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  for (pthread_t thread; helpers.threads < wanted; ++helpers.threads) {
    if (pthread_create(&thread, &detached, help, NULL)) {
      break; /* go on with fewer threads */
    }
  }
  pthread_attr_destroy(&detached);
}

/* The calling thread works too, alone if no other thread can be started. */
static void work_with_helpers(ParallelJob *job, size_t wanted) {
  pthread_mutex_lock(&helpers.lock);
  hire_locked(wanted);
  helpers.job = job;
  helpers.wanted = wanted;
  pthread_cond_broadcast(&helpers.called);
  pthread_mutex_unlock(&helpers.lock);
  parallel_work(job);
  pthread_mutex_lock(&helpers.lock);
  helpers.wanted = 0;
  while (helpers.working) {
    pthread_cond_wait(&helpers.left, &helpers.lock);
  }
  pthread_mutex_unlock(&helpers.lock);
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
  size_t wanted = n_threads > PARALLEL_THREADS_MAX ? PARALLEL_THREADS_MAX : (size_t)n_threads;
  if (wanted > job.n_pieces) {
    wanted = job.n_pieces;
  }
  /* Nested or concurrent calls run on the calling thread alone: all other threads are busy. */
  if (wanted <= 1 || pthread_mutex_trylock(&helpers.in_use)) {
    parallel_work(&job);
    return;
  }
  work_with_helpers(&job, wanted - 1);
  pthread_mutex_unlock(&helpers.in_use);
}
