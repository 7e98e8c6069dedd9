/* SPDX-License-Identifier: MIT
 *
 * Scalar integer divisions that the CPU refuses. Kernels are written for cards that have a result
 * for every division, and some published ones divide by zero where they do not use it.
 */
#ifndef RUNTIME_DIVISION_H_
#define RUNTIME_DIVISION_H_

#include <stdbool.h>

/* Gives the division that caused a SIGFPE a result and continues after it. By zero: all bits set,
 * and the remainder is the dividend; the smallest number divided by -1 stays itself. `context` is
 * the handler's. False when it was not a division. */
bool rt_division_continue(void *context);

#endif /* RUNTIME_DIVISION_H_ */
