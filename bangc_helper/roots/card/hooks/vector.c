/* SPDX-License-Identifier: MIT
 *
 * Hooks of the vector unit. Each writes its record and then calls its entry point.
 */
#include "bang/vector_api.h"

#include "bang/copies.h"
#include "bang/table.h"
#include "checked.h"
#include "core.h"
#include "hook.h"

/* Operands of a vector function. */
struct work {
  enum card_function function;
  int op, type_in, type_out;
  int64_t elements, bytes_in, bytes_out, extra, calls;
  uint16_t flags;
};

static uint64_t at_least_0(int64_t value) {
  return value > 0 ? (uint64_t)value : 0;
}

static void put(uint32_t site, const struct work *work) {
  struct card_core *core = card_recording();
  if (core == NULL) {
    return;
  }
  card_check_rule(site, work->elements > 0, "a vector function without elements");
  if ((work->flags & CARD_TO_SCALAR) != 0) {
    card_check_sync(core, BANG_PIPE_COMPUTE); /* scalar code waits for the result */
  }
  struct card_record record = card_record(CARD_VECTOR, CARD_PIPE_VECTOR, work->flags);
  record.vector = (struct card_vector){.function = (uint16_t)work->function,
                                       .op = (uint8_t)work->op,
                                       .type_in = (uint8_t)work->type_in,
                                       .type_out = (uint8_t)work->type_out,
                                       .calls = work->calls > 0 ? (uint32_t)work->calls : 1,
                                       .elements = at_least_0(work->elements),
                                       .bytes_in = at_least_0(work->bytes_in),
                                       .bytes_out = at_least_0(work->bytes_out),
                                       .extra = at_least_0(work->extra)};
  card_put(core, site, &record);
}

/* ---- Elementwise ---- */

CARD_HOOK void __bang_card_vec_unary(uint32_t site, int op, int type, void *dst, const void *src,
                                     int64_t n) {
  const int64_t bytes = n * card_type_bytes(type);
  put(site, &(struct work){CARD_FN_UNARY, op, type, type, n, bytes, bytes, 0, 1, 0});
  CARD_CHECK_ELEMENTWISE(site, card_reads(src, bytes), card_writes(dst, bytes));
  __bang_vec_unary(op, type, dst, src, n);
}

CARD_HOOK void __bang_card_vec_binary(uint32_t site, int op, int type, void *dst, const void *a,
                                      const void *b, int64_t n) {
  const int64_t bytes = n * card_type_bytes(type);
  put(site, &(struct work){CARD_FN_BINARY, op, type, type, n, 2 * bytes, bytes, 0, 1, 0});
  CARD_CHECK_ELEMENTWISE(site, card_reads(a, bytes), card_reads(b, bytes), card_writes(dst, bytes));
  __bang_vec_binary(op, type, dst, a, b, n);
}

CARD_HOOK void __bang_card_vec_scalar(uint32_t site, int op, int type, void *dst, const void *a,
                                      const void *scalar, int64_t n) {
  const int64_t bytes = n * card_type_bytes(type);
  put(site,
      &(struct work){CARD_FN_BINARY, op, type, type, n, bytes, bytes, 0, 1, CARD_SCALAR_OPERAND});
  CARD_CHECK_ELEMENTWISE(site, card_reads(a, bytes), card_writes(dst, bytes));
  __bang_vec_scalar(op, type, dst, a, scalar, n);
}

CARD_HOOK void __bang_card_vec_cycle(uint32_t site, int op, int type, void *dst, const void *a,
                                     const void *segment, int64_t n, int64_t segment_n) {
  const int64_t bytes = n * card_type_bytes(type);
  put(site, &(struct work){CARD_FN_CYCLE, op, type, type, n,
                           bytes + segment_n * card_type_bytes(type), bytes, segment_n, 1, 0});
  CARD_CHECK_ELEMENTWISE(site, card_reads(a, bytes),
                         card_reads(segment, segment_n * card_type_bytes(type)),
                         card_writes(dst, bytes));
  card_check_rule(site, segment_n > 0 && n % segment_n == 0,
                  "the elements are not a multiple of those that are cycled");
  __bang_vec_cycle(op, type, dst, a, segment, n, segment_n);
}

