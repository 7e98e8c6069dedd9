/* SPDX-License-Identifier: MIT */
#include "cndev_device.h"

#include <string.h>
#include <unistd.h>

#include "attributes.h"
#include "memory.h"
#include "uuid.h"

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
      "there is no link of this number",
      "there are no devices",
  };
  return (size_t)errorId < sizeof(texts) / sizeof(texts[0]) ? texts[errorId]
                                                            : "unrecognized error code";
}

RT_EXPORT cndevRet_t cndevGetDeviceCount(cndevCardInfo_t *cardNum) {
  if (!rt_cndev_started()) {
    return CNDEV_ERROR_UNINITIALIZED;
  }
  if (cardNum == NULL) {
    return CNDEV_ERROR_INVALID_ARGUMENT;
  }
  cardNum->number = rt_device_count();
  return CNDEV_SUCCESS;
}

RT_EXPORT cndevRet_t cndevGetDeviceHandleByIndex(int32_t index, cndevDevice_t *handle) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(handle, index, &found);
  if (error == CNDEV_SUCCESS) {
    *handle = rt_device_ordinal(found);
  }
  return error;
}

RT_EXPORT cndevRet_t cndevGetDeviceHandleByUUID(const char *uuid, cndevDevice_t *handle) {
  if (!rt_cndev_started()) {
    return CNDEV_ERROR_UNINITIALIZED;
  }
  if (uuid == NULL || handle == NULL) {
    return CNDEV_ERROR_INVALID_ARGUMENT;
  }
  const struct rt_device *found = rt_device_by_uuid(uuid);
  if (found == NULL) {
    return CNDEV_ERROR_INVALID_DEVICE_ID;
  }
  *handle = rt_device_ordinal(found);
  return CNDEV_SUCCESS;
}

RT_EXPORT cndevRet_t cndevGetDeviceHandleByPciBusId(const char *pciBusId, cndevDevice_t *handle) {
  if (!rt_cndev_started()) {
    return CNDEV_ERROR_UNINITIALIZED;
  }
  if (pciBusId == NULL || handle == NULL) {
    return CNDEV_ERROR_INVALID_ARGUMENT;
  }
  const struct rt_device *found = rt_device_by_pci(pciBusId);
  if (found == NULL) {
    return CNDEV_ERROR_INVALID_DEVICE_ID;
  }
  *handle = rt_device_ordinal(found);
  return CNDEV_SUCCESS;
}

/* ---- What a device is ---- */

static const char no_name[] = "Unknown";

static const struct {
  cndevNameEnum_t id;
  const char *text;
} kinds[] = {
    {CNDEV_DEVICE_TYPE_MLU100, "MLU100"},         {CNDEV_DEVICE_TYPE_MLU270, "MLU270"},
    {CNDEV_DEVICE_TYPE_MLU220_M2, "MLU220_M2"},   {CNDEV_DEVICE_TYPE_MLU220_EDGE, "MLU220_EDGE"},
    {CNDEV_DEVICE_TYPE_MLU220_EVB, "MLU220_EVB"}, {CNDEV_DEVICE_TYPE_MLU220_M2i, "MLU220_M2i"},
    {CNDEV_DEVICE_TYPE_MLU290, "MLU290"},         {CNDEV_DEVICE_TYPE_MLU370, "MLU370"},
    {CNDEV_DEVICE_TYPE_MLU365, "MLU365"},         {CNDEV_DEVICE_TYPE_CE3226, "CE3226"},
    {CNDEV_DEVICE_TYPE_MLU590, "MLU590"},         {CNDEV_DEVICE_TYPE_MLU585, "MLU585"},
    {CNDEV_DEVICE_TYPE_1V_2201, "1V_2201"},       {CNDEV_DEVICE_TYPE_MLU580, "MLU580"},
    {CNDEV_DEVICE_TYPE_MLU570, "MLU570"},         {CNDEV_DEVICE_TYPE_1V_2202, "1V_2202"},
};
enum { KIND_COUNT = sizeof(kinds) / sizeof(kinds[0]) };

RT_EXPORT const char *cndevGetCardNameString(cndevNameEnum_t cardName) {
  for (size_t i = 0; i < KIND_COUNT; ++i) {
    if (kinds[i].id == cardName) {
      return kinds[i].text;
    }
  }
  return no_name;
}

/* A device's name begins with its kind: MLU370-X4. Other devices are of the kind that their kernels
 * are compiled for. */
static cndevNameEnum_t kind_of(const struct rt_device *device) {
  const char *name = rt_device_name(device);
  for (size_t i = 0; i < KIND_COUNT; ++i) {
    if (strncmp(name, kinds[i].text, strlen(kinds[i].text)) == 0) {
      return kinds[i].id;
    }
  }
  return CNDEV_DEVICE_TYPE_MLU590;
}

