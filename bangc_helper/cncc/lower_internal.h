/* SPDX-License-Identifier: MIT
 *
 * What the parts of the lowering share. Names they emit are defined in bang_lowering.h and
 * bang_asm.h.
 */
#ifndef CNCC_LOWER_INTERNAL_H_
#define CNCC_LOWER_INTERNAL_H_

#include "declaration.h"
#include "lower.h"
#include "rewrite.h"

typedef struct Lowering {
  const Source *source;
  Rewrite *rewrite;
  const LowerOptions *options;
  StrList extern_names; /* device globals announced by an extern declaration */
  int counter;          /* makes generated names unique */
  enum { MEMORY_CORE_UNKNOWN, MEMORY_CORE_IDLE, MEMORY_CORE_BUSY } memory_core;
} Lowering;

/* Each looks at the construct around or at a token and records the changes. */
void lower_kernel(Lowering *lowering, const Declaration *decl, ScopeKind scope);
void lower_function(Lowering *lowering, const Declaration *decl, ScopeKind scope);
void lower_variable(Lowering *lowering, const Declaration *decl, ScopeKind scope);
void lower_launch(Lowering *lowering, int index);
void lower_asm(Lowering *lowering, int index);

/* Blanks the BANG C qualifiers among tokens [begin, end). */
void drop_qualifiers(Lowering *lowering, int begin, int end);

#endif /* CNCC_LOWER_INTERNAL_H_ */
