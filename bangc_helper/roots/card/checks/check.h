/* SPDX-License-Identifier: MIT
 *
 * Hooks call the checks before each access, with who touches which memory. An access outside of
 * every object ends the task at once. Other defects become findings, and the launch fails when it
 * ends.
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

/* One bit per check that is on. Valid after card_checks_begin. */
extern unsigned card_checks_on;

static inline bool card_checks(enum card_check check) {
  return (card_checks_on >> check & 1) != 0;
}

/* Reads the settings of the environment; later calls do nothing. */
void card_checks_begin(void);

/* An operation that accesses memory. */
struct card_act {
  const char *name; /* for reports: "a copy", "a vector function" */
  uint32_t site;
  uint8_t pipe; /* enum card_pipe */
  bool is_async;
  bool is_atomic;
  bool is_copy;        /* copies the first operand to the second */
  bool is_shared;      /* issued by all cores of a cluster, done once */
  bool is_elementwise; /* element i of a result depends on element i of the sources alone */
  bool is_language;    /* code of the language's headers, which may use memory outside of objects */
};

struct card_operand {
  struct card_side side;
  bool writes;
  bool is_partly_used; /* not checked by init: another operand has the bytes that are used */
};

/* Checks an operation before it happens. Does not return if the access is refused. */
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

/* A use of an address that was computed from the address of an object. */
struct card_use_of_object {
  uintptr_t start;
  uint64_t bytes;
  uintptr_t address;
  uint32_t accessed; /* bytes; 0 for an operand, whose length is checked with the operation */
  bool writes;
  bool is_on_chip; /* a variable on chip; otherwise an array on the stack or of the file */
};

/* Does not return if the use is outside of the object. */
void card_check_object(struct card_core *core, uint32_t site, const struct card_use_of_object *use);

/* The lifetime of a local variable begins or ends. */
void card_check_stack(struct card_core *core, uintptr_t start, uint64_t bytes,
                      enum card_stack event);
/* A function is called. Its frame may reuse memory of earlier calls, so their ended variables are
 * forgotten. */
void card_check_entered(struct card_core *core);

/* A sync of pipes; arriving at a barrier, and leaving it. */
void card_check_sync(struct card_core *core, int pipes);
void card_check_barrier(struct card_core *core, uint32_t site, bangBarrier which);
void card_check_barrier_passed(struct card_core *core, bangBarrier which);
/* An atomic operation or a lock. Accesses before it are ordered before accesses after any later
 * one. */
void card_check_order(struct card_core *core);

/* Reports a broken rule of the language. Calls from within the language's own functions are not
 * reported. */
void card_check_rule(uint32_t site, bool holds, const char *what);

/* The memory that holds an address; CARD_MEMORY_NONE if that is unknown. Only for cores that are
 * checked. */
enum card_memory card_check_memory_at(struct card_core *core, uintptr_t address);

/* A task begins, with the variables of its file. Later, one more variable gets its address. */
void card_check_unit(struct card_core *core, const bangUnit *unit);
void card_check_variable(struct card_core *core, const void *address, size_t size,
                         const char *name);

/* Sets the distance between lanes of WRAM. Each of the 64 lanes holds a 64th of a variable. */
void card_check_lanes(struct card_core *core, size_t lane_bytes);

void card_check_task_begin(struct card_core *core);
/* A task ends. If it has findings, its launch fails. */
void card_check_task_end(struct card_core *core);
/* A task ends, for the barrier check: it may have waited in vain, or others may still wait for it.
 */
void card_check_task_left(struct card_core *core);
/* A launch begins. */
void card_check_launch(struct card_run *run);
/* A launch ends: prints its findings. `fault` is its error code, or 0. */
void card_check_launch_over(struct card_run *run, const char *kernel, uint32_t tasks, int fault);
void card_check_core_free(struct card_core *core);

/* The host is about to write device memory. */
void card_check_host_write(uintptr_t start, size_t bytes);

#endif /* CARD_CHECKS_CHECK_H_ */