CARD_HOOK void __bang_card_vec_bitindex(uint32_t site, int op, int type, void *dst, const void *a,
                                        const void *b, int b_is_scalar, int64_t n) {
  const int64_t bytes = n * card_type_bytes(type);
  put(site, &(struct work){CARD_FN_BITINDEX, op, type, BANG_U8, n, b_is_scalar ? bytes : 2 * bytes,
                           (n + 7) / 8, 0, 1, b_is_scalar ? CARD_SCALAR_OPERAND : 0});
  CARD_CHECK_ELEMENTWISE(site, card_reads(a, bytes), card_reads(b, b_is_scalar ? 0 : bytes),
                         card_writes(dst, (n + 7) / 8));
  card_check_rule(site, n % 8 == 0, "a result of bits whose elements are no multiple of 8");
  __bang_vec_bitindex(op, type, dst, a, b, b_is_scalar, n);
}

CARD_HOOK void __bang_card_vec_product(uint32_t site, int type, void *dst, const void *a,
                                       const void *b, int64_t b_n, int64_t n) {
  const int64_t width = card_type_bytes(type);
  put(site, &(struct work){CARD_FN_PRODUCT, BANG_MUL, type, type, n, (n + b_n) * width,
                           2 * n * width, b_n, 1, b_n == 1 ? CARD_SCALAR_OPERAND : 0});
  CARD_CHECK_ELEMENTWISE(site, card_reads(a, n * width), card_reads(b, b_n == 1 ? 0 : b_n * width),
                         card_writes(dst, 2 * n * width));
  __bang_vec_product(type, dst, a, b, b_n, n);
}

CARD_HOOK void __bang_card_vec_fusion(uint32_t site, int op, int type, void *dst, const void *a,
                                      const void *b, int b_is_scalar, const void *c,
                                      int c_is_scalar, int64_t n, int64_t segment_n) {
  const int64_t width = card_type_bytes(type);
  const int64_t operands = !b_is_scalar + !c_is_scalar;
  put(site, &(struct work){CARD_FN_FUSION, op, type, type, n, (n + operands * segment_n) * width,
                           n * width, segment_n, 1, operands < 2 ? CARD_SCALAR_OPERAND : 0});
  CARD_CHECK_ELEMENTWISE(
      site, card_reads(a, n * width), card_reads(b, b_is_scalar ? 0 : segment_n * width),
      card_reads(c, c_is_scalar ? 0 : segment_n * width), card_writes(dst, n * width));
  __bang_vec_fusion(op, type, dst, a, b, b_is_scalar, c, c_is_scalar, n, segment_n);
}

CARD_HOOK void __bang_card_vec_convert(uint32_t site, int dst_type, void *dst, int src_type,
                                       const void *src, int64_t n, int shift, int round) {
  put(site, &(struct work){CARD_FN_CONVERT, round, src_type, dst_type, n,
                           n * card_type_bytes(src_type), n * card_type_bytes(dst_type), 0, 1, 0});
  CARD_CHECK_ELEMENTWISE(site, card_reads(src, n * card_type_bytes(src_type)),
                         card_writes(dst, n * card_type_bytes(dst_type)));
  __bang_vec_convert(dst_type, dst, src_type, src, n, shift, round);
}

static struct card_operand strided(const void *start, int64_t bytes, int64_t stride,
                                   int64_t segments, bool writes) {
  struct card_operand operand = writes ? card_writes(start, bytes) : card_reads(start, bytes);
  operand.side.inner = segments >= 0 ? (uint64_t)segments + 1 : 0;
  operand.side.stride = stride;
  return operand;
}

CARD_HOOK void __bang_card_vec_convert_strided(uint32_t site, int dst_type, void *dst, int src_type,
                                               const void *src, int64_t n, int shift, int round,
                                               int64_t dst_stride, int64_t src_stride,
                                               int64_t segments) {
  const int64_t all = n * (segments + 1);
  put(site, &(struct work){CARD_FN_CONVERT, round, src_type, dst_type, all,
                           all * card_type_bytes(src_type), all * card_type_bytes(dst_type), 0,
                           segments + 1, 0});
  const struct card_operand operands[] = {
      strided(src, n * card_type_bytes(src_type), src_stride, segments, false),
      strided(dst, n * card_type_bytes(dst_type), dst_stride, segments, true)};
  card_check_vector(site, true, operands, 2);
  __bang_vec_convert_strided(dst_type, dst, src_type, src, n, shift, round, dst_stride, src_stride,
                             segments);
}

