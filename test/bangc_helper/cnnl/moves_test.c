/* SPDX-License-Identifier: MIT
 *
 * Operations that move elements, for all types and with strides.
 */
#include <string.h>

#include "bed.h"

static void fill(void) {
  struct bed bed = bed_make();
  static const struct {
    cnnlDataType_t type;
    size_t size;
  } types[] = {{CNNL_DTYPE_INT8, 1},          {CNNL_DTYPE_HALF, 2},  {CNNL_DTYPE_FLOAT, 4},
               {CNNL_DTYPE_COMPLEX_FLOAT, 8}, {CNNL_DTYPE_INT64, 8}, {CNNL_DTYPE_BOOL, 1}};
  const unsigned char value[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); ++t) {
    const size_t size = types[t].size;
    unsigned char host[20 * 8] = {0};
    void *device = upload(host, 20 * size);
    const int64_t dims[2] = {3, 4};
    const int64_t strides[2] = {7, 1}; /* the other three elements of each row stay */
    cnnlTensorDescriptor_t desc = strided(types[t].type, dims, strides, 2);
    CHECK_CNNL(cnnlFill_v3(bed.handle, CNNL_POINTER_MODE_HOST, value, desc, device));
    fetch(&bed, device, host, 20 * size);
    for (size_t i = 0; i < 18; ++i) {
      const unsigned char expected = i % 7 < 4 ? value[size - 1] : 0;
      CHECK_EQ(host[i * size + size - 1], expected);
    }
    CHECK_CNNL(cnnlDestroyTensorDescriptor(desc));
  }
  bed_free(&bed);
}

static void fill_by_device_value(void) {
  struct bed bed = bed_make();
  int host[100000] = {5};
  void *device = upload(host, sizeof(host));
  cnnlTensorDescriptor_t desc = DENSE(CNNL_DTYPE_INT32, 99999);
  CHECK_CNNL(cnnlFill_v3(bed.handle, CNNL_POINTER_MODE_DEVICE, device, desc, (int *)device + 1));
  fetch(&bed, device, host, sizeof(host));
  CHECK_EQ(host[1], 5);
  CHECK_EQ(host[99999], 5);
  CHECK_CNNL(cnnlDestroyTensorDescriptor(desc));
  bed_free(&bed);
}

static void transpose(void) {
  struct bed bed = bed_make();
  int16_t host[2 * 3 * 4];
  for (int i = 0; i < 24; ++i) {
    host[i] = (int16_t)i;
  }
  void *from = upload(host, sizeof(host));
  void *to = upload(host, sizeof(host));
  cnnlTensorDescriptor_t input = DENSE(CNNL_DTYPE_INT16, 2, 3, 4);
  cnnlTensorDescriptor_t output = DENSE(CNNL_DTYPE_INT16, 4, 2, 3);
  cnnlTransposeDescriptor_t desc = NULL;
  const int permute[3] = {2, 0, 1};
  const int twice[3] = {2, 0, 0};
  size_t size = 1;
  CHECK_CNNL(cnnlCreateTransposeDescriptor(&desc));
  CHECK_EQ(cnnlTranspose_v2(bed.handle, desc, input, from, output, to, NULL, 0),
           CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlSetTransposeDescriptor(desc, 3, twice), CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(cnnlSetTransposeDescriptor(desc, 3, permute));
  CHECK_CNNL(cnnlGetTransposeWorkspaceSize(bed.handle, input, desc, &size));
  CHECK_EQ(size, 0);
  CHECK_EQ(cnnlTranspose_v2(bed.handle, desc, input, from, input, to, NULL, 0),
           CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(cnnlTranspose_v2(bed.handle, desc, input, from, output, to, NULL, 0));
  CHECK_CNNL(cnnlDestroyTransposeDescriptor(desc));
  int16_t result[24];
  fetch(&bed, to, result, sizeof(result));
  for (int i = 0; i < 24; ++i) {
    const int w = i / 6;
    CHECK_EQ(result[i], i % 6 * 4 + w);
  }
  CHECK_OK(cnrtFree(from));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(input));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(output));
  bed_free(&bed);
}

static void copy_and_pad(void) {
  struct bed bed = bed_make();
  const float host[6] = {1, 2, 3, 4, 5, 6};
  void *from = upload(host, sizeof(host));
  float result[12] = {0};
  void *to = upload(result, sizeof(result));
  const int64_t dims[2] = {3, 2};
  const int64_t turned[2] = {1, 3};
  cnnlTensorDescriptor_t columns = strided(CNNL_DTYPE_FLOAT, dims, turned, 2);
  cnnlTensorDescriptor_t rows = DENSE(CNNL_DTYPE_FLOAT, 3, 2);
  CHECK_CNNL(cnnlCopy_v2(bed.handle, columns, from, rows, to, NULL, 0));
  fetch(&bed, to, result, sizeof(result));
  const float expected[6] = {1, 4, 2, 5, 3, 6};
  CHECK(memcmp(result, expected, sizeof(expected)) == 0);

  to = upload(result, sizeof(result));
  cnnlTensorDescriptor_t padded = DENSE(CNNL_DTYPE_FLOAT, 4, 3);
  const int paddings[4] = {1, 0, 0, 1};
  const int wrong[4] = {1, 1, 0, 1};
  const float value = 9;
  CHECK_EQ(cnnlPad(bed.handle, rows, from, wrong, &value, padded, to), CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(cnnlPad(bed.handle, rows, from, paddings, &value, padded, to));
  fetch(&bed, to, result, sizeof(result));
  const float around[12] = {9, 9, 9, 1, 2, 9, 3, 4, 9, 5, 6, 9};
  CHECK(memcmp(result, around, sizeof(around)) == 0);
  CHECK_OK(cnrtFree(from));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(columns));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(rows));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(padded));
  bed_free(&bed);
}

