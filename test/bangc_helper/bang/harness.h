/* SPDX-License-Identifier: MIT
 *
 * Memory with guards, numbers worth trying, and counting of failures.
 */
#ifndef TEST_BANG_HARNESS_H_
#define TEST_BANG_HARNESS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Same sequence on every run. */
uint64_t test_random(void);

/* n elements at `misalign` bytes past a 64-byte boundary, between bytes that must not change. */
typedef struct Guarded {
  unsigned char *memory, *data;
  size_t bytes, total;
} Guarded;
Guarded guarded_new(size_t bytes, size_t misalign);
/* Non-zero when something around the data changed; then restores it. */
int guarded_broken(Guarded *g);
void guarded_free(Guarded *g);

/* Numbers of all magnitudes, and special ones: NaN, infinities, zeros, denormals, extremes. */
void test_numbers(int type, void *dst, int64_t n);
/* The same with exponents near each other, so that sums are exact in long double. */
void test_moderate_numbers(int type, void *dst, int64_t n);

/* Runs body() once per instruction set this processor has; `name` for messages. */
void test_each_isa(void (*body)(const char *isa));

void test_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the tally; 0 when nothing failed and something was checked. */
int test_finish(const char *what, long checked);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* TEST_BANG_HARNESS_H_ */
