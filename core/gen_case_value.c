/* SPDX-License-Identifier: MIT */
#include "core/gen_case_value.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/tool.h"

/* Loads an unsigned number of `size` bytes. */
static uint64_t load_bits(const unsigned char *part, size_t size) {
  uint8_t b8;
  uint16_t b16;
  uint32_t b32;
  uint64_t b64;
  switch (size) {
    case 1:
      memcpy(&b8, part, size);
      return b8;
    case 2:
      memcpy(&b16, part, size);
      return b16;
    case 4:
      memcpy(&b32, part, size);
      return b32;
    default:
      memcpy(&b64, part, sizeof(b64));
      return b64;
  }
}

static float float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static float float_of_half(uint16_t bits) {
  const uint32_t sign = (uint32_t)(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t fraction = bits & 0x3ffu;
  if (exponent == 0x1f) return float_of_bits(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
  const float value = ldexpf((float)fraction, -24);
  return sign != 0 ? -value : value;
}

static void write_float(FILE *file, float value) {
  char text[MLUOP_REAL_TEXT_SIZE];
  /* Some C libraries print "-nan", which the text format does not allow. */
  fputs(isnan(value) ? "nan" : mluop_real_text(text, (double)value), file);
}

static int64_t sign_extend(uint64_t bits, size_t size) {
  const unsigned shift = (unsigned)(64 - 8 * size);
  return (int64_t)(bits << shift) >> shift;
}

typedef enum Form {
  FORM_HEX,
  FORM_FLOAT,
  FORM_HALF,
  FORM_BFLOAT16,
  FORM_SIGNED,
  FORM_UNSIGNED
} Form;

typedef struct Style {
  const char *field;
  Form form;
  size_t part_size;
} Style;

static Style style_of(mluOpDataType_t dtype, bool is_hex) {
  const size_t size = mluop_dtype_size(dtype);
  Style style = {"value_i", FORM_SIGNED, size};
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
    case MLUOP_DTYPE_COMPLEX_HALF:
      style = (Style){"value_f", FORM_HALF, 2};
      break;
    case MLUOP_DTYPE_FLOAT:
    case MLUOP_DTYPE_COMPLEX_FLOAT:
      style = (Style){"value_f", FORM_FLOAT, 4};
      break;
    case MLUOP_DTYPE_BFLOAT16:
      style = (Style){"value_f", FORM_BFLOAT16, 2};
      break;
    case MLUOP_DTYPE_DOUBLE: /* value_f is a float: only the bits are exact */
      return (Style){"value_h", FORM_HEX, 8};
    case MLUOP_DTYPE_BOOL: /* any byte */
      return (Style){"value_i", FORM_UNSIGNED, 1};
    case MLUOP_DTYPE_INT64:
      return (Style){"value_l", FORM_SIGNED, size};
    case MLUOP_DTYPE_UINT64:
      return (Style){"value_ul", FORM_UNSIGNED, size};
    case MLUOP_DTYPE_UINT8:
    case MLUOP_DTYPE_UINT16:
    case MLUOP_DTYPE_UINT32:
      return (Style){"value_ui", FORM_UNSIGNED, size};
    default:
      return style;
  }
  if (is_hex) {
    style.field = "value_h";
    style.form = FORM_HEX;
  }
  return style;
}

static void write_part(FILE *file, const Style *style, uint64_t bits) {
  switch (style->form) {
    case FORM_HEX:
      fprintf(file, "\"%0*" PRIx64 "\"", (int)(2 * style->part_size), bits);
      break;
    case FORM_FLOAT:
      write_float(file, float_of_bits((uint32_t)bits));
      break;
    case FORM_HALF:
      write_float(file, float_of_half((uint16_t)bits));
      break;
    case FORM_BFLOAT16:
      write_float(file, float_of_bits((uint32_t)bits << 16));
      break;
    case FORM_SIGNED:
      fprintf(file, "%" PRId64, sign_extend(bits, style->part_size));
      break;
    case FORM_UNSIGNED:
      fprintf(file, "%" PRIu64, bits);
      break;
  }
}

void mluop_gen_case_write_values(FILE *file, mluOpDataType_t dtype, const void *data, int64_t count,
                                 bool is_hex) {
  const Style style = style_of(dtype, is_hex);
  const unsigned char *part = (const unsigned char *)data;
  const int64_t part_num = count * (int64_t)(mluop_dtype_size(dtype) / style.part_size);
  fprintf(file, "  %s: [", style.field);
  for (int64_t i = 0; i < part_num; ++i, part += style.part_size) {
    fputs(i == 0 ? "" : i % 16 == 0 ? ",\n    " : ", ", file);
    write_part(file, &style, load_bits(part, style.part_size));
  }
  fputs("]\n", file);
}