static void slice_and_concat(void) {
  struct bed bed = bed_make();
  const float host[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  void *from = upload(host, sizeof(host));
  float result[16] = {0};
  void *to = upload(result, sizeof(result));
  cnnlTensorDescriptor_t input = DENSE(CNNL_DTYPE_FLOAT, 2, 5);
  cnnlTensorDescriptor_t output = DENSE(CNNL_DTYPE_FLOAT, 2, 3);
  cnnlTensorDescriptor_t whole = DENSE(CNNL_DTYPE_FLOAT, 2, 8);
  const int64_t begin[2] = {0, -2};
  const int64_t end[2] = {2, -5};
  const int64_t stride[2] = {1, -1};
  CHECK_EQ(cnnlStridedSlice_v2(bed.handle, input, from, begin, end, stride, whole, to),
           CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(cnnlStridedSlice_v2(bed.handle, input, from, begin, end, stride, output, to));
  const cnnlTensorDescriptor_t descs[2] = {input, output};
  const void *const inputs[2] = {from, to};
  void *joined = upload(result, sizeof(result));
  CHECK_EQ(cnnlConcat(bed.handle, 2, 0, descs, inputs, NULL, 0, whole, joined),
           CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlConcat(bed.handle, 1, -1, descs, inputs, NULL, 0, whole, joined),
           CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(cnnlConcat(bed.handle, 2, -1, descs, inputs, NULL, 0, whole, joined));
  fetch(&bed, joined, result, sizeof(result));
  const float expected[16] = {0, 1, 2, 3, 4, 3, 2, 1, 5, 6, 7, 8, 9, 8, 7, 6};
  CHECK(memcmp(result, expected, sizeof(expected)) == 0);
  CHECK_OK(cnrtFree(from));
  CHECK_OK(cnrtFree(to));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(input));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(output));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(whole));
  bed_free(&bed);
}

static void gather(void) {
  struct bed bed = bed_make();
  const float host[6] = {1, 2, 3, 4, 5, 6};
  const int places[3] = {2, -1, 0};
  float result[6] = {0};
  void *params = upload(host, sizeof(host));
  void *indices = upload(places, sizeof(places));
  void *to = upload(result, sizeof(result));
  cnnlTensorDescriptor_t rows = DENSE(CNNL_DTYPE_FLOAT, 3, 2);
  cnnlTensorDescriptor_t column = DENSE(CNNL_DTYPE_INT32, 3, 1);
  CHECK_EQ(cnnlGatherNd_v2(bed.handle, 1, rows, params, column, indices, rows, to),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_EQ(cnnlGatherNd_v2(bed.handle, 0, rows, params, rows, indices, rows, to),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_CNNL(cnnlGatherNd_v2(bed.handle, 0, rows, params, column, indices, rows, to));
  fetch(&bed, to, result, sizeof(result));
  const float expected[6] = {5, 6, 0, 0, 1, 2};
  CHECK(memcmp(result, expected, sizeof(expected)) == 0);
  CHECK_OK(cnrtFree(params));
  CHECK_OK(cnrtFree(indices));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(rows));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(column));
  bed_free(&bed);
}

static void scatter(void) {
  struct bed bed = bed_make();
  const int places[3] = {1, 3, 1}; /* the second is out of range */
  const int updates[3] = {10, 20, 30};
  const int before[3] = {1, 2, 3};
  int result[3] = {7, 7, 7};
  void *indices = upload(places, sizeof(places));
  void *values = upload(updates, sizeof(updates));
  void *input = upload(before, sizeof(before));
  cnnlTensorDescriptor_t column = DENSE(CNNL_DTYPE_INT32, 3, 1);
  cnnlTensorDescriptor_t line = DENSE(CNNL_DTYPE_INT32, 3);
  static const struct {
    cnnlScatterNdMode_t mode;
    int expected;
  } modes[] = {{CNNL_SCATTERND_ADD, 42},
               {CNNL_SCATTERND_SUB, -38},
               {CNNL_SCATTERND_MUL, 600},
               {CNNL_SCATTERND_UPDATE, 30}};
  for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); ++i) {
    void *to = upload(result, sizeof(result));
    CHECK_CNNL(cnnlScatterNd_v2(bed.handle, modes[i].mode, column, indices, line, values, line,
                                input, line, to));
    int after[3];
    fetch(&bed, to, after, sizeof(after));
    CHECK_EQ(after[0], 1);
    CHECK_EQ(after[1], modes[i].expected);
    CHECK_EQ(after[2], 3);
  }
  void *to = upload(result, sizeof(result));
  CHECK_CNNL(cnnlScatterNd_v2(bed.handle, CNNL_SCATTERND_ADD, column, indices, line, values, NULL,
                              NULL, line, to));
  fetch(&bed, to, result, sizeof(result));
  CHECK_EQ(result[0], 7);
  CHECK_EQ(result[1], 47);
  CHECK_OK(cnrtFree(indices));
  CHECK_OK(cnrtFree(values));
  CHECK_OK(cnrtFree(input));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(column));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(line));
  bed_free(&bed);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"fill", fill},
      {"fill_by_device_value", fill_by_device_value},
      {"transpose", transpose},
      {"copy_and_pad", copy_and_pad},
      {"slice_and_concat", slice_and_concat},
      {"gather", gather},
      {"scatter", scatter},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
