/* SPDX-License-Identifier: MIT
 *
 * Element-wise operations and reductions.
 */
#include <math.h>
#include <string.h>

#include "bed.h"

static void transform(void) {
  struct bed bed = bed_make();
  const float complex_host[4] = {1, 2, 3, -4};
  const float alpha[2] = {2, 1};
  const float beta[2] = {10, 20};
  void *device = upload(complex_host, sizeof(complex_host));
  cnnlTensorDescriptor_t pairs = DENSE(CNNL_DTYPE_COMPLEX_FLOAT, 2);
  CHECK_EQ(cnnlTransform_v2(bed.handle, CNNL_POINTER_MODE_HOST, NULL, pairs, device, beta, pairs,
                            device),
           CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(cnnlTransform_v2(bed.handle, CNNL_POINTER_MODE_HOST, alpha, pairs, device, beta, pairs,
                              device));
  float result[4];
  fetch(&bed, device, result, sizeof(result));
  const float expected[4] = {10, 25, 20, 15}; /* (2 + i)(1 + 2i) + 10 + 20i, ... */
  CHECK(memcmp(result, expected, sizeof(expected)) == 0);

  const int integers[2] = {3, -4};
  const int scalars[2] = {5, 100};
  int after[2];
  void *line = upload(integers, sizeof(integers));
  void *factors = upload(scalars, sizeof(scalars));
  cnnlTensorDescriptor_t two = DENSE(CNNL_DTYPE_INT32, 2);
  CHECK_CNNL(cnnlTransform_v2(bed.handle, CNNL_POINTER_MODE_DEVICE, factors, two, line,
                              (int *)factors + 1, two, line));
  fetch(&bed, line, after, sizeof(after));
  CHECK_EQ(after[0], 115);
  CHECK_EQ(after[1], 80);
  CHECK_OK(cnrtFree(factors));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(pairs));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(two));
  bed_free(&bed);
}

/* 1 is 0x3c00 as a half, 0x3f80 as a bfloat16. Sums round to even: 2049 becomes 2048 as a half. */
static void sixteen_bits(void) {
  struct bed bed = bed_make();
  const float alpha = 1;
  static const struct {
    cnnlDataType_t type;
    float summand;
    uint16_t from;
    uint16_t to;
  } cases[] = {
      {CNNL_DTYPE_HALF, 1, 0x3c00, 0x4000},        {CNNL_DTYPE_HALF, 2048, 0x3c00, 0x6800},
      {CNNL_DTYPE_HALF, 70000, 0x3c00, 0x7c00},    {CNNL_DTYPE_HALF, 0x1p-24F, 0x0001, 0x0002},
      {CNNL_DTYPE_HALF, -1, 0xbc00, 0xc000},       {CNNL_DTYPE_HALF, 0x1p-15F, 0x0200, 0x0400},
      {CNNL_DTYPE_HALF, 0.5F, 0x7e00, 0x7e00},     {CNNL_DTYPE_HALF, 65519, 0x8000, 0x7bff},
      {CNNL_DTYPE_BFLOAT16, 1, 0x3f80, 0x4000},    {CNNL_DTYPE_BFLOAT16, 256, 0x3f80, 0x4380},
      {CNNL_DTYPE_BFLOAT16, 0.5F, 0x7fc0, 0x7fc0}, {CNNL_DTYPE_BFLOAT16, 258, 0x3f80, 0x4382},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    cnnlTensorDescriptor_t one = DENSE(cases[i].type, 1);
    void *device = upload(&cases[i].from, sizeof(uint16_t));
    CHECK_CNNL(cnnlTransform_v2(bed.handle, CNNL_POINTER_MODE_HOST, &alpha, one, device,
                                &cases[i].summand, one, device));
    uint16_t result = 0;
    fetch(&bed, device, &result, sizeof(result));
    CHECK_EQ(result, cases[i].to);
    CHECK_CNNL(cnnlDestroyTensorDescriptor(one));
  }
  bed_free(&bed);
}

