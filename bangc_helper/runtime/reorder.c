/* SPDX-License-Identifier: MIT
 *
 * Arrays of the host with their dimensions in another order.
 */
#include <stdlib.h>
#include <string.h>

#include "common.h"

enum { MAX_DIMENSIONS = 8 };

/* An array in the order of its target: dimension i has extent[i] elements, stride[i] bytes apart in
 * the source. */
struct view {
  int dimensions;
  size_t extent[MAX_DIMENSIONS];
  size_t stride[MAX_DIMENSIONS];
  size_t count; /* of all elements */
};

/* Bytes between neighbours along each dimension of the source; false when there are too many. */
static bool find_strides(int dimensions, const int values[], size_t size, size_t strides[],
                         size_t *bytes) {
  *bytes = size;
  for (int i = dimensions - 1; i >= 0; --i) {
    strides[i] = *bytes;
    if (values[i] < 0 || __builtin_mul_overflow(*bytes, (size_t)values[i], bytes)) {
      return false;
    }
  }
  return true;
}

/* False unless the order names every dimension once. */
static bool make_view(struct view *view, int dimensions, const int values[], const int order[],
                      size_t size) {
  size_t strides[MAX_DIMENSIONS];
  size_t bytes = 0;
  unsigned named = 0;
  if (dimensions <= 0 || dimensions > MAX_DIMENSIONS || values == NULL || order == NULL ||
      size == 0 || !find_strides(dimensions, values, size, strides, &bytes)) {
    return false;
  }
  view->dimensions = dimensions;
  view->count = bytes / size;
  for (int i = 0; i < dimensions; ++i) {
    if (order[i] < 0 || order[i] >= dimensions || (named & 1u << order[i]) != 0) {
      return false;
    }
    named |= 1u << order[i];
    view->extent[i] = (size_t)values[order[i]];
    view->stride[i] = strides[order[i]];
  }
  return true;
}

/* Copies elements that are `stride` bytes apart. The callers pass constant sizes, so that the
 * compiler specialises it. */
static void gather_row(char *dst, const char *src, size_t count, size_t stride, size_t size) {
#define GATHER(bytes)                                   \
  for (size_t i = 0; i < count; ++i) {                  \
    memcpy(dst + i * (bytes), src + i * stride, bytes); \
  }
  switch (size) {
    case 1:
      GATHER(1)
      break;
    case 2:
      GATHER(2)
      break;
    case 4:
      GATHER(4)
      break;
    default: /* the largest type */
      GATHER(8)
      break;
  }
#undef GATHER
}

static void reorder(char *dst, const char *src, const struct view *view, size_t size) {
  const int last = view->dimensions - 1;
  const size_t row = view->extent[last];
  size_t index[MAX_DIMENSIONS] = {0};
  for (size_t done = 0; done < view->count; done += row) {
    const char *start = src;
    for (int i = 0; i < last; ++i) {
      start += index[i] * view->stride[i];
    }
    gather_row(dst + done * size, start, row, view->stride[last], size);
    for (int i = last - 1; i >= 0 && ++index[i] == view->extent[i]; --i) {
      index[i] = 0;
    }
  }
}

RT_EXPORT cnrtRet_t cnrtTransDataOrder(void *src, cnrtDataType_t type, void *dst, int dimNum,
                                       int dimValues[], int dimOrder[]) {
  const size_t size = cnrtDataTypeSize(type);
  struct view view;
  if (src == NULL || dst == NULL || !make_view(&view, dimNum, dimValues, dimOrder, size)) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  reorder(dst, src, &view, size);
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtTransOrderAndCast(void *src, cnrtDataType_t srcType, void *dst,
                                          cnrtDataType_t dstType, cnrtQuantizedParam_t param,
                                          int dimNum, int dimValues[], int dimOrder[]) {
  const size_t size = cnrtDataTypeSize(srcType);
  struct view view;
  if (srcType == dstType && param == NULL) {
    return cnrtTransDataOrder(src, srcType, dst, dimNum, dimValues, dimOrder);
  }
  if (src == NULL || dst == NULL || !make_view(&view, dimNum, dimValues, dimOrder, size) ||
      view.count > INT32_MAX) { /* the limit of conversions */
    return rt_fail(cnrtErrorArgsInvalid);
  }
  char *ordered = malloc(view.count * size + 1);
  if (ordered == NULL) {
    return rt_fail(cnrtErrorSysNoMem);
  }
  reorder(ordered, src, &view, size);
  const cnrtRet_t error = cnrtCastDataType(ordered, srcType, dst, dstType, (int)view.count, param);
  free(ordered);
  return error;
}
