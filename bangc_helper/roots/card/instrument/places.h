/* SPDX-License-Identifier: MIT
 *
 * Where instructions come from: the line of the kernel's source, and whether a function of the
 * language stands between.
 */
#ifndef CARD_INSTRUMENT_PLACES_H_
#define CARD_INSTRUMENT_PLACES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "map.h"

/* Whose code an instruction is. */
enum layer {
  LAYER_KERNEL,   /* the user's, or scalar functions of the language and of C++ */
  LAYER_LANGUAGE, /* how a function of the language reaches the runtime: nothing a card would do */
  LAYER_FUNCTION, /* inside a function of the language that is recorded as one */
};

struct place {
  uint32_t site;   /* index in the sites; 0: unknown */
  uint32_t hooked; /* what hooks get: the site, or a call where the function was put into another */
  enum layer layer;
  unsigned functions; /* functions of the language around it that record themselves */
  bool in_sync;       /* directly in one of the functions that wait */
  bool in_conversion; /* of one scalar */
};

struct site {
  const char *file;
  const char *function;
  uint32_t line;
};

struct call {
  uint32_t site, caller;
};

struct places {
  LLVMContextRef context;
  const char *include;
  struct map scopes;    /* debug scope -> index + 1 in scope_list */
  struct map locations; /* debug location -> index + 1 in place_list */
  struct map names;     /* subprogram -> better name of its function */
  struct map recorded;  /* subprograms of functions that record themselves */
  struct map site_numbers;
  struct scope *scope_list;
  size_t scope_count, scope_room;
  struct place *place_list;
  size_t place_count, place_room;
  struct site *sites;
  size_t site_count, site_room;
  struct map call_numbers;
  struct call *calls;
  size_t call_count, call_room;
};

void places_init(struct places *places, LLVMContextRef context, const char *include);
void places_free(struct places *places);
/* Remembers the names of functions while they are there. */
void places_name_functions(struct places *places, LLVMModuleRef module);
struct place places_of(struct places *places, LLVMValueRef instruction);
/* What hooks get for a source location without callers: those of `near`, an instruction in the same
 * function, are taken. 0: the location is in no kernel. */
uint32_t places_remembered(struct places *places, LLVMMetadataRef location, LLVMValueRef near);
/* The name of a function that was written in a header of the language, without the arguments of a
 * template; NULL for others. */
const char *places_language_function(struct places *places, LLVMValueRef function);
/* From now on what lies in a function of the language is part of it. Before places are asked for.
 */
void places_record_function(struct places *places, LLVMValueRef function);

#endif /* CARD_INSTRUMENT_PLACES_H_ */
