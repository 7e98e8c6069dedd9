/* SPDX-License-Identifier: MIT
 *
 * Native vectors of the instruction set that a kernel file is compiled for, as GCC vector types: a
 * plain operator becomes one instruction. 16-bit floats are loaded into float lanes and stored from
 * them.
 */
#ifndef BANG_CPU_VECTOR_LANES_H_
#define BANG_CPU_VECTOR_LANES_H_

#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
#define VB 64
#define BANG_ISA avx512
#elif defined(__AVX2__)
#define VB 32
#define BANG_ISA avx2
#elif defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
#define VB 16
#define BANG_ISA bf16
#else
#define VB 16
#define BANG_ISA baseline
#endif
#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif
/* Number of vectors that a loop reads before it writes the first. With short vectors and many
 * registers they fill a cache line, so that operations do not wait for each other. */
#if defined(__ARM_NEON)
#define AT_ONCE 4
#define UNROLLED _Pragma("GCC unroll 4")
#else
#define AT_ONCE 1
#define UNROLLED
#endif

#define BANG_JOIN2(a, b) a##_##b
#define BANG_JOIN(a, b) BANG_JOIN2(a, b)
/* Name of a function that exists per instruction set. */
#define PER_ISA(name) BANG_JOIN(name, BANG_ISA)

#define INLINE static inline __attribute__((always_inline))

/* A vector type and its version for unaligned memory. */
#define BANG_VECTOR(name, element, bytes)                   \
  typedef element name __attribute__((vector_size(bytes))); \
  typedef element name##_mem __attribute__((vector_size(bytes), aligned(1), may_alias));

BANG_VECTOR(vf, float, VB)
BANG_VECTOR(vd, double, VB)
BANG_VECTOR(vs8, int8_t, VB)
BANG_VECTOR(vu8, uint8_t, VB)
BANG_VECTOR(vs16, int16_t, VB)
BANG_VECTOR(vu16, uint16_t, VB)
BANG_VECTOR(vs32, int32_t, VB)
BANG_VECTOR(vu32, uint32_t, VB)
BANG_VECTOR(vs64, int64_t, VB)
BANG_VECTOR(vu64, uint64_t, VB)
/* As many 16- or 8-bit elements as there are float lanes. */
BANG_VECTOR(vh16, uint16_t, VB / 2)
BANG_VECTOR(vb8, uint8_t, VB / 4)
BANG_VECTOR(vhs16, int16_t, VB / 2)
BANG_VECTOR(vbs8, int8_t, VB / 4)
BANG_VECTOR(vfh, float, VB / 2)

#define LANES ((int)(VB / 4))

/* Per type tag: vector type, type of a scalar operand, elements per vector, bytes per element. */
#define V_f16 vf
#define V_bf16 vf
#define V_f32 vf
#define V_s8 vs8
#define V_u8 vu8
#define V_s16 vs16
#define V_u16 vu16
#define V_s32 vs32
#define V_u32 vu32
#define V_s64 vs64
#define V_u64 vu64
#define S_f16 2
#define S_bf16 2
#define S_f32 4
#define S_s8 1
#define S_u8 1
#define S_s16 2
#define S_u16 2
#define S_s32 4
#define S_u32 4
#define S_s64 8
#define S_u64 8
#define N_f16 LANES
#define N_bf16 LANES
#define N_f32 LANES
#define N_s8 VB
#define N_u8 VB
#define N_s16 (VB / 2)
#define N_u16 (VB / 2)
#define N_s32 (VB / 4)
#define N_u32 (VB / 4)
#define N_s64 (VB / 8)
#define N_u64 (VB / 8)

#define BANG_LOAD_STORE(tag)                    \
  INLINE V_##tag load_##tag(const void *p) {    \
    return *(const V_##tag##_memory *)p;        \
  }                                             \
  INLINE void store_##tag(void *p, V_##tag v) { \
    *(V_##tag##_memory *)p = v;                 \
  }
#define V_f32_memory vf_mem
#define V_s8_memory vs8_mem
#define V_u8_memory vu8_mem
#define V_s16_memory vs16_mem
#define V_u16_memory vu16_mem
#define V_s32_memory vs32_mem
#define V_u32_memory vu32_mem
#define V_s64_memory vs64_mem
#define V_u64_memory vu64_mem
BANG_LOAD_STORE(f32)
BANG_LOAD_STORE(s8)
BANG_LOAD_STORE(u8)
BANG_LOAD_STORE(s16)
BANG_LOAD_STORE(u16)
BANG_LOAD_STORE(s32)
BANG_LOAD_STORE(u32)
BANG_LOAD_STORE(s64)
BANG_LOAD_STORE(u64)

