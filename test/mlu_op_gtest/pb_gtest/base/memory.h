/* SPDX-License-Identifier: MIT
 *
 * Large blocks of host memory: cases of a gigabyte must not be dominated by page faults and by
 * single-threaded copies. */
#ifndef MLUOP_TEST_BASE_MEMORY_H_
#define MLUOP_TEST_BASE_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As malloc, from huge pages where that pays; free() releases it. A size of 0 gives a block too. */
void *mluop_memory_alloc(size_t size);

/* memcpy on all cores. `streamed`, here and below: use stores that bypass the caches, for memory
 * whose pages are already there (see base/stream.h). */
void mluop_memory_copy(void *to, const void *from, size_t size, bool streamed);

/* Repeats a 32-bit pattern. */
void mluop_memory_fill(void *to, size_t size, uint32_t pattern, bool streamed);

#endif /* MLUOP_TEST_BASE_MEMORY_H_ */
