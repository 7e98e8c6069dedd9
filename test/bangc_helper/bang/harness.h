/* SPDX-License-Identifier: MIT
 *
 * Guarded memory, test numbers, and a count of failures.
 */
#ifndef TEST_BANG_HARNESS_H_
#define TEST_BANG_HARNESS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The sequence is the same in every run. */
uint64_t test_random(void);

/* A buffer `misalign` bytes past a 64-byte boundary, with guard bytes on both sides. */
typedef struct Guarded {
  unsigned char *memory, *data;
  size_t bytes, total;
} Guarded;
Guarded guarded_new(size_t bytes, size_t misalign);
/* Non-zero if a guard byte has changed; restores the guards. */
int guarded_broken(Guarded *g);
void guarded_free(Guarded *g);

/* Random numbers of all magnitudes, with NaN, infinities, zeros, denormals and extremes. */
void test_numbers(int type, void *dst, int64_t n);
/* Random numbers with similar exponents, so that sums are exact in long double. */
void test_moderate_numbers(int type, void *dst, int64_t n);

/* Runs body() once per instruction set of this processor; `isa` is its name. */
void test_each_isa(void (*body)(const char *isa));

void test_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the counts. Returns 0 if something was checked and nothing failed. */
int test_finish(const char *what, long checked);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* TEST_BANG_HARNESS_H_ */
