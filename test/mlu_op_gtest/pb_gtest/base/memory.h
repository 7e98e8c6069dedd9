/* SPDX-License-Identifier: MIT
 *
 * Large blocks of host memory: cases of a gigabyte must not be dominated by page faults and by
 * single-threaded copies. */
#ifndef MLUOP_TEST_BASE_MEMORY_H_
#define MLUOP_TEST_BASE_MEMORY_H_

#include <stddef.h>

/* As malloc, from huge pages where that pays; free() releases it. A size of 0 gives a block too. */
void *mluop_memory_alloc(size_t size);

/* As memcpy, on all cores. */
void mluop_memory_copy(void *to, const void *from, size_t size);

#endif /* MLUOP_TEST_BASE_MEMORY_H_ */
