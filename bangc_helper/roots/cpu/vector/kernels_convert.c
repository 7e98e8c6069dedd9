/* SPDX-License-Identifier: MIT
 *
 * Conversions between element types in float lanes, in every rounding mode. Float to integer
 * saturates and NaN becomes 0; integer to integer saturates. Other conversions are in
 * convert_elements.c.
 */
#include "vector/lanes_16.h"
#include "vector/lanes_round.h"
#include "vector/vector.h"

/* Both arrays advance by LANES elements, and the remainder goes through padded copies. Widening
 * from the upper part of the destination and narrowing in place are safe: a vector is read before
 * anything at or above it is written. */
#define DEFINE_CONVERT(name, dsize, ssize, statement) \
  DEFINE_CONVERT_AFTER(name, dsize, ssize, , statement)
/* `beginning` may convert some vectors first. */
#define DEFINE_CONVERT_AFTER(name, dsize, ssize, beginning, statement) \
  LOOP name(void *dst, const void *src, int64_t n, float scale) {      \
    char *d = dst;                                                     \
    const char *s = src;                                               \
    int64_t i = 0;                                                     \
    (void)scale;                                                       \
    beginning UNROLLED for (; i + LANES <= n; i += LANES) {            \
      const char *in = s + i * ssize;                                  \
      char *out = d + i * dsize;                                       \
      statement;                                                       \
    }                                                                  \
    if (i < n) {                                                       \
      char in[4 * LANES] = {0}, out[4 * LANES];                        \
      memcpy(in, s + i * ssize, (size_t)(n - i) * ssize);              \
      name(out, in, LANES, scale);                                     \
      memcpy(d + i * dsize, out, (size_t)(n - i) * dsize);             \
    }                                                                  \
  }

/* Lanes of any source of at most 32 bits that float represents exactly. */
#define FROM_f16(p) load_f16(p)
#define FROM_bf16(p) load_bf16(p)
#define FROM_f32(p) load_f32(p)
#define FROM_s8(p) __builtin_convertvector(widen_s8(p), vf)
#define FROM_u8(p) __builtin_convertvector(widen_u8(p), vf)
#define FROM_s16(p) __builtin_convertvector(widen_s16(p), vf)
#define FROM_u16(p) __builtin_convertvector(widen_u16(p), vf)

/* Lanes to integers: toward zero, clamped, NaN to 0. */
#if defined(__ARM_NEON)
INLINE void to_s32(void *p, vf x) {
  vst1q_s32(p, vcvtq_s32_f32((float32x4_t)x));
}
INLINE void to_u32(void *p, vf x) {
  vst1q_u32(p, vcvtq_u32_f32((float32x4_t)x));
}
INLINE void to_s16(void *p, vf x) {
  vst1_s16(p, vqmovn_s32(vcvtq_s32_f32((float32x4_t)x)));
}
INLINE void to_u16(void *p, vf x) {
  vst1_u16(p, vqmovn_u32(vcvtq_u32_f32((float32x4_t)x)));
}
INLINE void to_s8(void *p, vf x) {
  int16x4_t half = vqmovn_s32(vcvtq_s32_f32((float32x4_t)x));
  int8x8_t bytes = vqmovn_s16(vcombine_s16(half, half));
  uint32_t four = vget_lane_u32(vreinterpret_u32_s8(bytes), 0);
  memcpy(p, &four, sizeof four);
}
INLINE void to_u8(void *p, vf x) {
  uint16x4_t half = vqmovn_u32(vcvtq_u32_f32((float32x4_t)x));
  uint8x8_t bytes = vqmovn_u16(vcombine_u16(half, half));
  uint32_t four = vget_lane_u32(vreinterpret_u32_u8(bytes), 0);
  memcpy(p, &four, sizeof four);
}
#else
INLINE vf clamp_lanes(vf x, float low, float high) {
  x = select_f(x != x, splat_f(0.0f), x);
  x = select_f(x < low, splat_f(low), x);
  return select_f(x > high, splat_f(high), x);
}
INLINE vs32 small_integers(vf x, float low, float high) {
  return __builtin_convertvector(clamp_lanes(x, low, high), vs32);
}
INLINE void to_s8(void *p, vf x) {
  narrow_8(p, small_integers(x, -128.0f, 127.0f));
}
INLINE void to_u8(void *p, vf x) {
  narrow_8(p, small_integers(x, 0.0f, 255.0f));
}
INLINE void to_s16(void *p, vf x) {
  narrow_16(p, small_integers(x, -32768.0f, 32767.0f));
}
INLINE void to_u16(void *p, vf x) {
  narrow_16(p, small_integers(x, 0.0f, 65535.0f));
}
INLINE void to_s32(void *p, vf x) {
  vs32 inside = __builtin_convertvector(select_f(abs_f(x) < 0x1p31f, x, splat_f(0.0f)), vs32);
  vu32 result = select_u(x >= 0x1p31f, splat_u(0x7fffffffu), (vu32)inside);
  result = select_u(x <= -0x1p31f, splat_u(0x80000000u), result);
  *(vu32_mem *)p = result;
}
INLINE void to_u32(void *p, vf x) {
  vs32 upper = x >= 0x1p31f;
  vf lowered = select_f(upper, x - 0x1p31f, x);
  lowered = select_f((lowered >= 0.0f) & (lowered < 0x1p31f), lowered, splat_f(0.0f));
  vu32 result = (vu32) __builtin_convertvector(lowered, vs32) + ((vu32)upper & 0x80000000u);
  *(vu32_mem *)p = select_u(x >= 0x1p32f, splat_u(0xffffffffu), result);
}
#endif

