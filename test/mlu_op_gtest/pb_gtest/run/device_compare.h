/* SPDX-License-Identifier: MIT
 *
 * Comparing device memory with host memory piece by piece, on all cores: a copy of it all would
 * take longer, and may not fit. */
#ifndef MLUOP_TEST_RUN_DEVICE_COMPARE_H_
#define MLUOP_TEST_RUN_DEVICE_COMPARE_H_

#include "run/device_buffer.h"

typedef struct mluopDeviceDifference {
  bool readable; /* false: the device could not be read */
  bool equal;
  size_t first;    /* byte that differs, when not equal */
  uint64_t digest; /* of the data, when equal: see mluop_device_is_still */
} mluopDeviceDifference;

mluopDeviceDifference mluop_device_compare(const mluopDeviceBuffer *buffer, const void *host);

/* Whether the data have this digest, which takes reading one array instead of two. False also where
 * the host cannot read them. */
bool mluop_device_is_still(const mluopDeviceBuffer *buffer, uint64_t digest);

#endif /* MLUOP_TEST_RUN_DEVICE_COMPARE_H_ */
