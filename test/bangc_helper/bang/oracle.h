/* SPDX-License-Identifier: MIT
 *
 * What every operation must give, one element at a time, in long double and 128-bit integers: slow
 * and plain, and independent of the code under test.
 */
#ifndef TEST_BANG_ORACLE_H_
#define TEST_BANG_ORACLE_H_

#include <stdint.h>

#include "bang/table.h"

/* 64 bits of precision: integers of 64 bits and products of floats are exact. */
typedef long double Exact;

int oracle_size(int type);
int oracle_is_float(int type);
const char *oracle_type_name(int type);

/* An element as a number. */
Exact oracle_get(int type, const void *p);
/* A number rounded to an element; integers saturate, NaN becomes 0. */
void oracle_put(int type, void *p, Exact x, int round);

/* Each of the following writes one element (or says true or false). */
void oracle_unary(int op, int type, void *dst, const void *a);
void oracle_binary(int op, int type, void *dst, const void *a, const void *b);
int oracle_predicate(int op, Exact a, Exact b); /* comparisons and logic */
/* dst = round(src * 2^shift) */
void oracle_convert(int dst_type, void *dst, int src_type, const void *src, int shift, int round);

/* Largest distance allowed, in units of the last place; 0: the same bits (NaN is NaN, and -0 is 0
 * where only the order of zeros is open). */
int oracle_tolerance_unary(int op, int type);
int oracle_tolerance_binary(int op, int type);

/* Distance between two elements of a type: 0 for equal ones and for two NaNs, huge when only one is
 * NaN. */
int64_t oracle_distance(int type, const void *a, const void *b);

#endif /* TEST_BANG_ORACLE_H_ */
