/* SPDX-License-Identifier: MIT
 *
 * Internals of the vector units: one table of kernels per instruction set, filled when the library
 * is loaded. The kernels_*.c files are compiled once per instruction set, all other files once.
 */
#ifndef BANG_CPU_VECTOR_VECTOR_H_
#define BANG_CPU_VECTOR_VECTOR_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bang/table.h"
#include "bang/vector_api.h"
#include "cn_api.h"

#define BANG_API __attribute__((visibility("default")))

/* Goes before a loop over a block of registers: only unrolled loops keep arrays in registers. */
#ifdef __clang__
#define BANG_UNROLL _Pragma("unroll")
#else
#define BANG_UNROLL _Pragma("GCC unroll 16")
#endif

/* Number of codes in mluFusionOpCode. */
#define BANG_FUSION_COUNT 8

typedef void (*bangBinaryFn)(void *dst, const void *a, const void *b, int64_t n);
typedef void (*bangUnaryFn)(void *dst, const void *src, int64_t n);
/* Scales by a power of two, then rounds. Integer to integer requires a scale of 1. */
typedef void (*bangConvertFn)(void *dst, const void *src, int64_t n, float scale);
/* Keeps the elements whose bit is set, in order; returns how many. */
typedef int64_t (*bangFilterFn)(void *dst, const void *src, const uint8_t *bits, int64_t n);
/* Bit i is set if element i is not zero. Whole bytes are written, padded with zeros. */
typedef void (*bangBitsFn)(uint8_t *bits, const void *src, int64_t n);
/* Bit i = a[i] op b[i], or a[i] op *b. Whole bytes are written, padded with zeros. */
typedef void (*bangCompareBitsFn)(uint8_t *bits, const void *a, const void *b, int b_is_scalar,
                                  int64_t n);

/* Floats: (a first b) second c. */
typedef void (*bangFusionFn)(float *dst, const float *a, const float *b, int b_is_scalar,
                             const float *c, int c_is_scalar, int64_t n);

/* Outputs of a matrix product whose weights are packed together. */
#define BANG_MATMUL_COLUMNS 16

/* Of 16-bit floats, the smallest magnitude that is not zero and the largest one, as their bits. */
typedef struct bangMagnitudes {
  uint16_t min, max;
} bangMagnitudes;

/* A row of a product by a matrix unit has a multiple of these bytes. */
#define BANG_MATRIX_ROW_BYTES 64

/* The CPU's instructions for matrix products of one type. They round in their own way. */
typedef struct bangMatrixUnit {
  int rows;                /* of src that are multiplied together */
  bool (*is_usable)(void); /* false: the system refuses the instructions; NULL: they are there */
  /* The bytes of BANG_MATMUL_COLUMNS rows as `multiply` needs them; missing rows are zero. */
  void (*pack)(void *packed, const void *const *rows, int64_t row_bytes, int columns);
  /* sums[m][n] = src[m] . rows[n]. A sum depends on nothing but its two rows. */
  void (*multiply)(float *sums, const void *src, const void *packed, int64_t m, int64_t row_bytes,
                   int64_t n);
} bangMatrixUnit;

typedef struct bangIsaTable {
  const char *name;
  bangBinaryFn binary[BANG_BINARY_COUNT][BANG_TYPE_COUNT];
  bangBinaryFn scalar[BANG_BINARY_COUNT][BANG_TYPE_COUNT]; /* b points to one element */
  bangUnaryFn unary[BANG_UNARY_COUNT][BANG_TYPE_COUNT];
  bangFusionFn fusion[BANG_FUSION_COUNT];
  bangConvertFn convert[BANG_TYPE_COUNT][BANG_TYPE_COUNT][BANG_ROUND_COUNT]; /* [dst][src][mode] */
  bangFilterFn filter[4]; /* indexed by log2 of the element size */
  bangBitsFn nonzero[BANG_TYPE_COUNT];
  bangCompareBitsFn compare_bits[BANG_BINARY_COUNT][BANG_TYPE_COUNT]; /* EQ to GEU */
  uint32_t (*count_bits)(const uint8_t *bits, int64_t n);
  bangUnaryFn sum[BANG_TYPE_COUNT]; /* dst is one element */
  int64_t (*argmax[BANG_TYPE_COUNT])(const void *src, int64_t n);
  int64_t (*argmin[BANG_TYPE_COUNT])(const void *src, int64_t n);
  void (*gather)(const bangTransfer *transfer); /* bytes > 0 */
  /* packed[i][BANG_MATMUL_COLUMNS]: the rows' words of 32 bits at i together, then zeros */
  void (*pack_weights)(void *packed, const void *const *rows, int64_t row_bytes, int columns);
  /* dst[m][n] = src[m][k] . rows[n][k], the rows packed BANG_MATMUL_COLUMNS after another; every
   * sum in ascending k. is_exact: a float holds every product. */
  void (*matmul)(float *dst, const float *src, const float *packed, int64_t m, int64_t k, int64_t n,
                 bool is_exact);
  void (*extend_range)(bangMagnitudes *range, const uint16_t *x, int64_t n);
  bangMatrixUnit matrix[BANG_TF32 + 1]; /* without functions where the CPU has no instructions */
} bangIsaTable;

/* The table in use. */
extern const bangIsaTable *bang_isa;

/* Every kernels_*.c has one of these functions per instruction set; it fills its part of the table.
 */
#define BANG_DECLARE_FILLERS(isa)                    \
  void bang_fill_arith_##isa(bangIsaTable *table);   \
  void bang_fill_logic_##isa(bangIsaTable *table);   \
  void bang_fill_bits_##isa(bangIsaTable *table);    \
  void bang_fill_integer_##isa(bangIsaTable *table); \
  void bang_fill_unary_##isa(bangIsaTable *table);   \
  void bang_fill_fusion_##isa(bangIsaTable *table);  \
  void bang_fill_math_##isa(bangIsaTable *table);    \
  void bang_fill_convert_##isa(bangIsaTable *table); \
  void bang_fill_filter_##isa(bangIsaTable *table);  \
  void bang_fill_reduce_##isa(bangIsaTable *table);  \
  void bang_fill_matmul_##isa(bangIsaTable *table);  \
  void bang_fill_gather_##isa(bangIsaTable *table);

BANG_DECLARE_FILLERS(baseline)
BANG_DECLARE_FILLERS(avx2)
BANG_DECLARE_FILLERS(avx512)
BANG_DECLARE_FILLERS(bf16)

/* Each adds a matrix unit to a table that is filled already. */
void bang_fill_matrix_arm(bangIsaTable *table);
void bang_fill_matrix_avx512_bf16(bangIsaTable *table);
void bang_fill_matrix_avx512_amx(bangIsaTable *table);

/* Size in bytes of an element. */
int bang_type_size(int type);

/* Converts any pair of types with any scale 2^shift and rounding mode; exact but slow. */
void bang_convert_elements(int dst_type, void *dst, int src_type, const void *src, int64_t n,
                           int shift, int mode);

#endif /* BANG_CPU_VECTOR_VECTOR_H_ */
