/* SPDX-License-Identifier: MIT
 *
 * Numbers for operand types, shared by cncc and the C++ code that reports types to it
 * (bang/survey.h). Plain C.
 */
#ifndef BANG_OPERANDS_H_
#define BANG_OPERANDS_H_

/* X(tag, type): types an operand may have, or point to. */
#define BANG_OPERAND_LIST(X)         \
  X(VOID, void)                      \
  X(BOOL, bool)                      \
  X(CHAR, char)                      \
  X(S8, int8_t)                      \
  X(U8, uint8_t)                     \
  X(S16, int16_t)                    \
  X(U16, uint16_t)                   \
  X(S32, int32_t)                    \
  X(U32, uint32_t)                   \
  X(S64, int64_t)                    \
  X(U64, uint64_t)                   \
  X(F16, half)                       \
  X(BF16, bfloat16_t)                \
  X(F32, float)                      \
  X(F64, double)                     \
  X(INT4X2, int4x2_t)                \
  X(DIRECTION, mluMemcpyDirection_t) \
  X(FUSION_CODE, mluFusionOpCode)    \
  X(COMPARE_MODE, CompareMode)       \
  X(POOL_OVERLAP, mluPoolBPOverlap)  \
  X(VV_F16, vv_half)                 \
  X(VV_BF16, vv_bfloat16)            \
  X(VV_F32, vv_float)                \
  X(VV_S8, vv_int8)                  \
  X(VV_U8, vv_uint8)                 \
  X(VV_S16, vv_int16)                \
  X(VV_U16, vv_uint16)               \
  X(VV_S32, vv_int32)                \
  X(VV_U32, vv_uint32)               \
  X(VV_S64, vv_int64)                \
  X(VV_U64, vv_uint64)

enum {
#define BANG_OPERAND_CODE(tag, type) BANG_OPERAND_##tag,
  BANG_OPERAND_LIST(BANG_OPERAND_CODE)
#undef BANG_OPERAND_CODE
      BANG_OPERAND_ENUM,     /* an enumeration of the program */
  BANG_OPERAND_OTHER,        /* any other type */
  BANG_OPERAND_POINTER = 100 /* added for a pointer to the type */
};

/* Stands for a call's number when an on-chip variable and its size in bytes follow. */
enum { BANG_SURVEY_SIZE = -1 };

#endif /* BANG_OPERANDS_H_ */
