/* SPDX-License-Identifier: MIT
 *
 * Device management: its answers agree with those of CNRT and of the driver.
 */
#include "cndev.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

#define CHECK_DEV(call) CHECK_EQ(call, CNDEV_SUCCESS)

enum { MEGABYTE = 1 << 20 };

static cndevDevice_t last_device(void) {
  return device_up_to(1000);
}

/* Answers that only a card can give. */
struct missing {
  cndevPCIeInfo_t pcie;
  cndevPCIeInfoV2_t pcie_v2;
  cndevPowerInfo_t power;
  cndevDevicePowerInfo_t device_power;
  cndevTemperatureInfo_t temperature;
  cndevECCInfo_t errors;
  cndevCardSN_t number;
};

static void check_missing(struct missing *answer, cndevDevice_t device, cndevRet_t wanted) {
  CHECK_EQ(cndevGetPCIeInfo(answer ? &answer->pcie : NULL, device), wanted);
  CHECK_EQ(cndevGetPCIeInfoV2(answer ? &answer->pcie_v2 : NULL, device), wanted);
  CHECK_EQ(cndevGetPowerInfo(answer ? &answer->power : NULL, device), wanted);
  CHECK_EQ(cndevGetDevicePowerInfo(answer ? &answer->device_power : NULL, device), wanted);
  CHECK_EQ(cndevGetTemperatureInfo(answer ? &answer->temperature : NULL, device), wanted);
  CHECK_EQ(cndevGetECCInfo(answer ? &answer->errors : NULL, device), wanted);
  CHECK_EQ(cndevGetCardSN(answer ? &answer->number : NULL, device), wanted);
}

