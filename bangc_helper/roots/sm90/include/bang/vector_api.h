/* SPDX-License-Identifier: MIT
 *
 * The vector units on the GPU, under the names that the language's headers call. Operation and type
 * codes are compile-time constants; the macros at the end turn them into template arguments.
 */
#ifndef BANG_VECTOR_API_H_
#define BANG_VECTOR_API_H_

#include "bang/engine.h"
#include "bang/reductions.h"

namespace bang_impl {

/* ---- elementwise ---- */

constexpr int together_of(bool is_long) {
  return is_long ? 1 : (int)elements_together;
}
template <int op, int code>
BANG_INLINE void vec_unary(void *dst, const void *src, int64_t n) {
  typedef typename type_of<code>::type T;
  if constexpr (op == BANG_EXP && std::is_same<T, float>::value) {
    if (__isShared(dst) && __isShared(src)) {
      nram_map1<float, float>(shared_address(dst), shared_address(src), (int)n, ExpMap());
      return;
    }
  }
  map1<together_of(is_long_unary(op))>((T *)dst, (const T *)src, n,
                                       [](T x) { return unary_element<op, T>(x); });
}
template <int op, int code>
BANG_INLINE void vec_binary(void *dst, const void *a, const void *b, int64_t n) {
  typedef typename type_of<code>::type T;
  map2<together_of(is_long_binary(op))>((T *)dst, (const T *)a, (const T *)b, n, Binary<op, T>());
}
template <int op, class T>
BANG_INLINE void with_scalar(T *dst, const T *a, T y, int64_t n) {
  map1<together_of(is_long_binary(op))>(dst, a, n,
                                        [y](T x) { return binary_element<op, T>(x, y); });
}
template <int op, int code>
BANG_INLINE void vec_scalar(void *dst, const void *a, const void *scalar, int64_t n) {
  typedef typename type_of<code>::type T;
  with_scalar<op, T>((T *)dst, (const T *)a, *(const T *)scalar, n);
}
template <int op, int code>
BANG_CALLED void vec_cycle(void *dst, const void *a, const void *segment, int64_t n,
                           int64_t segment_n) {
  typedef typename type_of<code>::type T;
  if (n <= 0) return;
  if (segment_n <= 0 || n % segment_n != 0) {
    fault(fault_illegal_operand, "cycle: the elements are no multiple of the segment");
  }
  if (segment_n >= 4 * warp_lanes) {
    for (int64_t i = 0; i < n; i += segment_n) {
      vec_binary<op, code>((T *)dst + i, (const T *)a + i, segment, segment_n);
    }
    return;
  }
  const T *x = (const T *)a, *y = (const T *)segment;
  const int period = (int)segment_n;
  generate((T *)dst, n, [=](int64_t i) { return binary_element<op, T>(x[i], y[(int)i % period]); });
}
/* The bits of 32 elements per round of the warp. */
template <int op, class T>
struct CompareBits {
  uint8_t *dst;
  const T *a, *b;
  T scalar;
  bool b_is_scalar;
  int64_t n;

