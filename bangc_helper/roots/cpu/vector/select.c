/* SPDX-License-Identifier: MIT
 *
 * Filter, table look-up, and reductions to a number: sum, extremes, counts, positions.
 */
#include <string.h>

#include "bang_runtime.h"
#include "vector/computed.h"
#include "vector/vector.h"

/* Number of elements whose mask bits fit a small buffer. */
#define PIECE 4096

static int log2_size(int type) {
  int size = bang_type_size(type);
  return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
}

BANG_API uint32_t __bang_vec_filter(int type, void *dst, const void *src, const void *mask,
                                    int64_t n) {
  int size = bang_type_size(type);
  int64_t count = 0;
  for (int64_t i = 0; i < n; i += PIECE) {
    int64_t piece = n - i < PIECE ? n - i : PIECE;
    uint8_t bits[PIECE / 8];
    bang_isa->nonzero[type](bits, (const char *)mask + i * size, piece);
    count += bang_isa->filter[log2_size(type)]((char *)dst + count * size,
                                               (const char *)src + i * size, bits, piece);
  }
  return (uint32_t)count;
}

BANG_API uint32_t __bang_vec_filter_bits(int type, void *dst, const void *src, const void *bits,
                                         int64_t n) {
  return n <= 0 ? 0 : (uint32_t)bang_isa->filter[log2_size(type)](dst, src, bits, n);
}

/* Runs backwards: in place, a narrower index is stored before its element. */
BANG_API void __bang_vec_lut(int type, void *dst, const void *index, int index_size,
                             const void *table, int64_t n, int64_t table_n) {
  int size = bang_type_size(type);
  for (int64_t i = n - 1; i >= 0; i--) {
    uint64_t k = 0;
    memcpy(&k, (const char *)index + i * index_size, (size_t)index_size); /* little endian */
    if (k < (uint64_t)table_n) {
      memcpy((char *)dst + i * size, (const char *)table + k * (uint64_t)size, (size_t)size);
    }
  }
}

BANG_API void __bang_vec_sum(int type, void *dst, const void *src, int64_t n) {
  n = n > 0 ? n : 0;
  bang_count_computed(n);
  bang_isa->sum[type](dst, src, n);
}

BANG_API void __bang_vec_reduce_sum(int type, void *dst, const void *src, int64_t n) {
  enum { GROUP_BYTES = 128 };
  int size = bang_type_size(type);
  int64_t group = GROUP_BYTES / size;
  for (int64_t i = 0; i < n; i += group) {
    int64_t count = n - i < group ? n - i : group;
    unsigned char sum[8];
    bang_isa->sum[type](sum, (const char *)src + i * size, count);
    memset((char *)dst + i * size, 0, (size_t)(count * size));
    memcpy((char *)dst + i * size, sum, (size_t)size);
  }
}

/* Writes the value, then the index, then zeros: 12 bytes for 32-bit elements, 10 for narrower ones.
 */
static void put_extreme(int type, void *dst, const void *src, int64_t index) {
  int size = bang_type_size(type);
  unsigned char out[24] = {0};
  uint32_t position = (uint32_t)index;
  memcpy(out, (const char *)src + index * size, (size_t)size);
  memcpy(out + size, &position, sizeof position);
  memcpy(dst, out, size >= 4 ? (size_t)size + 8 : 10);
}

BANG_API void __bang_vec_argmax(int type, void *dst, const void *src, int64_t n) {
  if (n > 0) {
    put_extreme(type, dst, src, bang_isa->argmax[type](src, n));
  }
}

BANG_API void __bang_vec_argmin(int type, void *dst, const void *src, int64_t n) {
  if (n > 0) {
    put_extreme(type, dst, src, bang_isa->argmin[type](src, n));
  }
}

BANG_API uint32_t __bang_vec_count_bits(const void *bits, int64_t n) {
  return bang_isa->count_bits(bits, n);
}

BANG_API uint32_t __bang_vec_count(int type, const void *src, int64_t n) {
  uint32_t count = 0;
  for (int64_t i = 0; i < n; i += PIECE) {
    int64_t piece = n - i < PIECE ? n - i : PIECE;
    uint8_t bits[PIECE / 8];
    bang_isa->nonzero[type](bits, (const char *)src + i * bang_type_size(type), piece);
    count += __bang_vec_count_bits(bits, piece);
  }
  return count;
}

BANG_API uint32_t __bang_vec_findfirst1(int type, const void *src, int64_t n) {
  for (int64_t i = 0; i < n; i += PIECE) {
    int64_t piece = n - i < PIECE ? n - i : PIECE;
    uint8_t bits[PIECE / 8];
    bang_isa->nonzero[type](bits, (const char *)src + i * bang_type_size(type), piece);
    for (int64_t k = 0; k < (piece + 7) / 8; k++) {
      if (bits[k] != 0) {
        return (uint32_t)(i + k * 8 + __builtin_ctz(bits[k]));
      }
    }
  }
  return 0xffffffffu;
}

BANG_API uint32_t __bang_vec_findlast1(int type, const void *src, int64_t n) {
  for (int64_t end = n; end > 0; end -= PIECE) {
    int64_t start = end < PIECE ? 0 : end - PIECE;
    uint8_t bits[PIECE / 8];
    bang_isa->nonzero[type](bits, (const char *)src + start * bang_type_size(type), end - start);
    for (int64_t k = (end - start + 7) / 8 - 1; k >= 0; k--) {
      if (bits[k] != 0) {
        return (uint32_t)(start + k * 8 + 31 - __builtin_clz(bits[k]));
      }
    }
  }
  return 0xffffffffu;
}

BANG_API void __bang_vec_maskmove(int type, void *dst, const void *src, const void *mask,
                                  int mask_is_bits, int64_t n) {
  int size = bang_type_size(type);
  for (int64_t i = 0; i < n; i += PIECE) {
    int64_t piece = n - i < PIECE ? n - i : PIECE;
    uint8_t own[PIECE / 8];
    const uint8_t *bits = (const uint8_t *)mask + i / 8;
    if (!mask_is_bits) {
      bang_isa->nonzero[type](own, (const char *)mask + i * size, piece);
      bits = own;
    }
    for (int64_t k = 0; k < piece; k++) {
      if (bits[k / 8] >> (k % 8) & 1) {
        memmove((char *)dst + (i + k) * size, (const char *)src + (i + k) * size, (size_t)size);
      }
    }
  }
}
