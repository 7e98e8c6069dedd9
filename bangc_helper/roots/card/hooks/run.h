/* SPDX-License-Identifier: MIT
 *
 * A launch that is recorded: the logs of its tasks, and what the lines of its kernels cost.
 */
#ifndef CARD_HOOKS_RUN_H_
#define CARD_HOOKS_RUN_H_

#include <pthread.h>

#include <stdatomic.h>
#include <stdbool.h>

#include "use.h"

/* A module's counts of all tasks. */
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
  bool is_whole; /* no log is missing */
  /* For checks. */
  struct card_finding *findings;
  uint32_t number;                 /* of the launch, for races */
  _Atomic bool host_found;         /* the host has met a task */
  _Atomic uint32_t waiting_site;   /* of the latest core that came to a barrier */
  _Atomic uint32_t stuck_sites[2]; /* of cores that were left at barriers */
};

struct card_run *card_run_create(void);
void card_run_destroy(struct card_run *run);

/* A core begins to use a module in this launch: gives the module its place among the sites. */
void card_run_meet_module(struct card_run *run, struct card_use *use);
/* Takes a core's counts of a module, and sets them to 0. */
void card_run_add_counts(struct card_run *run, struct card_use *use);
/* Takes the log of a task. */
void card_run_add_task(struct card_run *run, const struct card_task *task);

/* Puts tasks into their order, and fills in all of the launch but its name and shape. What it
 * points to stays the run's, but for the sites and lines, which card_run_release frees. False when
 * memory was short. */
bool card_run_describe(struct card_run *run, struct card_launch *launch);
void card_run_release(struct card_launch *launch);

#endif /* CARD_HOOKS_RUN_H_ */
