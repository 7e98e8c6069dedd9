/* SPDX-License-Identifier: MIT
 *
 * The flags of every compiler of kernels, on every root.
 */
#ifndef CNCC_KERNEL_FLAGS_H_
#define CNCC_KERNEL_FLAGS_H_

#include "arch.h"
#include "util.h"

/* The flag for the standard that was asked for (NULL: none). Kernels need C++17 or later because of
 * the language header. The caller frees it. */
char *kernel_standard(const char *wanted);

/* The macros of the language: the architecture, its memories, the names of the qualifiers. */
void add_kernel_macros(const Arch *arch, StrList *command);

#endif /* CNCC_KERNEL_FLAGS_H_ */
