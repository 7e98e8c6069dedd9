/* SPDX-License-Identifier: MIT */
#include "bed.h"

struct bed bed_make(void) {
  struct bed bed;
  CHECK_OK(cnrtQueueCreate(&bed.queue));
  CHECK_CNNL(cnnlCreate(&bed.handle));
  CHECK_CNNL(cnnlSetQueue(bed.handle, bed.queue));
  return bed;
}

void bed_free(struct bed *bed) {
  CHECK_CNNL(cnnlDestroy(bed->handle));
  CHECK_OK(cnrtQueueDestroy(bed->queue));
}

cnnlTensorDescriptor_t dense(cnnlDataType_t type, const int64_t dims[], int rank) {
  cnnlTensorDescriptor_t desc = NULL;
  CHECK_CNNL(cnnlCreateTensorDescriptor(&desc));
  CHECK_CNNL(cnnlSetTensorDescriptor_v2(desc, CNNL_LAYOUT_ARRAY, type, rank, dims));
  return desc;
}

cnnlTensorDescriptor_t strided(cnnlDataType_t type, const int64_t dims[], const int64_t strides[],
                               int rank) {
  cnnlTensorDescriptor_t desc = NULL;
  CHECK_CNNL(cnnlCreateTensorDescriptor(&desc));
  CHECK_CNNL(cnnlSetTensorDescriptorEx_v2(desc, CNNL_LAYOUT_ARRAY, type, rank, dims, strides));
  return desc;
}

void *upload(const void *host, size_t bytes) {
  void *device = NULL;
  CHECK_OK(cnrtMalloc(&device, bytes));
  write_device(device, host, bytes);
  return device;
}

void fetch(const struct bed *bed, void *device, void *host, size_t bytes) {
  CHECK_OK(cnrtQueueSync(bed->queue));
  CHECK_OK(cnrtMemcpy(host, device, bytes, cnrtMemcpyDevToHost));
  CHECK_OK(cnrtFree(device));
}
