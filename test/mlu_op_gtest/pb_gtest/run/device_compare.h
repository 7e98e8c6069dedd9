/* SPDX-License-Identifier: MIT
 *
 * Comparing device memory with host memory piece by piece, on all cores: a copy of it all would
 * take longer, and may not fit. */
#ifndef MLUOP_TEST_RUN_DEVICE_COMPARE_H_
#define MLUOP_TEST_RUN_DEVICE_COMPARE_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct mluopDeviceDifference {
  bool readable; /* false: the device could not be read */
  bool equal;
  size_t first; /* byte that differs, when not equal */
} mluopDeviceDifference;

mluopDeviceDifference mluop_device_compare(const void *device, const void *host, size_t size);

#endif /* MLUOP_TEST_RUN_DEVICE_COMPARE_H_ */