  BANG_MEMBER void operator()(Share share) const {
    enum { rounds = 4 };
    const int lane = lane_id(), count = (int)n;
#pragma unroll 1
    for (int begin = (share.first - lane) * rounds; begin < count; begin += share.step * rounds) {
      uint32_t word = 0; /* lane r keeps the bits of round r */
#pragma unroll
      for (int r = 0; r < rounds; ++r) {
        int i = begin + r * warp_lanes + lane;
        bool answer = false;
        if (i < count) answer = is_set(binary_element<op, T>(a[i], b_is_scalar ? scalar : b[i]));
        uint32_t bits = __ballot_sync(all_lanes, answer);
        if (lane == r) word = bits;
      }
      int first = begin + lane * warp_lanes;
      if (lane < rounds && first < count) {
        int bytes = count - first >= warp_lanes ? 4 : (count - first + 7) / 8;
        uint8_t *to = dst + first / 8;
        if (bytes == 4 && ((uint64_t)to & 3) == 0) {
          *(uint32_t *)to = word;
        } else {
          for (int k = 0; k < bytes; ++k) to[k] = (uint8_t)(word >> 8 * k);
        }
      }
    }
  }
};
template <int op, class T>
BANG_CALLED void compare_bits_anywhere(uint8_t *dst, const T *a, const T *b, T scalar,
                                       bool b_is_scalar, int64_t n) {
  CompareBits<op, T> work = {dst, a, b, scalar, b_is_scalar, n};
  divide_work(a, work);
}
/* Compares two elements, or one and a number. For floats the sign of the difference is the answer
 * to "less": it is not set for -0 and NaN. */
template <int op, class T>
struct CompareTwo {
  enum { is_scalar = false, has_sign = false };
  BANG_MEMBER bool operator()(T x, T y) const { return is_set(binary_element<op, T>(x, y)); }
};
template <int op, class T>
struct CompareScalar {
  enum { is_scalar = true, has_sign = is_float_element<T>() && (op == BANG_LT || op == BANG_GT) };
  T y;
  BANG_MEMBER bool operator()(T x, T) const { return is_set(binary_element<op, T>(x, y)); }
  BANG_MEMBER float sign(T x) const {
    return op == BANG_LT ? float(x) - float(y) : float(y) - float(x);
  }
};
template <int op, int code>
BANG_INLINE void vec_bitindex(void *dst, const void *a, const void *b, int b_is_scalar, int64_t n) {
  typedef typename type_of<code>::type T;
  if (__isShared(dst) && __isShared(a) && (b_is_scalar || __isShared(b))) {
    const uint32_t to = shared_address(dst), from = shared_address(a);
    if (b_is_scalar) {
      const CompareScalar<op, T> compare = {*(const T *)b};
      nram_bits<T>(to, from, 0, (int)n, compare);
    } else {
      nram_bits<T>(to, from, shared_address(b), (int)n, CompareTwo<op, T>());
    }
    return;
  }
  compare_bits_anywhere<op, T>((uint8_t *)dst, (const T *)a, (const T *)b,
                               b_is_scalar ? *(const T *)b : T(), b_is_scalar != 0, n);
}

/* Both operations round. */
template <int op, class T>
BANG_INLINE T fused(T a, T b, T c) {
  T middle;
  if constexpr (op == FUSION_FMA || op == FUSION_FMS) {
    middle = binary_element<BANG_MUL, T>(a, b);
  } else if constexpr (op == FUSION_FAM || op == FUSION_FAA || op == FUSION_FAS) {
    middle = binary_element<BANG_ADD, T>(a, b);
  } else {
    middle = binary_element<BANG_SUB, T>(a, b);
  }
  if constexpr (op == FUSION_FAM || op == FUSION_FSM) {
    return binary_element<BANG_MUL, T>(middle, c);
  } else if constexpr (op == FUSION_FMS || op == FUSION_FAS || op == FUSION_FSS) {
    return binary_element<BANG_SUB, T>(middle, c);
  } else {
    return binary_element<BANG_ADD, T>(middle, c);
  }
}
/* If an operand is a scalar, the vectors all have the same length, and get their own loop. */
template <int op, class T>
BANG_INLINE void fuse(T *dst, const T *a, const T *b, bool b_is_scalar, const T *c,
                      bool c_is_scalar, int64_t n, int64_t segment_n) {
  const bool cycles = segment_n < n;
  if (b_is_scalar && c_is_scalar) {
    map1(dst, a, n, [y = *b, z = *c](T x) { return fused<op, T>(x, y, z); });
  } else if (b_is_scalar && !cycles) {
    map2(dst, a, c, n, [y = *b](T x, T z) { return fused<op, T>(x, y, z); });
  } else if (c_is_scalar && !cycles) {
    map2(dst, a, b, n, [z = *c](T x, T y) { return fused<op, T>(x, y, z); });
  } else {
    const T y0 = b_is_scalar ? *b : T(), z0 = c_is_scalar ? *c : T();
    generate_anywhere(dst, n, [=](int64_t i) {
      const int64_t k = cycles ? i % segment_n : i;
      return fused<op, T>(a[i], b_is_scalar ? y0 : b[k], c_is_scalar ? z0 : c[k]);
    });
  }
}
template <int code>
BANG_INLINE void vec_fusion(int op, void *dst, const void *a, const void *b, int b_is_scalar,
                            const void *c, int c_is_scalar, int64_t n, int64_t segment_n) {
  typedef typename type_of<code>::type T;
  if (n <= 0) return;
  if (b_is_scalar && c_is_scalar) segment_n = n;
  if (segment_n <= 0 || n % segment_n != 0) {
    fault(fault_illegal_operand, "fusion: the elements are no multiple of the segment");
  }
  T *to = (T *)dst;
  const T *x = (const T *)a, *y = (const T *)b, *z = (const T *)c;
  /* The operation is nearly always a constant. */
  switch (op) {
    case FUSION_FMA:
      return fuse<FUSION_FMA>(to, x, y, b_is_scalar, z, c_is_scalar, n, segment_n);
    case FUSION_FMS:
      return fuse<FUSION_FMS>(to, x, y, b_is_scalar, z, c_is_scalar, n, segment_n);
    case FUSION_FAM:
      return fuse<FUSION_FAM>(to, x, y, b_is_scalar, z, c_is_scalar, n, segment_n);
    case FUSION_FAA:
      return fuse<FUSION_FAA>(to, x, y, b_is_scalar, z, c_is_scalar, n, segment_n);
    case FUSION_FAS:
      return fuse<FUSION_FAS>(to, x, y, b_is_scalar, z, c_is_scalar, n, segment_n);
    case FUSION_FSM:
      return fuse<FUSION_FSM>(to, x, y, b_is_scalar, z, c_is_scalar, n, segment_n);
    case FUSION_FSA:
      return fuse<FUSION_FSA>(to, x, y, b_is_scalar, z, c_is_scalar, n, segment_n);
    case FUSION_FSS:
      return fuse<FUSION_FSS>(to, x, y, b_is_scalar, z, c_is_scalar, n, segment_n);
    default:
      fault(fault_illegal_operand, "fusion: there is no such operation");
  }
}

/* ---- conversions ---- */

/* An in-place conversion to a wider type runs backwards. */
template <class D, class S>
BANG_CALLED void convert_in_place(void *dst, int64_t n, int shift, int round) {
  Share share = share_of(dst);
  const int64_t rounds = (n + share.step - 1) / share.step;
  __syncwarp();
  for (int64_t r = rounds - 1; r >= 0; --r) {
    int64_t i = r * share.step + share.first;
    S x = S();
    if (i < n) x = ((const S *)dst)[i];
    __syncwarp();
    if (i < n) ((D *)dst)[i] = convert_element<D, S>(x, shift, round);
    __syncwarp();
  }
}
/* The rounding mode is nearly always a constant; each mode that is an instruction has its own loop.
 */
template <int round, class D, class S>
BANG_INLINE void convert_plainly(D *dst, const S *src, int64_t n) {
  const auto convert = [](S x) { return plain_conversion<round, D, S>(x); };
  if constexpr (is_small_float<D>::value && std::is_same<S, float>::value) {
    map1_by(dst, src, n, NarrowMap<D>(), convert);
  } else {
    map1(dst, src, n, convert);
  }
}
template <int dst_code, int src_code>
BANG_INLINE void vec_convert(void *dst, const void *src, int64_t n, int shift, int round) {
  typedef typename type_of<dst_code>::type D;
  typedef typename type_of<src_code>::type S;
  D *to = (D *)dst;
  const S *from = (const S *)src;
  if (sizeof(D) > sizeof(S) && dst == src) {
    convert_in_place<D, S>(dst, n, shift, round);
    return;
  }
  if (shift == 0) {
    if constexpr (has_plain_conversion<D, S>(BANG_OZ)) return convert_plainly<BANG_OZ>(to, from, n);
    if constexpr (has_plain_conversion<D, S>(BANG_TZ)) {
      if (round == BANG_TZ) return convert_plainly<BANG_TZ>(to, from, n);
    }
    if constexpr (has_plain_conversion<D, S>(BANG_RN)) {
      if (round == BANG_RN) return convert_plainly<BANG_RN>(to, from, n);
    }
    if constexpr (has_plain_conversion<D, S>(BANG_UP)) {
      if (round == BANG_UP) return convert_plainly<BANG_UP>(to, from, n);
    }
    if constexpr (has_plain_conversion<D, S>(BANG_DN)) {
      if (round == BANG_DN) return convert_plainly<BANG_DN>(to, from, n);
    }
  }
  map1_anywhere(to, from, n, [=](S x) { return convert_element<D, S>(x, shift, round); });
}
template <int dst_code, int src_code>
BANG_INLINE void vec_convert_strided(void *dst, const void *src, int64_t n, int shift, int round,
                                     int64_t dst_stride, int64_t src_stride, int64_t segments) {
  for (int64_t i = 0; i <= segments; ++i) {
    vec_convert<dst_code, src_code>((char *)dst + i * dst_stride,
                                    (const char *)src + i * src_stride, n, shift, round);
  }
}

/* ---- fills ---- */

template <class Word>
struct Fill {
  char *dst;
  int64_t count;
  Word word;

