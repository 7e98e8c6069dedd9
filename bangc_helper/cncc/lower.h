/* SPDX-License-Identifier: MIT
 *
 * Lowering of BANG C to C++: what cncc does to a preprocessed translation unit before the host
 * compiler sees it.
 */
#ifndef CNCC_LOWER_H_
#define CNCC_LOWER_H_

#include "arch.h"
#include "util.h"

typedef struct LowerOptions {
  const Arch *arch;
  const char *system_root; /* include folder of the Neuware root */
  const char *unit_tag;    /* identifier unique to the translation unit */
  bool plain_names;        /* other objects know the kernels by their names as C has them */
  bool has_gaps;           /* the address sanitizer is to see overruns of on-chip variables */
  bool for_gpu;            /* device code is separate from host code, as in CUDA C++ */
} LowerOptions;

/* Lowered text, and what was found out on the way. */
typedef struct Lowered {
  StrBuf text;
  bool memory_core_is_idle; /* memory cores leave the unit's kernels at once */
} Lowered;

/* Appends to out->text; false after errors, which have been reported. */
bool lower_unit(const char *text, size_t size, const LowerOptions *options, Lowered *out);

#endif /* CNCC_LOWER_H_ */
