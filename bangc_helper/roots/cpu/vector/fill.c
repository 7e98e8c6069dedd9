/* SPDX-License-Identifier: MIT
 *
 * Fills of on-chip memory and DRAM, at once or in the order of a pipe.
 */
#include <string.h>

#include "bang_runtime.h"
#include "vector/vector.h"

#define MAX_WIDTH 16

typedef struct Fill {
  char *dst;
  int64_t count, stride0, iter1, stride1, iter2;
  unsigned char value[MAX_WIDTH];
  int width;
} Fill;

/* Doubles the filled part up to a block that fits the cache, then copies that block. */
static void fill_segment(char *dst, size_t bytes, const unsigned char *value, size_t width) {
  enum { BLOCK = 4096 };
  int all_same = 1;
  for (size_t i = 1; i < width; i++) {
    all_same &= value[i] == value[0];
  }
  if (all_same) {
    memset(dst, value[0], bytes);
    return;
  }
  size_t block = bytes < BLOCK ? bytes : BLOCK - BLOCK % width;
  size_t done = width < block ? width : block;
  memcpy(dst, value, done);
  while (done < block) {
    size_t more = block - done < done ? block - done : done;
    memcpy(dst + done, dst, more);
    done += more;
  }
  for (; done < bytes; done += block) {
    memcpy(dst + done, dst, bytes - done < block ? bytes - done : block);
  }
}

static void run_fill(const void *args) {
  Fill fill;
  memcpy(&fill, args, sizeof fill);
  for (int64_t j = 0; j <= fill.iter2; j++) {
    for (int64_t i = 0; i <= fill.iter1; i++) {
      fill_segment(fill.dst + j * fill.stride1 + i * fill.stride0,
                   (size_t)fill.count * (size_t)fill.width, fill.value, (size_t)fill.width);
    }
  }
}

static int make_fill(Fill *fill, void *dst, int64_t count, const void *value, int width,
                     int64_t stride0, int64_t iter1, int64_t stride1, int64_t iter2) {
  if (count <= 0 || width <= 0 || width > MAX_WIDTH || iter1 < 0 || iter2 < 0) {
    return 0;
  }
  *fill = (Fill){dst, count, stride0, iter1, stride1, iter2, {0}, width};
  memcpy(fill->value, value, (size_t)width);
  return 1;
}

BANG_API void __bang_vec_fill(void *dst, int64_t count, const void *value, int width,
                              int64_t stride0, int64_t iter1, int64_t stride1, int64_t iter2) {
  Fill fill;
  if (make_fill(&fill, dst, count, value, width, stride0, iter1, stride1, iter2)) {
    run_fill(&fill);
  }
}

BANG_API void __bang_vec_fill_async(int pipe, void *dst, int64_t count, const void *value,
                                    int width, int64_t stride0, int64_t iter1, int64_t stride1,
                                    int64_t iter2) {
  Fill fill;
  if (make_fill(&fill, dst, count, value, width, stride0, iter1, stride1, iter2)) {
    __bang_defer(pipe, run_fill, &fill, sizeof fill);
  }
}

/* Writes 0, 1, 2, ... as words of one width, at any alignment; integers wrap around. */
#define COUNT_UP(word)                                                        \
  for (int64_t i = 0; i < n; i++) {                                           \
    const word number = (word)i;                                              \
    memcpy((char *)dst + i * (int64_t)sizeof number, &number, sizeof number); \
  }

static void count_up(void *dst, int width, int64_t n) {
  switch (width) {
    case 1:
      COUNT_UP(uint8_t);
      break;
    case 2:
      COUNT_UP(uint16_t);
      break;
    case 4:
      COUNT_UP(uint32_t);
      break;
    default:
      COUNT_UP(uint64_t);
      break;
  }
}

BANG_API void __bang_vec_iota(int type, void *dst, int64_t n) {
  enum { PIECE = 256 };
  const int size = bang_type_size(type);
  if (!(BANG_SET_FLOAT >> type & 1)) {
    count_up(dst, size, n);
    return;
  }
  for (int64_t i = 0; i < n; i += PIECE) {
    const int64_t count = n - i < PIECE ? n - i : PIECE;
    uint64_t index[PIECE];
    for (int64_t k = 0; k < count; k++) index[k] = (uint64_t)(i + k);
    bang_convert_elements(type, (char *)dst + i * size, BANG_U64, index, count, 0, BANG_RN);
  }
}
