/* SPDX-License-Identifier: MIT */
#include "language.h"

#include <string.h>

#include "bang/enums.h"
#include "bang/table.h"
#include "events.h"

const char *const language_entries[] = {
    "__bang_barrier",
    "__bang_copy",
    "__bang_defer",
    "__bang_ram_allow",
    "__bang_space_address",
    "__bang_sync_pipes",
    "__bang_unit_start",
    "__bang_vec_argmax",
    "__bang_vec_argmin",
    "__bang_vec_atomic",
    "__bang_vec_avgpool_bp",
    "__bang_vec_binary",
    "__bang_vec_bitindex",
    "__bang_vec_conv",
    "__bang_vec_convert",
    "__bang_vec_convert_strided",
    "__bang_vec_count",
    "__bang_vec_count_bits",
    "__bang_vec_cycle",
    "__bang_vec_extension",
    "__bang_vec_fill",
    "__bang_vec_fill_async",
    "__bang_vec_filter",
    "__bang_vec_filter_bits",
    "__bang_vec_findfirst1",
    "__bang_vec_findlast1",
    "__bang_vec_fusion",
    "__bang_vec_gather",
    "__bang_vec_gather_async",
    "__bang_vec_iota",
    "__bang_vec_lock",
    "__bang_vec_lut",
    "__bang_vec_maskmove",
    "__bang_vec_matmul",
    "__bang_vec_maxpool_bp",
    "__bang_vec_mirror",
    "__bang_vec_pad",
    "__bang_vec_pool",
    "__bang_vec_pool_index",
    "__bang_vec_product",
    "__bang_vec_random",
    "__bang_vec_reduce_sum",
    "__bang_vec_reshape_filter",
    "__bang_vec_rotate",
    "__bang_vec_scalar",
    "__bang_vec_scatter",
    "__bang_vec_scatter_async",
    "__bang_vec_sum",
    "__bang_vec_transpose",
    "__bang_vec_unary",
    "__bang_vec_unlock",
    "__bang_vec_unpool",
    NULL,
};

static bool is_among(const char *name, const char *const *names) {
  while (*names != NULL && strcmp(*names, name) != 0) {
    ++names;
  }
  return *names != NULL;
}

static bool begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

bool language_is_entry(const char *name) {
  return begins_with(name, "__bang_") && is_among(name, language_entries);
}

bool language_is_instruction(const char *name) {
  static const char *const places[] = {"__bang_ram_allow", "__bang_space_address",
                                       "__bang_unit_start", NULL};
  return language_is_entry(name) && !is_among(name, places);
}

bool language_file_is_scalar(const char *file) {
  static const char *const scalar[] = {"/bang/bfloat16.h",       "/bang/extremes.h",
                                       "/bang/half_math.h",      "/bang/integer.h",
                                       "/bang/libdevice.h",      "/bang/libdevice_cast.h",
                                       "/bang/libdevice_math.h", "/bang/libdevice_round.h",
                                       "/bang/scalar_math.h",    "/bang/small_float.h",
                                       "/bang/space_access.h",   "/bang/types.h",
                                       "/bang_clang_half.h",     NULL};
  return is_among(file, scalar);
}

#define NONE -1
#define PARAMETER(index) (1u << (index))

/* Four parameters whose product is the number of elements. */
#define IMAGES (PARAMETER(2) | PARAMETER(3) | PARAMETER(4) | PARAMETER(5))

static const struct language_function functions[] = {
    {"__bang_relun", 4, NULL, CARD_FN_UNARY, BANG_RELU, 0, 1, PARAMETER(2), NONE},
    {"__bang_nan_argmax", 3, NULL, CARD_FN_ARGMAX, 0, 0, 1, PARAMETER(2), NONE},
    {"__bang_nan_argmin", 3, NULL, CARD_FN_ARGMIN, 0, 0, 1, PARAMETER(2), NONE},
    {"__bang_reshape_nhwc2nchw", 6, NULL, CARD_FN_TRANSPOSE, 0, 0, 1, IMAGES, NONE},
    {"__bang_reshape_nchw2nhwc", 6, NULL, CARD_FN_TRANSPOSE, 0, 0, 1, IMAGES, NONE},
    {"__bang_expand_channel_mul", 6, NULL, CARD_FN_BINARY, BANG_MUL, 0, 3,
     PARAMETER(4) | PARAMETER(5), NONE},
    {"__bang_expand_channel_mul_add", 7, NULL, CARD_FN_FUSION, FUSION_FMA, 0, 3,
     PARAMETER(5) | PARAMETER(6), NONE},
    {"__bang_move", 3, NULL, CARD_FN_MOVE, 0, 0, 1, PARAMETER(2), NONE},
    {"__bang_move", 6, NULL, CARD_FN_MOVE, 0, 0, 1, PARAMETER(2), 5},
    {"__bang_asm_chain", 0, NULL, CARD_FN_LIBRARY, 0, 0, 2, PARAMETER(1), NONE},
    {"__bang_asm_gather", 6, NULL, CARD_FN_GATHER, 0, 0, 1, PARAMETER(3) | PARAMETER(4), NONE},
    {"__bang_asm_index", 0, NULL, CARD_FN_REGISTER, 0, NONE, NONE, 0, NONE},
    {"copy_wram", 5, "__bang_card_wram_copy", 0, 0, NONE, NONE, 0, NONE},
    /* A deferred operation: it was recorded when it was deferred. */
    {"perform_atomic", 1, NULL, 0, 0, NONE, NONE, 0, NONE},
};
static const struct language_function of_libdevice = {
    "__cn_vector_", 0, NULL, CARD_FN_LIBRARY, 0, 1, 2, PARAMETER(0), NONE};
