/* SPDX-License-Identifier: MIT */
#include "cndev_device.h"

static _Atomic int users;

bool rt_cndev_started(void) {
  return atomic_load(&users) > 0;
}

cndevRet_t rt_cndev_find(const void *answer, cndevDevice_t device, struct rt_device **found) {
  if (!rt_cndev_started()) {
    return CNDEV_ERROR_UNINITIALIZED;
  }
  if (answer == NULL) {
    return CNDEV_ERROR_INVALID_ARGUMENT;
  }
  *found = rt_device(device);
  return *found != NULL ? CNDEV_SUCCESS : CNDEV_ERROR_INVALID_DEVICE_ID;
}

RT_EXPORT cndevRet_t cndevInit(int reserved) {
  (void)reserved;
  rt_usage_start();
  atomic_fetch_add(&users, 1);
  return CNDEV_SUCCESS;
}

RT_EXPORT cndevRet_t cndevRelease(void) {
  int count = atomic_load(&users);
  while (count > 0 && !atomic_compare_exchange_weak(&users, &count, count - 1)) {
  }
  return count > 0 ? CNDEV_SUCCESS : CNDEV_ERROR_UNINITIALIZED;
}
