/* SPDX-License-Identifier: MIT
 *
 * Moves elements: transpose, rotate, mirror, pad, repetition, filter layout.
 */
#include <string.h>

#include "bang_runtime.h"
#include "vector/vector.h"

/* Square tiles keep source and target in the cache. */
#define TILE 16

#define DEFINE_TRANSPOSE(name, element)                                                \
  static void name(char *dst, const char *src, int64_t height, int64_t width) {        \
    for (int64_t top = 0; top < height; top += TILE) {                                 \
      int64_t bottom = height - top < TILE ? height : top + TILE;                      \
      for (int64_t left = 0; left < width; left += TILE) {                             \
        int64_t right = width - left < TILE ? width : left + TILE;                     \
        for (int64_t w = left; w < right; w++) {                                       \
          for (int64_t h = top; h < bottom; h++) {                                     \
            memcpy(dst + (w * height + h) * (int64_t)sizeof(element),                  \
                   src + (h * width + w) * (int64_t)sizeof(element), sizeof(element)); \
          }                                                                            \
        }                                                                              \
      }                                                                                \
    }                                                                                  \
  }
DEFINE_TRANSPOSE(transpose_8, uint8_t)
DEFINE_TRANSPOSE(transpose_16, uint16_t)
DEFINE_TRANSPOSE(transpose_32, uint32_t)
DEFINE_TRANSPOSE(transpose_64, uint64_t)

BANG_API void __bang_vec_transpose(int size, void *dst, const void *src, int64_t height,
                                   int64_t width) {
  switch (size) {
    case 1:
      transpose_8(dst, src, height, width);
      break;
    case 2:
      transpose_16(dst, src, height, width);
      break;
    case 4:
      transpose_32(dst, src, height, width);
      break;
    default:
      transpose_64(dst, src, height, width);
      break;
  }
}

/* Copies element `from` of src to element `to` of dst. */
static inline void move_element(char *dst, int64_t to, const char *src, int64_t from, int size) {
  memcpy(dst + to * size, src + from * size, (size_t)size);
}

BANG_API void __bang_vec_rotate(int size, void *dst, const void *src, int64_t height, int64_t width,
                                int quarters) {
  for (int64_t h = 0; h < height; h++) {
    for (int64_t w = 0; w < width; w++) {
      int64_t to = quarters == 1   ? w * height + (height - 1 - h)
                   : quarters == 2 ? (height - 1 - h) * width + (width - 1 - w)
                                   : (width - 1 - w) * height + h;
      move_element(dst, to, src, h * width + w, size);
    }
  }
}

BANG_API void __bang_vec_mirror(int size, void *dst, const void *src, int64_t height,
                                int64_t width) {
  for (int64_t h = 0; h < height; h++) {
    for (int64_t w = 0; w < width; w++) {
      move_element(dst, h * width + (width - 1 - w), src, h * width + w, size);
    }
  }
}

BANG_API void __bang_vec_pad(int size, void *dst, const void *src, const void *value,
                             int64_t channel, int64_t height, int64_t width, int64_t top,
                             int64_t bottom, int64_t left, int64_t right) {
  int64_t out_width = left + width + right;
  int64_t row = width * channel * size, out_row = out_width * channel * size;
  __bang_vec_fill(dst, (top + height + bottom) * out_width * channel, value, size, 0, 0, 0, 0);
  for (int64_t h = 0; h < height && row > 0; h++) {
    memcpy((char *)dst + (top + h) * out_row + left * channel * size, (const char *)src + h * row,
           (size_t)row);
  }
}

BANG_API void __bang_vec_extension(void *dst, const void *src, const uint8_t *repeat, int64_t size,
                                   int64_t n) {
  char *out = dst;
  for (int64_t i = 0; i < n; i++) {
    for (int k = 0; k < repeat[i]; k++) {
      memcpy(out, (const char *)src + i * size, (size_t)size);
      out += size;
    }
  }
}

BANG_API void __bang_vec_reshape_filter(void *dst, const void *src, int64_t n, int64_t row_bytes) {
  enum { LANES_OF_WRAM = 64 };
  if (n % LANES_OF_WRAM != 0) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND, "reshape_filter: %lld rows are no multiple of 64",
                 (long long)n);
    return;
  }
  int64_t slots = n / LANES_OF_WRAM;
  for (int64_t r = 0; r < n; r++) {
    int64_t to = (r % LANES_OF_WRAM) * slots + r / LANES_OF_WRAM;
    memcpy((char *)dst + to * row_bytes, (const char *)src + r * row_bytes, (size_t)row_bytes);
  }
}