RT_EXPORT cndevRet_t cndevGetCardName(cndevCardName_t *cardName, cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(cardName, device, &found);
  if (error == CNDEV_SUCCESS) {
    cardName->id = kind_of(found);
  }
  return error;
}

RT_EXPORT const char *cndevGetCardNameStringByDevId(cndevDevice_t device) {
  const struct rt_device *found = rt_cndev_started() ? rt_device(device) : NULL;
  return found != NULL ? rt_device_name(found) : no_name;
}

RT_EXPORT cndevRet_t cndevGetClusterCount(cndevCardClusterCount_t *clusCount,
                                          cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(clusCount, device, &found);
  if (error == CNDEV_SUCCESS) {
    clusCount->count = rt_device_value(found, cnrtAttrClusterCount);
  }
  return error;
}

RT_EXPORT cndevRet_t cndevGetCoreCount(cndevCardCoreCount_t *cardCoreCount, cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(cardCoreCount, device, &found);
  if (error == CNDEV_SUCCESS) {
    cardCoreCount->count = rt_device_value(found, cnrtAttrClusterCount) *
                           rt_device_value(found, cnrtAttrMcorePerCluster);
  }
  return error;
}

RT_EXPORT cndevRet_t cndevGetUUID(cndevUUID_t *uuidInfo, cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(uuidInfo, device, &found);
  if (error == CNDEV_SUCCESS) {
    _Static_assert(sizeof(uuidInfo->uuid) == RT_UUID_TEXT_SIZE, "the text fills the field");
    rt_device_uuid_text(found, (char *)uuidInfo->uuid);
    uuidInfo->ncsUUID64 = 0;
  }
  return error;
}

RT_EXPORT cndevRet_t cndevGetVersionInfo(cndevVersionInfo_t *versInfo, cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(versInfo, device, &found);
  if (error != CNDEV_SUCCESS) {
    return error;
  }
  int major = 0;
  int minor = 0;
  int patch = 0;
  cnGetDriverVersion(&major, &minor, &patch);
  *versInfo = (cndevVersionInfo_t){.version = versInfo->version,
                                   .driverMajorVersion = (uint32_t)major,
                                   .driverMinorVersion = (uint32_t)minor,
                                   .driverBuildVersion = (uint32_t)patch};
  return CNDEV_SUCCESS;
}

RT_EXPORT cndevRet_t cndevGetFrequencyInfo(cndevFrequencyInfo_t *freqInfo, cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(freqInfo, device, &found);
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
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(ddrInfo, device, &found);
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

/* ---- What is in use ---- */

RT_EXPORT cndevRet_t cndevGetMemoryUsageV2(cndevMemoryInfoV2_t *memInfo, cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(memInfo, device, &found);
  if (error != CNDEV_SUCCESS) {
    return error;
  }
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  if (rt_device_memory_info(found, &free_bytes, &total_bytes) != cnrtSuccess) {
    return CNDEV_ERROR_UNKNOWN;
  }
  const int64_t total = (int64_t)(total_bytes >> 20);
  const int64_t used = (int64_t)((total_bytes - free_bytes) >> 20);
  *memInfo = (cndevMemoryInfoV2_t){.physicalMemoryTotal = total,
                                   .physicalMemoryUsed = used,
                                   .virtualMemoryTotal = total,
                                   .virtualMemoryUsed = used,
                                   .globalMemory = (uint64_t)total};
  return CNDEV_SUCCESS;
}

RT_EXPORT cndevRet_t cndevGetMemoryUsage(cndevMemoryInfo_t *memInfo, cndevDevice_t device) {
  if (rt_cndev_started() && memInfo == NULL) {
    return CNDEV_ERROR_INVALID_ARGUMENT;
  }
  cndevMemoryInfoV2_t usage;
  const cndevRet_t error = cndevGetMemoryUsageV2(&usage, device);
  if (error == CNDEV_SUCCESS) {
    *memInfo = (cndevMemoryInfo_t){.version = memInfo->version,
                                   .physicalMemoryTotal = usage.physicalMemoryTotal,
                                   .physicalMemoryUsed = usage.physicalMemoryUsed,
                                   .virtualMemoryTotal = usage.virtualMemoryTotal,
                                   .virtualMemoryUsed = usage.virtualMemoryUsed,
                                   .channelNumber = 1,
                                   .channelMemoryUsed = {usage.physicalMemoryUsed},
                                   .globalMemory = usage.globalMemory};
  }
  return error;
}

RT_EXPORT cndevRet_t cndevGetProcessInfo(unsigned *infoCount, cndevProcessInfo_t *procInfo,
                                         cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(infoCount, device, &found);
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
