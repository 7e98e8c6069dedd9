/* SPDX-License-Identifier: MIT
 *
 * Entry points of the vector units in libcnrt: plain C, types and operations by the codes of
 * bang/table.h. Counts are elements unless said otherwise; a count of zero or less does nothing.
 * dst may be one of the sources; other overlaps are the caller's risk except where a function says
 * more.
 */
#ifndef BANG_VECTOR_API_H_
#define BANG_VECTOR_API_H_

#include <stdint.h>

#include "bang/atomic_codes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Chooses the instruction set: "baseline", "avx2" or "avx512"; NULL: the best one. Returns the one
 * in use now, or NULL (and changes nothing) when this processor or build has no such. MLUOP_CPU_ISA
 * chooses at start. Not to be called while kernels run. */
const char *__bang_vec_use_isa(const char *name);
/* The instruction set in use. */
const char *__bang_vec_isa(void);

/* ---- elementwise ---- */

void __bang_vec_unary(int op, int type, void *dst, const void *src, int64_t n);
void __bang_vec_binary(int op, int type, void *dst, const void *a, const void *b, int64_t n);
/* scalar points to one element */
void __bang_vec_scalar(int op, int type, void *dst, const void *a, const void *scalar, int64_t n);
/* second operand segment[i % segment_n] */
void __bang_vec_cycle(int op, int type, void *dst, const void *a, const void *segment, int64_t n,
                      int64_t segment_n);
/* Result as bits, element i in bit i % 8 of byte i / 8; b is a vector or one scalar. */
void __bang_vec_bitindex(int op, int type, void *dst, const void *a, const void *b, int b_is_scalar,
                         int64_t n);
/* dst = a * b in elements twice as wide as those of 8 or 16 bits of `type`; b[i % b_n]. */
void __bang_vec_product(int type, void *dst, const void *a, const void *b, int64_t b_n, int64_t n);
/* dst = (a op1 b) op2 c, op a mluFusionOpCode; vectors b and c are cycled over segment_n elements.
 */
void __bang_vec_fusion(int op, int type, void *dst, const void *a, const void *b, int b_is_scalar,
                       const void *c, int c_is_scalar, int64_t n, int64_t segment_n);
/* dst = round(src * 2^shift). The source may lie in the upper part of a wider destination, or be a
 * narrower destination. */
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

/* Elements whose mask element (of the same type) is not zero, in order; returns their number. */
uint32_t __bang_vec_filter(int type, void *dst, const void *src, const void *mask, int64_t n);
uint32_t __bang_vec_filter_bits(int type, void *dst, const void *src, const void *bits, int64_t n);
/* dst[i] = table[index[i]], indices of index_size bytes; where one is past the table, dst stays. */
void __bang_vec_lut(int type, void *dst, const void *index, int index_size, const void *table,
                    int64_t n, int64_t table_n);

/* ---- reductions ---- */

void __bang_vec_sum(int type, void *dst, const void *src, int64_t n);
/* Sum of every group of 128 bytes, into the group's first element; the other elements become zero.
 */
void __bang_vec_reduce_sum(int type, void *dst, const void *src, int64_t n);
/* Value, then index in the layout of __bang_argmax. */
void __bang_vec_argmax(int type, void *dst, const void *src, int64_t n);
void __bang_vec_argmin(int type, void *dst, const void *src, int64_t n);
uint32_t __bang_vec_count(int type, const void *src, int64_t n);
uint32_t __bang_vec_count_bits(const void *bits, int64_t n);
/* All ones when every element is zero. */
uint32_t __bang_vec_findfirst1(int type, const void *src, int64_t n);
uint32_t __bang_vec_findlast1(int type, const void *src, int64_t n);

/* dst[i] = src[i] where the mask is set; the others stay. */
void __bang_vec_maskmove(int type, void *dst, const void *src, const void *mask, int mask_is_bits,
                         int64_t n);
