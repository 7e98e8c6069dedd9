/* SPDX-License-Identifier: MIT
 *
 * Compiling lowered kernels with nvcc.
 */
#ifndef CNCC_NVCC_H_
#define CNCC_NVCC_H_

#include "host.h"
#include "options.h"

/* The command that compiles `lowered` to `output` (NULL: only checks for errors). CNCC_NVCC
 * overrides the configured compiler. */
void nvcc_command(const Options *options, const Host *host, const char *include,
                  const char *lowered, const char *output, StrList *command);

#endif /* CNCC_NVCC_H_ */
