/* SPDX-License-Identifier: MIT
 *
 * Kernels by the address of their function, for launches that pass arguments as pointers.
 */
#ifndef RUNTIME_KERNEL_REGISTRY_H_
#define RUNTIME_KERNEL_REGISTRY_H_

#include "common.h"

/* Calls the kernel's function with the values that args[] points to. */
typedef void (*rt_kernel_invoke_t)(void **args);

/* NULL when no kernel is registered at the address. */
rt_kernel_invoke_t rt_kernel_find(const void *function);

/* Changes when a kernel gets the address of an earlier one, because its library was loaded again:
 * cached facts about addresses are then invalid. */
unsigned rt_kernel_generation(void);

#endif /* RUNTIME_KERNEL_REGISTRY_H_ */
