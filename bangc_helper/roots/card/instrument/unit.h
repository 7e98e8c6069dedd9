/* SPDX-License-Identifier: MIT
 *
 * A kernel file that bang-card processes.
 */
#ifndef CARD_INSTRUMENT_UNIT_H_
#define CARD_INSTRUMENT_UNIT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <llvm-c/Core.h>

#include "map.h"
#include "places.h"
#include "support.h"

/* What one line adds to a stretch of straight code; see struct card_part. */
struct part {
  uint32_t stretch, site, cycles, waits, instructions, loads, stores;
};

struct note;

struct unit {
  LLVMContextRef context;
  LLVMModuleRef module;
  int architecture;    /* architecture the kernels are compiled for; 0: unknown */
  const char *include; /* folder of the language's headers */
  struct places places;
  struct map devices; /* functions that tasks run */
  LLVMValueRef descriptor;

  /* Addresses that were computed from on-chip variables (derive.h). */
  struct note *notes;
  size_t note_count, note_room;
  struct map note_numbers; /* by the debug variable of the note */
  LLVMMetadataRef plain;   /* the empty debug expression: the value needs no computation */

  /* Source locations of loads, by the numbers in their names (speculate.h). */
  LLVMMetadataRef *loads;
  size_t load_count, load_room;

  FILE *list; /* file for the cost of each function; NULL: none */

  struct part *parts;
  size_t part_count, part_room;
  uint32_t stretch_count;
};

/* Before optimisation: marks functions of the language and kernel bodies for inlining, and inserts
 * the records of language functions that consist of scalar code. */
void prepare(struct unit *unit);
/* Marks parameters that are structures passed by value. */
void mark_private_arguments(struct unit *unit);
/* Optimises the module, in the same way on every host. */
void optimise(struct unit *unit);
/* True if the function starts a task. */
bool starts_task(LLVMValueRef function);
/* Callbacks of reach(). */
struct visitor {
  bool (*enters)(LLVMValueRef function);
  void (*take_variable)(void *argument, LLVMValueRef variable);
  void *argument;
};
/* Collects all functions that `start` can reach, itself included. The visitor may be NULL. */
void reach(LLVMValueRef start, struct map *functions, const struct visitor *visitor);
/* Before optimisation: computes how much NRAM each task needs. */
void count_nram(struct unit *unit);
/* Inserts the checks of NRAM size and architecture at the start of each task. */
void check_needs(struct unit *unit);
/* Finds all functions that tasks run. */
void find_devices(struct unit *unit);
/* Inserts the hooks. */
void instrument(struct unit *unit);
/* Emits the tables that the hooks use. */
void emit_tables(struct unit *unit);

#endif /* CARD_INSTRUMENT_UNIT_H_ */