/* Subtracts 0, because adding 0 would lose the sign of -0. */
INLINE vf splat_f(float x) {
  return x - (vf){0};
}
INLINE vu32 splat_u(uint32_t x) {
  return (vu32){0} + x;
}
INLINE vs32 splat_s(int32_t x) {
  return (vs32){0} + x;
}

/* Lanes of the mask are all ones or all zeros. */
INLINE vf select_f(vs32 mask, vf yes, vf no) {
  return (vf)((mask & (vs32)yes) | (~mask & (vs32)no));
}
INLINE vu32 select_u(vs32 mask, vu32 yes, vu32 no) {
  return ((vu32)mask & yes) | (~(vu32)mask & no);
}
INLINE vf abs_f(vf x) {
  return (vf)((vu32)x & 0x7fffffffu);
}
/* The larger or smaller operand; the second one if they are equal or either is NaN. */
INLINE vf max_or_second(vf a, vf b) {
#if defined(__AVX512F__)
  return (vf)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
  return (vf)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
  return (vf)_mm_max_ps((__m128)a, (__m128)b);
#else
  return select_f(a > b, a, b);
#endif
}
INLINE vf min_or_second(vf a, vf b) {
#if defined(__AVX512F__)
  return (vf)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
  return (vf)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
  return (vf)_mm_min_ps((__m128)a, (__m128)b);
#else
  return select_f(a < b, a, b);
#endif
}
/* Limits x; NaN stays NaN. */
INLINE vf at_most(vf x, float limit) {
  return min_or_second(splat_f(limit), x);
}
INLINE vf at_least(vf x, float limit) {
  return max_or_second(splat_f(limit), x);
}
/* Sums and products with a fixed operand order. Of two NaNs the processor returns the first, and
 * compilers swap the operands of + and * differently per instruction set. */
#if defined(__AVX2__)
#define BANG_IN_ORDER(name, instruction, operation)                           \
  INLINE vf name(vf a, vf b) {                                                \
    vf result;                                                                \
    __asm__("v" instruction "ps %2, %1, %0" : "=v"(result) : "v"(a), "v"(b)); \
    return result;                                                            \
  }
#elif defined(__SSE2__)
#define BANG_IN_ORDER(name, instruction, operation)      \
  INLINE vf name(vf a, vf b) {                           \
    __asm__(instruction "ps %1, %0" : "+x"(a) : "x"(b)); \
    return a;                                            \
  }
#elif defined(__ARM_NEON)
#define BANG_IN_ORDER(name, instruction, operation)                                  \
  INLINE vf name(vf a, vf b) {                                                       \
    vf result;                                                                       \
    __asm__("f" instruction " %0.4s, %1.4s, %2.4s" : "=w"(result) : "w"(a), "w"(b)); \
    return result;                                                                   \
  }
#else
#define BANG_IN_ORDER(name, instruction, operation) \
  INLINE vf name(vf a, vf b) {                      \
    return a operation b;                           \
  }
#endif
BANG_IN_ORDER(add_f, "add", +)
BANG_IN_ORDER(mul_f, "mul", *)
INLINE vf sub_f(vf a, vf b) {
  return a - b;
}
/* The magnitude of x with the sign of s. */
INLINE vf with_sign(vf x, vf s) {
  return (vf)(((vu32)x & 0x7fffffffu) | ((vu32)s & 0x80000000u));
}

/* ---- narrower integers in 32-bit lanes; compilers do not find these instructions themselves ----
 */

#if defined(__AVX512F__)
#define BANG_WIDEN(tag, memory, load, instruction)   \
  INLINE vs32 widen_##tag(const void *p) {           \
    return (vs32)_mm512_##instruction(_mm##load(p)); \
  }
