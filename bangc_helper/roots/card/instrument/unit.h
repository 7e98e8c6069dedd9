/* SPDX-License-Identifier: MIT
 *
 * A file of kernels on its way through bang-card.
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

/* A line's part of a stretch of straight code; see struct card_part. */
struct part {
  uint32_t stretch, site, cycles, waits, instructions, loads, stores;
};

struct note;

struct unit {
  LLVMContextRef context;
  LLVMModuleRef module;
  int architecture;    /* that the kernels were compiled for; 0: not said */
  const char *include; /* where the headers of the language are */
  struct places places;
  struct map devices; /* functions that tasks run */
  LLVMValueRef descriptor;

  /* What is known of addresses that were made of variables on chip (derive.h). */
  struct note *notes;
  size_t note_count, note_room;
  struct map note_numbers; /* by the variable that debuggers would be told of */
  LLVMMetadataRef plain;   /* the expression of notes whose address is as it was */

  /* Source locations of loads, by the numbers in their names (speculate.h). */
  LLVMMetadataRef *loads;
  size_t load_count, load_room;

  FILE *list; /* what each function costs, one line each; NULL: not wanted */

  struct part *parts;
  size_t part_count, part_room;
  uint32_t stretch_count;
};

/* Before optimisation: functions of the language and kernels' bodies must be inlined, functions of
 * the language that are made of scalar code record themselves. */
void prepare(struct unit *unit);
/* Says which structures are passed by value. */
void mark_private_arguments(struct unit *unit);
/* The same optimisation on every host. */
void optimise(struct unit *unit);
/* Does the function start a task? */
bool starts_task(LLVMValueRef function);
/* Who goes along, and where not. */
struct visitor {
  bool (*enters)(LLVMValueRef function);
  void (*take_variable)(void *argument, LLVMValueRef variable);
  void *argument;
};
/* All functions that a function leads to, itself included; a visitor, or NULL. */
void reach(LLVMValueRef start, struct map *functions, const struct visitor *visitor);
/* Notes how much NRAM each task takes, before optimisation. */
void count_nram(struct unit *unit);
/* Has each task refused that takes more than the board has, and says what it was compiled for. */
void check_needs(struct unit *unit);
/* Finds the functions that tasks run. */
void find_devices(struct unit *unit);
/* Puts the hooks in. */
void instrument(struct unit *unit);
/* Writes the tables of what the hooks count. */
void emit_tables(struct unit *unit);

#endif /* CARD_INSTRUMENT_UNIT_H_ */
