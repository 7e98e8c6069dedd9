/* SPDX-License-Identifier: MIT
 *
 * Host part: checks every argument before any work starts, chooses the number of tasks and enqueues
 * the kernel. The call does not wait for the device. */
#include "swiglu.h"

#include <stdio.h>

static mluOpStatus_t refuse(const char *argument, const char *wanted) {
  fprintf(stderr, "[swiglu] %s: %s is wanted\n", argument, wanted);
  return MLUOP_STATUS_BAD_PARAM;
}

static mluOpStatus_t check_tensor(const char *name, mluOpTensorDescriptor_t desc, size_t elements) {
  mluOpTensorLayout_t layout;
  mluOpDataType_t dtype;
  int rank, dims[MLUOP_DIM_MAX];
  if (!desc) return refuse(name, "a descriptor");
  if (mluOpGetTensorDescriptor(desc, &layout, &dtype, &rank, dims) != MLUOP_STATUS_SUCCESS)
    return refuse(name, "a descriptor that has been set");
  if (dtype != MLUOP_DTYPE_FLOAT) return refuse(name, "MLUOP_DTYPE_FLOAT");
  if (mluOpGetTensorElementNum(desc) != elements) return refuse(name, "the element count of out");
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t swiglu(mluOpHandle_t handle, mluOpTensorDescriptor_t gate_desc, const void *gate,
                     mluOpTensorDescriptor_t up_desc, const void *up,
                     mluOpTensorDescriptor_t out_desc, void *out) {
  if (!handle) return refuse("handle", "a handle");
  if (!out_desc) return refuse("out", "a descriptor");
  const size_t elements = mluOpGetTensorElementNum(out_desc);
  mluOpStatus_t status = check_tensor("out", out_desc, elements);
  if (status == MLUOP_STATUS_SUCCESS) status = check_tensor("gate", gate_desc, elements);
  if (status == MLUOP_STATUS_SUCCESS) status = check_tensor("up", up_desc, elements);
  if (status != MLUOP_STATUS_SUCCESS || elements == 0) return status;
  if (!gate || !up || !out) return refuse("gate, up, out", "device memory");

  /* One task per core. */
  CNdev device;
  cnrtQueue_t queue;
  int clusters, cores_per_cluster;
  if (mluOpGetDevice(handle, &device) != MLUOP_STATUS_SUCCESS ||
      mluOpGetQueue(handle, &queue) != MLUOP_STATUS_SUCCESS ||
      cnrtDeviceGetAttribute(&clusters, cnrtAttrClusterCount, device) != cnrtSuccess ||
      cnrtDeviceGetAttribute(&cores_per_cluster, cnrtAttrMcorePerCluster, device) != cnrtSuccess)
    return MLUOP_STATUS_INTERNAL_ERROR;
  cnrtDim3_t dim = {(unsigned)(clusters * cores_per_cluster), 1, 1};
  launch_swiglu(dim, queue, gate, up, out, (int64_t)elements);
  return cnrtGetLastError() == cnrtSuccess ? MLUOP_STATUS_SUCCESS : MLUOP_STATUS_EXECUTION_FAILED;
}
