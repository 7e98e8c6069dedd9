/* SPDX-License-Identifier: MIT
 *
 * The reference for every operation: one element at a time, in long double and 128-bit integers.
 * Slow, simple, and independent of the tested code.
 */
#ifndef TEST_BANG_ORACLE_H_
#define TEST_BANG_ORACLE_H_

#include <stdint.h>

#include "bang/table.h"

/* 64 bits of precision: exact for 64-bit integers and products of two floats. */
typedef long double Exact;

int oracle_size(int type);
int oracle_is_float(int type);
const char *oracle_type_name(int type);

/* Reads an element. */
Exact oracle_get(int type, const void *p);
/* Rounds a number and writes it as an element. Integers saturate, and NaN becomes 0 in them. */
void oracle_put(int type, void *p, Exact x, int round);

/* Each of these writes one element; the predicate returns a truth value instead. */
void oracle_unary(int op, int type, void *dst, const void *a);
void oracle_binary(int op, int type, void *dst, const void *a, const void *b);
int oracle_predicate(int op, Exact a, Exact b); /* comparisons and logic */
/* dst = round(src * 2^shift) */
void oracle_convert(int dst_type, void *dst, int src_type, const void *src, int shift, int round);

/* The largest allowed distance in units of the last place. 0 means the same bits, but all NaNs are
 * equal, and -0 equals 0 where the sign is not specified. */
int oracle_tolerance_unary(int op, int type);
int oracle_tolerance_binary(int op, int type);

/* Distance in units of the last place: 0 for equal elements and for two NaNs, INT64_MAX if only one
 * is NaN or if two integers differ. */
int64_t oracle_distance(int type, const void *a, const void *b);

#endif /* TEST_BANG_ORACLE_H_ */