static void op_tensor(void) {
  struct bed bed = bed_make();
  const float a_host[4] = {1, 2, 3, 4};
  const float b_host[2] = {10, 20};
  const float c_host[4] = {100, 100, 100, 100};
  const float two = 2;
  const float one = 1;
  const float zero = 0;
  void *a = upload(a_host, sizeof(a_host));
  void *b = upload(b_host, sizeof(b_host));
  cnnlTensorDescriptor_t matrix = DENSE(CNNL_DTYPE_FLOAT, 2, 2);
  cnnlTensorDescriptor_t row = DENSE(CNNL_DTYPE_FLOAT, 1, 2);
  cnnlTensorDescriptor_t wide = DENSE(CNNL_DTYPE_FLOAT, 1, 3);
  cnnlOpTensorDescriptor_t desc = NULL;
  size_t size = 1;
  CHECK_CNNL(cnnlCreateOpTensorDescriptor(&desc));
  CHECK_EQ(cnnlSetOpTensorDescriptor(desc, (cnnlOpTensorDesc_t)9, CNNL_DTYPE_FLOAT,
                                     CNNL_NOT_PROPAGATE_NAN),
           CNNL_STATUS_BAD_PARAM);
  static const struct {
    cnnlOpTensorDesc_t op;
    float expected[4];
  } ops[] = {{CNNL_OP_TENSOR_ADD, {12, 24, 16, 28}},
             {CNNL_OP_TENSOR_SUB, {-8, -16, -4, -12}},
             {CNNL_OP_TENSOR_MUL, {20, 80, 60, 160}}};
  for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); ++i) {
    CHECK_CNNL(
        cnnlSetOpTensorDescriptor(desc, ops[i].op, CNNL_DTYPE_FLOAT, CNNL_NOT_PROPAGATE_NAN));
    CHECK_CNNL(cnnlGetOpTensorWorkspaceSize(bed.handle, matrix, row, matrix, &size));
    CHECK_EQ(size, 0);
    for (int adds = 0; adds < 2; ++adds) {
      void *c = upload(c_host, sizeof(c_host));
      CHECK_CNNL(cnnlOpTensor(bed.handle, desc, &two, matrix, a, &one, row, b, NULL, 0,
                              adds ? &one : &zero, matrix, c));
      float result[4];
      fetch(&bed, c, result, sizeof(result));
      for (int j = 0; j < 4; ++j) {
        CHECK(result[j] == ops[i].expected[j] + (adds ? 100 : 0));
      }
    }
  }
  CHECK_EQ(
      cnnlOpTensor(bed.handle, desc, &two, matrix, a, &one, wide, b, NULL, 0, &zero, matrix, a),
      CNNL_STATUS_BAD_PARAM);
  cnnlTensorDescriptor_t pairs = DENSE(CNNL_DTYPE_COMPLEX_FLOAT, 1);
  CHECK_EQ(cnnlOpTensor(bed.handle, desc, &one, pairs, a, &one, pairs, b, NULL, 0, &zero, pairs, a),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_CNNL(cnnlDestroyOpTensorDescriptor(desc));
  CHECK_OK(cnrtFree(a));
  CHECK_OK(cnrtFree(b));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(matrix));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(row));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(wide));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(pairs));
  bed_free(&bed);
}

