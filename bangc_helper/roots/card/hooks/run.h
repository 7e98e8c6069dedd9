/* SPDX-License-Identifier: MIT
 *
 * A recorded launch: the logs of its tasks and the costs of its kernels' lines.
 */
#ifndef CARD_HOOKS_RUN_H_
#define CARD_HOOKS_RUN_H_

#include <pthread.h>

#include <stdatomic.h>
#include <stdbool.h>

#include "use.h"

/* A module's counts, summed over all tasks. */
struct card_run_module {
  const struct card_module *module;
  uint32_t first_site;
  uint64_t *stretches, *gdram_reads, *gdram_writes;
  struct card_run_module *next;
};

struct card_finding;

struct card_run {
  pthread_mutex_t lock;
  struct card_task *tasks;
  size_t task_count, task_room;
  struct card_run_module *modules; /* the latest first */
  uint32_t site_count;
  bool is_whole; /* all tasks have a log */
  /* For checks. */
  struct card_finding *findings;
  uint32_t number;                 /* number of the launch, for races */
  _Atomic bool host_found;         /* the host wrote what a task had accessed */
  _Atomic uint32_t waiting_site;   /* site of the core that reached a barrier last */
  _Atomic uint32_t stuck_sites[2]; /* sites of cores that wait in vain */
};

struct card_run *card_run_create(void);
void card_run_destroy(struct card_run *run);

/* Assigns the module its range of site numbers when a core first uses it in this launch. */
void card_run_meet_module(struct card_run *run, struct card_use *use);
/* Adds a core's counts of a module to the run and clears them. */
void card_run_add_counts(struct card_run *run, struct card_use *use);
/* Takes ownership of a task's log. */
void card_run_add_task(struct card_run *run, const struct card_task *task);

/* Sorts the tasks and fills in the launch, except for its name and shape. The run keeps ownership
 * of the logs; card_run_release frees sites and lines. False if memory was short. */
bool card_run_describe(struct card_run *run, struct card_launch *launch);
void card_run_release(struct card_launch *launch);

#endif /* CARD_HOOKS_RUN_H_ */