/* float -> bfloat16: rounds by adding to the 16 bits that are dropped. */
INLINE void to_bf16_mode(void *p, vf x, int mode) {
  if (mode == BANG_RN) {
    store_bf16(p, x);
    return;
  }
  vu32 bits = (vu32)x;
  vu32 sign = bits & 0x80000000u, magnitude = bits & 0x7fffffffu;
  vs32 negative = (vs32)bits < 0;
  vu32 addend;
  if (mode == BANG_TZ) {
    addend = splat_u(0);
  } else if (mode == BANG_OZ) {
    addend = splat_u(0xffffu);
  } else if (mode == BANG_UP) {
    addend = ~(vu32)negative & 0xffffu;
  } else if (mode == BANG_DN) {
    addend = (vu32)negative & 0xffffu;
  } else if (mode == BANG_RD) {
    addend = splat_u(0x8000u);
  } else {
    addend = select_u(negative, splat_u(0x7fffu), splat_u(0x8000u));
  }
  vu32 rounded = select_u(magnitude > 0x7f800000u, magnitude | 0x400000u, magnitude + addend);
  narrow_16(p, (vs32)((rounded | sign) >> 16));
}

#if defined(__ARM_NEON)
/* float -> half by the instruction, which rounds to nearest even. For another tie rule, ties are
 * nudged before; for a directed mode, a result on the wrong side is moved by one afterwards. */
INLINE void to_f16_mode(void *p, vf x, int mode) {
  vu32 bits = (vu32)x, magnitude = bits & 0x7fffffffu;
  vs32 negative = (vs32)bits < 0;
  vu32 up = splat_u(1u), down = ~bits & 1u; /* the nudge neither reaches nor crosses another tie */
  if (mode == BANG_RD || mode == BANG_RM) {
    vu32 moved = mode == BANG_RD ? bits | up : select_u(negative, bits - down, bits | up);
    vs32 may_move = (magnitude < 0x7f800000u) & (magnitude != 0u);
    x = (vf)select_u(may_move, moved, bits);
  }
  float16x4_t near = vcvt_f16_f32((float32x4_t)x);
  uint16x4_t half = vreinterpret_u16_f16(near);
  if (mode == BANG_TZ || mode == BANG_OZ || mode == BANG_UP || mode == BANG_DN) {
    float32x4_t back = vcvt_f32_f16(near);
    vu32 beyond = (vu32)vcagtq_f32(back, (float32x4_t)x); /* a lane of all ones is -1 */
    vu32 short_of = (vu32)vcaltq_f32(back, (float32x4_t)x);
    vu32 to_zero = mode == BANG_TZ   ? splat_u(0xffffffffu)
                   : mode == BANG_OZ ? splat_u(0u)
                   : mode == BANG_UP ? (vu32)negative
                                     : ~(vu32)negative;
    vu32 step = (beyond & to_zero) - (short_of & ~to_zero);
    half = vadd_u16(half, vmovn_u32((uint32x4_t)step));
  }
  vst1_u16(p, half);
}
#else
/* float -> half: normal numbers by adding to the 13 bits that are dropped, denormals as integers in
 * units of their last place. */
