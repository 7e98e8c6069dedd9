/* SPDX-License-Identifier: MIT
 *
 * Pooling of height x width x channel blocks. 16-bit floats are pooled in float and rounded once.
 * dst may be src: outputs are written in ascending order, each after its window has been read, and
 * a window never starts before its output.
 */
#include <string.h>

#include "vector/scalar_float.h"
#include "vector/vector.h"

/* Channels processed together. */
#define PIECE 512

static int64_t outputs(int64_t length, int64_t kernel, int64_t stride) {
  return kernel <= 0 || stride <= 0 || length < kernel ? 0 : (length - kernel) / stride + 1;
}

/* Address of channels [first, ...) at row h, column w. */
static const char *place(const void *block, int type, const bangWindow *window, int64_t h,
                         int64_t w, int64_t first) {
  return (const char *)block +
         ((h * window->width + w) * window->channel + first) * bang_type_size(type);
}

static void pool_window(int kind, int type, float *sums, const void *src, const bangWindow *window,
                        int64_t row, int64_t column, int64_t first, int64_t count) {
  float piece[PIECE];
  static const int ops[] = {[BANG_POOL_SUM] = BANG_ADD,         [BANG_POOL_AVG] = BANG_ADD,
                            [BANG_POOL_MAX] = BANG_MAX,         [BANG_POOL_MIN] = BANG_MIN,
                            [BANG_POOL_NAN_MAX] = BANG_NAN_MAX, [BANG_POOL_NAN_MIN] = BANG_NAN_MIN};
  int op = ops[kind];
  for (int64_t i = 0; i < window->kernel_height; i++) {
    for (int64_t j = 0; j < window->kernel_width; j++) {
      const char *in = place(src, type, window, row * window->stride_height + i,
                             column * window->stride_width + j, first);
      if (i == 0 && j == 0) {
        __bang_vec_convert(BANG_F32, sums, type, in, count, 0, BANG_RN);
      } else {
        if (type != BANG_F32) {
          __bang_vec_convert(BANG_F32, piece, type, in, count, 0, BANG_RN);
          in = (const char *)piece;
        }
        __bang_vec_binary(op, BANG_F32, sums, sums, in, count);
      }
    }
  }
  if (kind == BANG_POOL_AVG) {
    float size = (float)(window->kernel_height * window->kernel_width);
    __bang_vec_scalar(BANG_DIV, BANG_F32, sums, sums, &size, count);
  }
}

/* A copy if the type is float. */
static void put_floats(int type, void *dst, const float *src, int64_t n) {
  if (type == BANG_F32) {
    memcpy(dst, src, (size_t)n * sizeof *src);
  } else {
    __bang_vec_convert(type, dst, BANG_F32, src, n, 0, BANG_RN);
  }
}

BANG_API void __bang_vec_pool(int kind, int type, void *dst, const void *src,
                              const bangWindow *window) {
  int64_t rows = outputs(window->height, window->kernel_height, window->stride_height);
  int64_t columns = outputs(window->width, window->kernel_width, window->stride_width);
  int size = bang_type_size(type);
  for (int64_t row = 0; row < rows; row++) {
    for (int64_t column = 0; column < columns; column++) {
      for (int64_t first = 0; first < window->channel; first += PIECE) {
        int64_t count = window->channel - first < PIECE ? window->channel - first : PIECE;
        float sums[PIECE];
        pool_window(kind, type, sums, src, window, row, column, first, count);
        put_floats(type, (char *)dst + ((row * columns + column) * window->channel + first) * size,
                   sums, count);
      }
    }
  }
}

static void put_float(char *p, int type, float x) {
  if (type == BANG_F32) {
    memcpy(p, &x, sizeof x);
    return;
  }
  uint16_t bits = type == BANG_F16 ? bang_float_to_half(x) : bang_float_to_bfloat(x);
  memcpy(p, &bits, sizeof bits);
}
static int64_t get_index(const char *p, int size) {
  uint32_t index = 0;
  memcpy(&index, p, (size_t)size); /* little endian */
  return index;
}

/* Where NaN does not propagate, any number beats it. */
static int is_better(int kind, float x, float best) {
  if (kind == BANG_POOL_NAN_MAX || kind == BANG_POOL_NAN_MIN) {
    return best == best && (x != x || (kind == BANG_POOL_NAN_MAX ? x > best : x < best));
  }
  return (kind == BANG_POOL_MAX ? x > best : x < best) || (best != best && x == x);
}