  BANG_MEMBER void operator()(Share share) const {
    constexpr int width = sizeof(Word);
    int64_t done = 0;
    if (((uint64_t)dst & 15) == 0) {
      uint4 pack;
#pragma unroll
      for (int i = 0; i < 16 / width; ++i) memcpy((char *)&pack + i * width, &word, width);
      const int64_t packs = count * width / 16;
#pragma unroll 4
      for (int64_t i = share.first; i < packs; i += share.step) ((uint4 *)dst)[i] = pack;
      done = packs * (16 / width);
    }
    for (int64_t i = done + share.first; i < count; i += share.step) ((Word *)dst)[i] = word;
  }
};
template <class Word>
BANG_CALLED void fill_anywhere(char *dst, int64_t count, Word word) {
  Fill<Word> work = {dst, count, word};
  divide_work(dst, work);
}
template <class Word>
BANG_INLINE void fill_run(char *dst, int64_t count, Word word) {
  if constexpr (sizeof(Word) <= 4) {
    if (__isShared(dst)) {
      const uint32_t pattern = sizeof(Word) == 4   ? (uint32_t)word
                               : sizeof(Word) == 2 ? (uint32_t)word * 0x10001u
                                                   : (uint32_t)word * 0x1010101u;
      nram_fill<Word>(shared_address(dst), (int)count, pattern);
      return;
    }
  }
  fill_anywhere(dst, count, word);
}
template <int width>
BANG_INLINE void vec_fill(void *dst, int64_t count, const void *value, int64_t stride0,
                          int64_t iter1, int64_t stride1, int64_t iter2) {
  if (count <= 0 || iter1 < 0 || iter2 < 0) return;
  typename raw_of<width>::type word;
  memcpy(&word, value, width);
  for (int64_t j = 0; j <= iter2; ++j) {
    for (int64_t i = 0; i <= iter1; ++i) {
      fill_run((char *)dst + j * stride1 + i * stride0, count, word);
    }
  }
}
template <int code>
BANG_INLINE void vec_iota(void *dst, int64_t n) {
  typedef typename type_of<code>::type T;
  const auto number = [](int i) {
    if constexpr (is_float_element<T>()) {
      return T((float)i);
    } else {
      return (T)i;
    }
  };
  if constexpr (sizeof(T) == 4) {
    if (__isShared(dst)) {
      nram_generate<T>(shared_address(dst), (int)n, number);
      return;
    }
  }
  generate_anywhere((T *)dst, n, number);
}

/* ---- selection ---- */

template <class T>
BANG_CALLED uint32_t filter_elements_anywhere(void *dst, const void *src, const T *mask,
                                              int64_t n) {
  typedef typename word_of<sizeof(T)>::type Word;
  return filter_words((Word *)dst, (const Word *)src, n,
                      [=](int64_t i) { return is_set(mask[i]); });
}
template <int code>
BANG_INLINE uint32_t vec_filter(void *dst, const void *src, const void *mask, int64_t n) {
  typedef typename type_of<code>::type T;
  if constexpr (sizeof(T) == 2 || sizeof(T) == 4) {
    if (__isShared(dst) && __isShared(src) && __isShared(mask)) {
      return nram_filter_elements<T>(shared_address(dst), shared_address(src), shared_address(mask),
                                     (int)n);
    }
  }
  return filter_elements_anywhere(dst, src, (const T *)mask, n);
}
template <class Word>
BANG_CALLED uint32_t filter_bits_anywhere(Word *dst, const Word *src, const uint8_t *bits,
                                          int64_t n) {
  __syncwarp();
  return filter_words(dst, src, n, [=](int64_t i) { return bit_of(bits, i); });
}
template <int code>
BANG_INLINE uint32_t vec_filter_bits(void *dst, const void *src, const void *bits, int64_t n) {
  typedef typename word_of<sizeof(typename type_of<code>::type)>::type Word;
  if constexpr (sizeof(Word) == 4) {
    if (__isShared(dst) && __isShared(src) && is_in_nram<4>(bits)) {
      return nram_filter(shared_address(dst), shared_address(src), shared_address(bits), (int)n);
    }
  }
  return filter_bits_anywhere((Word *)dst, (const Word *)src, (const uint8_t *)bits, n);
}
template <class Word>
BANG_CALLED void look_up(void *dst, const void *index, int index_size, const void *table, int64_t n,
                         int64_t table_n) {
  const Word *entry = (const Word *)table;
  const Word *kept = (const Word *)dst;
  generate((Word *)dst, n, [=](int64_t i) {
    uint64_t k = index_size == 1   ? ((const uint8_t *)index)[i]
                 : index_size == 2 ? ((const uint16_t *)index)[i]
                 : index_size == 4 ? ((const uint32_t *)index)[i]
                                   : ((const uint64_t *)index)[i];
    return k < (uint64_t)table_n ? entry[k] : kept[i];
  });
}
template <int code>
BANG_INLINE void vec_lut(void *dst, const void *index, int index_size, const void *table, int64_t n,
                         int64_t table_n) {
  typedef typename word_of<sizeof(typename type_of<code>::type)>::type Word;
  look_up<Word>(dst, index, index_size, table, n, table_n);
}
template <int code>
BANG_CALLED void vec_maskmove(void *dst, const void *src, const void *mask, int mask_is_bits,
                              int64_t n) {
  typedef typename type_of<code>::type T;
  Share share = share_of(dst);
  for (int64_t i = share.first; i < n; i += share.step) {
    bool moves = mask_is_bits ? bit_of((const uint8_t *)mask, i) : is_set(((const T *)mask)[i]);
    if (moves) ((T *)dst)[i] = ((const T *)src)[i];
  }
  __syncwarp();
}

/* ---- reductions ---- */

template <int code>
BANG_INLINE void vec_sum(void *dst, const void *src, int64_t n) {
  typedef typename type_of<code>::type T;
  *(T *)dst = sum_elements((const T *)src, n);
  __syncwarp();
}
template <int code>
BANG_CALLED void reduce_sum_anywhere(void *dst, const void *src, int64_t n) {
  typedef typename type_of<code>::type T;
  constexpr int group = 128 / sizeof(T);
  for (int64_t i = 0; i < n; i += group) {
    int64_t count = n - i < group ? n - i : group;
    T sum = sum_elements((const T *)src + i, count);
    __syncwarp();
    generate((T *)dst + i, count, [=](int64_t k) { return k == 0 ? sum : T(0); });
  }
}
template <int code>
BANG_INLINE void vec_reduce_sum(void *dst, const void *src, int64_t n) {
  if constexpr (code == BANG_F32) {
    const bool is_apart = (char *)dst + 4 * n <= src || (const char *)src + 4 * n <= dst;
    if (is_in_nram<4>(dst) && is_in_nram<4>(src) && n % warp_lanes == 0 &&
        (dst == src || is_apart)) {
      return nram_segment_sums(shared_address(dst), shared_address(src), (int)(n / warp_lanes));
    }
  }
  reduce_sum_anywhere<code>(dst, src, n);
}
template <int code, bool largest>
BANG_CALLED void vec_extreme(void *dst, const void *src, int64_t n) {
  typedef typename type_of<code>::type T;
  if (n > 0) put_extreme(dst, (const T *)src, extreme_index<T, largest>((const T *)src, n));
}
template <int code>
BANG_INLINE uint32_t vec_count(const void *src, int64_t n) {
  return count_elements((const typename type_of<code>::type *)src, n);
}
BANG_CALLED uint32_t count_bits_anywhere(const uint8_t *bits, int64_t n) {
  unsigned count = 0;
#pragma unroll 1
  for (int64_t i = lane_id(); i < (n + 7) / 8; i += warp_lanes) {
    unsigned byte = bits[i];
    if (n - i * 8 < 8) byte &= (1u << (n - i * 8)) - 1;
    count += __popc(byte);
  }
  return __reduce_add_sync(all_lanes, count);
}
template <int code, bool first>
BANG_CALLED uint32_t vec_find(const void *src, int64_t n) {
  return find_set<typename type_of<code>::type, first>((const typename type_of<code>::type *)src,
                                                       n);
}

}  // namespace bang_impl

