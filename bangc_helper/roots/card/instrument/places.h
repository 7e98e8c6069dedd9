/* SPDX-License-Identifier: MIT
 *
 * Source places of instructions: the line in the kernel's source, and the functions of the language
 * it was inlined through.
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
  LAYER_LANGUAGE, /* code between a function of the language and the runtime, which a card does not
                     have */
  LAYER_FUNCTION, /* inside a function of the language that is recorded as one */
};

struct place {
  uint32_t site; /* index in `sites`; 0: unknown */
  uint32_t
      hooked; /* what hooks get: the site, or the number of a call if the function was inlined */
  enum layer layer;
  unsigned functions; /* number of recorded functions of the language around it */
  bool in_sync;       /* directly in one of the sync functions */
  bool in_conversion; /* in a conversion of one scalar */
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
  struct map names;     /* subprogram -> the kernel's name */
  struct map recorded;  /* subprograms of recorded functions */
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
/* Remembers the kernels' names, before their bodies are inlined. */
void places_name_functions(struct places *places, LLVMModuleRef module);
struct place places_of(struct places *places, LLVMValueRef instruction);
/* The place of a location that has lost its callers, as hooks get it. The callers of `near`, an
 * instruction of the same function, are taken. 0: the location is in no kernel. */
uint32_t places_remembered(struct places *places, LLVMMetadataRef location, LLVMValueRef near);
/* The name of a function of the language's headers, without template arguments; NULL for other
 * functions. */
const char *places_language_function(struct places *places, LLVMValueRef function);
/* Marks a function of the language as recorded: code inside it is part of it. Call it before
 * places_of. */
void places_record_function(struct places *places, LLVMValueRef function);

#endif /* CARD_INSTRUMENT_PLACES_H_ */