BANG_API void __bang_vec_pool_index(int kind, int type, void *values, void *indices,
                                    const void *src, const bangWindow *window) {
  int64_t rows = outputs(window->height, window->kernel_height, window->stride_height);
  int64_t columns = outputs(window->width, window->kernel_width, window->stride_width);
  int size = bang_type_size(type);
  for (int64_t row = 0; row < rows; row++) {
    for (int64_t column = 0; column < columns; column++) {
      for (int64_t c = 0; c < window->channel; c++) {
        float best = 0;
        uint32_t index = 0;
        for (int64_t k = 0; k < window->kernel_height * window->kernel_width; k++) {
          int64_t h = row * window->stride_height + k / window->kernel_width;
          int64_t w = column * window->stride_width + k % window->kernel_width;
          float x = bang_get_float(place(src, type, window, h, w, c), type);
          if (k == 0 || is_better(kind, x, best)) {
            best = x;
            index = (uint32_t)k;
          }
        }
        int64_t out = ((row * columns + column) * window->channel + c) * size;
        if (values != NULL) {
          put_float((char *)values + out, type, best);
        }
        if (indices != NULL) {
          memcpy((char *)indices + out, &index,
                 (size_t)size); /* as wide as an element; little endian */
        }
      }
    }
  }
}

/* Adds to one element, or replaces it. */
static void spread(char *p, int type, float x, int covers) {
  put_float(p, type, covers ? x : bang_get_float(p, type) + x);
}

BANG_API void __bang_vec_avgpool_bp(int type, void *dst, const void *src,
                                    const bangWindow *window) {
  int64_t rows = outputs(window->height, window->kernel_height, window->stride_height);
  int64_t columns = outputs(window->width, window->kernel_width, window->stride_width);
  int64_t area = window->kernel_height * window->kernel_width;
  int size = bang_type_size(type);
  memset(dst, 0, (size_t)(window->height * window->width * window->channel * size));
  for (int64_t row = 0; row < rows; row++) {
    for (int64_t column = 0; column < columns; column++) {
      for (int64_t k = 0; k < area; k++) {
        for (int64_t c = 0; c < window->channel; c++) {
          float x = bang_get_float(
              (const char *)src + ((row * columns + column) * window->channel + c) * size, type);
          spread((char *)place(dst, type, window,
                               row * window->stride_height + k / window->kernel_width,
                               column * window->stride_width + k % window->kernel_width, c),
                 type, x / (float)area, 0);
        }
      }
    }
  }
}

BANG_API void __bang_vec_maxpool_bp(int type, void *dst, const void *src, const void *index,
                                    const bangWindow *window, int covers) {
  int64_t rows = outputs(window->height, window->kernel_height, window->stride_height);
  int64_t columns = outputs(window->width, window->kernel_width, window->stride_width);
  int64_t area = window->kernel_height * window->kernel_width;
  int size = bang_type_size(type);
  memset(dst, 0, (size_t)(window->height * window->width * window->channel * size));
  for (int64_t row = 0; row < rows; row++) {
    for (int64_t column = 0; column < columns; column++) {
      for (int64_t c = 0; c < window->channel; c++) {
        int64_t in = ((row * columns + column) * window->channel + c) * size;
        int64_t k = get_index((const char *)index + in, size);
        if (k < area) {
          spread((char *)place(dst, type, window,
                               row * window->stride_height + k / window->kernel_width,
                               column * window->stride_width + k % window->kernel_width, c),
                 type, bang_get_float((const char *)src + in, type), covers);
        }
      }
    }
  }
}

BANG_API void __bang_vec_unpool(int type, void *dst, const void *src, const bangWindow *window,
                                int64_t index) {
  bangWindow out = *window;
  int size = bang_type_size(type);
  out.height = (window->height - 1) * window->stride_height + window->kernel_height;
  out.width = (window->width - 1) * window->stride_width + window->kernel_width;
  if (window->height <= 0 || window->width <= 0 || index < 0 ||
      index >= window->kernel_height * window->kernel_width) {
    return;
  }
  memset(dst, 0, (size_t)(out.height * out.width * out.channel * size));
  for (int64_t h = 0; h < window->height; h++) {
    for (int64_t w = 0; w < window->width; w++) {
      memcpy(
          (char *)place(dst, type, &out, h * window->stride_height + index / window->kernel_width,
                        w * window->stride_width + index % window->kernel_width, 0),
          place(src, type, window, h, w, 0), (size_t)(window->channel * size));
    }
  }
}
