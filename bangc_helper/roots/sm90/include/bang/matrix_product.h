/* SPDX-License-Identifier: MIT
 *
 * Products of half or bfloat16 matrices by the tensor cores, in float. Included by
 * bang/vector_windows.h.
 *
 * An instruction multiplies 16 rows by 8 columns over 16 terms; a lane supplies pairs of terms. The
 * order of terms is free if both factors have the same, so a lane loads 8 adjacent terms at once:
 * four pairs, enough for two instructions.
 */
#ifndef BANG_MATRIX_PRODUCT_H_
#define BANG_MATRIX_PRODUCT_H_

#include "bang/task.h"

namespace bang_impl {

enum { lane_terms = 8, lanes_of_row = 4, block_rows = 16, block_columns = 8 };

constexpr bool has_tensor_core(int code) {
  return code == BANG_F16 || code == BANG_BF16;
}

/* Four pairs of terms of a lane. */
struct Terms {
  uint32_t pair[4];
};
/* A row that does not exist, and terms after its end, are 0. */
BANG_INLINE Terms terms_of(const void *row, bool exists) {
  uint4 loaded = {0, 0, 0, 0};
  if (exists) loaded = *(const uint4 *)row;
  return {{loaded.x, loaded.y, loaded.z, loaded.w}};
}

/* sum += 16 rows . 8 columns, over the pairs 2 step and 2 step + 1 of each lane. */
template <int code>
BANG_INLINE void multiply_block(float (&sum)[4], const Terms &upper, const Terms &lower,
                                const Terms &column, int step) {
  const uint32_t *u = upper.pair + 2 * step, *l = lower.pair + 2 * step;
  const uint32_t *c = column.pair + 2 * step;
  if constexpr (code == BANG_F16) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(u[0]), "r"(l[0]), "r"(u[1]), "r"(l[1]), "r"(c[0]), "r"(c[1]));
  } else {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(u[0]), "r"(l[0]), "r"(u[1]), "r"(l[1]), "r"(c[0]), "r"(c[1]));
  }
}

/* Calls put(row, column, sum) for the products of m rows, row_of(i), with n columns, column_of(i).
 * All have k terms, a multiple of 8, and are aligned to 16 bytes. */
template <int code, class RowOf, class ColumnOf, class Put>
BANG_INLINE void matrix_product(int m, int k, int n, const RowOf &row_of, const ColumnOf &column_of,
                                const Put &put) {
  enum { blocks = 2, terms = lane_terms * lanes_of_row };
  const int line = lane_id() / lanes_of_row, part = lane_id() % lanes_of_row;
  for (int first_row = 0; first_row < m; first_row += block_rows) {
    const int row[2] = {first_row + line, first_row + line + block_rows / 2};
    for (int first = 0; first < n; first += blocks * block_columns) {
      float sum[blocks][4] = {};
      const int column[blocks] = {first + line, first + line + block_columns};
#pragma unroll 3
      for (int at = part * lane_terms, begin = 0; begin < k; begin += terms, at += terms) {
        const Terms upper = terms_of(row_of(row[0]) + at, row[0] < m && at < k);
        const Terms lower = terms_of(row_of(row[1]) + at, row[1] < m && at < k);
#pragma unroll
        for (int b = 0; b < blocks; ++b) {
          const Terms factor = terms_of(column_of(column[b]) + at, column[b] < n && at < k);
#pragma unroll
          for (int step = 0; step < 2; ++step) {
            multiply_block<code>(sum[b], upper, lower, factor, step);
          }
        }
      }
#pragma unroll
      for (int b = 0; b < blocks; ++b) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const int to = first + b * block_columns + part * 2 + i % 2;
          if (row[i / 2] < m && to < n) put(row[i / 2], to, sum[b][i]);
        }
      }
    }
  }
}

}  // namespace bang_impl

#endif /* BANG_MATRIX_PRODUCT_H_ */
