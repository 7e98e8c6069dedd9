/* SPDX-License-Identifier: MIT
 *
 * What the parts of the lowering share. Names they emit are defined in bang_lowering.h and
 * bang_asm.h.
 */
#ifndef CNCC_LOWERING_H_
#define CNCC_LOWERING_H_

#include "rewrite.h"
#include "scope.h"
#include "survey.h"
#include "target.h"

typedef struct LowerOptions {
  const Target *target;
  const Arch *arch;
  const char *system_root; /* include folder of the Neuware root */
  const char *header;      /* text of a precompiled header at the start of the unit, or NULL */
  const char *unit_tag;    /* identifier unique to the translation unit */
  bool plain_names;        /* other objects refer to kernels by their C names */
  bool has_redzones;       /* overruns of on-chip variables are to be detected */
  Survey *survey;          /* what to record about calls; NULL: nothing */
  bool marks_arithmetic;   /* the survey is about operators, too */
} LowerOptions;

struct Lowering {
  const Source *source;
  Rewrite *rewrite;
  const LowerOptions *options;
  const ScopeStack *scopes; /* around the construct being lowered */
  void *state;              /* state of the target for this unit */
  StrList extern_names;     /* device globals announced by an extern declaration */
  StrList plain_names;      /* kernels that have their C name already */
  int counter;              /* makes generated names unique */
  enum { MEMORY_CORE_UNKNOWN, MEMORY_CORE_IDLE, MEMORY_CORE_BUSY } memory_core;
};

/* Replaces the BANG C qualifiers among tokens [begin, end) by blanks. */
void drop_qualifiers(Lowering *lowering, int begin, int end);

#endif /* CNCC_LOWERING_H_ */
