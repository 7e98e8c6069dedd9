/* SPDX-License-Identifier: MIT
 *
 * What a core keeps while it runs instrumented code: the log of its task, and counts of scalar code
 * that no record has taken yet.
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
  struct card_run *run; /* NULL: no task that is recorded */
  struct card_use *uses;
  struct card_use *last;
  /* Scalar accesses outside NRAM since the last record. */
  struct card_scalar outside;
  uint64_t half_cycles; /* 0 or 1, left of the last record */
  uint64_t half_waits;
  uintptr_t stack_low, stack_high;
  /* The allocation of the latest access to device memory. */
  uintptr_t device_start, device_end;
  struct card_watch *watch; /* of the checks; NULL: nothing is checked */
  struct card_writer writer;
};

/* The calling thread's; made at the first call. NULL when memory is short. */
struct card_core *card_core(void);
/* The calling thread's while it runs a task that is recorded, else NULL. */
struct card_core *card_recording(void);

/* A record with all bytes zero but these. */
static inline struct card_record card_record(uint8_t kind, uint8_t pipe, uint16_t flags) {
  struct card_record record;
  memset(&record, 0, sizeof(record));
  record.kind = kind;
  record.pipe = pipe;
  record.flags = flags;
  return record;
}

/* Writes what scalar code did so far, then the record. Nothing where `site` says that the record
 * belongs to another. */
void card_put(struct card_core *core, uint32_t site, struct card_record *record);
/* Writes what scalar code did so far. */
void card_put_scalar(struct card_core *core);

/* Forgets what scalar code did: a task begins. */
void card_core_begin(struct card_core *core, struct card_run *run);
/* Ends the task's log; what its scalar code cost goes to the run. */
void card_core_end(struct card_core *core);

#endif /* CARD_HOOKS_CORE_H_ */