BANG_INLINE uint32_t __bang_vec_count_bits(const void *bits, int64_t n) {
  if (bang_impl::is_in_nram<4>(bits)) {
    return bang_impl::nram_count_bits(bang_impl::shared_address(bits), (int)n);
  }
  return bang_impl::count_bits_anywhere((const uint8_t *)bits, n);
}

#define __bang_vec_unary(op, type, ...) bang_impl::vec_unary<(op), (type)>(__VA_ARGS__)
#define __bang_vec_binary(op, type, ...) bang_impl::vec_binary<(op), (type)>(__VA_ARGS__)
#define __bang_vec_scalar(op, type, ...) bang_impl::vec_scalar<(op), (type)>(__VA_ARGS__)
#define __bang_vec_cycle(op, type, ...) bang_impl::vec_cycle<(op), (type)>(__VA_ARGS__)
#define __bang_vec_bitindex(op, type, ...) bang_impl::vec_bitindex<(op), (type)>(__VA_ARGS__)
#define __bang_vec_fusion(op, type, ...) bang_impl::vec_fusion<(type)>(op, __VA_ARGS__)
#define __bang_vec_convert(dst_type, dst, src_type, ...) \
  bang_impl::vec_convert<(dst_type), (src_type)>(dst, __VA_ARGS__)