BANG_WIDEN(s8, vbs8_mem, _loadu_si128, cvtepi8_epi32)
BANG_WIDEN(u8, vb8_mem, _loadu_si128, cvtepu8_epi32)
BANG_WIDEN(s16, vhs16_mem, 256_loadu_si256, cvtepi16_epi32)
BANG_WIDEN(u16, vh16_mem, 256_loadu_si256, cvtepu16_epi32)
/* Stores the low bits of each lane. */
INLINE void narrow_8(void *p, vs32 x) {
  _mm_storeu_si128(p, _mm512_cvtepi32_epi8((__m512i)x));
}
INLINE void narrow_16(void *p, vs32 x) {
  _mm256_storeu_si256(p, _mm512_cvtepi32_epi16((__m512i)x));
}
#elif defined(__AVX2__)
#define BANG_WIDEN(tag, memory, load, instruction)    \
  INLINE vs32 widen_##tag(const void *p) {            \
    return (vs32)_mm256_##instruction(_mm_##load(p)); \
  }
BANG_WIDEN(s8, vbs8_mem, loadl_epi64, cvtepi8_epi32)
BANG_WIDEN(u8, vb8_mem, loadl_epi64, cvtepu8_epi32)
BANG_WIDEN(s16, vhs16_mem, loadu_si128, cvtepi16_epi32)
BANG_WIDEN(u16, vh16_mem, loadu_si128, cvtepu16_epi32)
INLINE void narrow_8(void *p, vs32 x) {
  __m256i low = _mm256_shuffle_epi8((__m256i)x, _mm256_set1_epi32(0x0c080400));
  _mm_storel_epi64(
      p, _mm_unpacklo_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
}
INLINE void narrow_16(void *p, vs32 x) {
  __m256i low = _mm256_shuffle_epi8((__m256i)x, _mm256_set1_epi64x(0x0d0c090805040100));
  _mm_storeu_si128(p, _mm256_castsi256_si128(_mm256_permute4x64_epi64(low, 0x08)));
}
#elif defined(__ARM_NEON)
INLINE vs32 widen_s16(const void *p) {
  return (vs32)vmovl_s16(vld1_s16(p));
}
INLINE vs32 widen_u16(const void *p) {
  return (vs32)vmovl_u16(vld1_u16(p));
}
INLINE uint8x8_t load_four_bytes(const void *p) {
  uint32_t bytes;
  memcpy(&bytes, p, sizeof bytes);
  return vreinterpret_u8_u32(vdup_n_u32(bytes));
}
INLINE vs32 widen_s8(const void *p) {
  return (vs32)vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u8(load_four_bytes(p)))));
}
INLINE vs32 widen_u8(const void *p) {
  return (vs32)vmovl_u16(vget_low_u16(vmovl_u8(load_four_bytes(p))));
}
INLINE void narrow_8(void *p, vs32 x) {
  uint16x4_t low = vmovn_u32((uint32x4_t)x);
  uint32_t bytes = vget_lane_u32(vreinterpret_u32_u8(vmovn_u16(vcombine_u16(low, low))), 0);
  memcpy(p, &bytes, sizeof bytes);
}
INLINE void narrow_16(void *p, vs32 x) {
  vst1_u16(p, vmovn_u32((uint32x4_t)x));
}
#else
#define BANG_WIDEN(tag, memory, load, instruction)            \
  INLINE vs32 widen_##tag(const void *p) {                    \
    return __builtin_convertvector(*(const memory *)p, vs32); \
  }
BANG_WIDEN(s8, vbs8_mem, , )
BANG_WIDEN(u8, vb8_mem, , )
BANG_WIDEN(s16, vhs16_mem, , )
BANG_WIDEN(u16, vh16_mem, , )
INLINE void narrow_8(void *p, vs32 x) {
  *(vb8_mem *)p = __builtin_convertvector(x, vb8);
}
INLINE void narrow_16(void *p, vs32 x) {
  *(vh16_mem *)p = __builtin_convertvector(x, vh16);
}
#endif

/* ---- binary16 ---- */

/* Half bits in the low 16 bits of each lane -> float. Shifting the fields into place leaves the
 * exponent 112 too small; the multiplication corrects that and normalises denormals. */
INLINE vf half_bits_to_float(vu32 h) {
  vu32 magnitude = h & 0x7fffu;
  vu32 sign = (h & 0x8000u) << 16;
  vf scaled = (vf)(magnitude << 13) * 0x1p112f;
  vu32 bits = (vu32)scaled;
  bits |= (vu32)(magnitude >= 0x7c00u) & 0x7f800000u;
  bits |= (vu32)(magnitude > 0x7c00u) & 0x00400000u;
  return (vf)(bits | sign);
}

