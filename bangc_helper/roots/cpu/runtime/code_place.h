/* SPDX-License-Identifier: MIT
 *
 * Where a task is when a signal reaches it.
 */
#ifndef RUNTIME_CODE_PLACE_H_
#define RUNTIME_CODE_PLACE_H_

#include "bang_runtime.h"
#include "common.h"

struct rt_code_place {
  uintptr_t address;   /* in the kernel's code if known, else where the signal came */
  bool in_kernel;      /* the kernel's own code was interrupted */
  bool in_computation; /* a function of this library, called by the kernel, that takes no lock */
};

/* Before the first signal, because a handler cannot load a library. */
void rt_code_place_prepare(void);

/* Called in a signal handler, for the task whose kernel it is. */
struct rt_code_place rt_code_place(const bangKernelOps *kernel, void *context);

/* Describes an address of code: file and line, function, library, as far as debug information
 * tells. */
void rt_code_place_describe(uintptr_t address, char *text, size_t size);

#endif /* RUNTIME_CODE_PLACE_H_ */
