/* SPDX-License-Identifier: MIT
 *
 * The element types of the schema: size, name, the library's number, and conversion to and from
 * double. A complex element has two real parts; the functions below work on parts. */
#ifndef MLUOP_TEST_DATA_DTYPE_H_
#define MLUOP_TEST_DATA_DTYPE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mlu_op_test.pb-c.h"

typedef Mluoptest__DataType mluopTestDtype;

typedef enum mluopPartKind {
  MLUOP_PART_HALF,
  MLUOP_PART_BFLOAT16,
  MLUOP_PART_FLOAT,
  MLUOP_PART_DOUBLE,
  MLUOP_PART_INT8,
  MLUOP_PART_INT16,
  MLUOP_PART_INT32,
  MLUOP_PART_INT64,
  MLUOP_PART_UINT8,
  MLUOP_PART_UINT16,
  MLUOP_PART_UINT32,
  MLUOP_PART_UINT64,
  MLUOP_PART_BOOL,
} mluopPartKind;

typedef struct mluopDtypeInfo {
  mluopTestDtype type;
  const char *name;   /* as in a case file */
  int library_number; /* mluOpDataType_t */
  mluopPartKind part;
  uint8_t part_size; /* bytes of one part */
  uint8_t parts;     /* parts of one element: 2 for complex */
  bool is_float;
} mluopDtypeInfo;

/* NULL for types that the framework does not support. */
const mluopDtypeInfo *mluop_dtype_info(mluopTestDtype type);

/* The schema's name of any type, supported or not. */
const char *mluop_dtype_name(mluopTestDtype type);

static inline size_t mluop_dtype_size(const mluopDtypeInfo *info) {
  return (size_t)info->part_size * info->parts;
}

/* Part `index` of an array. Exact, except for 64-bit integers beyond 2^53. */
double mluop_part_load(const mluopDtypeInfo *info, const void *data, size_t index);

/* n parts starting at `first`, `step` apart, as doubles; fast for long arrays. */
void mluop_parts_load(const mluopDtypeInfo *info, const void *data, size_t first, size_t step,
                      size_t n, double *values);

/* Float types round to nearest even; integers truncate towards zero and saturate; NaN becomes 0. */
void mluop_part_store(const mluopDtypeInfo *info, void *data, size_t index, double value);

/* Sets a part from its bits; false if they do not fit. */
bool mluop_part_store_bits(const mluopDtypeInfo *info, void *data, size_t index, uint64_t bits);
uint64_t mluop_part_bits(const mluopDtypeInfo *info, const void *data, size_t index);

bool mluop_part_is_nan(const mluopDtypeInfo *info, const void *data, size_t index);

/* Conversions between double and the bits of the 16-bit float types, rounding to nearest even. */
uint16_t mluop_half_from_double(double value);
double mluop_half_to_double(uint16_t bits);
uint16_t mluop_bfloat16_from_double(double value);
double mluop_bfloat16_to_double(uint16_t bits);

#endif /* MLUOP_TEST_DATA_DTYPE_H_ */
