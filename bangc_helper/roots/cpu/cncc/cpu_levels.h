/* SPDX-License-Identifier: MIT
 *
 * Scalar loops at several levels of the instruction set. Kernels are compiled for any CPU of their
 * kind, which on x86-64 means vectors of 16 bytes. A device function that is not inlined, has a
 * loop, calls no vector function and takes no references is compiled for the higher levels, too,
 * with what it calls, and the best one for the machine runs. The results are the same bits.
 */
#ifndef CNCC_CPU_LEVELS_H_
#define CNCC_CPU_LEVELS_H_

#include "lowering.h"

/* Attributes with a trailing blank for a device function, "" if it needs none. */
const char *cpu_level_attributes(const Lowering *lowering, const Declaration *decl);

#endif /* CNCC_CPU_LEVELS_H_ */