CARD_HOOK void __bang_card_vec_iota(uint32_t site, int type, void *dst, int64_t n) {
  put(site, &(struct work){CARD_FN_IOTA, 0, type, type, n, 0, n * card_type_bytes(type), 0, 1, 0});
  CARD_CHECK_VECTOR(site, card_writes(dst, n * card_type_bytes(type)));
  __bang_vec_iota(type, dst, n);
}

CARD_HOOK void __bang_card_vec_random(uint32_t site, void *dst, int64_t n) {
  put(site, &(struct work){CARD_FN_RANDOM, 0, BANG_S16, BANG_S16, n, 0, 2 * n, 0, 1, 0});
  CARD_CHECK_VECTOR(site, card_writes(dst, 2 * n));
  __bang_vec_random(dst, n);
}

/* ---- Selection ---- */

/* The number of elements that a filter keeps is known only after it ran. */
static void put_filter(uint32_t site, enum card_function function, int type, int64_t n,
                       int64_t mask_bytes, uint32_t kept) {
  const int64_t width = card_type_bytes(type);
  put(site, &(struct work){function, 0, type, type, n, n * width + mask_bytes,
                           (int64_t)kept * width, kept, 1, CARD_TO_SCALAR});
}

CARD_HOOK uint32_t __bang_card_vec_filter(uint32_t site, int type, void *dst, const void *src,
                                          const void *mask, int64_t n) {
  if (card_checking() != NULL) {
    const int64_t width = card_type_bytes(type);
    CARD_CHECK_VECTOR(site, card_reads(src, n * width), card_reads(mask, n * width));
    CARD_CHECK_VECTOR(site, card_writes(dst, __bang_vec_count(type, mask, n) * width));
  }
  const uint32_t kept = __bang_vec_filter(type, dst, src, mask, n);
  put_filter(site, CARD_FN_FILTER, type, n, n * card_type_bytes(type), kept);
  return kept;
}

CARD_HOOK uint32_t __bang_card_vec_filter_bits(uint32_t site, int type, void *dst, const void *src,
                                               const void *bits, int64_t n) {
  if (card_checking() != NULL) {
    const int64_t width = card_type_bytes(type);
    CARD_CHECK_VECTOR(site, card_reads(src, n * width), card_reads(bits, (n + 7) / 8));
    CARD_CHECK_VECTOR(site, card_writes(dst, __bang_vec_count_bits(bits, n) * width));
  }
  const uint32_t kept = __bang_vec_filter_bits(type, dst, src, bits, n);
  put_filter(site, CARD_FN_FILTER_BITS, type, n, (n + 7) / 8, kept);
  return kept;
}

CARD_HOOK void __bang_card_vec_lut(uint32_t site, int type, void *dst, const void *index,
                                   int index_size, const void *table, int64_t n, int64_t table_n) {
  const int64_t width = card_type_bytes(type);
  put(site, &(struct work){CARD_FN_LUT, 0, type, type, n, n * index_size + table_n * width,
                           n * width, table_n, 1, 0});
  CARD_CHECK_ELEMENTWISE(site, card_reads(index, n * index_size),
                         card_reads(table, table_n * width), card_writes(dst, n * width));
  __bang_vec_lut(type, dst, index, index_size, table, n, table_n);
}

CARD_HOOK void __bang_card_vec_maskmove(uint32_t site, int type, void *dst, const void *src,
                                        const void *mask, int mask_is_bits, int64_t n) {
  const int64_t bytes = n * card_type_bytes(type);
  put(site, &(struct work){CARD_FN_MASKMOVE, 0, type, type, n,
                           bytes + (mask_is_bits ? (n + 7) / 8 : bytes), bytes, 0, 1, 0});
  CARD_CHECK_ELEMENTWISE(site, card_reads(src, bytes),
                         card_reads(mask, mask_is_bits ? (n + 7) / 8 : bytes),
                         card_writes(dst, bytes));
  __bang_vec_maskmove(type, dst, src, mask, mask_is_bits, n);
}

/* ---- Reductions ---- */

static void put_reduction(uint32_t site, enum card_function function, int type, int64_t n,
                          int64_t bytes_out, uint16_t flags) {
  put(site, &(struct work){function, 0, type, type, n, n * card_type_bytes(type), bytes_out, 0, 1,
                           flags});
}

