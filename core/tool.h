/* SPDX-License-Identifier: MIT
 *
 * Facts about data types and layouts, and numbers as text.
 */
#ifndef CORE_TOOL_H_
#define CORE_TOOL_H_

#include <stdbool.h>
#include <stddef.h>

#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of one element; 0 for MLUOP_DTYPE_INVALID and for numbers that are no data type. */
size_t mluop_dtype_size(mluOpDataType_t dtype);

bool mluop_dtype_is_integer(mluOpDataType_t dtype);

/* Names of the enumerators, "DTYPE_FLOAT". Numbers outside the enumerations give DTYPE_INVALID and
 * LAYOUT_ARRAY. */
const char *mluop_dtype_name(mluOpDataType_t dtype);
const char *mluop_layout_name(mluOpTensorLayout_t layout);

/* Whether a number that came through the API is an enumerator. */
bool mluop_layout_is_known(mluOpTensorLayout_t layout);
bool mluop_seq_layout_is_known(mluOpSeqDataLayout_t layout);

/* A number as "%.9g" prints it, but always with a decimal point: files for other programs must not
 * depend on the locale. */
#define MLUOP_REAL_TEXT_SIZE 32
const char *mluop_real_text(char text[MLUOP_REAL_TEXT_SIZE], double value);

#ifdef __cplusplus
}
#endif
#endif /* CORE_TOOL_H_ */