/* The output overwrites the first input. */
static void add_n(void) {
  struct bed bed = bed_make();
  const float host[3][2] = {{1, 2}, {10, 20}, {100, 200}};
  void *inputs[3];
  for (int i = 0; i < 3; ++i) {
    inputs[i] = upload(host[i], sizeof(host[i]));
  }
  cnnlTensorDescriptor_t two = DENSE(CNNL_DTYPE_FLOAT, 2);
  const cnnlTensorDescriptor_t descs[3] = {two, two, two};
  size_t size = 1;
  CHECK_CNNL(cnnlGetAddNWorkspaceSize(bed.handle, descs, 3, two, &size));
  CHECK_EQ(size, 0);
  CHECK_EQ(cnnlAddN_v2(bed.handle, descs, (const void *const *)inputs, 0, two, inputs[0], NULL, 0),
           CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(
      cnnlAddN_v2(bed.handle, descs, (const void *const *)inputs, 3, two, inputs[0], NULL, 0));
  float result[2];
  fetch(&bed, inputs[0], result, sizeof(result));
  CHECK(result[0] == 111 && result[1] == 222);
  CHECK_OK(cnrtFree(inputs[1]));
  CHECK_OK(cnrtFree(inputs[2]));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(two));
  bed_free(&bed);
}

static void reduce(void) {
  struct bed bed = bed_make();
  const int host[12] = {3, 1, 2, 6, 5, 4, 9, 7, 8, 10, 12, 11}; /* [2][3][2] */
  void *from = upload(host, sizeof(host));
  cnnlTensorDescriptor_t input = DENSE(CNNL_DTYPE_INT32, 2, 3, 2);
  cnnlTensorDescriptor_t kept = DENSE(CNNL_DTYPE_INT32, 2, 1, 2);
  cnnlTensorDescriptor_t dropped = DENSE(CNNL_DTYPE_INT32, 2, 2);
  cnnlTensorDescriptor_t wrong = DENSE(CNNL_DTYPE_INT32, 3, 2);
  cnnlReduceDescriptor_t desc = NULL;
  const int axis[1] = {1};
  size_t size = 1;
  CHECK_CNNL(cnnlCreateReduceDescriptor(&desc));
  static const struct {
    cnnlReduceOp_t op;
    int expected[4];
  } ops[] = {{CNNL_REDUCE_ADD, {10, 11, 29, 28}},
             {CNNL_REDUCE_AVG, {3, 3, 9, 9}},
             {CNNL_REDUCE_MUL, {30, 24, 864, 770}},
             {CNNL_REDUCE_MAX, {5, 6, 12, 11}},
             {CNNL_REDUCE_MIN, {2, 1, 8, 7}}};
  for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); ++i) {
    int result[4] = {0};
    void *to = upload(result, sizeof(result));
    CHECK_CNNL(cnnlSetReduceDescriptor_v2(desc, axis, 1, ops[i].op, CNNL_DTYPE_INT32,
                                          CNNL_PROPAGATE_NAN, CNNL_REDUCE_NO_INDICES,
                                          CNNL_16BIT_INDICES, 0));
    CHECK_CNNL(cnnlGetReduceOpWorkspaceSize_v2(bed.handle, input, kept, NULL, desc, &size));
    CHECK_EQ(size, 0);
    CHECK_CNNL(cnnlReduce_v2(bed.handle, desc, input, from, NULL, NULL, NULL, 0,
                             i % 2 == 0 ? kept : dropped, to, NULL, NULL));
    fetch(&bed, to, result, sizeof(result));
    CHECK(memcmp(result, ops[i].expected, sizeof(result)) == 0);
  }
  CHECK_EQ(
      cnnlReduce_v2(bed.handle, desc, input, from, NULL, NULL, NULL, 0, wrong, from, NULL, NULL),
      CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlSetReduceDescriptor_v2(desc, axis, 1, CNNL_REDUCE_MAX, CNNL_DTYPE_INT32,
                                      CNNL_PROPAGATE_NAN, CNNL_REDUCE_ONLY_INDICES,
                                      CNNL_16BIT_INDICES, 0),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_CNNL(cnnlDestroyReduceDescriptor(desc));
  CHECK_OK(cnrtFree(from));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(input));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(kept));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(dropped));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(wrong));
  bed_free(&bed);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"transform", transform}, {"sixteen_bits", sixteen_bits},
      {"op_tensor", op_tensor}, {"add_n", add_n},
      {"reduce", reduce},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
