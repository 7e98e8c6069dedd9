/* SPDX-License-Identifier: MIT
 *
 * Sizes of the memories, copy directions, fusion codes and compare modes: the names that are the
 * same on every root.
 */
#ifndef BANG_ENUMS_H_
#define BANG_ENUMS_H_

/* In kilobytes. cncc defines them per architecture; these defaults are an MLU590's. */
#ifndef __MLU_NRAM_SIZE__
#define __MLU_NRAM_SIZE__ 512
#endif
#ifndef __MLU_WRAM_SIZE__
#define __MLU_WRAM_SIZE__ 512
#endif
#ifndef __MLU_SRAM_SIZE__
#define __MLU_SRAM_SIZE__ 2048
#endif

#define MAX_HALF_VALUE 65504
#define MIN_HALF_VALUE -65504
#define P_HALF_INF 0x7C00
#define N_HALF_INF 0xFC00
#define MAX_INT_VALUE 2147483647
#define MIN_INT_VALUE (-2147483647 - 1)

typedef enum {
  GDRAM2NRAM = 0,
  NRAM2GDRAM,
  LDRAM2NRAM,
  NRAM2LDRAM,
  GDRAM2WRAM,
  WRAM2GDRAM,
  LDRAM2WRAM,
  WRAM2LDRAM,
  NRAM2NRAM,
  NRAM2WRAM,
  WRAM2NRAM,
  GDRAM2SRAM,
  SRAM2GDRAM,
  LDRAM2SRAM,
  SRAM2LDRAM,
  SRAM2NRAM,
  NRAM2SRAM,
  SRAM2WRAM,
  WRAM2SRAM,
  GDRAM2GDRAM,
  GDRAM2LDRAM,
  LDRAM2GDRAM,
  LDRAM2LDRAM,
  SRAM2SRAM,
} mluMemcpyDirection_t;

enum mluFusionOpCode {
  FUSION_FMA = 0, /* a * b + c */
  FUSION_FMS,     /* a * b - c */
  FUSION_FAM,     /* (a + b) * c */
  FUSION_FSM,     /* (a - b) * c */
  FUSION_FAA,     /* a + b + c */
  FUSION_FAS,     /* a + b - c */
  FUSION_FSS,     /* a - b - c */
  FUSION_FSA,     /* a - b + c */
};

/* How overlapping windows combine in the backward pooling functions. */
enum mluPoolBPOverlap { OVERLAP_ACC = 0, OVERLAP_COVER };

/* Codes with which a kernel traps when it misuses the language. */
enum TRAP_BANG_ID {
  TRAP_BANG_V1_UNSUPPORTED = -24,
  TRAP_BANG_MAXIMUM_PIPELINE,
  TRAP_BANG_INVALID_COMPARE_MODE,
  TRAP_BANG_INVALID_FUSION_OP,
  TRAP_BANG_UNSUPPORTED_STRIDE_MEMCPY_DIR,
  TRAP_BANG_UNSUPPORTED_MEMCPY_DIR,
  TRAP_BANG_MPUCORE_UNSUPPORTED,
  TRAP_BANG_SHARED_MEM_UNSUPPORTED,
  TRAP_BANG_UNIMPLEMENTED_API,
  TRAP_BANG_INVALID_SIZE_RESTRICTION,
  TRAP_BANG_INVALID_POOLBP_OVERLAP_OPTION,
  TRAP_BANG_INTERNAL_ERR_END = -1,
  TRAP_BANG_UNDEF = 0
};

enum CompareMode { CMP_EQ = 0, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE };

#endif /* BANG_ENUMS_H_ */
