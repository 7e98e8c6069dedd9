/* SPDX-License-Identifier: MIT
 *
 * Host conversions against values worked out by hand and against the compiler's own arithmetic.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static const cnrtRoundingMode_t modes[] = {cnrtRounding_rn, cnrtRounding_rz, cnrtRounding_rd,
                                           cnrtRounding_ru, cnrtRounding_ro, cnrtRounding_rm};
enum { MODES = 6 };

static uint16_t to16(float value, cnrtDataType_V2_t type, cnrtRoundingMode_t mode) {
  uint16_t result = 0xdead;
  CHECK_OK(cnrtCastDataType_V2(&value, cnrtFloat, &result, type, 1, NULL, mode));
  return result;
}

static uint16_t double_to16(double value, cnrtDataType_V2_t type, cnrtRoundingMode_t mode) {
  uint16_t result = 0xdead;
  CHECK_OK(cnrtCastDataType_V2(&value, cnrtDouble, &result, type, 1, NULL, mode));
  return result;
}

static float from16(uint16_t value, cnrtDataType_V2_t type) {
  float result = 0;
  CHECK_OK(cnrtCastDataType_V2(&value, type, &result, cnrtFloat, 1, NULL, cnrtRounding_rn));
  return result;
}

static void half_rounding(void) {
  /* expected for rn, rz, rd, ru, ro, rm */
  const struct {
    float value;
    uint16_t expected[MODES];
  } cases[] = {
      {1.0f, {0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00}},
      {-2.5f, {0xc100, 0xc100, 0xc100, 0xc100, 0xc100, 0xc100}},
      {1.0f + 0x1p-11f, {0x3c00, 0x3c00, 0x3c00, 0x3c01, 0x3c01, 0x3c01}},
      {-1.0f - 0x1p-11f, {0xbc00, 0xbc00, 0xbc01, 0xbc00, 0xbc01, 0xbc00}},
      {1.0f + 3 * 0x1p-11f, {0x3c02, 0x3c01, 0x3c01, 0x3c02, 0x3c02, 0x3c02}},
      {1.0f + 0x1p-12f, {0x3c00, 0x3c00, 0x3c00, 0x3c01, 0x3c01, 0x3c00}},
      {65520.0f, {0x7c00, 0x7bff, 0x7bff, 0x7c00, 0x7c00, 0x7c00}},
      {-65520.0f, {0xfc00, 0xfbff, 0xfc00, 0xfbff, 0xfc00, 0xfbff}},
      {1e9f, {0x7c00, 0x7bff, 0x7bff, 0x7c00, 0x7c00, 0x7c00}},
      {0x1p-24f, {1, 1, 1, 1, 1, 1}},
      {0x1p-25f, {0, 0, 0, 1, 1, 1}},
      {-0x1p-25f, {0x8000, 0x8000, 0x8001, 0x8000, 0x8001, 0x8000}},
      {1e-40f, {0, 0, 0, 1, 1, 0}},
      {0.0f, {0, 0, 0, 0, 0, 0}},
      {-0.0f, {0x8000, 0x8000, 0x8000, 0x8000, 0x8000, 0x8000}},
      {INFINITY, {0x7c00, 0x7c00, 0x7c00, 0x7c00, 0x7c00, 0x7c00}},
      {-INFINITY, {0xfc00, 0xfc00, 0xfc00, 0xfc00, 0xfc00, 0xfc00}},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    for (int m = 0; m < MODES; ++m) {
      CHECK_EQ(to16(cases[i].value, cnrtHalf, modes[m]), cases[i].expected[m]);
      CHECK_EQ(double_to16((double)cases[i].value, cnrtHalf, modes[m]), cases[i].expected[m]);
    }
  }
  CHECK_EQ(to16(NAN, cnrtHalf, cnrtRounding_rn) & 0x7e00, 0x7e00);
  CHECK_EQ(double_to16((double)NAN, cnrtHalf, cnrtRounding_rn) & 0x7e00, 0x7e00);
}

