/* SPDX-License-Identifier: MIT */
#include "run/thread_mode.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "run/baseline.h"
#include "run/case_run.h"
#include "run/report.h"
#include "run/tally.h"

typedef struct ThreadRun {
  const mluopTestOptions *options;
  const mluopCaseEntry *const *entries;
  size_t n;
  mluopCaseResult *results;
  int device;
  atomic_size_t next;
  pthread_mutex_t print;
  mluopTestText *errors;
} ThreadRun;

static void announce(ThreadRun *run, const char *what, const char *path) {
  pthread_mutex_lock(&run->print);
  printf("[ %-9s]: %s\n", what, path);
  pthread_mutex_unlock(&run->print);
}

static void *work(void *arg) {
  ThreadRun *run = arg;
  mluopTestSession session;
  mluopTestText errors = {0};
  cnrtSetDevice(run->device);
  if (mluop_session_open(&session, run->options, &errors)) {
    pthread_mutex_lock(&run->print);
    mluop_text_add(run->errors, "%s\n", mluop_text_get(&errors));
    pthread_mutex_unlock(&run->print);
    mluop_text_free(&errors);
    return NULL;
  }
  for (;;) {
    const size_t i = atomic_fetch_add(&run->next, 1);
    if (i >= run->n) {
      break;
    }
    announce(run, "SETUP", run->entries[i]->path);
    mluop_case_run(run->options, &session, run->entries[i]->executor, run->entries[i]->path,
                   &run->results[i]);
    pthread_mutex_lock(&run->print);
    mluop_baseline_judge(run->options, &run->results[i]);
    mluop_tally_add(&run->results[i]);
    mluop_report_print_case(run->options, &run->results[i]);
    printf("%s", mluop_text_get(&run->results[i].failure));
    mluop_report_print_end(&run->results[i]);
    pthread_mutex_unlock(&run->print);
    announce(run, "TEARDOWN", run->entries[i]->path);
  }
  mluop_session_close(&session);
  return NULL;
}

int mluop_thread_mode_run(const mluopTestOptions *options, const mluopCaseEntry *const *entries,
                          size_t n, mluopCaseResult *results, mluopTestText *errors) {
  ThreadRun run = {.options = options,
                   .entries = entries,
                   .n = n,
                   .results = results,
                   .print = PTHREAD_MUTEX_INITIALIZER,
                   .errors = errors};
  cnrtGetDevice(&run.device);
  const size_t wanted = (size_t)options->thread < n ? (size_t)options->thread : n;
  pthread_t *threads = calloc(wanted + 1, sizeof(pthread_t));
  size_t started = 0;
  /* Cases run side by side, so each one generates and compares its data on one thread. */
  mluop_parallel_set_threads(1);
  while (threads && started < wanted && !pthread_create(&threads[started], NULL, work, &run)) {
    ++started;
  }
  for (size_t i = 0; i < started; ++i) {
    pthread_join(threads[i], NULL);
  }
  mluop_parallel_set_threads(0);
  free(threads);
  if (atomic_load(&run.next) < n) {
    mluop_text_add(errors, "%zu cases were not run\n", n - atomic_load(&run.next));
    return -1;
  }
  return 0;
}