INLINE void to_f16_mode(void *p, vf x, int mode) {
  if (mode == BANG_RN) {
    store_f16(p, x);
    return;
  }
  vu32 bits = (vu32)x;
  vu32 sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  vs32 negative = (vs32)bits < 0;
  vs32 to_infinity = splat_s(-1);
  vu32 addend;
  if (mode == BANG_TZ) {
    addend = splat_u(0);
    to_infinity = splat_s(0);
  } else if (mode == BANG_OZ) {
    addend = splat_u(0x1fffu);
  } else if (mode == BANG_UP) {
    addend = ~(vu32)negative & 0x1fffu;
    to_infinity = ~negative;
  } else if (mode == BANG_DN) {
    addend = (vu32)negative & 0x1fffu;
    to_infinity = negative;
  } else if (mode == BANG_RD) {
    addend = splat_u(0x1000u);
  } else {
    addend = select_u(negative, splat_u(0x0fffu), splat_u(0x1000u));
  }
  vu32 normal = ((magnitude + addend) >> 13) - (112u << 10);
  vf units = round_lanes(x * 0x1p24f, mode);
  vs32 is_small = magnitude < 0x38800000u;
  vu32 denormal =
      (vu32) __builtin_convertvector(abs_f(select_f(is_small, units, splat_f(0.0f))), vs32);
  vu32 result = select_u(is_small, denormal, normal);
  vu32 overflow = select_u(to_infinity, splat_u(0x7c00u), splat_u(0x7bffu));
  result = select_u(magnitude >= 0x47800000u, overflow, result);
  result = select_u(magnitude == 0x7f800000u, splat_u(0x7c00u), result);
  result = select_u(magnitude > 0x7f800000u, 0x7e00u | ((magnitude >> 13) & 0x3ffu), result);
  narrow_16(p, (vs32)(result | sign));
}
#endif

/* int32 -> float. Converting back shows on which side of the integer the nearest float lies. */
INLINE vf from_s32_mode(vs32 x, int mode) {
  vs32 negative = x < 0;
  vu32 magnitude = ((vu32)x ^ (vu32)negative) - (vu32)negative;
  vf near = abs_f(__builtin_convertvector(x, vf)); /* rounded to nearest even */
  if (mode != BANG_RN) {
    vs32 is_top = near >= 0x1p31f;
    vu32 back = (vu32) __builtin_convertvector(select_f(is_top, splat_f(0.0f), near), vs32);
    back = select_u(is_top, splat_u(0x80000000u), back);
    /* the float at or below the magnitude */
    vu32 low = (vu32)near + (vu32)(back > magnitude); /* adds -1 */
    vf low_value = (vf)low;
    vs32 inexact = back != magnitude;
    vs32 away;
    if (mode == BANG_TZ) {
      away = splat_s(0);
    } else if (mode == BANG_OZ) {
      away = inexact;
    } else if (mode == BANG_UP) {
      away = inexact & ~negative;
    } else if (mode == BANG_DN) {
      away = inexact & negative;
    } else {
      vs32 low_integer =
          __builtin_convertvector(select_f(low_value >= 0x1p31f, splat_f(0.0f), low_value), vs32);
      vu32 from_low = magnitude - (vu32)low_integer;
      vf high_value = (vf)(low + 1u);
      vf gap = high_value - low_value; /* unit in the last place; exact */
      vu32 twice = from_low << 1;
      vu32 gap_integer =
          (vu32) __builtin_convertvector(select_f(inexact, gap, splat_f(0.0f)), vs32);
      away = inexact & ((twice > gap_integer) |
                        ((twice == gap_integer) & (mode == BANG_RD ? splat_s(-1) : ~negative)));
    }
    near = (vf)(low + ((vu32)away & 1u));
  }
  return (vf)((vu32)near | ((vu32)negative & 0x80000000u));
}
/* Rounds to odd, so that a second rounding to 16 bits is correct. */
INLINE vf from_s32_odd(vs32 x) {
  vf low = from_s32_mode(x, BANG_TZ);
  vf top_out = select_f(abs_f(low) >= 0x1p31f, splat_f(0.0f), low);
  vs32 inexact = (__builtin_convertvector(top_out, vs32) != x) & (abs_f(low) < 0x1p31f);
  return (vf)((vu32)low | ((vu32)inexact & 1u));
}

