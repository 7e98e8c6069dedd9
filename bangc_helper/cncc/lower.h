/* SPDX-License-Identifier: MIT
 *
 * Lowering of BANG C to C++: what cncc does to a preprocessed translation unit before the target's
 * compiler sees it.
 */
#ifndef CNCC_LOWER_H_
#define CNCC_LOWER_H_

#include "lowering.h"

/* Lowered text and facts about the unit. */
typedef struct Lowered {
  StrBuf text;
  UnitFacts facts;
} Lowered;

/* Appends to out->text; false after errors, which have been reported. */
bool lower_unit(const char *text, size_t size, const LowerOptions *options, Lowered *out);

#endif /* CNCC_LOWER_H_ */
