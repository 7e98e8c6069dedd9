/* SPDX-License-Identifier: MIT */
#include "state.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cnrt.h"

void cnmon_driver_version(char *text, int size) {
  cndevDevice_t device = 0;
  cndevVersionInfo_t info = {.version = CNDEV_VERSION_5};
  if (cndevGetDeviceHandleByIndex(0, &device) == CNDEV_SUCCESS) {
    cndevGetVersionInfo(&info, device);
  }
  snprintf(text, (size_t)size, "%u.%u.%u", info.driverMajorVersion, info.driverMinorVersion,
           info.driverBuildVersion);
}

static void ask_sensors(cndevDevice_t handle, struct cnmon_device *device) {
  cndevUtilizationInfo_t utilization = {.version = CNDEV_VERSION_5};
  cndevTemperatureInfo_t temperature = {.version = CNDEV_VERSION_5};
  cndevPowerInfo_t power = {.version = CNDEV_VERSION_5};
  cndevCardHealthState_t health = {.version = CNDEV_VERSION_5};
  cndevNUMANodeId_t node = {.version = CNDEV_VERSION_5, .nodeId = -1};
  device->knows_utilization = cndevGetDeviceUtilizationInfo(&utilization, handle) == CNDEV_SUCCESS;
  device->utilization = utilization.averageCoreUtilization;
  device->knows_temperature = cndevGetTemperatureInfo(&temperature, handle) == CNDEV_SUCCESS;
  device->temperature = temperature.chip;
  device->knows_power = cndevGetPowerInfo(&power, handle) == CNDEV_SUCCESS;
  device->power = power.usage;
  device->is_healthy =
      cndevGetCardHealthState(&health, handle) == CNDEV_SUCCESS && health.health == 1;
  cndevGetNUMANodeIdByDevId(&node, handle);
  device->numa_node = node.nodeId;
}

static void ask_processes(cndevDevice_t handle, struct cnmon_device *device) {
  device->process_count = CNMON_PROCESSES;
  device->processes[0].version = CNDEV_VERSION_5;
  if (cndevGetProcessInfo(&device->process_count, device->processes, handle) != CNDEV_SUCCESS) {
    device->process_count = 0;
  }
  /* Counts processes other than this one. */
  unsigned others = 0;
  for (unsigned i = 0; i < device->process_count; ++i) {
    if (device->processes[i].pid != (uint32_t)getpid()) {
      device->processes[others++] = device->processes[i];
    }
  }
  device->process_count = others;
}

bool cnmon_ask(int number, struct cnmon_device *device) {
  cndevDevice_t handle = 0;
  cndevUUID_t uuid = {.version = CNDEV_VERSION_5};
  cndevMemoryInfo_t memory = {.version = CNDEV_VERSION_5};
  cndevCardClusterCount_t clusters = {.version = CNDEV_VERSION_5};
  cndevCardCoreCount_t cores = {.version = CNDEV_VERSION_5};
  char address[32] = "";
  memset(device, 0, sizeof(*device));
  device->number = number;
  if (cndevGetDeviceHandleByIndex(number, &handle) != CNDEV_SUCCESS ||
      cndevGetUUID(&uuid, handle) != CNDEV_SUCCESS ||
      cndevGetMemoryUsage(&memory, handle) != CNDEV_SUCCESS ||
      cndevGetClusterCount(&clusters, handle) != CNDEV_SUCCESS ||
      cndevGetCoreCount(&cores, handle) != CNDEV_SUCCESS ||
      cnrtDeviceGetPCIBusId(address, sizeof(address), number) != cnrtSuccess) {
    return false;
  }
  device->name = cndevGetCardNameStringByDevId(handle);
  memcpy(device->uuid, uuid.uuid, sizeof(device->uuid));
  device->memory_total = memory.physicalMemoryTotal;
  device->memory_used = memory.physicalMemoryUsed;
  device->clusters = clusters.count;
  device->cores = cores.count;
  sscanf(address, "%x:%x:%x.%x", &device->domain, &device->bus, &device->slot, &device->function);
  ask_sensors(handle, device);
  ask_processes(handle, device);
  return true;
}