/* float -> half bits in the low 16 bits, rounded to nearest even. */
INLINE vu32 float_to_half_bits(vf x) {
  vu32 magnitude = (vu32)x & 0x7fffffffu;
  vu32 sign = ((vu32)x >> 16) & 0x8000u;
  vu32 normal = ((magnitude + 0xfffu + ((magnitude >> 13) & 1u)) >> 13) - (112u << 10);
  /* 0.5 has the same last place as a denormal half, so adding it rounds at the right bit. */
  vu32 denormal = (vu32)((vf)magnitude + 0.5f) - 0x3f000000u;
  vu32 nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  vu32 bits = select_u(magnitude < 0x38800000u, denormal, normal);
  bits = select_u(magnitude >= 0x47800000u, splat_u(0x7c00u), bits);
  bits = select_u(magnitude > 0x7f800000u, nan, bits);
  return bits | sign;
}

INLINE vf load_f16(const void *p) {
#if defined(__AVX512F__)
  return (vf)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
#elif defined(__F16C__)
  return (vf)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
#elif defined(__ARM_NEON)
  return (vf)vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p)));
#else
  return half_bits_to_float((vu32)widen_u16(p));
#endif
}
INLINE void store_f16(void *p, vf v) {
#if defined(__AVX512F__)
  _mm256_storeu_si256((__m256i *)p, _mm512_cvtps_ph((__m512)v, _MM_FROUND_TO_NEAREST_INT));
#elif defined(__F16C__)
  _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph((__m256)v, _MM_FROUND_TO_NEAREST_INT));
#elif defined(__ARM_NEON)
  vst1_u16(p, vreinterpret_u16_f16(vcvt_f16_f32((float32x4_t)v)));
#else
  narrow_16(p, (vs32)float_to_half_bits(v));
#endif
}

/* ---- bfloat16 ---- */

INLINE vf load_bf16(const void *p) {
#if defined(__ARM_NEON)
  return (vf)vshll_n_u16(vld1_u16(p), 16);
#else
  return (vf)((vu32)widen_u16(p) << 16);
#endif
}
INLINE vu32 float_to_bfloat_bits(vf x) {
  vu32 bits = (vu32)x;
  vu32 rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return select_u((bits & 0x7fffffffu) > 0x7f800000u, (bits >> 16) | 0x40u, rounded);
}
INLINE void store_bf16(void *p, vf v) {
#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
  vst1_bf16(p, vcvt_bf16_f32((float32x4_t)v));
#else
  narrow_16(p, (vs32)float_to_bfloat_bits(v));
#endif
}

/* A scalar operand in every lane. */
#define BANG_BROADCAST_FLOAT(tag)            \
  INLINE vf broadcast_##tag(const void *p) { \
    unsigned char copies[VB];                \
    for (int i = 0; i < VB; i += S_##tag) {  \
      memcpy(copies + i, p, S_##tag);        \
    }                                        \
    return load_##tag(copies);               \
  }
#define BANG_BROADCAST_INT(tag, element)          \
  INLINE V_##tag broadcast_##tag(const void *p) { \
    element x;                                    \
    memcpy(&x, p, sizeof x);                      \
    return (V_##tag){0} + x;                      \
  }
BANG_BROADCAST_FLOAT(f16)
BANG_BROADCAST_FLOAT(bf16)
BANG_BROADCAST_FLOAT(f32)
BANG_BROADCAST_INT(s8, int8_t)
BANG_BROADCAST_INT(u8, uint8_t)
BANG_BROADCAST_INT(s16, int16_t)
BANG_BROADCAST_INT(u16, uint16_t)
BANG_BROADCAST_INT(s32, int32_t)
BANG_BROADCAST_INT(u32, uint32_t)
BANG_BROADCAST_INT(s64, int64_t)
BANG_BROADCAST_INT(u64, uint64_t)

/* ---- loops over whole arrays ---- */

/* A loop calls itself for the remainder that does not fill a vector; noinline avoids a second copy
 * of it. */
#define LOOP static __attribute__((noinline)) void

/* results[k] = expression of element `at`, for AT_ONCE vectors starting at element i; then all are
 * stored. */