static void sixteen_bit_round_trip(void) {
  const cnrtDataType_V2_t types[] = {cnrtHalf, cnrtBfloat};
  for (int t = 0; t < 2; ++t) {
    int wrong = 0;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const float value = from16((uint16_t)bits, types[t]);
      if (isnan(value)) {
        wrong += !isnan(from16(to16(value, types[t], cnrtRounding_rn), types[t]));
        continue;
      }
      wrong += to16(value, types[t], modes[bits % MODES]) != bits;
    }
    CHECK_EQ(wrong, 0);
  }
  CHECK(from16(0x3c00, cnrtHalf) == 1.0f);
  CHECK(from16(0x0001, cnrtHalf) == 0x1p-24f);
  CHECK(from16(0x3f80, cnrtBfloat) == 1.0f);
}

/* The fast path (float source) and the general one (double source) agree on random floats. */
static void both_ways_agree(void) {
  int wrong = 0;
  uint32_t state = 12345;
  for (int i = 0; i < 200000; ++i) {
    state = state * 1664525u + 1013904223u;
    float value;
    const uint32_t bits = i % 2 == 0 ? state : (state & 0x80ffffffu) | 0x38000000u;
    memcpy(&value, &bits, sizeof(value));
    if (isnan(value)) {
      continue;
    }
    const cnrtRoundingMode_t mode = modes[state >> 8 & 3];
    wrong += to16(value, cnrtHalf, mode) != double_to16((double)value, cnrtHalf, mode);
    wrong += to16(value, cnrtBfloat, mode) != double_to16((double)value, cnrtBfloat, mode);
  }
  CHECK_EQ(wrong, 0);
}

static int32_t to_int(float value, cnrtRoundingMode_t mode) {
  int32_t result = -77;
  CHECK_OK(cnrtCastDataType_V2(&value, cnrtFloat, &result, cnrtInt, 1, NULL, mode));
  return result;
}

static void integers(void) {
  const struct {
    float value;
    int32_t expected[MODES];
  } cases[] = {
      {2.5f, {2, 2, 2, 3, 3, 3}},        {3.5f, {4, 3, 3, 4, 4, 4}},
      {-2.5f, {-2, -2, -3, -2, -3, -2}}, {-3.5f, {-4, -3, -4, -3, -4, -3}},
      {1.2f, {1, 1, 1, 2, 2, 1}},        {-1.2f, {-1, -1, -2, -1, -2, -1}},
      {7.0f, {7, 7, 7, 7, 7, 7}},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    for (int m = 0; m < MODES; ++m) {
      CHECK_EQ(to_int(cases[i].value, modes[m]), cases[i].expected[m]);
    }
  }
  CHECK_EQ(to_int(NAN, cnrtRounding_rn), 0);
  CHECK_EQ(to_int(1e30f, cnrtRounding_rn), INT32_MAX);
  CHECK_EQ(to_int(-INFINITY, cnrtRounding_rn), INT32_MIN);

  const double big[] = {300.0, -300.0, 1e30, -1e30, 127.5, 255.4};
  int8_t chars[6];
  uint8_t uchars[6];
  uint64_t ulonglongs[6];
  CHECK_OK(cnrtCastDataType_V2((void *)big, cnrtDouble, chars, cnrtChar, 6, NULL, cnrtRounding_rn));
  CHECK_OK(
      cnrtCastDataType_V2((void *)big, cnrtDouble, uchars, cnrtUchar, 6, NULL, cnrtRounding_rn));
  CHECK_OK(cnrtCastDataType_V2((void *)big, cnrtDouble, ulonglongs, cnrtUlonglong, 6, NULL,
                               cnrtRounding_rn));
  CHECK(chars[0] == 127 && chars[1] == -128 && chars[2] == 127 && chars[3] == -128);
  CHECK(uchars[0] == 255 && uchars[1] == 0 && uchars[4] == 128 && uchars[5] == 255);
  CHECK(ulonglongs[2] == UINT64_MAX && ulonglongs[3] == 0 && ulonglongs[0] == 300);
}

