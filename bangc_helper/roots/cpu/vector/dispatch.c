/* SPDX-License-Identifier: MIT
 *
 * Selection of the instruction set, and elementwise entry points that only look up a kernel.
 */
#include "vector/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bang_runtime.h"
#include "vector/computed.h"

typedef struct Isa {
  bangIsaTable table;
  void (*fill)(bangIsaTable *table);
  int (*available)(void);
} Isa;

#define DEFINE_FILL(isa)                        \
  static void fill_##isa(bangIsaTable *table) { \
    table->name = #isa;                         \
    bang_fill_arith_##isa(table);               \
    bang_fill_logic_##isa(table);               \
    bang_fill_bits_##isa(table);                \
    bang_fill_integer_##isa(table);             \
    bang_fill_unary_##isa(table);               \
    bang_fill_fusion_##isa(table);              \
    bang_fill_math_##isa(table);                \
    bang_fill_convert_##isa(table);             \
    bang_fill_filter_##isa(table);              \
    bang_fill_reduce_##isa(table);              \
    bang_fill_matmul_##isa(table);              \
    bang_fill_gather_##isa(table);              \
  }
DEFINE_FILL(baseline)
static int always(void) {
  return 1;
}

#ifdef BANG_VECTOR_X86
#include <cpuid.h>

