/* SPDX-License-Identifier: MIT
 *
 * State of a core that runs instrumented code: the log of its task, and counts of scalar code since
 * the last record.
 */
#ifndef CARD_HOOKS_CORE_H_
#define CARD_HOOKS_CORE_H_

#include <stdbool.h>
#include <string.h>

#include "log.h"
#include "run.h"
#include "use.h"

struct card_watch;

struct card_core {
  struct card_run *run; /* NULL: no recorded task runs */
  struct card_use *uses;
  struct card_use *last;
  /* Scalar accesses outside NRAM since the last record. */
  struct card_scalar outside;
  uint64_t half_cycles; /* 0 or 1 half cycle that the last record did not take */
  uint64_t half_waits;
  uintptr_t stack_low, stack_high;
  /* Cache: the allocation that was accessed last. */
  uintptr_t device_start, device_end;
  struct card_watch *watch; /* state of the checks; NULL: nothing is checked */
  struct card_writer writer;
};

/* The calling thread's core, created on first use. NULL if memory is short. */
struct card_core *card_core(void);
/* The calling thread's core; NULL if it runs no recorded task. */
struct card_core *card_recording(void);

/* Makes a record; all other bytes are zero, as records are compared bytewise. */
static inline struct card_record card_record(uint8_t kind, uint8_t pipe, uint16_t flags) {
  struct card_record record;
  memset(&record, 0, sizeof(record));
  record.kind = kind;
  record.pipe = pipe;
  record.flags = flags;
  return record;
}

/* Writes the counts of scalar code, then the record. Does nothing if `site` has
 * CARD_PART_OF_FUNCTION. */
void card_put(struct card_core *core, uint32_t site, struct card_record *record);
/* Writes the counts of scalar code as a record. */
void card_put_scalar(struct card_core *core);

/* Clears the counts of scalar code when a task begins. */
void card_core_begin(struct card_core *core, struct card_run *run);
/* Ends the task's log and adds its costs per line to the run. */
void card_core_end(struct card_core *core);

#endif /* CARD_HOOKS_CORE_H_ */