static void sixty_four_bits(void) {
  const int64_t values[] = {INT64_MAX, INT64_MIN, 9007199254740993, -1};
  int64_t back[4];
  uint64_t unsigned_values[4];
  double doubles[4];
  float floats[4];
  CHECK_OK(cnrtCastDataType_V2((void *)values, cnrtLonglong, back, cnrtLonglong, 4, NULL,
                               cnrtRounding_rn));
  CHECK(memcmp(values, back, sizeof(values)) == 0);
  CHECK_OK(cnrtCastDataType_V2((void *)values, cnrtLonglong, unsigned_values, cnrtUlonglong, 4,
                               NULL, cnrtRounding_rn));
  CHECK(unsigned_values[0] == (uint64_t)INT64_MAX && unsigned_values[1] == 0);
  CHECK_OK(cnrtCastDataType_V2((void *)values, cnrtLonglong, doubles, cnrtDouble, 4, NULL,
                               cnrtRounding_rn));
  CHECK_OK(cnrtCastDataType_V2((void *)values, cnrtLonglong, floats, cnrtFloat, 4, NULL,
                               cnrtRounding_rn));
  for (int i = 0; i < 4; ++i) {
    CHECK(doubles[i] == (double)values[i]);
    CHECK(floats[i] == (float)values[i]);
  }
  CHECK_OK(cnrtCastDataType_V2((void *)&values[2], cnrtLonglong, doubles, cnrtDouble, 1, NULL,
                               cnrtRounding_ru));
  CHECK(doubles[0] == 9007199254740994.0);
}

static void booleans(void) {
  const float values[] = {0.0f, -0.0f, 0.25f, -3.0f};
  uint8_t flags[4] = {9, 9, 9, 9};
  float back[4];
  CHECK_OK(
      cnrtCastDataType_V2((void *)values, cnrtFloat, flags, cnrtBoolean, 4, NULL, cnrtRounding_rm));
  CHECK(flags[0] == 0 && flags[1] == 0 && flags[2] == 1 && flags[3] == 1);
  flags[3] = 200;
  CHECK_OK(cnrtCastDataType_V2(flags, cnrtBoolean, back, cnrtFloat, 4, NULL, cnrtRounding_rm));
  CHECK(back[0] == 0.0f && back[3] == 1.0f);
}