DEFINE_FILL(avx2)
DEFINE_FILL(avx512)
/* clang's __builtin_cpu_supports does not know F16C. */
static int has_f16c(void) {
  unsigned eax, ebx, ecx, edx;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_F16C);
}
static int has_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
}
static int has_avx512(void) {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

static void fill_avx512_bf16(bangIsaTable *table) {
  fill_avx512(table);
  table->name = "avx512_bf16";
  bang_fill_matrix_avx512_bf16(table);
}
static int has_avx512_bf16(void) {
  unsigned eax, ebx, ecx, edx;
  return has_avx512() && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && (eax & bit_AVX512BF16);
}

static void fill_avx512_amx(bangIsaTable *table) {
  fill_avx512_bf16(table);
  table->name = "avx512_amx";
  bang_fill_matrix_avx512_amx(table);
}
static int has_avx512_amx(void) {
  /* Compilers have different names for these bits: BF16, TILE and INT8; TILECFG and TILEDATA. */
  enum { AMX = 1 << 22 | 1 << 24 | 1 << 25, TILES_IN_XCR0 = 1 << 17 | 1 << 18 };
  unsigned eax, ebx, ecx, edx;
  if (!has_avx512_bf16() || !__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || (edx & AMX) != AMX)
    return 0;
  __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
  return (eax & TILES_IN_XCR0) == TILES_IN_XCR0;
}
#endif

#ifdef BANG_VECTOR_ARM
#include <asm/hwcap.h>
#include <sys/auxv.h>

DEFINE_FILL(bf16)
static void fill_arm_bf16(bangIsaTable *table) {
  fill_bf16(table);
  bang_fill_matrix_arm(table);
}
static int has_bf16(void) {
  const unsigned long halves = HWCAP_ASIMDHP | HWCAP_ASIMDFHM, others = HWCAP2_BF16 | HWCAP2_I8MM;
  return (getauxval(AT_HWCAP) & halves) == halves && (getauxval(AT_HWCAP2) & others) == others;
}
#endif

/* From the most basic to the best. */
static Isa isas[] = {
    {.fill = fill_baseline, .available = always},
#ifdef BANG_VECTOR_X86
    {.fill = fill_avx2, .available = has_avx2},
    {.fill = fill_avx512, .available = has_avx512},
    {.fill = fill_avx512_bf16, .available = has_avx512_bf16},
    {.fill = fill_avx512_amx, .available = has_avx512_amx},
#endif
#ifdef BANG_VECTOR_ARM
    {.fill = fill_arm_bf16, .available = has_bf16},
#endif
};
enum { ISA_COUNT = sizeof isas / sizeof isas[0] };

const bangIsaTable *bang_isa;

BANG_API const char *__bang_vec_use_isa(const char *name) {
  for (int i = ISA_COUNT - 1; i >= 0; i--) {
    if (isas[i].available() && (name == NULL || strcmp(isas[i].table.name, name) == 0)) {
      bang_isa = &isas[i].table;
      return bang_isa->name;
    }
  }
  return NULL;
}

BANG_API const char *__bang_vec_isa(void) {
  return bang_isa->name;
}

/* Runs before any kernel can. */
__attribute__((constructor)) static void choose_isa(void) {
#ifdef BANG_VECTOR_X86
  __builtin_cpu_init();
#endif
  /* Filling a table already executes code of its instruction set, so the check comes first. */
  for (int i = 0; i < ISA_COUNT; i++) {
    if (isas[i].available()) isas[i].fill(&isas[i].table);
  }
  const char *wanted = getenv("MLUOP_CPU_ISA");
  if (wanted == NULL || *wanted == '\0') {
    wanted = NULL;
  }
  if (__bang_vec_use_isa(wanted) == NULL) {
    fprintf(stderr, "MLUOP_CPU_ISA=%s: not one of this processor's instruction sets; using %s\n",
            wanted, __bang_vec_use_isa(NULL));
  }
}

int bang_type_size(int type) {
  static const unsigned char size[BANG_TYPE_COUNT] = {2, 2, 4, 1, 1, 2, 2, 4, 4, 8, 8};
  return size[type];
}

static void no_such_kernel(const char *kind, int op, int type) {
  __bang_fault(CN_INVOKE_ERROR_ILLEGAL_INSTRUCTION, "no %s operation %d for type %d", kind, op,
               type);
}

/* Not inlined: a call without pieces needs no frame. b_size 0: one element for all. */
static __attribute__((noinline)) void binary_pieces(bangBinaryFn kernel, char *dst, const char *a,
                                                    int size, const char *b, int b_size,
                                                    int64_t n) {
  for (int64_t i = 0, count; i < n; i += count) {
    count = bang_next_piece(n - i);
    kernel(dst + i * size, a + i * size, b + i * b_size, count);
  }
}

static inline void binary(bangBinaryFn kernel, void *dst, const void *a, int size, const void *b,
                          int b_size, int64_t n) {
  if (bang_has_pieces(n)) {
    binary_pieces(kernel, dst, a, size, b, b_size, n);
  } else if (n > 0) {
    bang_count_computed(n);
    kernel(dst, a, b, n);
  }
}

BANG_API void __bang_vec_unary(int op, int type, void *dst, const void *src, int64_t n) {
  bangUnaryFn kernel = bang_isa->unary[op][type];
  if (kernel == NULL) {
    no_such_kernel("unary", op, type);
    return;
  }
  for (int64_t i = 0, count, size = bang_type_size(type); i < n; i += count) {
    count = bang_next_piece(n - i);
    kernel((char *)dst + i * size, (const char *)src + i * size, count);
  }
}

BANG_API void __bang_vec_binary(int op, int type, void *dst, const void *a, const void *b,
                                int64_t n) {
  bangBinaryFn kernel = bang_isa->binary[op][type];
  if (kernel == NULL) {
    no_such_kernel("binary", op, type);
    return;
  }
  binary(kernel, dst, a, bang_type_size(type), b, bang_type_size(type), n);
}

BANG_API void __bang_vec_scalar(int op, int type, void *dst, const void *a, const void *scalar,
                                int64_t n) {
  bangBinaryFn kernel = bang_isa->scalar[op][type];
  if (kernel == NULL) {
    no_such_kernel("scalar", op, type);
    return;
  }
  binary(kernel, dst, a, bang_type_size(type), scalar, 0, n);
}

BANG_API void __bang_vec_convert(int dst_type, void *dst, int src_type, const void *src, int64_t n,
                                 int shift, int round) {
  /* In float lanes a scale of up to 2^30 is exact, or at least not lost to zero. Integer kernels do
   * not scale. */
  bangConvertFn kernel = bang_isa->convert[dst_type][src_type][round];
  int integers = (BANG_SET_INT >> dst_type & 1) && (BANG_SET_INT >> src_type & 1);
  int in_lanes = kernel != NULL && (shift == 0 || (!integers && shift >= -30 && shift <= 30));
  const int dst_size = bang_type_size(dst_type), src_size = bang_type_size(src_type);
  int widens_in_place = dst == src && dst_size > src_size;
  if (n <= 0) {
    return;
  }
  if (!in_lanes || widens_in_place) {
    bang_convert_elements(dst_type, dst, src_type, src, n, shift, round);
    return;
  }
  const float scale = shift >= 0 ? (float)(1 << shift) : 1.0f / (float)(1 << -shift);
  for (int64_t i = 0, count; i < n; i += count) {
    count = bang_next_piece(n - i);
    kernel((char *)dst + i * dst_size, (const char *)src + i * src_size, count, scale);
  }
}

BANG_API void __bang_vec_convert_strided(int dst_type, void *dst, int src_type, const void *src,
                                         int64_t n, int shift, int round, int64_t dst_stride,
                                         int64_t src_stride, int64_t segments) {
  if (segments == 0) {
    __bang_vec_convert(dst_type, dst, src_type, src, n, shift, round);
    return;
  }
  for (int64_t i = 0; i <= segments; i++) {
    __bang_vec_convert(dst_type, (char *)dst + i * dst_stride, src_type,
                       (const char *)src + i * src_stride, n, shift, round);
  }
}
