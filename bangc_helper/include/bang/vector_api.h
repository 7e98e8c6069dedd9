/* SPDX-License-Identifier: MIT
 *
 * Entry points of the vector units in libcnrt. Plain C: types and operations are given by the
 * codes in bang/table.h. Counts are elements unless stated otherwise; zero or less does
 * nothing. dst may be one of the sources; any other overlap is undefined unless a function
 * allows it.
 */
#ifndef BANG_VECTOR_API_H_
#define BANG_VECTOR_API_H_

#include <stdint.h>

#include "bang/atomic_codes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Selects the instruction set by its name, a value of MLUOP_CPU_ISA, which sets it at start; NULL
 * selects the best. Returns the name in use, or NULL, with nothing changed, if this processor or
 * build lacks it. Must not be called while kernels run. */
const char *__bang_vec_use_isa(const char *name);
/* The instruction set in use. */
const char *__bang_vec_isa(void);

/* ---- elementwise ---- */

void __bang_vec_unary(int op, int type, void *dst, const void *src, int64_t n);
void __bang_vec_binary(int op, int type, void *dst, const void *a, const void *b, int64_t n);
/* scalar points to one element */
void __bang_vec_scalar(int op, int type, void *dst, const void *a, const void *scalar, int64_t n);
/* the second operand is segment[i % segment_n] */
void __bang_vec_cycle(int op, int type, void *dst, const void *a, const void *segment, int64_t n,
                      int64_t segment_n);
/* The result is a bit mask: element i is bit i % 8 of byte i / 8. b is a vector or one scalar. */
void __bang_vec_bitindex(int op, int type, void *dst, const void *a, const void *b, int b_is_scalar,
                         int64_t n);
/* dst[i] = a[i] * b[i % b_n]; dst is twice as wide as the 8- or 16-bit elements of `type`. */
void __bang_vec_product(int type, void *dst, const void *a, const void *b, int64_t b_n, int64_t n);
/* dst = (a op1 b) op2 c, where op is a mluFusionOpCode; vectors b and c repeat every segment_n
 * elements. */
void __bang_vec_fusion(int op, int type, void *dst, const void *a, const void *b, int b_is_scalar,
                       const void *c, int c_is_scalar, int64_t n, int64_t segment_n);
/* dst = round(src * 2^shift). In place, a wider destination may have its source in the upper part;
 * a narrower one may start at the source. */
void __bang_vec_convert(int dst_type, void *dst, int src_type, const void *src, int64_t n,
                        int shift, int round);

/* ---- fills ---- */

/* count elements of width bytes; segment i of iter1 + 1 and j of iter2 + 1 starts at
 * dst + i * stride0 + j * stride1 (bytes). */
void __bang_vec_fill(void *dst, int64_t count, const void *value, int width, int64_t stride0,
                     int64_t iter1, int64_t stride1, int64_t iter2);
void __bang_vec_fill_async(int pipe, void *dst, int64_t count, const void *value, int width,
                           int64_t stride0, int64_t iter1, int64_t stride1, int64_t iter2);
/* 0, 1, 2, ... in the element type */
void __bang_vec_iota(int type, void *dst, int64_t n);

/* Random integers of 16 bits. */
void __bang_vec_random(void *dst, int64_t n);

/* ---- selection ---- */

/* Copies the elements whose mask element (same type) is not zero, in order; returns how many. */
uint32_t __bang_vec_filter(int type, void *dst, const void *src, const void *mask, int64_t n);
uint32_t __bang_vec_filter_bits(int type, void *dst, const void *src, const void *bits, int64_t n);
/* dst[i] = table[index[i]], indices of index_size bytes; an index past the table leaves dst[i]. */
void __bang_vec_lut(int type, void *dst, const void *index, int index_size, const void *table,
                    int64_t n, int64_t table_n);

/* ---- reductions ---- */

void __bang_vec_sum(int type, void *dst, const void *src, int64_t n);
/* Sums every group of 128 bytes into the group's first element and zeroes the others.
 */
void __bang_vec_reduce_sum(int type, void *dst, const void *src, int64_t n);
/* Writes the value, then the index, in the layout of __bang_argmax. */
void __bang_vec_argmax(int type, void *dst, const void *src, int64_t n);
void __bang_vec_argmin(int type, void *dst, const void *src, int64_t n);
uint32_t __bang_vec_count(int type, const void *src, int64_t n);
uint32_t __bang_vec_count_bits(const void *bits, int64_t n);
/* Returns all ones if every element is zero. */
uint32_t __bang_vec_findfirst1(int type, const void *src, int64_t n);
uint32_t __bang_vec_findlast1(int type, const void *src, int64_t n);

/* dst[i] = src[i] where the mask is set; other elements keep their value. */
void __bang_vec_maskmove(int type, void *dst, const void *src, const void *mask, int mask_is_bits,
                         int64_t n);