static void quantization(void) {
  cnrtQuantizedParam_t param = NULL;
  const float values[] = {1.0f, -0.5f, 100.0f};
  int8_t stored[3];
  float back[3];
  CHECK_OK(cnrtCreateQuantizedParam(&param, -4, 2.0f, 1));
  CHECK_OK(
      cnrtCastDataType_V2((void *)values, cnrtFloat, stored, cnrtChar, 3, param, cnrtRounding_rn));
  CHECK(stored[0] == 33 && stored[1] == -15 && stored[2] == 127);
  CHECK_OK(cnrtCastDataType_V2(stored, cnrtChar, back, cnrtFloat, 3, param, cnrtRounding_rn));
  CHECK(back[0] == 1.0f && back[1] == -0.5f);
  CHECK_EQ(cnrtCastDataType_V2(back, cnrtFloat, back, cnrtHalf, 3, param, cnrtRounding_rn),
           cnrtErrorArgsInvalid);
  CHECK_OK(cnrtDestroyQuantizedParam(param));
  CHECK_EQ(cnrtDestroyQuantizedParam(NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtCreateQuantizedParam(&param, 0, 0.0f, 0), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtCreateQuantizedParam(NULL, 0, 1.0f, 0), cnrtErrorArgsInvalid);
}

static void in_place(void) {
  float values[8];
  for (int i = 0; i < 8; ++i) {
    values[i] = (float)i + 0.5f;
  }
  CHECK_OK(cnrtCastDataType_V2(values, cnrtFloat, values, cnrtHalf, 8, NULL, cnrtRounding_rn));
  CHECK_OK(cnrtCastDataType_V2(values, cnrtHalf, values, cnrtFloat, 8, NULL, cnrtRounding_rn));
  for (int i = 0; i < 8; ++i) {
    CHECK(values[i] == (float)i + 0.5f);
  }
}

static void bad_arguments(void) {
  float value = 1;
  int32_t result = 7;
  CHECK_EQ(cnrtCastDataType_V2(NULL, cnrtFloat, &result, cnrtInt, 1, NULL, cnrtRounding_rn),
           cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtCastDataType_V2(&value, cnrtFloat, NULL, cnrtInt, 1, NULL, cnrtRounding_rn),
           cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtCastDataType_V2(&value, cnrtUnknown, &result, cnrtInt, 1, NULL, cnrtRounding_rn),
           cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtCastDataType_V2(&value, cnrtFloat, &result, (cnrtDataType_V2_t)0x55, 1, NULL,
                               cnrtRounding_rn),
           cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtCastDataType_V2(&value, cnrtFloat, &result, cnrtInt, -1, NULL, cnrtRounding_rn),
           cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtCastDataType_V2(&value, cnrtFloat, &result, cnrtInt, 1, NULL, cnrtRounding_max),
           cnrtErrorArgsInvalid);
  CHECK_OK(cnrtCastDataType_V2(NULL, cnrtFloat, NULL, cnrtInt, 0, NULL, cnrtRounding_rn));
  CHECK_EQ(result, 7);
}

static void first_generation(void) {
  const float values[] = {2.5f, -2.5f, 1e9f};
  int16_t shorts[3];
  uint16_t halves[3];
  CHECK_OK(cnrtCastDataType((void *)values, CNRT_FLOAT32, shorts, CNRT_INT16, 3, NULL));
  CHECK(shorts[0] == 3 && shorts[1] == -3 && shorts[2] == INT16_MAX);
  CHECK_OK(cnrtCastDataType((void *)values, CNRT_FLOAT32, halves, CNRT_FLOAT16, 3, NULL));
  CHECK(halves[0] == 0x4100 && halves[2] == 0x7c00);
  CHECK_EQ(cnrtCastDataType((void *)values, CNRT_FLOAT32, halves, CNRT_QUANT8, 3, NULL),
           cnrtErrorArgsInvalid);

  uint16_t half = 0;
  float narrow = 0;
  double wide = 0;
  CHECK_OK(cnrtConvertFloatToHalf(&half, 1.0f + 3 * 0x1p-11f));
  CHECK_EQ(half, 0x3c02);
  CHECK_OK(cnrtConvertDoubleToHalf(&half, -2.5));
  CHECK_EQ(half, 0xc100);
  CHECK_OK(cnrtConvertHalfToFloat(&narrow, half));
  CHECK_OK(cnrtConvertHalfToDouble(&wide, half));
  CHECK(narrow == -2.5f && wide == -2.5);
  CHECK_EQ(cnrtConvertFloatToHalf(NULL, 1.0f), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtConvertHalfToFloat(NULL, half), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtDataTypeSize(CNRT_FLOAT16), 2);
  CHECK_EQ(cnrtDataTypeSize(CNRT_INT64), 8);
  CHECK_EQ(cnrtDataTypeSize(CNRT_UINT8), 1);
  CHECK_EQ(cnrtDataTypeSize(CNRT_INVALID), 0);
}

/* Element (n, c, h, w) of an array of 2 x 3 x 4 x 5. */
static size_t place(int n, int c, int h, int w) {
  return (size_t)((n * 3 + c) * 4 + h) * 5 + (size_t)w;
}

static void check_order(cnrtDataType_t type, size_t size) {
  enum { COUNT = 2 * 3 * 4 * 5 };
  char src[COUNT * 8];
  char dst[COUNT * 8 + 1];
  char back[COUNT * 8];
  int values[] = {2, 3, 4, 5};
  int order[] = {0, 2, 3, 1};
  int ordered_values[] = {2, 4, 5, 3};
  int back_order[] = {0, 3, 1, 2};
  for (size_t i = 0; i < sizeof(src); ++i) {
    src[i] = (char)(i * 7 % 251);
  }
  dst[COUNT * size] = '#';
  CHECK_OK(cnrtTransDataOrder(src, type, dst, 4, values, order));
  CHECK_EQ(dst[COUNT * size], '#');
  size_t wrong = 0;
  const char *next = dst;
  for (int i = 0; i < COUNT; ++i, next += size) {
    const size_t from = place(i / 60, i % 3, i / 15 % 4, i / 3 % 5);
    wrong += memcmp(next, src + from * size, size) != 0;
  }
  CHECK_EQ(wrong, 0);
  CHECK_OK(cnrtTransDataOrder(dst, type, back, 4, ordered_values, back_order));
  CHECK(memcmp(src, back, COUNT * size) == 0);
}

static void orders(void) {
  check_order(CNRT_UINT8, 1);
  check_order(CNRT_FLOAT16, 2);
  check_order(CNRT_FLOAT32, 4);
  check_order(CNRT_INT64, 8);
  float numbers[] = {1, 2, 3, 4, 5, 6};
  float turned[6] = {0};
  uint16_t halves[6] = {0};
  int values[] = {2, 3};
  int order[] = {1, 0};
  static const float expected[] = {1, 4, 2, 5, 3, 6};
  CHECK_OK(
      cnrtTransOrderAndCast(numbers, CNRT_FLOAT32, halves, CNRT_FLOAT16, NULL, 2, values, order));
  CHECK_OK(
      cnrtTransOrderAndCast(numbers, CNRT_FLOAT32, turned, CNRT_FLOAT32, NULL, 2, values, order));
  for (int i = 0; i < 6; ++i) {
    CHECK(from16(halves[i], cnrtHalf) == expected[i]);
    CHECK(turned[i] == expected[i]);
  }
}

static void bad_orders(void) {
  float from[6] = {1, 2, 3, 4, 5, 6};
  float to[6] = {0};
  int values[9] = {2, 3, 1, 1, 1, 1, 1, 1, 1};
  int order[9] = {1, 0, 2, 3, 4, 5, 6, 7, 8};
  int twice[] = {0, 0};
  int beyond[] = {0, 2};
  int below[] = {0, -1};
  int negative[] = {2, -3};
  int empty[] = {2, 0};
  int huge[] = {2147483647, 2147483647, 2147483647};
  CHECK_EQ(cnrtTransDataOrder(NULL, CNRT_FLOAT32, to, 2, values, order), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransDataOrder(from, CNRT_FLOAT32, NULL, 2, values, order), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransDataOrder(from, CNRT_INVALID, to, 2, values, order), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransDataOrder(from, CNRT_FLOAT32, to, 0, values, order), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransDataOrder(from, CNRT_FLOAT32, to, 9, values, order), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransDataOrder(from, CNRT_FLOAT32, to, 2, NULL, order), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransDataOrder(from, CNRT_FLOAT32, to, 2, values, NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransDataOrder(from, CNRT_FLOAT32, to, 2, values, twice), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransDataOrder(from, CNRT_FLOAT32, to, 2, values, beyond), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransDataOrder(from, CNRT_FLOAT32, to, 2, values, below), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransDataOrder(from, CNRT_FLOAT32, to, 2, negative, order), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransDataOrder(from, CNRT_FLOAT32, to, 3, huge, order), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtTransDataOrder(from, CNRT_FLOAT32, to, 2, empty, order));
  CHECK_OK(cnrtTransDataOrder(from, CNRT_FLOAT32, to, 8, values, order));
  CHECK(to[0] == 1 && to[1] == 4 && to[5] == 6);
  CHECK_EQ(cnrtTransOrderAndCast(from, CNRT_FLOAT32, to, CNRT_FLOAT16, NULL, 2, values, twice),
           cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtTransOrderAndCast(from, CNRT_FLOAT32, to, CNRT_INVALID, NULL, 2, values, order),
           cnrtErrorArgsInvalid);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"half_rounding", half_rounding},
      {"sixteen_bit_round_trip", sixteen_bit_round_trip},
      {"both_ways_agree", both_ways_agree},
      {"integers", integers},
      {"sixty_four_bits", sixty_four_bits},
      {"booleans", booleans},
      {"quantization", quantization},
      {"in_place", in_place},
      {"bad_arguments", bad_arguments},
      {"first_generation", first_generation},
      {"orders", orders},
      {"bad_orders", bad_orders},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
