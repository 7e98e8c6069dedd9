/* SPDX-License-Identifier: MIT
 *
 * Where a task is when a signal reaches it.
 */
#ifndef RUNTIME_CODE_PLACE_H_
#define RUNTIME_CODE_PLACE_H_

#include "bang_runtime.h"
#include "common.h"

struct rt_code_place {
  uintptr_t address;   /* in the kernel's code if it is known, else where the signal came */
  bool in_kernel;      /* the kernel's own code was interrupted */
  bool in_computation; /* a function of this library, called by the kernel, that takes no lock */
};

/* In a signal's handler, of the task whose kernel it is. */
struct rt_code_place rt_code_place(const bangKernelOps *kernel, void *context);

/* Says where an address of code is: file and line, function, library, as far as the files tell. */
void rt_code_place_describe(uintptr_t address, char *text, size_t size);

#endif /* RUNTIME_CODE_PLACE_H_ */
