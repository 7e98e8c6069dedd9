/* SPDX-License-Identifier: MIT
 *
 * How a device fares: health, use, where it sits; and what a card would say of itself beyond that.
 */
#include <string.h>
#include <unistd.h>

#include "cndev_device.h"
#include "memory.h"
#include "attributes.h"

/* ---- Health ---- */

/* True if the device still answers: a lost one cannot report its memory. */
static bool is_alive(struct rt_device *device) {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  return rt_device_memory_info(device, &free_bytes, &total_bytes) == cnrtSuccess;
}

static cndevHealthStateEnum_t device_state(bool alive) {
  return alive ? CNDEV_HEALTH_STATE_DEVICE_GOOD : CNDEV_HEALTH_STATE_DEVICE_IN_PROBLEM;
}

RT_EXPORT cndevRet_t cndevGetCardHealthState(cndevCardHealthState_t *cardHealthState,
                                             cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(cardHealthState, device, &found);
  if (error == CNDEV_SUCCESS) {
    const bool alive = is_alive(found);
    cardHealthState->health = alive;
    cardHealthState->deviceState = device_state(alive);
    cardHealthState->driverState = CNDEV_HEALTH_STATE_DRIVER_RUNNING;
  }
  return error;
}

RT_EXPORT cndevRet_t cndevGetCardHealthStateV2(cndevCardHealthStateV2_t *cardHealthState,
                                               cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(cardHealthState, device, &found);
  if (error == CNDEV_SUCCESS) {
    const bool alive = is_alive(found);
    memset(cardHealthState, 0, sizeof(*cardHealthState));
    cardHealthState->health = alive;
    cardHealthState->deviceState = device_state(alive);
    cardHealthState->driverState = CNDEV_HEALTH_STATE_DRIVER_RUNNING;
    cardHealthState->overallHealth = alive ? CNDEV_HEALTH_RESULT_PASS : CNDEV_HEALTH_RESULT_FAIL;
  }
  return error;
}

/* ---- Use ---- */

RT_EXPORT cndevRet_t cndevGetDeviceUtilizationInfo(cndevUtilizationInfo_t *utilInfo,
                                                   cndevDevice_t device) {
  struct rt_device *found = NULL;
  int percent = 0;
  const cndevRet_t error = rt_cndev_find(utilInfo, device, &found);
  if (error != CNDEV_SUCCESS) {
    return error;
  }
  if (!rt_device_usage(found, &percent)) {
    return CNDEV_ERROR_NOT_SUPPORTED;
  }
  const int cores = rt_device_value(found, cnrtAttrClusterCount) *
                    rt_device_value(found, cnrtAttrMcorePerCluster);
  const int version = utilInfo->version;
  memset(utilInfo, 0, sizeof(*utilInfo));
  utilInfo->version = version;
  utilInfo->averageCoreUtilization = percent;
  for (int i = 0; i < cores && i < CNDEV_UTILIZATION_CORE_COUNT; ++i) {
    utilInfo->coreUtilization[i] = percent; /* tasks run on any free core */
  }
  return CNDEV_SUCCESS;
}

RT_EXPORT cndevRet_t cndevGetProcessUtilization(unsigned *processCount,
                                                cndevProcessUtilization_t *procUtil,
                                                cndevDevice_t device) {
  struct rt_device *found = NULL;
  int percent = 0;
  const cndevRet_t error = rt_cndev_find(processCount, device, &found);
  if (error != CNDEV_SUCCESS) {
    return error;
  }
  if (!rt_process_usage(found, &percent)) {
    return CNDEV_ERROR_NOT_SUPPORTED;
  }
  const unsigned room = *processCount;
  *processCount = 1;
  if (room < 1 || procUtil == NULL) {
    return CNDEV_ERROR_INSUFFICIENT_SPACE;
  }
  const uint64_t total = rt_device_memory(found);
  *procUtil = (cndevProcessUtilization_t){
      .version = procUtil->version,
      .pid = (uint32_t)getpid(),
      .ipuUtil = (uint32_t)percent,
      .memUtil = total != 0 ? (uint32_t)(rt_memory_used(found) * 100 / total) : 0};
  return CNDEV_SUCCESS;
}

RT_EXPORT cndevRet_t cndevGetDeviceMaxPerformance(cndevDeviceMaxPerformance_t *maxPerformance,
                                                  cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(maxPerformance, device, &found);
  if (error == CNDEV_SUCCESS) {
    const uint64_t lanes = (uint64_t)rt_device_facts(found)->vector_bytes / sizeof(float);
    maxPerformance->fp32Vector = 2 * lanes; /* a multiplication and an addition */
  }
  return error;
}

/* ---- Places ---- */

RT_EXPORT cndevRet_t cndevGetNUMANodeIdByDevId(cndevNUMANodeId_t *numaNodeId,
                                               cndevDevice_t device) {
  struct rt_device *found = NULL;
  int node = -1;
  const cndevRet_t error = rt_cndev_find(numaNodeId, device, &found);
  if (error != CNDEV_SUCCESS) {
    return error;
  }
  if (!rt_device_numa_node(found, &node)) {
    return CNDEV_ERROR_NOT_SUPPORTED;
  }
  numaNodeId->nodeId = node;
  return CNDEV_SUCCESS;
}

RT_EXPORT int cndevGetMLULinkPortNumber(cndevDevice_t device) {
  struct rt_device *found = NULL;
  return rt_cndev_find(&found, device, &found) == CNDEV_SUCCESS ? 0 : -1;
}

RT_EXPORT cndevRet_t cndevGetMLULinkStatus(cndevMLULinkStatus_t *status, cndevDevice_t device,
                                           int link) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(status, device, &found);
  (void)link;
  return error != CNDEV_SUCCESS ? error : CNDEV_ERROR_INVALID_LINK;
}

/* ---- What only cards have ---- */

static cndevRet_t refuse(const void *answer, cndevDevice_t device) {
  struct rt_device *found = NULL;
  const cndevRet_t error = rt_cndev_find(answer, device, &found);
  return error != CNDEV_SUCCESS ? error : CNDEV_ERROR_NOT_SUPPORTED;
}

RT_EXPORT cndevRet_t cndevGetPCIeInfo(cndevPCIeInfo_t *deviceInfo, cndevDevice_t device) {
  return refuse(deviceInfo, device);
}

RT_EXPORT cndevRet_t cndevGetPCIeInfoV2(cndevPCIeInfoV2_t *deviceInfo, cndevDevice_t device) {
  return refuse(deviceInfo, device);
}

RT_EXPORT cndevRet_t cndevGetPowerInfo(cndevPowerInfo_t *powerInfo, cndevDevice_t device) {
  return refuse(powerInfo, device);
}

RT_EXPORT cndevRet_t cndevGetDevicePowerInfo(cndevDevicePowerInfo_t *powerInfo,
                                             cndevDevice_t device) {
  return refuse(powerInfo, device);
}

RT_EXPORT cndevRet_t cndevGetTemperatureInfo(cndevTemperatureInfo_t *tempInfo,
                                             cndevDevice_t device) {
  return refuse(tempInfo, device);
}

RT_EXPORT cndevRet_t cndevGetECCInfo(cndevECCInfo_t *eccInfo, cndevDevice_t device) {
  return refuse(eccInfo, device);
}

RT_EXPORT cndevRet_t cndevGetCardSN(cndevCardSN_t *cardSN, cndevDevice_t device) {
  return refuse(cardSN, device);
}