/* ---- pairs of types ---- */

/* Rounds before the conversion to integers, which itself truncates. */
INLINE vf integral_lanes(vf x, int mode) {
  return mode == BANG_TZ ? x : round_lanes(x, mode);
}

/* A value that underflows when scaled must still count as nonzero for a rounding away from zero. */
INLINE vf scale_lanes(vf x, float scale, int mode) {
  vf y = x * scale;
  if (mode != BANG_OZ && mode != BANG_UP && mode != BANG_DN) {
    return y;
  }
  return select_f((y == 0.0f) & (x != 0.0f), with_sign(splat_f(0x1p-100f), x), y);
}

#define FLOAT_TO_INT(dtag, stag, mode)                                                           \
  DEFINE_CONVERT(dtag##_##stag##_##mode, S_##dtag, S_##stag,                                     \
                 to_##dtag(out, integral_lanes(scale_lanes(FROM_##stag(in), scale, BANG_##mode), \
                                               BANG_##mode)))
/* The most common mode has a version for several vectors. */
#define TO_FLOAT_MODE(dtag, stag, mode)                                         \
  DEFINE_CONVERT_AFTER(                                                         \
      dtag##_##stag##_##mode, S_##dtag, S_##stag,                               \
      for (; BANG_##mode == BANG_RN && AT_ONCE > 1 && i + AT_ONCE * LANES <= n; \
           i += AT_ONCE * LANES) {                                              \
        vf x[AT_ONCE];                                                          \
        for (int k = 0; k < AT_ONCE; k++)                                       \
          x[k] = FROM_##stag(s + (i + k * LANES) * S_##stag) * scale;           \
        store_vectors_##dtag(d + i * S_##dtag, x);                              \
      },                                                                        \
      to_##dtag##_mode(out, FROM_##stag(in) * scale, BANG_##mode))
#define S32_TO_NARROW(dtag, mode)                \
  DEFINE_CONVERT(dtag##_s32_##mode, S_##dtag, 4, \
                 to_##dtag##_mode(out, from_s32_odd(load_s32(in)) * scale, BANG_##mode))
#define S32_TO_F32(mode)               \
  DEFINE_CONVERT(f32_s32_##mode, 4, 4, \
                 store_f32(out, from_s32_mode(load_s32(in), BANG_##mode) * scale))
#define EXACT(dtag, stag) \
  DEFINE_CONVERT(dtag##_##stag, S_##dtag, S_##stag, store_##dtag(out, FROM_##stag(in) * scale))
/* From 16-bit floats. There is mostly no scale, and then the speed of stores is the limit. */
#define WIDEN_FLOATS(stag)                                                              \
  DEFINE_CONVERT_AFTER(                                                                 \
      unscaled_##stag, S_f32, S_##stag,                                                 \
      for (; AT_ONCE > 1 && i + AT_ONCE * LANES <= n; i += AT_ONCE * LANES) {           \
        vf x[AT_ONCE];                                                                  \
        load_vectors_##stag(s + i * S_##stag, x);                                       \
        for (int k = 0; k < AT_ONCE; k++) store_f32(d + (i + k * LANES) * S_f32, x[k]); \
      },                                                                                \
      store_f32(out, FROM_##stag(in)))                                                  \
  DEFINE_CONVERT_AFTER(                                                                 \
      f32_##stag, S_f32, S_##stag,                                                      \
      if (scale == 1.0f) {                                                              \
        unscaled_##stag(dst, src, n, scale);                                            \
        return;                                                                         \
      },                                                                                \
      store_f32(out, FROM_##stag(in) * scale))

#define FOR_EACH_MODE(X) X(TZ) X(OZ) X(UP) X(DN) X(RD) X(RN) X(RM)
/* clang-format off */
#define ALL_PAIRS_OF_MODE(mode)                                                            \
  FLOAT_TO_INT(s8, f16, mode) FLOAT_TO_INT(s8, bf16, mode) FLOAT_TO_INT(s8, f32, mode)     \
  FLOAT_TO_INT(u8, f16, mode) FLOAT_TO_INT(u8, bf16, mode) FLOAT_TO_INT(u8, f32, mode)     \
  FLOAT_TO_INT(s16, f16, mode) FLOAT_TO_INT(s16, bf16, mode) FLOAT_TO_INT(s16, f32, mode)  \
  FLOAT_TO_INT(u16, f16, mode) FLOAT_TO_INT(u16, bf16, mode) FLOAT_TO_INT(u16, f32, mode)  \
  FLOAT_TO_INT(s32, f16, mode) FLOAT_TO_INT(s32, bf16, mode) FLOAT_TO_INT(s32, f32, mode)  \
  FLOAT_TO_INT(u32, f16, mode) FLOAT_TO_INT(u32, bf16, mode) FLOAT_TO_INT(u32, f32, mode)  \
  TO_FLOAT_MODE(f16, f32, mode) TO_FLOAT_MODE(bf16, f32, mode)                             \
  TO_FLOAT_MODE(f16, bf16, mode) TO_FLOAT_MODE(bf16, f16, mode)                            \
  TO_FLOAT_MODE(f16, s16, mode) TO_FLOAT_MODE(f16, u16, mode)                              \
  TO_FLOAT_MODE(bf16, s16, mode) TO_FLOAT_MODE(bf16, u16, mode)                            \
  TO_FLOAT_MODE(f16, s8, mode) TO_FLOAT_MODE(f16, u8, mode)                                \
  TO_FLOAT_MODE(bf16, s8, mode) TO_FLOAT_MODE(bf16, u8, mode)                              \
  S32_TO_NARROW(f16, mode) S32_TO_NARROW(bf16, mode) S32_TO_F32(mode)
/* clang-format on */
FOR_EACH_MODE(ALL_PAIRS_OF_MODE)
WIDEN_FLOATS(f16)
WIDEN_FLOATS(bf16)
EXACT(f32, s8)
EXACT(f32, u8)
EXACT(f32, s16)
EXACT(f32, u16)

/* integer -> integer, saturating, without scale */
#define INTS_s8(p) widen_s8(p)
#define INTS_u8(p) widen_u8(p)
#define INTS_s16(p) widen_s16(p)
#define INTS_u16(p) widen_u16(p)
#define INTS_s32(p) load_s32(p)
INLINE vs32 clamp_ints(vs32 x, int32_t low, int32_t high) {
  x = (vs32)select_u(x < low, splat_u((uint32_t)low), (vu32)x);
  return (vs32)select_u(x > high, splat_u((uint32_t)high), (vu32)x);
}
#define NARROW_INTS(dtag, bits, stag, low, high)    \
  DEFINE_CONVERT(dtag##_##stag, S_##dtag, S_##stag, \
                 narrow_##bits(out, clamp_ints(INTS_##stag(in), low, high)))
#define WIDEN_INTS(dtag, stag, low)          \
  DEFINE_CONVERT(dtag##_##stag, 4, S_##stag, \
                 store_##dtag(out, (V_##dtag)clamp_ints(INTS_##stag(in), low, INT32_MAX)))
#define FOR_EACH_INT_SOURCE(X, ...) \
  X(s8, __VA_ARGS__) X(u8, __VA_ARGS__) X(s16, __VA_ARGS__) X(u16, __VA_ARGS__) X(s32, __VA_ARGS__)
#define INT_PAIRS(stag, unused)                    \
  NARROW_INTS(s8, 8, stag, INT8_MIN, INT8_MAX)     \
  NARROW_INTS(u8, 8, stag, 0, UINT8_MAX)           \
  NARROW_INTS(s16, 16, stag, INT16_MIN, INT16_MAX) \
  NARROW_INTS(u16, 16, stag, 0, UINT16_MAX)        \
  WIDEN_INTS(s32, stag, INT32_MIN)                 \
  WIDEN_INTS(u32, stag, 0)
FOR_EACH_INT_SOURCE(INT_PAIRS, 0)

/* ---- the table ---- */

#define SET(dcode, scode, mode, kernel) table->convert[dcode][scode][mode] = kernel
#define SET_MODE(dcode, dtag, scode, stag, mode) \
  SET(dcode, scode, BANG_##mode, dtag##_##stag##_##mode)
#define SET_MODES(dcode, dtag, scode, stag)                                           \
  SET_MODE(dcode, dtag, scode, stag, TZ), SET_MODE(dcode, dtag, scode, stag, OZ),     \
      SET_MODE(dcode, dtag, scode, stag, UP), SET_MODE(dcode, dtag, scode, stag, DN), \
      SET_MODE(dcode, dtag, scode, stag, RD), SET_MODE(dcode, dtag, scode, stag, RN), \
      SET_MODE(dcode, dtag, scode, stag, RM)
#define SET_INT_FROM_FLOATS(dcode, dtag)   \
  SET_MODES(dcode, dtag, BANG_F16, f16);   \
  SET_MODES(dcode, dtag, BANG_BF16, bf16); \
  SET_MODES(dcode, dtag, BANG_F32, f32)
#define SET_NARROW_FLOAT(dcode, dtag)    \
  SET_MODES(dcode, dtag, BANG_F32, f32); \
  SET_MODES(dcode, dtag, BANG_S8, s8);   \
  SET_MODES(dcode, dtag, BANG_U8, u8);   \
  SET_MODES(dcode, dtag, BANG_S16, s16); \
  SET_MODES(dcode, dtag, BANG_U16, u16); \
  SET_MODES(dcode, dtag, BANG_S32, s32)
/* exact in every mode */
#define SET_EXACT(dcode, dtag, scode, stag)             \
  for (int mode = 0; mode < BANG_ROUND_COUNT; mode++) { \
    SET(dcode, scode, mode, dtag##_##stag);             \
  }
#define SET_INTS_FROM(scode, stag)      \
  SET_EXACT(BANG_S8, s8, scode, stag)   \
  SET_EXACT(BANG_U8, u8, scode, stag)   \
  SET_EXACT(BANG_S16, s16, scode, stag) \
  SET_EXACT(BANG_U16, u16, scode, stag) \
  SET_EXACT(BANG_S32, s32, scode, stag) \
  SET_EXACT(BANG_U32, u32, scode, stag)

void PER_ISA(bang_fill_convert)(bangIsaTable *table) {
  SET_INT_FROM_FLOATS(BANG_S8, s8);
  SET_INT_FROM_FLOATS(BANG_U8, u8);
  SET_INT_FROM_FLOATS(BANG_S16, s16);
  SET_INT_FROM_FLOATS(BANG_U16, u16);
  SET_INT_FROM_FLOATS(BANG_S32, s32);
  SET_INT_FROM_FLOATS(BANG_U32, u32);
  SET_NARROW_FLOAT(BANG_F16, f16);
  SET_NARROW_FLOAT(BANG_BF16, bf16);
  SET_MODES(BANG_F16, f16, BANG_BF16, bf16);
  SET_MODES(BANG_BF16, bf16, BANG_F16, f16);
  SET_MODES(BANG_F32, f32, BANG_S32, s32);
  SET_EXACT(BANG_F32, f32, BANG_F16, f16)
  SET_EXACT(BANG_F32, f32, BANG_BF16, bf16)
  SET_EXACT(BANG_F32, f32, BANG_S8, s8)
  SET_EXACT(BANG_F32, f32, BANG_U8, u8)
  SET_EXACT(BANG_F32, f32, BANG_S16, s16)
  SET_EXACT(BANG_F32, f32, BANG_U16, u16)
  SET_INTS_FROM(BANG_S8, s8)
  SET_INTS_FROM(BANG_U8, u8)
  SET_INTS_FROM(BANG_S16, s16)
  SET_INTS_FROM(BANG_U16, u16)
  SET_INTS_FROM(BANG_S32, s32)
}