#define WHOLE_VECTORS(tag, expression)                                        \
  for (; AT_ONCE > 1 && i + AT_ONCE * N_##tag <= n; i += AT_ONCE * N_##tag) { \
    V_##tag results[AT_ONCE];                                                 \
    for (int k = 0; k < AT_ONCE; k++) {                                       \
      const int64_t at = (i + k * N_##tag) * S_##tag;                         \
      results[k] = expression;                                                \
    }                                                                         \
    for (int k = 0; k < AT_ONCE; k++) {                                       \
      store_##tag(d + (i + k * N_##tag) * S_##tag, results[k]);               \
    }                                                                         \
  }                                                                           \
  for (; i + N_##tag <= n; i += N_##tag) {                                    \
    const int64_t at = i * S_##tag;                                           \
    store_##tag(d + at, expression);                                          \
  }

/* Applies fn(V) or fn(V, V) to n elements, ascending. The remainder goes through a zero-padded
 * copy, so nothing outside the arrays is accessed. */
#define DEFINE_UNARY(name, tag, fn)                  \
  LOOP name(void *dst, const void *src, int64_t n) { \
    char *d = dst;                                   \
    const char *s = src;                             \
    int64_t i = 0;                                   \
    WHOLE_VECTORS(tag, fn(load_##tag(s + at)))       \
    if (i < n) {                                     \
      unsigned char x[VB] = {0};                     \
      size_t bytes = (size_t)(n - i) * S_##tag;      \
      memcpy(x, s + i * S_##tag, bytes);             \
      name(x, x, N_##tag);                           \
      memcpy(d + i * S_##tag, x, bytes);             \
    }                                                \
  }

#define DEFINE_BINARY_VECTOR(name, tag, fn)                        \
  LOOP name(void *dst, const void *a, const void *b, int64_t n) {  \
    char *d = dst;                                                 \
    const char *p = a, *q = b;                                     \
    int64_t i = 0;                                                 \
    WHOLE_VECTORS(tag, fn(load_##tag(p + at), load_##tag(q + at))) \
    if (i < n) {                                                   \
      unsigned char x[VB] = {0}, y[VB] = {0};                      \
      size_t bytes = (size_t)(n - i) * S_##tag;                    \
      memcpy(x, p + i * S_##tag, bytes);                           \
      memcpy(y, q + i * S_##tag, bytes);                           \
      name(x, x, y, N_##tag);                                      \
      memcpy(d + i * S_##tag, x, bytes);                           \
    }                                                              \
  }

#define DEFINE_BINARY_SCALAR(name, tag, fn)                            \
  LOOP name(void *dst, const void *a, const void *scalar, int64_t n) { \
    char *d = dst;                                                     \
    const char *p = a;                                                 \
    V_##tag y = broadcast_##tag(scalar);                               \
    int64_t i = 0;                                                     \
    WHOLE_VECTORS(tag, fn(load_##tag(p + at), y))                      \
    if (i < n) {                                                       \
      unsigned char x[VB] = {0};                                       \
      size_t bytes = (size_t)(n - i) * S_##tag;                        \
      memcpy(x, p + i * S_##tag, bytes);                               \
      name(x, x, scalar, N_##tag);                                     \
      memcpy(d + i * S_##tag, x, bytes);                               \
    }                                                                  \
  }

#define DEFINE_BINARY(name, tag, fn)          \
  DEFINE_BINARY_VECTOR(name##_##tag, tag, fn) \
  DEFINE_BINARY_SCALAR(name##_scalar_##tag, tag, fn)

/* The same with a function of single elements. */
#define DEFINE_BINARY_ELEMENT(name, tag, element, fn)                                   \
  static void name##_##tag(void *dst, const void *a, const void *b, int64_t n) {        \
    for (int64_t i = 0; i < n; i++) {                                                   \
      element x, y, z;                                                                  \
      memcpy(&x, (const char *)a + i * S_##tag, sizeof x);                              \
      memcpy(&y, (const char *)b + i * S_##tag, sizeof y);                              \
      z = fn(x, y);                                                                     \
      memcpy((char *)dst + i * S_##tag, &z, sizeof z);                                  \
    }                                                                                   \
  }                                                                                     \
  static void name##_scalar_##tag(void *dst, const void *a, const void *b, int64_t n) { \
    element y;                                                                          \
    memcpy(&y, b, sizeof y);                                                            \
    for (int64_t i = 0; i < n; i++) {                                                   \
      element x, z;                                                                     \
      memcpy(&x, (const char *)a + i * S_##tag, sizeof x);                              \
      z = fn(x, y);                                                                     \
      memcpy((char *)dst + i * S_##tag, &z, sizeof z);                                  \
    }                                                                                   \
  }

#define SET_BINARY(table, op, code, name, tag) \
  ((table)->binary[op][code] = name##_##tag, (table)->scalar[op][code] = name##_scalar_##tag)

#endif /* BANG_CPU_VECTOR_LANES_H_ */