#define __bang_vec_convert_strided(dst_type, dst, src_type, ...) \
  bang_impl::vec_convert_strided<(dst_type), (src_type)>(dst, __VA_ARGS__)
#define __bang_vec_fill(dst, count, value, width, ...) \
  bang_impl::vec_fill<(width)>(dst, count, value, __VA_ARGS__)
#define __bang_vec_fill_async(pipe, dst, count, value, width, ...) \
  (__bang_sync_pipes(pipe), bang_impl::vec_fill<(width)>(dst, count, value, __VA_ARGS__))
#define __bang_vec_iota(type, ...) bang_impl::vec_iota<(type)>(__VA_ARGS__)
#define __bang_vec_filter(type, ...) bang_impl::vec_filter<(type)>(__VA_ARGS__)
#define __bang_vec_filter_bits(type, ...) bang_impl::vec_filter_bits<(type)>(__VA_ARGS__)
#define __bang_vec_lut(type, ...) bang_impl::vec_lut<(type)>(__VA_ARGS__)
#define __bang_vec_maskmove(type, ...) bang_impl::vec_maskmove<(type)>(__VA_ARGS__)
#define __bang_vec_sum(type, ...) bang_impl::vec_sum<(type)>(__VA_ARGS__)
#define __bang_vec_reduce_sum(type, ...) bang_impl::vec_reduce_sum<(type)>(__VA_ARGS__)
#define __bang_vec_argmax(type, ...) bang_impl::vec_extreme<(type), true>(__VA_ARGS__)
#define __bang_vec_argmin(type, ...) bang_impl::vec_extreme<(type), false>(__VA_ARGS__)
#define __bang_vec_count(type, ...) bang_impl::vec_count<(type)>(__VA_ARGS__)
#define __bang_vec_findfirst1(type, ...) bang_impl::vec_find<(type), true>(__VA_ARGS__)
#define __bang_vec_findlast1(type, ...) bang_impl::vec_find<(type), false>(__VA_ARGS__)

#include "bang/vector_moves.h"
#include "bang/vector_atomic.h"
#include "bang/vector_product.h"
#include "bang/vector_random.h"
#include "bang/vector_windows.h"

#endif /* BANG_VECTOR_API_H_ */
