/* SPDX-License-Identifier: MIT
 *
 * The functions of the language that a unit names. nvcc cannot precompile bang.h, and takes most of
 * a second over the 1400 conversions and other functions that few units use.
 */
#ifndef CNCC_NAMES_H_
#define CNCC_NAMES_H_

#include "util.h"

/* Adds the macros by which bang.h leaves out what the lowered text does not name. */
void add_names(const char *text, StrList *command);

#endif /* CNCC_NAMES_H_ */
