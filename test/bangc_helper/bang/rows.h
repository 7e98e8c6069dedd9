/* SPDX-License-Identifier: MIT
 *
 * The elementwise rows of the tables as data: one entry per name and type, with a function that
 * calls the header's overload.
 */
#ifndef TEST_BANG_ROWS_H_
#define TEST_BANG_ROWS_H_

#include <stdint.h>

#include "bang/table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RowKind {
  ROW_UNARY,
  ROW_BINARY,
  ROW_SCALAR,
  ROW_CYCLE,
  ROW_BITINDEX,
  ROW_BITINDEX_SCALAR,
  ROW_CONVERT,
  ROW_CONVERT_FIX,
  ROW_CONVERT_FIX2,
  ROW_ONE,
} RowKind;

/* b: second operand or scalar; extra0, extra1: segment length, or fix positions of a conversion */
typedef void (*RowCall)(void *dst, const void *a, const void *b, int64_t n, int64_t extra0,
                        int64_t extra1);

typedef struct Row {
  const char *name;
  RowKind kind;
  int op;       /* unary or binary code; rounding mode of conversions */
  int type;     /* of the source elements */
  int dst_type; /* of the result elements; differs from type in conversions */
  RowCall call;
} Row;

/* The first call builds the rows. */
const Row *test_rows(int *count);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* TEST_BANG_ROWS_H_ */