/* Every function refuses calls before cndevInit, NULL, and a device that does not exist. */
static void refusals(void) {
  const cndevDevice_t none = last_device() + 1;
  cndevDevice_t device = -1;
  cndevCardInfo_t cards = {CNDEV_VERSION_5, 0};
  cndevFrequencyInfo_t frequency = {.version = CNDEV_VERSION_5};
  cndevDDRInfo_t bus = {.version = CNDEV_VERSION_5};
  cndevCardName_t name = {CNDEV_VERSION_5, MLU100};
  cndevCardClusterCount_t clusters = {CNDEV_VERSION_5, -1};
  cndevCardCoreCount_t cores = {CNDEV_VERSION_5, -1};
  cndevMemoryInfo_t memory = {.version = CNDEV_VERSION_5};
  cndevMemoryInfoV2_t memory_v2 = {0};
  cndevUUID_t uuid = {.version = CNDEV_VERSION_5};
  cndevVersionInfo_t version = {.version = CNDEV_VERSION_5};
  unsigned count = 1;
  cndevProcessInfo_t process = {.version = CNDEV_VERSION_5};
  cndevProcessUtilization_t share = {.version = CNDEV_VERSION_5};
  cndevUtilizationInfo_t use = {.version = CNDEV_VERSION_5};
  cndevCardHealthState_t health = {.version = CNDEV_VERSION_5};
  static cndevCardHealthStateV2_t health_v2;
  cndevDeviceMaxPerformance_t peak = {.version = CNDEV_VERSION_5};
  cndevNUMANodeId_t node = {CNDEV_VERSION_5, -1};
  cndevMLULinkStatus_t link = {.version = CNDEV_VERSION_5};
  struct missing missing;

#define CHECK_ALL(pointer, number, wanted)                                                 \
  do {                                                                                     \
    CHECK_EQ(cndevGetDeviceHandleByIndex(number, pointer ? &device : NULL), wanted);       \
    CHECK_EQ(cndevGetFrequencyInfo(pointer ? &frequency : NULL, number), wanted);          \
    CHECK_EQ(cndevGetDDRInfo(pointer ? &bus : NULL, number), wanted);                      \
    CHECK_EQ(cndevGetCardName(pointer ? &name : NULL, number), wanted);                    \
    CHECK_EQ(cndevGetClusterCount(pointer ? &clusters : NULL, number), wanted);            \
    CHECK_EQ(cndevGetCoreCount(pointer ? &cores : NULL, number), wanted);                  \
    CHECK_EQ(cndevGetMemoryUsage(pointer ? &memory : NULL, number), wanted);               \
    CHECK_EQ(cndevGetMemoryUsageV2(pointer ? &memory_v2 : NULL, number), wanted);          \
    CHECK_EQ(cndevGetUUID(pointer ? &uuid : NULL, number), wanted);                        \
    CHECK_EQ(cndevGetVersionInfo(pointer ? &version : NULL, number), wanted);              \
    CHECK_EQ(cndevGetProcessInfo(pointer ? &count : NULL, &process, number), wanted);      \
    CHECK_EQ(cndevGetProcessUtilization(pointer ? &count : NULL, &share, number), wanted); \
    CHECK_EQ(cndevGetDeviceUtilizationInfo(pointer ? &use : NULL, number), wanted);        \
    CHECK_EQ(cndevGetCardHealthState(pointer ? &health : NULL, number), wanted);           \
    CHECK_EQ(cndevGetCardHealthStateV2(pointer ? &health_v2 : NULL, number), wanted);      \
    CHECK_EQ(cndevGetDeviceMaxPerformance(pointer ? &peak : NULL, number), wanted);        \
    CHECK_EQ(cndevGetNUMANodeIdByDevId(pointer ? &node : NULL, number), wanted);           \
    CHECK_EQ(cndevGetMLULinkStatus(pointer ? &link : NULL, number, 0), wanted);            \
    check_missing(pointer ? &missing : NULL, number, wanted);                              \
  } while (0)

  CHECK_ALL(true, 0, CNDEV_ERROR_UNINITIALIZED);
  CHECK_EQ(cndevGetDeviceCount(&cards), CNDEV_ERROR_UNINITIALIZED);
  CHECK_EQ(cndevGetDeviceHandleByUUID("", &device), CNDEV_ERROR_UNINITIALIZED);
  CHECK_EQ(cndevGetDeviceHandleByPciBusId("", &device), CNDEV_ERROR_UNINITIALIZED);
  CHECK_EQ(cndevGetMLULinkPortNumber(0), -1);
  CHECK(strcmp(cndevGetCardNameStringByDevId(0), "Unknown") == 0);
  CHECK_EQ(cndevRelease(), CNDEV_ERROR_UNINITIALIZED);
  CHECK_DEV(cndevInit(CNDEV_VERSION_5));
  CHECK_DEV(cndevRelease());
  CHECK_DEV(cndevInit(0));
  CHECK_ALL(false, 0, CNDEV_ERROR_INVALID_ARGUMENT);
  CHECK_ALL(true, none, CNDEV_ERROR_INVALID_DEVICE_ID);
  CHECK_ALL(true, -1, CNDEV_ERROR_INVALID_DEVICE_ID);
#undef CHECK_ALL
  CHECK_EQ(cndevGetDeviceCount(NULL), CNDEV_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(cndevGetDeviceHandleByUUID(NULL, &device), CNDEV_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(cndevGetDeviceHandleByUUID("nobody", &device), CNDEV_ERROR_INVALID_DEVICE_ID);
  CHECK_EQ(cndevGetDeviceHandleByPciBusId(NULL, &device), CNDEV_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(cndevGetDeviceHandleByPciBusId("nobody", &device), CNDEV_ERROR_INVALID_DEVICE_ID);
  CHECK_EQ(cndevGetMLULinkPortNumber(none), -1);
  CHECK(strcmp(cndevGetCardNameStringByDevId(none), "Unknown") == 0);
  CHECK_DEV(cndevRelease());
  CHECK_EQ(cndevRelease(), CNDEV_ERROR_UNINITIALIZED);
}

static void devices(void) {
  cndevDevice_t device = -1;
  cndevFrequencyInfo_t frequency = {.version = CNDEV_VERSION_5};
  cndevDDRInfo_t bus = {.version = CNDEV_VERSION_5};
  cndevProcessInfo_t processes[4] = {{0}};
  cndevCardInfo_t cards = {CNDEV_VERSION_5, 0};
  cndevCardClusterCount_t clusters = {CNDEV_VERSION_6, -1};
  cndevCardCoreCount_t cores = {CNDEV_VERSION_6, -1};
  cnrtDeviceProp_t prop;
  unsigned count = 4;
  CHECK_DEV(cndevInit(0));
  CHECK_DEV(cndevGetDeviceCount(&cards));
  CHECK_EQ(cards.number, last_device() + 1);
  CHECK_DEV(cndevGetDeviceHandleByIndex(last_device(), &device));
  CHECK_OK(cnrtGetDeviceProperties(&prop, device));
  CHECK_DEV(cndevGetFrequencyInfo(&frequency, device));
  CHECK(frequency.boardFreq > 0 && frequency.ddrFreq > 0);
  CHECK_DEV(cndevGetDDRInfo(&bus, device));
  CHECK(bus.bandWidth > 0);
  CHECK_DEV(cndevGetProcessInfo(&count, processes, device));
  CHECK(count == 1 && processes[0].pid != 0);
  count = 0;
  CHECK_EQ(cndevGetProcessInfo(&count, processes, device), CNDEV_ERROR_INSUFFICIENT_SPACE);
  CHECK_EQ(count, 1);
  CHECK_DEV(cndevGetClusterCount(&clusters, device));
  CHECK_EQ(clusters.count, prop.clusterCount);
  CHECK_DEV(cndevGetCoreCount(&cores, device));
  CHECK_EQ(cores.count, prop.clusterCount * prop.McorePerCluster);
  CHECK_DEV(cndevRelease());
}

static void names(void) {
  cndevCardName_t name = {CNDEV_VERSION_5, MLU100};
  cnrtDeviceProp_t prop;
  CHECK_DEV(cndevInit(0));
  CHECK_DEV(cndevGetCardName(&name, 0));
  CHECK_EQ(name.version, CNDEV_VERSION_5);
  CHECK_EQ(name.id, MLU590);
  CHECK(strcmp(cndevGetCardNameString(name.id), "MLU590") == 0);
  CHECK(strcmp(cndevGetCardNameString(MLU220_M2i), "MLU220_M2i") == 0);
  CHECK(strcmp(cndevGetCardNameString((cndevNameEnum_t)15), "Unknown") == 0);
  CHECK_OK(cnrtGetDeviceProperties(&prop, 0));
  CHECK(strcmp(cndevGetCardNameStringByDevId(0), prop.name) == 0);
  CHECK(strcmp(cndevGetErrorString(CNDEV_ERROR_NO_DEVICES), "there are no devices") == 0);
  CHECK(strcmp(cndevGetErrorString((cndevRet_t)13), "unrecognized error code") == 0);
  CHECK_DEV(cndevRelease());
}

/* The sizes are those that compiled programs rely on. */
static void layouts(void) {
  CHECK_EQ(sizeof(cndevCardName_t), 8);
  CHECK_EQ(sizeof(cndevMemoryInfo_t), 216);
  CHECK_EQ(sizeof(cndevMemoryInfoV2_t), 176);
  CHECK_EQ(sizeof(cndevUUID_t), 56);
  CHECK_EQ(sizeof(cndevVersionInfo_t), 28);
  CHECK_EQ(sizeof(cndevPCIeInfo_t), 48);
  CHECK_EQ(sizeof(cndevPCIeInfoV2_t), 64);
  CHECK_EQ(sizeof(cndevCardHealthState_t), 16);
  CHECK_EQ(sizeof(cndevCardHealthStateV2_t), 4 * 5 + 64 * (8 + 512 + 20) + 32);
  CHECK_EQ(sizeof(cndevUtilizationInfo_t), 328);
  CHECK_EQ(sizeof(cndevTemperatureInfo_t), 148);
  CHECK_EQ(sizeof(cndevDevicePowerInfo_t), 84);
  CHECK_EQ(sizeof(cndevECCInfo_t), 72);
}

static int64_t used_by_cnrt(int64_t *total) {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  CHECK_OK(cnrtMemGetInfo(&free_bytes, &total_bytes));
  *total = (int64_t)(total_bytes / MEGABYTE);
  return (int64_t)((total_bytes - free_bytes) / MEGABYTE);
}

/* An allocation shows in the memory of its own device only. */
static void memory(void) {
  enum { TAKEN = 64 };
  cndevMemoryInfo_t before = {.version = CNDEV_VERSION_5};
  cndevMemoryInfo_t after = {.version = CNDEV_VERSION_5};
  cndevMemoryInfoV2_t after_v2;
  void *pointer = NULL;
  int64_t total = 0;
  const cndevDevice_t device = last_device();
  CHECK_DEV(cndevInit(0));
  CHECK_OK(cnrtSetDevice(device));
  CHECK_DEV(cndevGetMemoryUsage(&before, device));
  CHECK_OK(cnrtMalloc(&pointer, (size_t)TAKEN * MEGABYTE));
  CHECK_DEV(cndevGetMemoryUsage(&after, device));
  CHECK_DEV(cndevGetMemoryUsageV2(&after_v2, device));
  CHECK_EQ(after.physicalMemoryUsed, used_by_cnrt(&total));
  CHECK_EQ(after.physicalMemoryTotal, total);
  CHECK(after.physicalMemoryUsed >= before.physicalMemoryUsed + TAKEN);
  CHECK_EQ(after.version, CNDEV_VERSION_5);
  CHECK_EQ(after.virtualMemoryUsed, after.physicalMemoryUsed);
  CHECK_EQ(after.virtualMemoryTotal, total);
  CHECK_EQ(after.channelNumber, 1);
  CHECK_EQ(after.channelMemoryUsed[0], after.physicalMemoryUsed);
  CHECK_EQ(after.globalMemory, total);
  CHECK_EQ(after_v2.physicalMemoryUsed, after.physicalMemoryUsed);
  CHECK_EQ(after_v2.physicalMemoryTotal, total);
  CHECK_EQ(after_v2.virtualMemoryUsed, after.physicalMemoryUsed);
  CHECK_EQ(after_v2.virtualMemoryTotal, total);
  CHECK_EQ(after_v2.globalMemory, total);
  CHECK_EQ(after_v2.reservedMemory, 0);
  if (is_on_cpu()) { /* elsewhere devices may share memory */
    CHECK_OK(cnrtSetDevice(0));
    CHECK_DEV(cndevGetMemoryUsage(&after, 0));
    CHECK_EQ(after.physicalMemoryUsed, used_by_cnrt(&total));
    CHECK(after.physicalMemoryUsed < TAKEN);
  }
  CHECK_OK(cnrtFree(pointer));
  CHECK_OK(cnrtSetDevice(0));
  CHECK_DEV(cndevRelease());
}

/* UUIDs have 8-4-4-4-12 digits, differ between devices, and find their device. */
static void identifiers(void) {
  cndevUUID_t first = {.version = CNDEV_VERSION_5, .ncsUUID64 = 7};
  CHECK_DEV(cndevInit(0));
  CHECK_DEV(cndevGetUUID(&first, 0));
  CHECK_EQ(first.ncsUUID64, 0);
  for (cndevDevice_t i = 0; i <= last_device(); ++i) {
    cndevUUID_t uuid = {.version = CNDEV_VERSION_5};
    cnrtDeviceProp_t prop;
    cndevDevice_t found = -1;
    CHECK_DEV(cndevGetUUID(&uuid, i));
    const char *text = (const char *)uuid.uuid;
    CHECK_EQ(strlen(text), 36);
    CHECK(text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-');
    CHECK_EQ(strspn(text, "0123456789abcdef-"), 36);
    CHECK_EQ(strcmp(text, (const char *)first.uuid) == 0, i == 0);
    CHECK_DEV(cndevGetDeviceHandleByUUID(text, &found));
    CHECK_EQ(found, i);
    CHECK_OK(cnrtGetDeviceProperties(&prop, i));
    const char last[] = {text[34], text[35], '\0'};
    char wanted[3];
    snprintf(wanted, sizeof(wanted), "%02x", (unsigned char)prop.uuid.uuid[15]);
    CHECK(strcmp(last, wanted) == 0);
  }
  CHECK_DEV(cndevRelease());
}

static void versions(void) {
  cndevVersionInfo_t version = {.version = CNDEV_VERSION_5, .mcuMajorVersion = 9};
  int major = 0;
  int minor = 0;
  int patch = 0;
  CHECK_DEV(cndevInit(0));
  CHECK_DEV(cndevGetVersionInfo(&version, 0));
  CHECK_OK(cnrtDriverGetVersion(&major, &minor, &patch));
  CHECK_EQ(version.version, CNDEV_VERSION_5);
  CHECK(version.driverMajorVersion == (unsigned)major &&
        version.driverMinorVersion == (unsigned)minor &&
        version.driverBuildVersion == (unsigned)patch);
  CHECK_EQ(version.mcuMajorVersion, 0);
  CHECK_DEV(cndevRelease());
}

static void no_card(void) {
  struct missing answer;
  struct missing untouched;
  cndevMLULinkStatus_t link = {.version = CNDEV_VERSION_5};
  memset(&answer, 0x5a, sizeof(answer));
  memset(&untouched, 0x5a, sizeof(untouched));
  CHECK_DEV(cndevInit(0));
  check_missing(&answer, 0, CNDEV_ERROR_NOT_SUPPORTED);
  CHECK(memcmp(&answer, &untouched, sizeof(answer)) == 0);
  CHECK_EQ(cndevGetMLULinkPortNumber(0), 0);
  CHECK_EQ(cndevGetMLULinkStatus(&link, 0, 0), CNDEV_ERROR_INVALID_LINK);
  CHECK_DEV(cndevRelease());
}

static void health(void) {
  static cndevCardHealthStateV2_t state_v2;
  cndevCardHealthState_t state = {.version = CNDEV_VERSION_6, .health = -1};
  CHECK_DEV(cndevInit(0));
  CHECK_DEV(cndevGetCardHealthState(&state, last_device()));
  CHECK_EQ(state.version, CNDEV_VERSION_6);
  CHECK_EQ(state.health, 1);
  CHECK_EQ(state.deviceState, CNDEV_HEALTH_STATE_DEVICE_GOOD);
  CHECK_EQ(state.driverState, CNDEV_HEALTH_STATE_DRIVER_RUNNING);
  memset(&state_v2, 0x5a, sizeof(state_v2));
  CHECK_DEV(cndevGetCardHealthStateV2(&state_v2, last_device()));
  CHECK_EQ(state_v2.health, 1);
  CHECK_EQ(state_v2.deviceState, CNDEV_HEALTH_STATE_DEVICE_GOOD);
  CHECK_EQ(state_v2.driverState, CNDEV_HEALTH_STATE_DRIVER_RUNNING);
  CHECK_EQ(state_v2.overallHealth, CNDEV_HEALTH_RESULT_PASS);
  CHECK_EQ(state_v2.incident_count, 0);
  CHECK_DEV(cndevRelease());
}

/* Keeps one processor busy long enough to be noticed. */
static void be_busy(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  const int64_t end_ms = now.tv_sec * 1000 + now.tv_nsec / 1000000 + 200;
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < end_ms);
}

static void usage(void) {
  cndevUtilizationInfo_t use = {.version = CNDEV_VERSION_6};
  cndevUtilizationInfo_t again = {.version = CNDEV_VERSION_6};
  cndevProcessUtilization_t shares[2] = {{.version = CNDEV_VERSION_6, .jpuUtil = 7}};
  cndevCardCoreCount_t cores = {CNDEV_VERSION_6, -1};
  unsigned count = 2;
  CHECK_DEV(cndevInit(0));
  if (!is_on_cpu()) {
    CHECK_EQ(cndevGetDeviceUtilizationInfo(&use, 0), CNDEV_ERROR_NOT_SUPPORTED);
    CHECK_EQ(cndevGetProcessUtilization(&count, shares, 0), CNDEV_ERROR_NOT_SUPPORTED);
    CHECK_DEV(cndevRelease());
    return;
  }
  be_busy();
  CHECK_DEV(cndevGetDeviceUtilizationInfo(&use, 0));
  CHECK_EQ(use.version, CNDEV_VERSION_6);
  CHECK(use.averageCoreUtilization > 0 && use.averageCoreUtilization <= 100);
  CHECK_DEV(cndevGetCoreCount(&cores, 0));
  for (int i = 0; i < CNDEV_UTILIZATION_CORE_COUNT; ++i) {
    CHECK_EQ(use.coreUtilization[i], i < cores.count ? use.averageCoreUtilization : 0);
  }
  CHECK_DEV(cndevGetDeviceUtilizationInfo(&again, last_device()));
  CHECK(again.averageCoreUtilization >= 0 && again.averageCoreUtilization <= 100);
  CHECK_DEV(cndevGetProcessUtilization(&count, shares, 0));
  CHECK_EQ(count, 1);
  CHECK(shares[0].pid == (uint32_t)getpid() && shares[0].jpuUtil == 0);
  CHECK(shares[0].ipuUtil > 0 && shares[0].ipuUtil <= 100 && shares[0].memUtil <= 100);
  count = 0;
  CHECK_EQ(cndevGetProcessUtilization(&count, shares, 0), CNDEV_ERROR_INSUFFICIENT_SPACE);
  CHECK_EQ(count, 1);
  CHECK_DEV(cndevRelease());
}

/* Two operations per lane and cycle; between 4 lanes (128 bits) and 32 lanes (a warp). */
static void performance(void) {
  cndevDeviceMaxPerformance_t peak = {.version = CNDEV_VERSION_5};
  CHECK_DEV(cndevInit(0));
  CHECK_DEV(cndevGetDeviceMaxPerformance(&peak, 0));
  CHECK_EQ(peak.version, CNDEV_VERSION_5);
  CHECK(peak.fp32Vector >= 8 && peak.fp32Vector <= 64);
  CHECK_EQ(peak.fp32Vector & (peak.fp32Vector - 1), 0);
  CHECK_DEV(cndevRelease());
}

static void places(void) {
  char address[32];
  cndevDevice_t found = -1;
  cndevNUMANodeId_t node = {CNDEV_VERSION_6, -7};
  CHECK_DEV(cndevInit(0));
  CHECK_OK(cnrtDeviceGetPCIBusId(address, sizeof(address), 0));
  CHECK_DEV(cndevGetDeviceHandleByPciBusId(address, &found));
  CHECK_EQ(found, 0);
  const cndevRet_t answer = cndevGetNUMANodeIdByDevId(&node, 0);
  CHECK(answer == CNDEV_SUCCESS ? node.nodeId >= -1 : answer == CNDEV_ERROR_NOT_SUPPORTED);
  CHECK_DEV(cndevRelease());
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"refusals", refusals}, {"devices", devices},         {"names", names},
      {"layouts", layouts},   {"memory", memory},           {"identifiers", identifiers},
      {"versions", versions}, {"no_card", no_card},         {"health", health},
      {"usage", usage},       {"performance", performance}, {"places", places},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
