/* SPDX-License-Identifier: MIT
 *
 * From a kernel file to its object: preprocess, lower, let the target's compiler compile.
 */
#ifndef CNCC_KERNEL_COMPILE_H_
#define CNCC_KERNEL_COMPILE_H_

#include "job.h"

/* With -E and -M the preprocessor's output is the result. */
int preprocess_kernel(const Job *job, const Input *input);

/* Compiles for every architecture asked for. Lists of dependencies name `depend_target`. */
int compile_kernel(const Job *job, const Input *input, const char *output,
                   const char *depend_target);

#endif /* CNCC_KERNEL_COMPILE_H_ */
