/* SPDX-License-Identifier: MIT
 *
 * Stores that go to memory past the caches: twice as fast as others where nobody reads the data
 * soon, half as fast on pages the system has just cleared, which are in the caches. The body of a
 * mluop_parallel_for may use them; what it stored is seen by everybody when the loop ends. */
#ifndef MLUOP_TEST_BASE_STREAM_H_
#define MLUOP_TEST_BASE_STREAM_H_

#include <stddef.h>
#include <stdint.h>

/* As memcpy. */
void mluop_stream_copy(void *to, const void *from, size_t size);

/* Repeats a 32-bit pattern. */
void mluop_stream_fill(void *to, size_t size, uint32_t pattern);

/* Orders streaming stores: stores of this thread before the call become visible before those
 * after it. */
void mluop_stream_finish(void);

#endif /* MLUOP_TEST_BASE_STREAM_H_ */
