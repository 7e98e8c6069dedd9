/* SPDX-License-Identifier: MIT
 *
 * Copies inside the device's memory, timed by the device: what its operators can hope for. Where
 * the device is the host's own processor, copies of the host are the better measure. */
#ifndef MLUOP_TEST_RUN_DEVICE_COPY_H_
#define MLUOP_TEST_RUN_DEVICE_COPY_H_

#include <stdbool.h>
#include <stddef.h>

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether kernels of the current device run on the host. */
bool mluop_device_is_host(void);
void mluop_device_name(char *name, size_t size);

typedef struct mluopDeviceCopy {
  cnrtQueue_t queue;
  cnrtNotifier_t begin, end;
  void *dst, *src;
  size_t capacity; /* of each */
} mluopDeviceCopy;

/* Allocates two blocks of `bytes` bytes. Returns false when memory or notifiers cannot be had;
 * there is nothing to close then. */
bool mluop_device_copy_open(mluopDeviceCopy *copy, size_t bytes);
void mluop_device_copy_close(mluopDeviceCopy *copy);

/* The device's time for a copy of `bytes` bytes in microseconds; negative when it failed. */
double mluop_device_copy_us(const mluopDeviceCopy *copy, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_DEVICE_COPY_H_ */
