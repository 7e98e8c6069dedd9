/* SPDX-License-Identifier: MIT */
#include "kernels/moe_dispatch/dispatch_checks.h"

#include <stdbool.h>

#include "core/check.h"

static bool is_id(int role) {
  return role == DISPATCH_INDICES || role == DISPATCH_LOCATIONS;
}

static bool has_rows(int role) {
  return role == DISPATCH_SAMPLES || role == DISPATCH_SLOTS;
}

static mluOpStatus_t check_ranks(const char *api, const DispatchArgs *args) {
  for (int role = 0; role < DISPATCH_ROLES; ++role) {
    MLUOP_RETURN_IF_FAILED(
        mluop_check_not_null(api, args->tensor[role].name, args->tensor[role].desc));
  }
  for (int role = 0; role < DISPATCH_ROLES; ++role) {
    const int rank = has_rows(role) ? 2 : 1;
    MLUOP_RETURN_IF_FAILED(
        mluop_check_rank(api, args->tensor[role].name, args->tensor[role].desc, rank, rank));
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t dispatch_check_dtype(const char *api, const char *name,
                                   mluOpTensorDescriptor_t desc) {
  return mluop_check_dtype(api, name, desc, 3, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF,
                           MLUOP_DTYPE_BFLOAT16);
}

static mluOpStatus_t check_dtypes(const char *api, const DispatchArgs *args) {
  const char *typed_name = args->tensor[args->typed].name;
  mluOpTensorDescriptor_t typed_desc = args->tensor[args->typed].desc;
  MLUOP_RETURN_IF_FAILED(dispatch_check_dtype(api, typed_name, typed_desc));
  for (int role = 0; role < DISPATCH_ROLES; ++role) {
    const char *name = args->tensor[role].name;
    mluOpTensorDescriptor_t desc = args->tensor[role].desc;
    MLUOP_RETURN_IF_FAILED(is_id(role)
                               ? mluop_check_dtype(api, name, desc, 1, MLUOP_DTYPE_INT32)
                               : mluop_check_same_dtype(api, name, desc, typed_name, typed_desc));
  }
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t check_sizes(const char *api, const DispatchArgs *args) {
  const int samples = args->samples, capacity = args->capacity;
  const int hidden = args->hidden, num_experts = args->num_experts;
  CHECK_NOT_NEGATIVE(api, samples);
  CHECK_NOT_NEGATIVE(api, capacity);
  CHECK_NOT_NEGATIVE(api, hidden);
  CHECK_NOT_NEGATIVE(api, num_experts);
  for (int role = 0; role < DISPATCH_ROLES; ++role) {
    const char *name = args->tensor[role].name;
    mluOpTensorDescriptor_t desc = args->tensor[role].desc;
    MLUOP_RETURN_IF_FAILED(role == DISPATCH_SLOTS
                               ? mluop_check_dim(api, name, desc, 0, "num_experts * capacity",
                                                 (int64_t)num_experts * capacity)
                               : mluop_check_dim(api, name, desc, 0, "samples", samples));
    if (has_rows(role))
      MLUOP_RETURN_IF_FAILED(mluop_check_dim(api, name, desc, 1, "hidden", hidden));
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t dispatch_check_tensors(const char *api, mluOpHandle_t handle,
                                     const DispatchArgs *args) {
  CHECK_HANDLE(api, handle);
  CHECK_ARCH(api, handle, MLUOP_MLU370);
  MLUOP_RETURN_IF_FAILED(check_ranks(api, args));
  MLUOP_RETURN_IF_FAILED(check_dtypes(api, args));
  MLUOP_RETURN_IF_FAILED(mluop_check_bfloat16(api, handle, args->tensor[args->typed].name,
                                              args->tensor[args->typed].desc));
  MLUOP_RETURN_IF_FAILED(check_sizes(api, args));
  for (int role = 0; role < DISPATCH_ROLES; ++role) {
    MLUOP_RETURN_IF_FAILED(mluop_check_contiguous(api, args->tensor[role].name,
                                                  args->tensor[role].desc, "must be contiguous"));
  }
  for (int role = 0; role < DISPATCH_ROLES; ++role) {
    MLUOP_RETURN_IF_FAILED(
        mluop_check_large_tensor(api, args->tensor[role].name, args->tensor[role].desc));
  }
  return MLUOP_STATUS_SUCCESS;
}

void dispatch_record_sizes(mluopGenCase *gen_case, const DispatchArgs *args) {
  genCaseParamInt(gen_case, "samples", args->samples);
  genCaseParamInt(gen_case, "capacity", args->capacity);
  genCaseParamInt(gen_case, "hidden", args->hidden);
  genCaseParamInt(gen_case, "num_experts", args->num_experts);
}
