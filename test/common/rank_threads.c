/* SPDX-License-Identifier: MIT */
#include "rank_threads.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Member {
  RankThreads *threads;
  RankContext context;
  int device;
  pthread_t thread;
  bool has_thread;
  sem_t start; /* posted to run a body, and at the end */
  int result;  /* of the last body */
} Member;

struct RankThreads {
  int first, count;
  cnclComm_t *comms;
  Member *members;

  /* The overhead of running a body is part of its measured time: every member is woken once, and
   * only the last one to finish wakes the caller. */
  atomic_int running;
  sem_t finished;
  bool is_ending;
  int (*body)(const RankContext *rank, void *arg);
  void *arg;
};

static int number_of(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text && *text ? atoi(text) : otherwise;
}

int rank_threads_processes(void) {
  return number_of("OMPI_COMM_WORLD_SIZE", 1);
}

/* ---- members ---- */

static bool open_context(Member *member) {
  RankContext *context = &member->context;
  return cnrtSetDevice(member->device) == cnrtSuccess &&
         cnrtQueueCreate(&context->queue) == cnrtSuccess &&
         mluOpCreate(&context->handle) == MLUOP_STATUS_SUCCESS &&
         mluOpSetQueue(context->handle, context->queue) == MLUOP_STATUS_SUCCESS;
}

static void close_context(Member *member) {
  if (member->context.handle) mluOpDestroy(member->context.handle);
  if (member->context.queue) cnrtQueueDestroy(member->context.queue);
}

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) continue; /* interrupted by a signal */
}

static void finish_round(RankThreads *threads) {
  if (atomic_fetch_sub(&threads->running, 1) == 1) sem_post(&threads->finished);
}

/* The first round opens the member, later rounds run bodies. */
static void *member_main(void *argument) {
  Member *member = argument;
  RankThreads *threads = member->threads;
  member->result = open_context(member) ? 0 : -1;
  finish_round(threads);
  for (;;) {
    wait_for(&member->start);
    if (threads->is_ending) break;
    member->result = threads->body(&member->context, threads->arg);
    finish_round(threads);
  }
  close_context(member);
  return NULL;
}

static int wait_round(RankThreads *threads) {
  wait_for(&threads->finished);
  for (int i = 0; i < threads->count; ++i) {
    if (threads->members[i].result != 0) return threads->members[i].result;
  }
  return 0;
}

int rank_threads_run(RankThreads *threads, int (*body)(const RankContext *rank, void *arg),
                     void *arg) {
  threads->body = body;
  threads->arg = arg;
  atomic_store(&threads->running, threads->count);
  for (int i = 0; i < threads->count; ++i) sem_post(&threads->members[i].start);
  return wait_round(threads);
}

/* ---- all ranks ---- */

static bool start_members(RankThreads *threads, int ranks) {
  unsigned devices = 0;
  if (cnrtGetDeviceCount(&devices) != cnrtSuccess || devices == 0) return false;
  int *device_list = malloc(sizeof(int) * (size_t)threads->count);
  int *rank_list = malloc(sizeof(int) * (size_t)threads->count);
  bool is_made = device_list && rank_list;
  for (int i = 0; is_made && i < threads->count; ++i) {
    device_list[i] = i % (int)devices;
    rank_list[i] = threads->first + i;
  }
  is_made = is_made && cnclInitComms(threads->comms, threads->count, device_list, rank_list, ranks,
                                     NULL) == CNCL_RET_SUCCESS;
  atomic_store(&threads->running, threads->count);
  for (int i = 0; is_made && i < threads->count; ++i) {
    Member *member = &threads->members[i];
    *member = (Member){.threads = threads,
                       .context = {threads->first + i, ranks, NULL, NULL, threads->comms[i]},
                       .device = device_list[i]};
    sem_init(&member->start, 0, 0);
    member->has_thread = pthread_create(&member->thread, NULL, member_main, member) == 0;
    if (!member->has_thread) {
      member->result = -1;
      finish_round(threads);
    }
  }
  free(device_list);
  free(rank_list);
  return is_made && wait_round(threads) == 0;
}

RankThreads *rank_threads_create(int ranks) {
  const int processes = rank_threads_processes(), process = number_of("OMPI_COMM_WORLD_RANK", 0);
  RankThreads *threads = calloc(1, sizeof *threads);
  if (!threads) return NULL;
  threads->first = (int)((long long)ranks * process / processes);
  threads->count = (int)((long long)ranks * (process + 1) / processes) - threads->first;
  sem_init(&threads->finished, 0, 0);
  threads->comms = calloc((size_t)threads->count + 1, sizeof *threads->comms);
  threads->members = calloc((size_t)threads->count + 1, sizeof *threads->members);
  if (threads->comms && threads->members && threads->count > 0 && start_members(threads, ranks))
    return threads;
  fprintf(stderr, "cannot make %d ranks, %d of them in this process\n", ranks, threads->count);
  rank_threads_destroy(threads);
  return NULL;
}

void rank_threads_destroy(RankThreads *threads) {
  if (!threads) return;
  threads->is_ending = true;
  for (int i = 0; i < threads->count; ++i) {
    Member *member = &threads->members[i];
    if (!member->has_thread) continue;
    sem_post(&member->start);
    pthread_join(member->thread, NULL);
    sem_destroy(&member->start);
  }
  for (int i = 0; i < threads->count; ++i) {
    if (threads->comms[i]) cnclFreeComm(threads->comms[i]);
  }
  sem_destroy(&threads->finished);
  free(threads->comms);
  free(threads->members);
  free(threads);
}

int rank_threads_first(const RankThreads *threads) {
  return threads->first;
}

int rank_threads_count(const RankThreads *threads) {
  return threads->count;
}

const RankContext *rank_threads_at(const RankThreads *threads, int rank) {
  return &threads->members[rank - threads->first].context;
}

cnclResult_t rank_threads_abort(RankThreads *threads, int rank) {
  Member *member = &threads->members[rank - threads->first];
  const cnclResult_t result = cnclAbortComm(member->context.comm);
  member->context.comm = threads->comms[rank - threads->first] = NULL;
  return result;
}

mluOpTensorDescriptor_t rank_threads_describe(mluOpDataType_t dtype, int dim_num,
                                              const int64_t *dims) {
  mluOpTensorDescriptor_t desc = NULL;
  if (mluOpCreateTensorDescriptor(&desc) != MLUOP_STATUS_SUCCESS) return NULL;
  if (mluOpSetTensorDescriptor_v2(desc, MLUOP_LAYOUT_ARRAY, dtype, dim_num, dims) !=
      MLUOP_STATUS_SUCCESS) {
    mluOpDestroyTensorDescriptor(desc);
    return NULL;
  }
  return desc;
}
