/* SPDX-License-Identifier: MIT
 *
 * What hooks report to the checks: who is about to do what to which memory. A check refuses an
 * access that leaves every object; of others it makes a finding, and the launch fails when it is
 * over.
 */
#ifndef CARD_CHECKS_CHECK_H_
#define CARD_CHECKS_CHECK_H_

#include <stdbool.h>

#include "bang_runtime.h"
#include "events.h"
#include "granules.h"
#include "module.h"

struct card_core;
struct card_run;

enum card_check {
  CARD_CHECK_MEMORY,
  CARD_CHECK_INIT,
  CARD_CHECK_SYNC,
  CARD_CHECK_RACE,
  CARD_CHECK_BARRIER,
  CARD_CHECK_RULES,
  CARD_CHECK_COUNT
};

/* The checks that are on, a bit each; 0: none. Valid after card_checks_begin. */
extern unsigned card_checks_on;

static inline bool card_checks(enum card_check check) {
  return (card_checks_on >> check & 1) != 0;
}

/* Reads the environment, once. */
void card_checks_begin(void);

/* Who touches memory. */
struct card_act {
  const char *name; /* "copy", "vector function", ... */
  uint32_t site;
  uint8_t pipe; /* enum card_pipe */
  bool is_async;
  bool is_atomic;
  bool is_copy;        /* of the first operand to the second */
  bool is_shared;      /* by all cores of a cluster: one of them does it */
  bool is_elementwise; /* element i of a result depends on element i of the sources alone */
  bool is_language;    /* code of the language's headers: memory of no object is its own affair */
};

struct card_operand {
  struct card_side side;
  bool writes;
  bool is_partly_used; /* read, but what counts of it is told as another operand */
};

/* Before it happens. Does not return if it is refused. */
void card_check_act(struct card_core *core, const struct card_act *act,
                    const struct card_operand *operands, unsigned count);

static inline struct card_operand card_reads(const void *start, int64_t bytes) {
  return (struct card_operand){
      {(uintptr_t)start, bytes > 0 ? (uint64_t)bytes : 0, 1, 1, 0, 0}, false, false};
}

static inline struct card_operand card_writes(const void *start, int64_t bytes) {
  return (struct card_operand){
      {(uintptr_t)start, bytes > 0 ? (uint64_t)bytes : 0, 1, 1, 0, 0}, true, false};
}

/* An address that was made of an object is used. */
struct card_use_of_object {
  uintptr_t start;
  uint64_t bytes;
  uintptr_t address;
  uint32_t accessed; /* bytes; 0: it is an operand, whose length is known later */
  bool writes;
  bool is_on_chip; /* the object has a name; else it is an array of the stack or of the file */
};

/* Does not return if it lies outside. */
void card_check_object(struct card_core *core, uint32_t site, const struct card_use_of_object *use);

/* A variable of a function begins or ends. */
void card_check_stack(struct card_core *core, uintptr_t start, uint64_t bytes,
                      enum card_stack event);
/* A function begins: variables of those that have returned before are forgotten. */
void card_check_entered(struct card_core *core);

/* A place of an entry point: its name and what it orders. */
void card_check_sync(struct card_core *core, int pipes);
void card_check_barrier(struct card_core *core, uint32_t site, bangBarrier which);
void card_check_barrier_passed(struct card_core *core, bangBarrier which);
/* An atomic operation or a lock: what came before it is ordered before what comes after a later
 * one. */
void card_check_order(struct card_core *core);

/* A rule of the language; what a function of the language does inside is its own affair. */
void card_check_rule(uint32_t site, bool holds, const char *what);

/* The memory that an address lies in; CARD_MEMORY_NONE where that is open. For a core that is
 * checked. */
enum card_memory card_check_memory_at(struct card_core *core, uintptr_t address);

/* A task begins with these variables; and takes one more. */
void card_check_unit(struct card_core *core, const bangUnit *unit);
void card_check_variable(struct card_core *core, const void *address, size_t size,
                         const char *name);

/* How far the lanes of WRAM are apart; a variable has a 64th of its bytes in each. */
void card_check_lanes(struct card_core *core, size_t lane_bytes);

void card_check_task_begin(struct card_core *core);
/* A task that has findings fails its launch. */
void card_check_task_end(struct card_core *core);
/* The same, for barriers: it may have been left at one, or leave others waiting. */
void card_check_task_left(struct card_core *core);
/* A launch begins. */
void card_check_launch(struct card_run *run);
/* A launch is over: reports what was found. `fault`: its code, 0 without one. */
void card_check_launch_over(struct card_run *run, const char *kernel, uint32_t tasks, int fault);
void card_check_core_free(struct card_core *core);

/* The host is about to write device memory. */
void card_check_host_write(uintptr_t start, size_t bytes);

#endif /* CARD_CHECKS_CHECK_H_ */
