/* SPDX-License-Identifier: MIT
 *
 * What every kernel file and its host file share: on-chip sizes and the tile a device likes. */
#ifndef KERNELS_KERNEL_H_
#define KERNELS_KERNEL_H_

#include <stdint.h>

#include "cnrt.h"
#include "kernels/limits.h"

#ifdef __BANG__
#include <bang.h>

/* The stack of a core lives in its NRAM too. */
#define REM_FOR_STACK (128 * 1024)
#define MAX_NRAM_SIZE (__MLU_NRAM_SIZE__ * 1024 - REM_FOR_STACK)

#ifdef __cplusplus
/* The address of on-chip memory as a value to keep. Where such memory is thread-local, compilers
 * compute its address anew in each step of a loop. What is unknown is a distance: which memory it
 * is stays known, by which some compilers choose how to access it. */
template <typename T>
__mlu_func__ T *keptAddress(T *address) {
  const volatile int nothing = 0;
  return address + nothing;
}
#endif

/* A large function that several places call: one copy of it is enough. */
#define NOT_INLINED __attribute__((noinline))

/* bfloat16 begins with architecture 592. For older ones steps on it are empty: the host refuses the
 * type there (CHECK_BFLOAT16). */
#if !defined(__BANG_ARCH__) || __BANG_ARCH__ >= 592
#define HAS_BFLOAT16 1
#else
#define HAS_BFLOAT16 0
#endif
#endif /* __BANG__ */

/* Vector operands are kept at this alignment. */
#define NFU_ALIGN_SIZE 128

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))
#define ALIGN_UP(a, b) (CEIL_DIV(a, b) * (b))
#define ALIGN_DOWN(a, b) ((a) / (b) * (b))

#endif /* KERNELS_KERNEL_H_ */