/* segments + 1 segments of n elements each; strides in bytes. */
void __bang_vec_convert_strided(int dst_type, void *dst, int src_type, const void *src, int64_t n,
                                int shift, int round, int64_t dst_stride, int64_t src_stride,
                                int64_t segments);

/* ---- pooling: height x width x channel blocks, windows that do not fit are dropped ---- */

enum {
  BANG_POOL_SUM,
  BANG_POOL_AVG,
  BANG_POOL_MAX,
  BANG_POOL_MIN,
  BANG_POOL_NAN_MAX, /* NaN if any element is NaN */
  BANG_POOL_NAN_MIN
};
typedef struct bangWindow {
  int64_t channel, height, width, kernel_height, kernel_width, stride_width, stride_height;
} bangWindow;
/* dst may be src. */
void __bang_vec_pool(int kind, int type, void *dst, const void *src, const bangWindow *window);
/* Index within the window of the first extreme, counted row by row: 16 bits for 16-bit elements,
 * else 32. Either output may be NULL. */
void __bang_vec_pool_index(int kind, int type, void *values, void *indices, const void *src,
                           const bangWindow *window);
/* Gradient of a height x width block: every window spreads its value evenly, or to `index`. */
void __bang_vec_avgpool_bp(int type, void *dst, const void *src, const bangWindow *window);
void __bang_vec_maxpool_bp(int type, void *dst, const void *src, const void *index,
                           const bangWindow *window, int covers);
/* height x width are the source's. Position `index` of every window gets the value, the rest
 * becomes zero. */
void __bang_vec_unpool(int type, void *dst, const void *src, const bangWindow *window,
                       int64_t index);

/* ---- layout: elements of `size` bytes; dst is not src ---- */

void __bang_vec_transpose(int size, void *dst, const void *src, int64_t height, int64_t width);
/* Rotates clockwise by a multiple of 90 degrees. */
void __bang_vec_rotate(int size, void *dst, const void *src, int64_t height, int64_t width,
                       int quarters);
void __bang_vec_mirror(int size, void *dst, const void *src, int64_t height, int64_t width);
void __bang_vec_pad(int size, void *dst, const void *src, const void *value, int64_t channel,
                    int64_t height, int64_t width, int64_t top, int64_t bottom, int64_t left,
                    int64_t right);
/* Repeats element i of src repeat[i] times. */
void __bang_vec_extension(void *dst, const void *src, const uint8_t *repeat, int64_t size,
                          int64_t n);
/* [n][row] -> [64][n / 64][row], row in bytes */
void __bang_vec_reshape_filter(void *dst, const void *src, int64_t n, int64_t row_bytes);

/* ---- gather and scatter: byte offsets; mask NULL or one bit per transfer ---- */

typedef struct bangTransfer {
  char *dst;
  const char *src;
  const uint32_t *offset;
  const uint8_t *mask;
  int64_t bytes, stride, count;
} bangTransfer;
void __bang_vec_gather(const bangTransfer *transfer);
void __bang_vec_scatter(const bangTransfer *transfer);
/* Recorded, and done in the order of its pipe. */
void __bang_vec_gather_async(int pipe, const bangTransfer *transfer);
void __bang_vec_scatter_async(int pipe, const bangTransfer *transfer);

/* ---- atomics on DRAM or shared RAM ---- */

/* memory[i] = op(memory[i], value[i]), atomic per element; `old`, unless NULL, gets old values.
 * With value_is_scalar one value serves all; `compare` (for CAS) has the shape of value. */
void __bang_vec_atomic(int op, int type, void *old, void *memory, const void *value,
                       const void *compare, int value_is_scalar, int64_t n);
/* Locks by number, shared by all cores of the process. */
void __bang_vec_lock(int id);
void __bang_vec_unlock(int id);

/* ---- tensor unit: weights lie in the 64 lanes of WRAM, lane_bytes apart ---- */

/* dst[m][n] = src[m][k] . weight[n][k] (+ bias), scaled by 2^shift. Row r of the weight is in slot
 * r / 64 of lane r % 64, and slots are padded to 64 bytes. The bias has n elements, one row for
 * all, or m * n; in the latter case it may be dst. */
void __bang_vec_matmul(int dst_type, void *dst, int src_type, const void *src, int weight_type,
                       const void *weight, const void *bias, int64_t bias_n, int64_t m, int64_t k,
                       int64_t n, int64_t lane_bytes, int shift);
void __bang_vec_conv(int dst_type, void *dst, int src_type, const void *src, int weight_type,
                     const void *weight, const void *bias, const bangWindow *window,
                     int64_t channel_out, int64_t lane_bytes, int shift, int64_t dilation_width,
                     int64_t dilation_height);

/* Translates an address in this cluster's shared RAM to that of another cluster of the union. */
void *__bang_sram_of_cluster(void *address, int cluster);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* BANG_VECTOR_API_H_ */
