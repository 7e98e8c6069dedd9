/* SPDX-License-Identifier: MIT
 *
 * Child process of tests that need their own environment: does what its argument says; the tests
 * examine the log.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/env.h"
#include "core/gen_case.h"
#include "core/logging.h"
#include "core/variant.h"

static int log_everything(void) {
  LOG_INFO("info %d", 0);
  LOG_WARNING("warning %d", 1);
  LOG_ERROR("error %d", 2);
  LOG_FATAL("fatal %d", 3);
  VLOG(3, "verbose %d", 3);
  VLOG(5, "verbose %d", 5);
  VLOG(7, "verbose %d", 7);
  return 0;
}

static int create_handle(void) {
  mluOpHandle_t handle = NULL;
  const mluOpStatus_t status = mluOpCreate(&handle);
  if (handle != NULL) (void)mluOpDestroy(handle);
  return (int)status;
}

static mluOpStatus_t check_size(mluOpTensorDescriptor_t desc) {
  LARGE_TENSOR_CHECK("[probe]", desc);
  return MLUOP_STATUS_SUCCESS;
}

static int check_large(void) {
  const int64_t dims[] = {65536, 65536};
  mluOpTensorDescriptor_t desc = NULL;
  if (mluOpCreateTensorDescriptor(&desc) != MLUOP_STATUS_SUCCESS) return -1;
  (void)mluOpSetTensorDescriptor_v2(desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_INT8, 2, dims);
  const mluOpStatus_t status = check_size(desc);
  (void)mluOpDestroyTensorDescriptor(desc);
  return (int)status;
}

/* What an operator does: records itself, "computes" on the device, and may call another operator.
 */
static mluOpStatus_t pretend_operator(mluOpHandle_t handle, mluOpTensorDescriptor_t x_desc,
                                      float *x, mluOpTensorDescriptor_t index_desc, int32_t *index,
                                      int depth) {
  GEN_CASE(gen_case, handle, "moe_dispatch_forward", "MOE_DISPATCH_FORWARD");
  if (genCaseIsOn(&gen_case)) {
    genCaseInput(&gen_case, "x", x_desc, x, genCaseUniform(-1, 1));
    genCaseInput(&gen_case, "index", index_desc, index, genCaseReal(0, 9));
    genCaseOutput(&gen_case, "y", x_desc, x);
    genCaseParamInt(&gen_case, "samples", 3);
    genCaseTestParam(&gen_case, "DIFF3", 0);
    genCaseWrite(&gen_case);
  }
  if (depth > 0) return pretend_operator(handle, x_desc, x, index_desc, index, depth - 1);
  const float result[3] = {7, 8, 9};
  INTERNAL_CHECK("[probe]",
                 cnrtMemcpy(x, (void *)result, sizeof(result), cnrtMemcpyHostToDev) == cnrtSuccess);
  return MLUOP_STATUS_SUCCESS;
}

static int record_call(int depth) {
  const int dims[] = {3};
  const float x_host[3] = {1.5f, -2.25f, 1e-7f};
  const int32_t index_host[3] = {4, -1, 2147483647};
  mluOpHandle_t handle = NULL;
  mluOpTensorDescriptor_t x_desc = NULL, index_desc = NULL;
  void *x = NULL, *index = NULL;
  if (mluOpCreate(&handle) != MLUOP_STATUS_SUCCESS ||
      mluOpCreateTensorDescriptor(&x_desc) != MLUOP_STATUS_SUCCESS ||
      mluOpCreateTensorDescriptor(&index_desc) != MLUOP_STATUS_SUCCESS ||
      cnrtMalloc(&x, sizeof(x_host)) != cnrtSuccess ||
      cnrtMalloc(&index, sizeof(index_host)) != cnrtSuccess) {
    return -1;
  }
  (void)mluOpSetTensorDescriptor(x_desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 1, dims);
  (void)mluOpSetTensorDescriptor(index_desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_INT32, 1, dims);
  (void)cnrtMemcpy(x, (void *)x_host, sizeof(x_host), cnrtMemcpyHostToDev);
  (void)cnrtMemcpy(index, (void *)index_host, sizeof(index_host), cnrtMemcpyHostToDev);
  const mluOpStatus_t status =
      pretend_operator(handle, x_desc, (float *)x, index_desc, (int32_t *)index, depth);
  (void)cnrtFree(x);
  (void)cnrtFree(index);
  (void)mluOpDestroyTensorDescriptor(x_desc);
  (void)mluOpDestroyTensorDescriptor(index_desc);
  (void)mluOpDestroy(handle);
  return (int)status;
}

static const char *wants_even(mluOpHandle_t handle, const void *call) {
  (void)handle;
  return *(const int *)call % 2 != 0 ? "the number is odd" : NULL;
}

static const char *wants_quick_scalars(mluOpHandle_t handle, const void *call) {
  (void)call;
  return mluop_scalar_is_fast(&handle->facts) ? NULL : "scalar access is slow";
}

static mluOpStatus_t print_call(mluOpHandle_t handle, const void *call) {
  printf("%d by %d\n", *(const int *)call, handle->variant.ran);
  return MLUOP_STATUS_SUCCESS;
}

/* Prints one line per call: a number and the index of the variant that took it. */
static int choose_variants(void) {
  static const mluopVariant forms[] = {{"evens", wants_even, wants_quick_scalars, print_call},
                                       {"tables", NULL, wants_quick_scalars, print_call},
                                       {"reference", NULL, NULL, print_call}};
  static const mluopVariantTable table = MLUOP_VARIANT_TABLE("probe", forms);
  mluOpHandle_t handle = NULL;
  if (mluOpCreate(&handle) != MLUOP_STATUS_SUCCESS) return -1;
  for (int i = 0; i < 4; ++i) {
    handle->facts.scalar_nram_cycles = i < 2 ? 1 : 30;
    (void)mluop_variant_launch(&table, handle, &i);
  }
  (void)mluOpDestroy(handle);
  return 0;
}

int main(int argc, char **argv) {
  const char *action = argc > 1 ? argv[1] : "";
  if (strcmp(action, "log") == 0) return log_everything();
  if (strcmp(action, "create") == 0) return create_handle();
  if (strcmp(action, "large") == 0) return check_large();
  if (strcmp(action, "record") == 0) return record_call(0);
  if (strcmp(action, "record_nested") == 0) return record_call(1);
  if (strcmp(action, "variants") == 0) return choose_variants();
  fprintf(stderr, "usage: %s log|create|large|record|record_nested|variants\n", argv[0]);
  return 2;
}
