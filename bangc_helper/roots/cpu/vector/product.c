/* SPDX-License-Identifier: MIT
 *
 * Products of 8- and 16-bit integers, in elements twice as wide.
 */
#include <string.h>

#include "bang_runtime.h"
#include "vector/vector.h"

/* Runs backwards, because dst may start at the address of a factor. */
#define DEFINE_PRODUCT(tag, factor, product)                                                   \
  static void product_##tag(char *dst, const char *a, const char *b, int64_t b_n, int64_t n) { \
    for (int64_t i = n - 1; i >= 0; i--) {                                                     \
      factor x, y;                                                                             \
      memcpy(&x, a + i * (int64_t)sizeof x, sizeof x);                                         \
      memcpy(&y, b + i % b_n * (int64_t)sizeof y, sizeof y);                                   \
      product z = (product)((product)x * (product)y);                                          \
      memcpy(dst + i * (int64_t)sizeof z, &z, sizeof z);                                       \
    }                                                                                          \
  }
DEFINE_PRODUCT(s8, int8_t, int16_t)
DEFINE_PRODUCT(u8, uint8_t, uint16_t)
DEFINE_PRODUCT(s16, int16_t, int32_t)
DEFINE_PRODUCT(u16, uint16_t, uint32_t)

BANG_API void __bang_vec_product(int type, void *dst, const void *a, const void *b, int64_t b_n,
                                 int64_t n) {
  if (n <= 0) {
    return;
  }
  if (b_n <= 0 || n % b_n != 0) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND,
                 "product: %lld elements are no multiple of the segment's %lld", (long long)n,
                 (long long)b_n);
    return;
  }
  switch (type) {
    case BANG_S8:
      product_s8(dst, a, b, b_n, n);
      break;
    case BANG_U8:
      product_u8(dst, a, b, b_n, n);
      break;
    case BANG_S16:
      product_s16(dst, a, b, b_n, n);
      break;
    default:
      product_u16(dst, a, b, b_n, n);
      break;
  }
}
