/* SPDX-License-Identifier: MIT
 *
 * On-chip sizes, alignment, limits and small macros that all kernels and their host files share. */
#ifndef KERNELS_KERNEL_H_
#define KERNELS_KERNEL_H_

#include <stdint.h>

#include "cnrt.h"

#ifdef __BANG__
#include <bang.h>

/* The stack of a core lives in its NRAM, too. */
#define REM_FOR_STACK (128 * 1024)
#define MAX_NRAM_SIZE (__MLU_NRAM_SIZE__ * 1024 - REM_FOR_STACK)

#ifdef __cplusplus
/* Keeps the address of on-chip memory in a register. Where that memory is thread-local, compilers
 * would compute the address again in each step of a loop. Only the offset is hidden from them: some
 * choose instructions by which memory it is. */
template <typename T>
__mlu_func__ T *keptAddress(T *address) {
  const volatile int nothing = 0;
  return address + nothing;
}
#endif

/* For large functions with several callers: one copy saves code. */
#define NOT_INLINED __attribute__((noinline))

/* bfloat16 exists from architecture 592 on. On older ones these steps are empty, and the host
 * refuses the type (CHECK_BFLOAT16). */
#if !defined(__BANG_ARCH__) || __BANG_ARCH__ >= 592
#define HAS_BFLOAT16 1
#else
#define HAS_BFLOAT16 0
#endif
#endif /* __BANG__ */

/* Alignment of vector operands, in bytes. */
#define NFU_ALIGN_SIZE 128

/* Reach of a gather or scatter: its byte offsets are unsigned and have 32 bits. */
#define GATHER_SPAN_BYTES ((int64_t)UINT32_MAX)

/* Tasks along one dimension of a launch, and of a whole launch: task numbers are ints. */
#define MAX_TASKS_PER_DIMENSION 65535
#define MAX_TASKS ((int64_t)1 << 30)

/* Rows with a hint of their own (utils/last_samples.mluh); a power of two. */
#define LAST_SAMPLES_HINTS (1 << 20)

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
