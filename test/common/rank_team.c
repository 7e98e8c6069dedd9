/* SPDX-License-Identifier: MIT */
#include "rank_team.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Member {
  RankTeam *team;
  RankContext context;
  int device;
  pthread_t thread;
  bool has_thread;
  sem_t start; /* posted for every body to run, and at the end */
  int result;  /* of the latest body */
} Member;

struct RankTeam {
  int first, count;
  cnclComm_t *comms;
  Member *members;

  /* What a body costs beside its work is measured with it: every member is woken once, and only the
   * last one wakes the caller. */
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

int rank_team_processes(void) {
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
  while (sem_wait(semaphore) != 0) continue; /* a signal came */
}

static void finish_round(RankTeam *team) {
  if (atomic_fetch_sub(&team->running, 1) == 1) sem_post(&team->finished);
}

/* The first round opens the member, the following ones run bodies. */
static void *member_main(void *argument) {
  Member *member = argument;
  RankTeam *team = member->team;
  member->result = open_context(member) ? 0 : -1;
  finish_round(team);
  for (;;) {
    wait_for(&member->start);
    if (team->is_ending) break;
    member->result = team->body(&member->context, team->arg);
    finish_round(team);
  }
  close_context(member);
  return NULL;
}

static int wait_round(RankTeam *team) {
  wait_for(&team->finished);
  for (int i = 0; i < team->count; ++i) {
    if (team->members[i].result != 0) return team->members[i].result;
  }
  return 0;
}

int rank_team_run(RankTeam *team, int (*body)(const RankContext *rank, void *arg), void *arg) {
  team->body = body;
  team->arg = arg;
  atomic_store(&team->running, team->count);
  for (int i = 0; i < team->count; ++i) sem_post(&team->members[i].start);
  return wait_round(team);
}

/* ---- the team ---- */

static bool start_members(RankTeam *team, int ranks) {
  unsigned devices = 0;
  if (cnrtGetDeviceCount(&devices) != cnrtSuccess || devices == 0) return false;
  int *device_list = malloc(sizeof(int) * (size_t)team->count);
  int *rank_list = malloc(sizeof(int) * (size_t)team->count);
  bool is_made = device_list && rank_list;
  for (int i = 0; is_made && i < team->count; ++i) {
    device_list[i] = i % (int)devices;
    rank_list[i] = team->first + i;
  }
  is_made = is_made && cnclInitComms(team->comms, team->count, device_list, rank_list, ranks,
                                     NULL) == CNCL_RET_SUCCESS;
  atomic_store(&team->running, team->count);
  for (int i = 0; is_made && i < team->count; ++i) {
    Member *member = &team->members[i];
    *member = (Member){.team = team,
                       .context = {team->first + i, ranks, NULL, NULL, team->comms[i]},
                       .device = device_list[i]};
    sem_init(&member->start, 0, 0);
    member->has_thread = pthread_create(&member->thread, NULL, member_main, member) == 0;
    if (!member->has_thread) {
      member->result = -1;
      finish_round(team);
    }
  }
  free(device_list);
  free(rank_list);
  return is_made && wait_round(team) == 0;
}

RankTeam *rank_team_create(int ranks) {
  const int processes = rank_team_processes(), process = number_of("OMPI_COMM_WORLD_RANK", 0);
  RankTeam *team = calloc(1, sizeof *team);
  if (!team) return NULL;
  team->first = (int)((long long)ranks * process / processes);
  team->count = (int)((long long)ranks * (process + 1) / processes) - team->first;
  sem_init(&team->finished, 0, 0);
  team->comms = calloc((size_t)team->count + 1, sizeof *team->comms);
  team->members = calloc((size_t)team->count + 1, sizeof *team->members);
  if (team->comms && team->members && team->count > 0 && start_members(team, ranks)) return team;
  fprintf(stderr, "cannot make %d ranks, %d of them in this process\n", ranks, team->count);
  rank_team_destroy(team);
  return NULL;
}

void rank_team_destroy(RankTeam *team) {
  if (!team) return;
  team->is_ending = true;
  for (int i = 0; i < team->count; ++i) {
    Member *member = &team->members[i];
    if (!member->has_thread) continue;
    sem_post(&member->start);
    pthread_join(member->thread, NULL);
    sem_destroy(&member->start);
  }
  for (int i = 0; i < team->count; ++i) {
    if (team->comms[i]) cnclFreeComm(team->comms[i]);
  }
  sem_destroy(&team->finished);
  free(team->comms);
  free(team->members);
  free(team);
}

int rank_team_first(const RankTeam *team) {
  return team->first;
}

int rank_team_count(const RankTeam *team) {
  return team->count;
}

const RankContext *rank_team_at(const RankTeam *team, int rank) {
  return &team->members[rank - team->first].context;
}

cnclResult_t rank_team_abort(RankTeam *team, int rank) {
  Member *member = &team->members[rank - team->first];
  const cnclResult_t result = cnclAbortComm(member->context.comm);
  member->context.comm = team->comms[rank - team->first] = NULL;
  return result;
}

mluOpTensorDescriptor_t rank_team_describe(mluOpDataType_t dtype, int dim_num,
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
