/* SPDX-License-Identifier: MIT
 *
 * Set-up and clean-up of libcnnl tests: a handle with a queue, descriptors, device memory.
 */
#ifndef CNNL_TEST_BED_H_
#define CNNL_TEST_BED_H_

#include "cnnl.h"
#include "harness.h"

#define CHECK_CNNL(call) CHECK_EQ(call, CNNL_STATUS_SUCCESS)

struct bed {
  cnrtQueue_t queue;
  cnnlHandle_t handle;
};

struct bed bed_make(void);
void bed_free(struct bed *bed);

/* A tensor's descriptor, to be destroyed by the test. */
cnnlTensorDescriptor_t dense(cnnlDataType_t type, const int64_t dims[], int rank);
cnnlTensorDescriptor_t strided(cnnlDataType_t type, const int64_t dims[], const int64_t strides[],
                               int rank);

/* Device memory with a copy of `host`. */
void *upload(const void *host, size_t bytes);
/* Waits for the queue, copies to `host`, and frees. */
void fetch(const struct bed *bed, void *device, void *host, size_t bytes);

#define DENSE(type, ...)                      \
  dense(type, (const int64_t[]){__VA_ARGS__}, \
        (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))

#endif /* CNNL_TEST_BED_H_ */