CARD_HOOK void __bang_card_vec_sum(uint32_t site, int type, void *dst, const void *src, int64_t n) {
  CARD_CHECK_VECTOR(site, card_reads(src, n * card_type_bytes(type)),
                    card_writes(dst, n > 0 ? card_type_bytes(type) : 0));
  put_reduction(site, CARD_FN_SUM, type, n, card_type_bytes(type), CARD_TO_SCALAR);
  __bang_vec_sum(type, dst, src, n);
}

CARD_HOOK void __bang_card_vec_reduce_sum(uint32_t site, int type, void *dst, const void *src,
                                          int64_t n) {
  put_reduction(site, CARD_FN_REDUCE_SUM, type, n, n * card_type_bytes(type), 0);
  CARD_CHECK_VECTOR(site, card_reads(src, n * card_type_bytes(type)),
                    card_writes(dst, n * card_type_bytes(type)));
  __bang_vec_reduce_sum(type, dst, src, n);
}

CARD_HOOK void __bang_card_vec_argmax(uint32_t site, int type, void *dst, const void *src,
                                      int64_t n) {
  put_reduction(site, CARD_FN_ARGMAX, type, n, card_type_bytes(type) + 4, 0);
  CARD_CHECK_VECTOR(site, card_reads(src, n * card_type_bytes(type)),
                    card_writes(dst, n > 0 ? card_type_bytes(type) + 4 : 0));
  __bang_vec_argmax(type, dst, src, n);
}

CARD_HOOK void __bang_card_vec_argmin(uint32_t site, int type, void *dst, const void *src,
                                      int64_t n) {
  put_reduction(site, CARD_FN_ARGMIN, type, n, card_type_bytes(type) + 4, 0);
  CARD_CHECK_VECTOR(site, card_reads(src, n * card_type_bytes(type)),
                    card_writes(dst, n > 0 ? card_type_bytes(type) + 4 : 0));
  __bang_vec_argmin(type, dst, src, n);
}

CARD_HOOK uint32_t __bang_card_vec_count(uint32_t site, int type, const void *src, int64_t n) {
  CARD_CHECK_VECTOR(site, card_reads(src, n * card_type_bytes(type)));
  put_reduction(site, CARD_FN_COUNT, type, n, 4, CARD_TO_SCALAR);
  return __bang_vec_count(type, src, n);
}

CARD_HOOK uint32_t __bang_card_vec_count_bits(uint32_t site, const void *bits, int64_t n) {
  CARD_CHECK_VECTOR(site, card_reads(bits, (n + 7) / 8));
  put(site, &(struct work){CARD_FN_COUNT_BITS, 0, BANG_U8, BANG_U32, n, (n + 7) / 8, 4, 0, 1,
                           CARD_TO_SCALAR});
  return __bang_vec_count_bits(bits, n);
}

CARD_HOOK uint32_t __bang_card_vec_findfirst1(uint32_t site, int type, const void *src, int64_t n) {
  CARD_CHECK_VECTOR(site, card_reads(src, n * card_type_bytes(type)));
  put_reduction(site, CARD_FN_FINDFIRST1, type, n, 4, CARD_TO_SCALAR);
  return __bang_vec_findfirst1(type, src, n);
}

CARD_HOOK uint32_t __bang_card_vec_findlast1(uint32_t site, int type, const void *src, int64_t n) {
  CARD_CHECK_VECTOR(site, card_reads(src, n * card_type_bytes(type)));
  put_reduction(site, CARD_FN_FINDLAST1, type, n, 4, CARD_TO_SCALAR);
  return __bang_vec_findlast1(type, src, n);
}

/* ---- Functions without their own entry point ---- */

CARD_HOOK void __bang_card_function(uint32_t site, uint32_t function, uint32_t op, uint32_t type,
                                    void *destination, const void *source, int64_t elements,
                                    int64_t calls) {
  (void)destination;
  (void)source;
  struct work work = {(enum card_function)function,
                      (int)op,
                      (int)type,
                      (int)type,
                      elements * calls,
                      0,
                      0,
                      0,
                      calls,
                      0};
  if (function == CARD_FN_REGISTER) {
    work.elements = work.bytes_in = work.bytes_out = CARD_REGISTER_BYTES;
  } else {
    work.bytes_in = work.bytes_out = work.elements * card_type_bytes((int)type);
  }
  put(site, &work);
}
