/* SPDX-License-Identifier: MIT
 *
 * Largest and smallest elements, and unique elements.
 */
#include <math.h>
#include <string.h>

#include "bed.h"

static void top_k(void) {
  struct bed bed = bed_make();
  const float host[2][5] = {{1, 5, 3, 5, 2}, {-1, -2, NAN, 0, -5}};
  void *from = upload(host, sizeof(host));
  cnnlTensorDescriptor_t input = DENSE(CNNL_DTYPE_FLOAT, 2, 5);
  cnnlTensorDescriptor_t values = DENSE(CNNL_DTYPE_FLOAT, 2, 3);
  cnnlTensorDescriptor_t places = DENSE(CNNL_DTYPE_INT32, 2, 3);
  size_t size = 1;
  CHECK_CNNL(cnnlGetTopKTensorWorkspaceSize(bed.handle, input, 3, 1, true, values, places, &size));
  CHECK_EQ(size, 0);
  const int expected[2][2][3] = {{{0, 4, 2}, {4, 1, 0}}, {{1, 3, 2}, {2, 3, 0}}};
  for (int largest = 0; largest < 2; ++largest) {
    float numbers[2][3] = {{0}};
    int found[2][3] = {{0}};
    void *to = upload(numbers, sizeof(numbers));
    void *index = upload(found, sizeof(found));
    CHECK_EQ(cnnlTopKTensor_v3(bed.handle, input, from, 6, 1, true, true, true, NULL, 0, values, to,
                               places, index),
             CNNL_STATUS_BAD_PARAM);
    CHECK_CNNL(cnnlTopKTensor_v3(bed.handle, input, from, 3, 1, largest == 1, true, true, NULL, 0,
                                 values, to, places, index));
    fetch(&bed, to, numbers, sizeof(numbers));
    fetch(&bed, index, found, sizeof(found));
    for (int i = 0; i < 6; ++i) {
      const int place = found[i / 3][i % 3];
      CHECK_EQ(place, expected[largest][i / 3][i % 3]);
      CHECK(memcmp(&numbers[i / 3][i % 3], &host[i / 3][place], sizeof(float)) == 0);
    }
  }
  CHECK_OK(cnrtFree(from));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(input));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(values));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(places));
  bed_free(&bed);
}

static void unique(void) {
  struct bed bed = bed_make();
  const int host[5][2] = {{1, 2}, {-1, 5}, {1, 2}, {1, 1}, {-1, 5}};
  int rows[5][2] = {{0}};
  int numbers[5] = {0};
  int counts[5] = {0};
  int found = 0;
  void *from = upload(host, sizeof(host));
  void *to = upload(rows, sizeof(rows));
  void *inverse = upload(numbers, sizeof(numbers));
  void *each = upload(counts, sizeof(counts));
  void *count = upload(&found, sizeof(found));
  cnnlTensorDescriptor_t input = DENSE(CNNL_DTYPE_INT32, 5, 2);
  cnnlTensorDescriptor_t line = DENSE(CNNL_DTYPE_INT32, 5);
  cnnlUniqueDescriptor_t desc = NULL;
  size_t size = 1;
  CHECK_CNNL(cnnlCreateUniqueDescriptor(&desc));
  CHECK_EQ(cnnlUnique_v2(bed.handle, desc, input, from, NULL, 0, count, input, to, NULL, NULL, NULL,
                         NULL),
           CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlSetUniqueDescriptor(desc, CNNL_SORT_DESCEND, 0, true, true),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_EQ(cnnlSetUniqueDescriptor(desc, CNNL_SORT_ASCEND, 1, true, true),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_CNNL(cnnlSetUniqueDescriptor(desc, CNNL_SORT_ASCEND, 0, true, true));
  CHECK_CNNL(cnnlGetUniqueWorkspaceSize(bed.handle, desc, input, &size));
  CHECK_EQ(size, 0);
  CHECK_CNNL(cnnlUnique_v2(bed.handle, desc, input, from, NULL, 0, count, input, to, line, inverse,
                           line, each));
  fetch(&bed, to, rows, sizeof(rows));
  fetch(&bed, inverse, numbers, sizeof(numbers));
  fetch(&bed, each, counts, sizeof(counts));
  CHECK_OK(cnrtMemcpy(&found, count, sizeof(found), cnrtMemcpyDevToHost));
  CHECK_EQ(found, 3);
  const int expected[5][2] = {{-1, 5}, {1, 1}, {1, 2}, {0, 0}, {0, 0}};
  const int went[5] = {2, 0, 2, 1, 0};
  const int times[5] = {2, 1, 2, 0, 0};
  CHECK(memcmp(rows, expected, sizeof(rows)) == 0);
  CHECK(memcmp(numbers, went, sizeof(numbers)) == 0);
  CHECK(memcmp(counts, times, sizeof(counts)) == 0);
  CHECK_CNNL(cnnlDestroyUniqueDescriptor(desc));
  CHECK_OK(cnrtFree(from));
  CHECK_OK(cnrtFree(count));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(input));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(line));
  bed_free(&bed);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {{"top_k", top_k}, {"unique", unique}};
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
