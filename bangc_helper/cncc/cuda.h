/* SPDX-License-Identifier: MIT
 *
 * Compiling lowered kernels with nvcc.
 */
#ifndef CNCC_CUDA_H_
#define CNCC_CUDA_H_

#include "host.h"
#include "options.h"

/* The command that compiles `lowered` to `output` (NULL: only looks for mistakes). CNCC_NVCC
 * overrides the compiler that was configured. */
void cuda_compile_command(const Options *options, const Host *host, const char *include,
                          const char *lowered, const char *output, StrList *command);

#endif /* CNCC_CUDA_H_ */
