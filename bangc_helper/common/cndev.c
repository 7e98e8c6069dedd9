/* SPDX-License-Identifier: MIT */
#include "cndev.h"

#include <string.h>
#include <unistd.h>

#include "devices.h"
#include "memory.h"

static _Atomic int users;

static bool started(void) {
  return atomic_load(&users) > 0;
}

/* A device once the library is started and the arguments are there. */
static cndevRet_t find(const void *answer, cndevDevice_t device, const struct rt_device **found) {
  if (!started()) {
    return CNDEV_ERROR_UNINITIALIZED;
  }
  if (answer == NULL) {
    return CNDEV_ERROR_INVALID_ARGUMENT;
  }
  *found = rt_device(device);
  return *found != NULL ? CNDEV_SUCCESS : CNDEV_ERROR_INVALID_DEVICE_ID;
}

RT_EXPORT cndevRet_t cndevInit(int reserved) {
  if (reserved != 0) {
    return CNDEV_ERROR_INVALID_ARGUMENT;
  }
  atomic_fetch_add(&users, 1);
  return CNDEV_SUCCESS;
}

RT_EXPORT cndevRet_t cndevRelease(void) {
  int count = atomic_load(&users);
  while (count > 0 && !atomic_compare_exchange_weak(&users, &count, count - 1)) {
  }
  return count > 0 ? CNDEV_SUCCESS : CNDEV_ERROR_UNINITIALIZED;
}

RT_EXPORT const char *cndevGetErrorString(cndevRet_t errorId) {
  static const char *const texts[] = {
      "no error",
      "there is no driver",
      "the driver is too old",
      "this version of the interface is not supported",
      "cndevInit was not called",
      "an argument is invalid",
      "there is no device of this number",
      "unknown error",
      "not enough host memory",
      "not enough room for the answer",
      "not supported",
  };
  return (size_t)errorId < sizeof(texts) / sizeof(texts[0]) ? texts[errorId]
                                                            : "unrecognized error code";
}

RT_EXPORT cndevRet_t cndevGetDeviceCount(cndevCardInfo_t *cardNum) {
  if (!started()) {
    return CNDEV_ERROR_UNINITIALIZED;
  }
  if (cardNum == NULL) {
    return CNDEV_ERROR_INVALID_ARGUMENT;
  }
  cardNum->number = rt_device_count();
  return CNDEV_SUCCESS;
}

RT_EXPORT cndevRet_t cndevGetDeviceHandleByIndex(int32_t index, cndevDevice_t *handle) {
  const struct rt_device *found = NULL;
  const cndevRet_t error = find(handle, index, &found);
  if (error == CNDEV_SUCCESS) {
    *handle = rt_device_ordinal(found);
  }
  return error;
}

RT_EXPORT cndevRet_t cndevGetFrequencyInfo(cndevFrequencyInfo_t *freqInfo, cndevDevice_t device) {
  const struct rt_device *found = NULL;
  const cndevRet_t error = find(freqInfo, device, &found);
  if (error != CNDEV_SUCCESS) {
    return error;
  }
  const int version = freqInfo->version;
  const int clock_mhz = rt_device_value(found, cnrtAttrIpuClockRate) / 1000;
  memset(freqInfo, 0, sizeof(*freqInfo));
  freqInfo->version = version;
  freqInfo->boardFreq = clock_mhz;
  freqInfo->ddrFreq = rt_device_value(found, cnrtAttrMemClockRate) / 1000;
  const int clusters = rt_device_value(found, cnrtAttrClusterCount);
  freqInfo->mluClusterFreqCount = (uint16_t)clusters;
  for (int c = 0; c < clusters && c < CNDEV_MLU_CLUSTER_FREQUENCY_COUNT; ++c) {
    freqInfo->mluClusterFreq[c] = (uint16_t)clock_mhz;
  }
  freqInfo->boardDefaultFreq = clock_mhz;
  freqInfo->boardFreqArange[0] = clock_mhz;
  freqInfo->boardFreqArange[1] = clock_mhz;
  return CNDEV_SUCCESS;
}

RT_EXPORT cndevRet_t cndevGetDDRInfo(cndevDDRInfo_t *ddrInfo, cndevDevice_t device) {
  const struct rt_device *found = NULL;
  const cndevRet_t error = find(ddrInfo, device, &found);
  if (error != CNDEV_SUCCESS) {
    return error;
  }
  const uint64_t width = (uint64_t)rt_device_value(found, cnrtAttrGmemBusWidth);
  /* Two transfers a clock; in tenths of GB/s. */
  const uint64_t tenths =
      2 * (uint64_t)rt_device_value(found, cnrtAttrMemClockRate) * width / 8 / 100000;
  ddrInfo->dataWidth = (uint32_t)width;
  ddrInfo->bandWidth = (uint32_t)(tenths / 10);
  ddrInfo->bandWidthDecimal = (uint32_t)(tenths % 10);
  return CNDEV_SUCCESS;
}

RT_EXPORT cndevRet_t cndevGetProcessInfo(unsigned *infoCount, cndevProcessInfo_t *procInfo,
                                         cndevDevice_t device) {
  const struct rt_device *found = NULL;
  const cndevRet_t error = find(infoCount, device, &found);
  if (error != CNDEV_SUCCESS) {
    return error;
  }
  const unsigned room = *infoCount;
  *infoCount = 1;
  if (room < 1 || procInfo == NULL) {
    return CNDEV_ERROR_INSUFFICIENT_SPACE;
  }
  const uint64_t kilobytes = rt_memory_used(found) / 1024;
  procInfo->pid = (uint32_t)getpid();
  procInfo->physicalMemoryUsed = kilobytes;
  procInfo->virtualMemoryUsed = kilobytes;
  return CNDEV_SUCCESS;
}