/* n elements per segment, segments + 1 of them, strides in bytes. */
void __bang_vec_convert_strided(int dst_type, void *dst, int src_type, const void *src, int64_t n,
                                int shift, int round, int64_t dst_stride, int64_t src_stride,
                                int64_t segments);

/* ---- pooling: height x width x channel blocks, windows that do not fit are dropped ---- */

enum {
  BANG_POOL_SUM,
  BANG_POOL_AVG,
  BANG_POOL_MAX,
  BANG_POOL_MIN,
  BANG_POOL_NAN_MAX, /* a NaN wins */
  BANG_POOL_NAN_MIN
};
typedef struct bangWindow {
  int64_t channel, height, width, kernel_height, kernel_width, stride_width, stride_height;
} bangWindow;
/* dst may be src. */
void __bang_vec_pool(int kind, int type, void *dst, const void *src, const bangWindow *window);
/* Position in the window of the first extreme, row by row: 16 bits for 16-bit elements, else 32.
 * Either output may be NULL. */
void __bang_vec_pool_index(int kind, int type, void *values, void *indices, const void *src,
                           const bangWindow *window);
/* Back to height x width: every window spreads its value, evenly or to the place `index` names. */
void __bang_vec_avgpool_bp(int type, void *dst, const void *src, const bangWindow *window);
void __bang_vec_maxpool_bp(int type, void *dst, const void *src, const void *index,
                           const bangWindow *window, int covers);
/* height x width are the source's; position `index` of every window gets the value, the rest is
 * zero. */
void __bang_vec_unpool(int type, void *dst, const void *src, const bangWindow *window,
                       int64_t index);

/* ---- layout: elements of `size` bytes; dst is not src ---- */

void __bang_vec_transpose(int size, void *dst, const void *src, int64_t height, int64_t width);
/* Clockwise, in quarter turns. */
void __bang_vec_rotate(int size, void *dst, const void *src, int64_t height, int64_t width,
                       int quarters);
void __bang_vec_mirror(int size, void *dst, const void *src, int64_t height, int64_t width);
void __bang_vec_pad(int size, void *dst, const void *src, const void *value, int64_t channel,
                    int64_t height, int64_t width, int64_t top, int64_t bottom, int64_t left,
                    int64_t right);
/* Element i of src repeat[i] times. */
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
/* In the order of the pipe. */
void __bang_vec_gather_async(int pipe, const bangTransfer *transfer);
void __bang_vec_scatter_async(int pipe, const bangTransfer *transfer);

/* ---- atomics on DRAM or shared RAM ---- */

/* memory[i] = op(memory[i], value[i]), each element atomically; old values to `old` unless NULL;
 * value_is_scalar: one value for all; compare: for CAS, same shape as value. */
void __bang_vec_atomic(int op, int type, void *old, void *memory, const void *value,
                       const void *compare, int value_is_scalar, int64_t n);
/* Locks by number, for all cores of the process. */
void __bang_vec_lock(int id);
void __bang_vec_unlock(int id);

/* ---- tensor unit: weights lie in the 64 lanes of WRAM, lane_bytes apart ---- */

/* dst[m][n] = src[m][k] . weight[n][k] (+ bias), row r of the weight in slot r / 64 of lane r % 64,
 * slots padded to 64 bytes; scaled by 2^shift. A bias has bias_n elements, n for all rows or m * n;
 * dst may be one of the latter. */
void __bang_vec_matmul(int dst_type, void *dst, int src_type, const void *src, int weight_type,
                       const void *weight, const void *bias, int64_t bias_n, int64_t m, int64_t k,
                       int64_t n, int64_t lane_bytes, int shift);
void __bang_vec_conv(int dst_type, void *dst, int src_type, const void *src, int weight_type,
                     const void *weight, const void *bias, const bangWindow *window,
                     int64_t channel_out, int64_t lane_bytes, int shift, int64_t dilation_width,
                     int64_t dilation_height);

/* A place in this cluster's shared RAM, seen in the shared RAM of another cluster of the union. */
void *__bang_sram_of_cluster(void *address, int cluster);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* BANG_VECTOR_API_H_ */
