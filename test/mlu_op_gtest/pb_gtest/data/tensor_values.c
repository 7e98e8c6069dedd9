/* SPDX-License-Identifier: MIT */
#include "data/tensor_values.h"

#include <math.h>
#include <string.h>

static const char *const source_names[] = {"no value", "value_h",  "value_f", "value_i",
                                           "value_l",  "value_ui", "value_ul"};

mluopValueSource mluop_test_tensor_value_source(const Mluoptest__Tensor *spec) {
  return spec->n_value_h    ? MLUOP_VALUES_H
         : spec->n_value_f  ? MLUOP_VALUES_F
         : spec->n_value_i  ? MLUOP_VALUES_I
         : spec->n_value_l  ? MLUOP_VALUES_L
         : spec->n_value_ui ? MLUOP_VALUES_UI
         : spec->n_value_ul ? MLUOP_VALUES_UL
                            : MLUOP_VALUES_NONE;
}

size_t mluop_test_tensor_value_count(const Mluoptest__Tensor *spec) {
  switch (mluop_test_tensor_value_source(spec)) {
    case MLUOP_VALUES_H:
      return spec->n_value_h;
    case MLUOP_VALUES_F:
      return spec->n_value_f;
    case MLUOP_VALUES_I:
      return spec->n_value_i;
    case MLUOP_VALUES_L:
      return spec->n_value_l;
    case MLUOP_VALUES_UI:
      return spec->n_value_ui;
    case MLUOP_VALUES_UL:
      return spec->n_value_ul;
    case MLUOP_VALUES_NONE:
      break;
  }
  return 0;
}

/* Parses a hex string; a leading 0x is allowed. */
static int parse_hex(const char *text, uint64_t *bits) {
  const char *digit = text;
  if (digit[0] == '0' && (digit[1] == 'x' || digit[1] == 'X')) {
    digit += 2;
  }
  *bits = 0;
  size_t n = 0;
  for (; digit[n]; ++n) {
    const char c = digit[n];
    const int value = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (value < 0 || n >= 16) {
      return -1;
    }
    *bits = *bits << 4 | (uint64_t)value;
  }
  return n ? 0 : -1;
}

static int store_hex(const Mluoptest__Tensor *spec, const mluopDtypeInfo *info, void *data,
                     size_t i, mluopTestText *errors) {
  uint64_t bits = 0;
  if (parse_hex(spec->value_h[i], &bits)) {
    mluop_text_add(errors, "value_h[%zu] \"%s\" is not a hex number", i, spec->value_h[i]);
    return -1;
  }
  if (!mluop_part_store_bits(info, data, i, bits)) {
    mluop_text_add(errors, "value_h[%zu] \"%s\" has more than %d bits", i, spec->value_h[i],
                   8 * info->part_size);
    return -1;
  }
  return 0;
}

static int store_float(const Mluoptest__Tensor *spec, const mluopDtypeInfo *info, void *data,
                       size_t i, mluopTestText *errors) {
  const double value = (double)spec->value_f[i];
  mluop_part_store(info, data, i, value);
  if (!info->is_float && mluop_part_load(info, data, i) != value) {
    mluop_text_add(errors, "value_f[%zu] %g is not a number of %s", i, value,
                   mluop_dtype_name(info->type));
    return -1;
  }
  return 0;
}

/* True if this integer type can hold the value. BOOL is one byte, signed or not. */
static bool integer_fits(const mluopDtypeInfo *info, bool negative, uint64_t magnitude) {
  const int bits = 8 * info->part_size;
  const uint64_t half = UINT64_C(1) << (bits - 1);
  switch (info->part) {
    case MLUOP_PART_UINT8:
    case MLUOP_PART_UINT16:
    case MLUOP_PART_UINT32:
    case MLUOP_PART_UINT64:
      return !negative && (bits == 64 || magnitude < 2 * half);
    case MLUOP_PART_BOOL:
      return magnitude < (negative ? half + 1 : 2 * half);
    default:
      return magnitude < (negative ? half + 1 : half);
  }
}

/* For a float type, value_i and value_l contain its bits, possibly sign-extended. */
static int store_integer(const mluopDtypeInfo *info, void *data, size_t i, bool negative,
                         uint64_t magnitude, const char *list, mluopTestText *errors) {
  const uint64_t bits = negative ? ~magnitude + 1 : magnitude;
  bool fits;
  if (info->is_float) {
    const int width = 8 * info->part_size;
    const uint64_t half = UINT64_C(1) << (width - 1);
    fits = width == 64 || magnitude < (negative ? half + 1 : 2 * half);
  } else {
    fits = integer_fits(info, negative, magnitude);
  }
  if (!fits) {
    mluop_text_add(errors, "%s[%zu] %s%llu does not fit into %s", list, i, negative ? "-" : "",
                   (unsigned long long)magnitude, mluop_dtype_name(info->type));
    return -1;
  }
  memcpy((char *)data + i * info->part_size, &bits, info->part_size);
  return 0;
}

static int store_signed(const mluopDtypeInfo *info, void *data, size_t i, int64_t value,
                        const char *list, mluopTestText *errors) {
  const uint64_t magnitude = value < 0 ? ~(uint64_t)value + 1 : (uint64_t)value;
  return store_integer(info, data, i, value < 0, magnitude, list, errors);
}

int mluop_test_tensor_values(const Mluoptest__Tensor *spec, const mluopDtypeInfo *info, void *data,
                             size_t count, mluopTestText *errors) {
  const mluopValueSource source = mluop_test_tensor_value_source(spec);
  const char *list = source_names[source];
  const size_t given = mluop_test_tensor_value_count(spec), wanted = count * info->parts;
  if (given != wanted) {
    mluop_text_add(errors, "%s has %zu values, the shape needs %zu", list, given, wanted);
    return -1;
  }
  int failed = 0;
  for (size_t i = 0; i < wanted && !failed; ++i) {
    switch (source) {
      case MLUOP_VALUES_H:
        failed = store_hex(spec, info, data, i, errors);
        break;
      case MLUOP_VALUES_F:
        failed = store_float(spec, info, data, i, errors);
        break;
      case MLUOP_VALUES_I:
        failed = store_signed(info, data, i, spec->value_i[i], list, errors);
        break;
      case MLUOP_VALUES_L:
        failed = store_signed(info, data, i, spec->value_l[i], list, errors);
        break;
      case MLUOP_VALUES_UI:
        failed = store_integer(info, data, i, false, spec->value_ui[i], list, errors);
        break;
      case MLUOP_VALUES_UL:
        failed = store_integer(info, data, i, false, spec->value_ul[i], list, errors);
        break;
      case MLUOP_VALUES_NONE:
        break;
    }
  }
  return failed;
}