static const struct language_function of_registers = {"__vv_", 0, NULL, CARD_FN_REGISTER, 0, NONE,
                                                      NONE,    0, NONE};

const struct language_function *language_find_function(const char *name, unsigned parameters) {
  for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); ++i) {
    if (strcmp(functions[i].name, name) == 0 &&
        (functions[i].parameters == 0 || functions[i].parameters == parameters)) {
      return &functions[i];
    }
  }
  if (begins_with(name, of_libdevice.name)) {
    return &of_libdevice;
  }
  return begins_with(name, of_registers.name) ? &of_registers : NULL;
}

bool language_is_thread_setup(const char *name) {
  return begins_with(name, "_ZTW") || begins_with(name, "_ZTH") || begins_with(name, "_ZGV") ||
         begins_with(name, "__tls_") || begins_with(name, "__cxx_global_var_init");
}

static const struct {
  const char *name; /* name of the float function; the double one lacks the f */
  enum scalar_class class;
} library[] = {
    {"acosf", SCALAR_FUNCTION},   {"asinf", SCALAR_FUNCTION},      {"atan2f", SCALAR_TWO_FUNCTIONS},
    {"atanf", SCALAR_FUNCTION},   {"cbrtf", SCALAR_TWO_FUNCTIONS}, {"ceilf", SCALAR_FLOAT},
    {"copysignf", SCALAR_FLOAT},  {"cosf", SCALAR_FUNCTION},       {"coshf", SCALAR_FUNCTION},
    {"erff", SCALAR_FUNCTION},    {"exp2f", SCALAR_FUNCTION},      {"expf", SCALAR_FUNCTION},
    {"expm1f", SCALAR_FUNCTION},  {"fabsf", SCALAR_FLOAT},         {"floorf", SCALAR_FLOAT},
    {"fmaf", SCALAR_FLOAT},       {"fmaxf", SCALAR_FLOAT},         {"fminf", SCALAR_FLOAT},
    {"fmodf", SCALAR_DIVISION},   {"frexpf", SCALAR_FLOAT},        {"hypotf", SCALAR_TWO_FUNCTIONS},
    {"ldexpf", SCALAR_FLOAT},     {"log10f", SCALAR_FUNCTION},     {"log1pf", SCALAR_FUNCTION},
    {"log2f", SCALAR_FUNCTION},   {"logf", SCALAR_FUNCTION},       {"nearbyintf", SCALAR_FLOAT},
    {"nextafterf", SCALAR_FLOAT}, {"powf", SCALAR_TWO_FUNCTIONS},  {"rintf", SCALAR_FLOAT},
    {"roundf", SCALAR_FLOAT},     {"scalbnf", SCALAR_FLOAT},       {"sinf", SCALAR_FUNCTION},
    {"sinhf", SCALAR_FUNCTION},   {"sqrtf", SCALAR_DIVISION},      {"tanf", SCALAR_TWO_FUNCTIONS},
    {"tanhf", SCALAR_FUNCTION},   {"truncf", SCALAR_FLOAT},
};

enum scalar_class language_library_class(const char *name) {
  for (size_t i = 0; i < sizeof(library) / sizeof(*library); ++i) {
    const size_t length = strlen(library[i].name) - 1;
    if (strncmp(library[i].name, name, length) == 0 &&
        (name[length] == 0 || strcmp(name + length, "f") == 0)) {
      return library[i].class;
    }
  }
  return SCALAR_NONE;
}
