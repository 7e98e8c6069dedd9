/* SPDX-License-Identifier: MIT */
#include "core/tool.h"

#include <stdio.h>
#include <string.h>

/* Indexed by mluOpDataType_t; unused numbers have size 0. */
static const struct {
  const char *name;
  size_t size;
  bool is_integer;
} dtypes[] = {
    [MLUOP_DTYPE_INVALID] = {"DTYPE_INVALID", 0, false},
    [MLUOP_DTYPE_HALF] = {"DTYPE_HALF", 2, false},
    [MLUOP_DTYPE_FLOAT] = {"DTYPE_FLOAT", 4, false},
    [MLUOP_DTYPE_INT8] = {"DTYPE_INT8", 1, true},
    [MLUOP_DTYPE_INT16] = {"DTYPE_INT16", 2, true},
    [MLUOP_DTYPE_INT31] = {"DTYPE_INT31", 4, true},
    [MLUOP_DTYPE_INT32] = {"DTYPE_INT32", 4, true},
    [MLUOP_DTYPE_UINT8] = {"DTYPE_UINT8", 1, true},
    [MLUOP_DTYPE_BOOL] = {"DTYPE_BOOL", 1, true},
    [MLUOP_DTYPE_INT64] = {"DTYPE_INT64", 8, true},
    [MLUOP_DTYPE_UINT32] = {"DTYPE_UINT32", 4, true},
    [MLUOP_DTYPE_UINT64] = {"DTYPE_UINT64", 8, true},
    [MLUOP_DTYPE_UINT16] = {"DTYPE_UINT16", 2, true},
    [MLUOP_DTYPE_DOUBLE] = {"DTYPE_DOUBLE", 8, false},
    [MLUOP_DTYPE_COMPLEX_HALF] = {"DTYPE_COMPLEX_HALF", 4, false},
    [MLUOP_DTYPE_COMPLEX_FLOAT] = {"DTYPE_COMPLEX_FLOAT", 8, false},
    [MLUOP_DTYPE_BFLOAT16] = {"DTYPE_BFLOAT16", 2, false},
};
#define DTYPE_NUM (sizeof(dtypes) / sizeof(dtypes[0]))

static const char *const layouts[] = {
    [MLUOP_LAYOUT_NCHW] = "LAYOUT_NCHW",   [MLUOP_LAYOUT_NHWC] = "LAYOUT_NHWC",
    [MLUOP_LAYOUT_HWCN] = "LAYOUT_HWCN",   [MLUOP_LAYOUT_NDHWC] = "LAYOUT_NDHWC",
    [MLUOP_LAYOUT_ARRAY] = "LAYOUT_ARRAY", [MLUOP_LAYOUT_NCDHW] = "LAYOUT_NCDHW",
    [MLUOP_LAYOUT_TNC] = "LAYOUT_TNC",     [MLUOP_LAYOUT_NTC] = "LAYOUT_NTC",
    [MLUOP_LAYOUT_NC] = "LAYOUT_NC",       [MLUOP_LAYOUT_NLC] = "LAYOUT_NLC",
    [MLUOP_LAYOUT_NCL] = "LAYOUT_NCL",
};
#define LAYOUT_NUM (sizeof(layouts) / sizeof(layouts[0]))

size_t mluop_dtype_size(mluOpDataType_t dtype) {
  return (size_t)dtype < DTYPE_NUM ? dtypes[dtype].size : 0;
}

bool mluop_dtype_is_integer(mluOpDataType_t dtype) {
  return (size_t)dtype < DTYPE_NUM && dtypes[dtype].is_integer;
}

bool mluop_layout_is_known(mluOpTensorLayout_t layout) {
  return (size_t)layout < LAYOUT_NUM;
}

bool mluop_seq_layout_is_known(mluOpSeqDataLayout_t layout) {
  return (size_t)layout <= (size_t)MLUOP_SEQDATA_NT;
}

const char *mluop_real_text(char text[MLUOP_REAL_TEXT_SIZE], double value) {
  static const char others[] = "+-0123456789abcdefghijklmnopqrstuvwxyz"; /* an exponent, inf, nan */
  snprintf(text, MLUOP_REAL_TEXT_SIZE, "%.9g", value);
  char *point = text + strspn(text, others); /* the locale's decimal point, maybe several bytes */
  if (*point != '\0') {
    const char *rest = point + strcspn(point, others);
    *point++ = '.';
    memmove(point, rest, strlen(rest) + 1);
  }
  return text;
}

const char *mluop_dtype_name(mluOpDataType_t dtype) {
  return dtypes[mluop_dtype_size(dtype) > 0 ? dtype : MLUOP_DTYPE_INVALID].name;
}

const char *mluop_layout_name(mluOpTensorLayout_t layout) {
  return layouts[mluop_layout_is_known(layout) ? layout : MLUOP_LAYOUT_ARRAY];
}
