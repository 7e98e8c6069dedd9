/* SPDX-License-Identifier: MIT
 *
 * CNDev, the device-management interface of Neuware: the functions that test and monitoring
 * programs use. Callers set a structure's `version` field before they pass it in.
 */
#ifndef CNDEV_H_
#define CNDEV_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Result of a call. */
typedef enum {
  CNDEV_SUCCESS = 0,
  CNDEV_ERROR_NO_DRIVER = 1,
  CNDEV_ERROR_LOW_DRIVER_VERSION = 2,
  CNDEV_ERROR_UNSUPPORTED_API_VERSION = 3,
  CNDEV_ERROR_UNINITIALIZED = 4,
  CNDEV_ERROR_INVALID_ARGUMENT = 5,
  CNDEV_ERROR_INVALID_DEVICE_ID = 6,
  CNDEV_ERROR_UNKNOWN = 7,
  CNDEV_ERROR_MALLOC = 8,
  CNDEV_ERROR_INSUFFICIENT_SPACE = 9,
  CNDEV_ERROR_NOT_SUPPORTED = 10,
  CNDEV_ERROR_INVALID_LINK = 11,
  CNDEV_ERROR_NO_DEVICES = 12
} cndevRet_t;

/* Versions of the structures; any is accepted. */
enum {
  CNDEV_VERSION_1 = 1,
  CNDEV_VERSION_2 = 2,
  CNDEV_VERSION_3 = 3,
  CNDEV_VERSION_4 = 4,
  CNDEV_VERSION_5 = 5,
  CNDEV_VERSION_6 = 6
};

/* A device. */
typedef int32_t cndevDevice_t;

/* Types of cards, and their names in older programs. */
typedef enum {
  CNDEV_DEVICE_TYPE_MLU100 = 0,
  CNDEV_DEVICE_TYPE_MLU270 = 1,
  CNDEV_DEVICE_TYPE_MLU220_M2 = 16,
  CNDEV_DEVICE_TYPE_MLU220_EDGE = 17,
  CNDEV_DEVICE_TYPE_MLU220_EVB = 18,
  CNDEV_DEVICE_TYPE_MLU220_M2i = 19,
  CNDEV_DEVICE_TYPE_MLU290 = 20,
  CNDEV_DEVICE_TYPE_MLU370 = 23,
  CNDEV_DEVICE_TYPE_MLU365 = 24,
  CNDEV_DEVICE_TYPE_CE3226 = 25,
  CNDEV_DEVICE_TYPE_MLU590 = 26,
  CNDEV_DEVICE_TYPE_MLU585 = 27,
  CNDEV_DEVICE_TYPE_1V_2201 = 29,
  CNDEV_DEVICE_TYPE_MLU580 = 30,
  CNDEV_DEVICE_TYPE_MLU570 = 31,
  CNDEV_DEVICE_TYPE_1V_2202 = 32,
  MLU100 = CNDEV_DEVICE_TYPE_MLU100,
  MLU270 = CNDEV_DEVICE_TYPE_MLU270,
  MLU220_M2 = CNDEV_DEVICE_TYPE_MLU220_M2,
  MLU220_EDGE = CNDEV_DEVICE_TYPE_MLU220_EDGE,
  MLU220_EVB = CNDEV_DEVICE_TYPE_MLU220_EVB,
  MLU220_M2i = CNDEV_DEVICE_TYPE_MLU220_M2i,
  MLU290 = CNDEV_DEVICE_TYPE_MLU290,
  MLU370 = CNDEV_DEVICE_TYPE_MLU370,
  MLU365 = CNDEV_DEVICE_TYPE_MLU365,
  CE3226 = CNDEV_DEVICE_TYPE_CE3226,
  MLU590 = CNDEV_DEVICE_TYPE_MLU590,
  MLU585 = CNDEV_DEVICE_TYPE_MLU585,
  MLU580 = CNDEV_DEVICE_TYPE_MLU580,
  MLU570 = CNDEV_DEVICE_TYPE_MLU570
} cndevNameEnum_t;

/* Type of a card. */
typedef struct {
  int32_t version;
  cndevNameEnum_t id;
} cndevCardName_t;

/* Number of clusters, and of cores in all clusters. */
typedef struct {
  int32_t version;
  int32_t count;
} cndevCardClusterCount_t;
typedef struct {
  int32_t version;
  int32_t count;
} cndevCardCoreCount_t;

/* Memory in MB (2^20 bytes). Physical and virtual memory are the same here, there is one channel,
 * and nothing is reserved. */
typedef struct {
  int32_t version;
  int64_t physicalMemoryTotal;
  int64_t physicalMemoryUsed;
  int64_t virtualMemoryTotal;
  int64_t virtualMemoryUsed;
  int64_t channelNumber;
  int64_t channelMemoryUsed[20];
  uint64_t globalMemory; /* as physicalMemoryTotal */
} cndevMemoryInfo_t;
typedef struct {
  int64_t physicalMemoryTotal;
  int64_t physicalMemoryUsed;
  int64_t reservedMemory;
  int64_t virtualMemoryTotal;
  int64_t virtualMemoryUsed;
  uint64_t globalMemory;
  uint64_t reserved[16];
} cndevMemoryInfoV2_t;

/* Unique identifier as zero-terminated text. */
#define CNDEV_UUID_SIZE 37
#ifndef UUID_SIZE
#define UUID_SIZE CNDEV_UUID_SIZE
#endif
typedef struct {
  int32_t version;
  uint8_t uuid[CNDEV_UUID_SIZE];
  uint64_t ncsUUID64; /* 0: there is no second identifier */
} cndevUUID_t;

/* Versions of the driver and of a card's microcontroller (0.0.0 if it has none). */
typedef struct {
  int32_t version;
  uint32_t mcuMajorVersion;
  uint32_t mcuMinorVersion;
  uint32_t mcuBuildVersion;
  uint32_t driverMajorVersion;
  uint32_t driverMinorVersion;
  uint32_t driverBuildVersion;
} cndevVersionInfo_t;

/* Position of a card on the PCI bus. */
typedef struct {
  int32_t version;
  uint32_t subsystemId;
  uint32_t deviceId;
  uint16_t vendor;
  uint16_t subsystemVendor;
  uint32_t domain;
  uint32_t bus;
  uint32_t device;
  uint32_t function;
  const char *physicalSlot;
  int32_t slotID;
} cndevPCIeInfo_t;

/* The same without a version field. */
typedef struct {
  uint32_t subsystemId;
  uint32_t deviceId;
  uint16_t vendor;
  uint16_t subsystemVendor;
  uint32_t domain;
  uint32_t bus;
  uint32_t device;
  uint32_t function;
  uint16_t moduleId;
  uint16_t slotId;
  uint32_t reserved[8];
} cndevPCIeInfoV2_t;

/* Serial numbers of a card and of its carrier board. */
typedef struct {
  int32_t version;
  int64_t sn;
  int64_t motherBoardSn;
} cndevCardSN_t;

#define CNDEV_MLU_CLUSTER_FREQUENCY_COUNT 1024

/* Clocks in MHz. */
typedef struct {
  int32_t version;
  int32_t boardFreq;
  int32_t ddrFreq;
  uint8_t overtempDfsFlag;
  uint8_t fastDfsFlag;
  uint16_t mluClusterFreqCount;
  uint16_t mluClusterFreq[CNDEV_MLU_CLUSTER_FREQUENCY_COUNT];
  int32_t boardDefaultFreq;
  int32_t boardFreqArange[2];
} cndevFrequencyInfo_t;

/* Memory bus: width in bits, bandwidth in GB/s and its fractional digits. */
typedef struct {
  int32_t version;
  uint32_t dataWidth;
  uint32_t bandWidth;
  uint32_t bandWidthDecimal;
} cndevDDRInfo_t;

/* Peak floating-point operations per core and clock (of CN_DEVICE_ATTRIBUTE_CLUSTER_CLOCK_RATE): a
 * multiplication and an addition per vector lane, of the processor's instruction set or of a warp.
 */
typedef struct {
  int32_t version;
  uint64_t fp32Vector;
} cndevDeviceMaxPerformance_t;

/* Whether a feature is on. */
typedef enum { CNDEV_FEATURE_DISABLED = 0, CNDEV_FEATURE_ENABLED = 1 } cndevEnableStatusEnum_t;

/* State of a device and of the driver. */
typedef enum {
  CNDEV_HEALTH_STATE_DEVICE_IN_PROBLEM = 0,
  CNDEV_HEALTH_STATE_DEVICE_GOOD = 1
} cndevHealthStateEnum_t;
typedef enum {
  CNDEV_HEALTH_STATE_DRIVER_EARLY_INITED = 0,
  CNDEV_HEALTH_STATE_DRIVER_BRING_UP = 1,
  CNDEV_HEALTH_STATE_DRIVER_BOOTING = 2,
  CNDEV_HEALTH_STATE_DRIVER_LATEINIT = 3,
  CNDEV_HEALTH_STATE_DRIVER_RUNNING = 4,
  CNDEV_HEALTH_STATE_DRIVER_BOOT_ERROR = 5,
  CNDEV_HEALTH_STATE_DRIVER_RESET = 6,
  CNDEV_HEALTH_STATE_DRIVER_RESET_ERROR = 7,
  CNDEV_HEALTH_STATE_DRIVER_UNKNOWN = 8
} cndevDriverHealthStateEnum_t;
typedef enum {
  CNDEV_HEALTH_RESULT_PASS = 0,
  CNDEV_HEALTH_RESULT_WARN = 10,
  CNDEV_HEALTH_RESULT_FAIL = 20
} cndevHealthResult_t;

/* Health of a device: 1 if usable, 0 if it no longer responds. */
typedef struct {
  int32_t version;
  int32_t health;
  cndevHealthStateEnum_t deviceState;
  cndevDriverHealthStateEnum_t driverState;
} cndevCardHealthState_t;

/* The same with the incidents a card has recorded; none are recorded here. */
#define CNDEV_ERR_MSG_LENGTH 512
#define CNDEV_HEALTH_SYSTEM_MAX_INCIDENTS 64
typedef struct {
  char msg[CNDEV_ERR_MSG_LENGTH];
  uint32_t device_id;
  uint32_t bdf;
  int32_t code;
  uint32_t category;
  uint32_t severity;
} cndevDiagErrorDetail_t;
typedef struct {
  int32_t system;
  cndevHealthResult_t health;
  cndevDiagErrorDetail_t error;
} cndevIncidentInfo_t;
typedef struct {
  int32_t health;
  cndevHealthStateEnum_t deviceState;
  cndevDriverHealthStateEnum_t driverState;
  cndevHealthResult_t overallHealth;
  uint32_t incident_count;
  cndevIncidentInfo_t incidents[CNDEV_HEALTH_SYSTEM_MAX_INCIDENTS];
  uint32_t reserved[8];
} cndevCardHealthStateV2_t;

/* Utilization of the cores in percent. Any core may run any task, so every core reports the
 * average. */
#define CNDEV_UTILIZATION_CORE_COUNT 80
typedef struct {
  int32_t version;
  int32_t averageCoreUtilization;
  int32_t coreUtilization[CNDEV_UTILIZATION_CORE_COUNT];
} cndevUtilizationInfo_t;

/* A process's share of core time and memory in percent. There are no codecs: 0. */
typedef struct {
  int32_t version;
  uint32_t pid;
  uint32_t ipuUtil;
  uint32_t jpuUtil;
  uint32_t vpuDecUtil;
  uint32_t vpuEncUtil;
  uint32_t memUtil;
} cndevProcessUtilization_t;

/* Power in W. */
typedef struct {
  int32_t version;
  int32_t usage;
  int32_t cap;
  uint16_t instantaneousPowerUsage;
} cndevPowerInfo_t;
typedef struct {
  int32_t usage;
  int32_t cap;
  int32_t machine;
  int32_t tdp;
  int32_t maxPower;
  int32_t reserved[16];
} cndevDevicePowerInfo_t;

/* Temperatures in degrees Celsius. */
typedef struct {
  int32_t version;
  int32_t board;
  int32_t cluster[20];
  int32_t memoryDie[8];
  int32_t chip;
  int32_t airInlet;
  int32_t airOutlet;
  int32_t memory;
  int32_t videoInput;
  int32_t cpu;
  int32_t isp;
} cndevTemperatureInfo_t;

/* Errors of the memory. */
typedef struct {
  int32_t version;
  uint64_t oneBitError;
  uint64_t multipleOneError;
  uint64_t multipleError;
  uint64_t multipleMultipleError;
  uint64_t correctedError;
  uint64_t uncorrectedError;
  uint64_t totalError;
  uint64_t addressForbiddenError;
} cndevECCInfo_t;

/* The host NUMA node nearest to a device. */
typedef struct {
  int32_t version;
  int32_t nodeId;
} cndevNUMANodeId_t;

/* A link between cards. */
typedef struct {
  int32_t version;
  cndevEnableStatusEnum_t isActive;
  cndevEnableStatusEnum_t serdesState;
} cndevMLULinkStatus_t;

/* A process that uses the device; memory in KB. */
typedef struct {
  int32_t version;
  uint32_t pid;
  uint64_t physicalMemoryUsed;
  uint64_t virtualMemoryUsed;
} cndevProcessInfo_t;

/* Number of devices. */
typedef struct {
  int32_t version;
  uint32_t number;
} cndevCardInfo_t;

/* Initialises the library. Programs pass 0 or a version of the structures; both mean the same. */
cndevRet_t cndevInit(int reserved);
/* Shuts the library down. */
cndevRet_t cndevRelease(void);
/* Description of a code, never NULL. */
const char *cndevGetErrorString(cndevRet_t errorId);
/* Number of devices. */
cndevRet_t cndevGetDeviceCount(cndevCardInfo_t *cardNum);
/* Handle of device `index`. */
cndevRet_t cndevGetDeviceHandleByIndex(int32_t index, cndevDevice_t *handle);
/* Handle of the device with this identifier (from cndevGetUUID or cnDeviceGetUuidStr). */
cndevRet_t cndevGetDeviceHandleByUUID(const char *uuid, cndevDevice_t *handle);
/* Handle of the device with this address (from cnrtDeviceGetPCIBusId). */
cndevRet_t cndevGetDeviceHandleByPciBusId(const char *pciBusId, cndevDevice_t *handle);
/* Type of a device: that of the simulated board, or else MLU590, which is what kernels see. */
cndevRet_t cndevGetCardName(cndevCardName_t *cardName, cndevDevice_t device);
/* Name of a card type, and the device name that cnrtGetDeviceProperties reports; "Unknown" if there
 * is none. */
const char *cndevGetCardNameString(cndevNameEnum_t cardName);
const char *cndevGetCardNameStringByDevId(cndevDevice_t device);
cndevRet_t cndevGetClusterCount(cndevCardClusterCount_t *clusCount, cndevDevice_t device);
cndevRet_t cndevGetCoreCount(cndevCardCoreCount_t *cardCoreCount, cndevDevice_t device);
/* Memory of a device: the total, and the part that cnrtMemGetInfo does not report as free. */
cndevRet_t cndevGetMemoryUsage(cndevMemoryInfo_t *memInfo, cndevDevice_t device);
cndevRet_t cndevGetMemoryUsageV2(cndevMemoryInfoV2_t *memInfo, cndevDevice_t device);
/* Identifier of a device; it is the same in every run. */
cndevRet_t cndevGetUUID(cndevUUID_t *uuidInfo, cndevDevice_t device);
cndevRet_t cndevGetVersionInfo(cndevVersionInfo_t *versInfo, cndevDevice_t device);
/* CNDEV_ERROR_NOT_SUPPORTED: devices here have no bus, sensors or serial number. The structures are
 * left unchanged. */
cndevRet_t cndevGetPCIeInfo(cndevPCIeInfo_t *deviceInfo, cndevDevice_t device);
cndevRet_t cndevGetPCIeInfoV2(cndevPCIeInfoV2_t *deviceInfo, cndevDevice_t device);
cndevRet_t cndevGetPowerInfo(cndevPowerInfo_t *powerInfo, cndevDevice_t device);
cndevRet_t cndevGetDevicePowerInfo(cndevDevicePowerInfo_t *powerInfo, cndevDevice_t device);
cndevRet_t cndevGetTemperatureInfo(cndevTemperatureInfo_t *tempInfo, cndevDevice_t device);
cndevRet_t cndevGetECCInfo(cndevECCInfo_t *eccInfo, cndevDevice_t device);
cndevRet_t cndevGetCardSN(cndevCardSN_t *cardSN, cndevDevice_t device);
/* Links between cards; there are none. The count is 0, or -1 for an invalid device; the others
 * return CNDEV_ERROR_INVALID_LINK. */
int cndevGetMLULinkPortNumber(cndevDevice_t device);
cndevRet_t cndevGetMLULinkStatus(cndevMLULinkStatus_t *status, cndevDevice_t device, int link);
/* Whether a device can be used. */
cndevRet_t cndevGetCardHealthState(cndevCardHealthState_t *cardHealthState, cndevDevice_t device);
cndevRet_t cndevGetCardHealthStateV2(cndevCardHealthStateV2_t *cardHealthState,
                                     cndevDevice_t device);
/* Utilization of a device, and a process's share of it, since the last call at least a tenth of a
 * second ago or since cndevInit. On the CPU it covers the processors this process may use,
 * whoever uses them; on a GPU it is CNDEV_ERROR_NOT_SUPPORTED. Processes as in
 * cndevGetProcessInfo. */
cndevRet_t cndevGetDeviceUtilizationInfo(cndevUtilizationInfo_t *utilInfo, cndevDevice_t device);
cndevRet_t cndevGetProcessUtilization(unsigned *processCount, cndevProcessUtilization_t *procUtil,
                                      cndevDevice_t device);
/* Peak performance of a device's cores per clock. */
cndevRet_t cndevGetDeviceMaxPerformance(cndevDeviceMaxPerformance_t *maxPerformance,
                                        cndevDevice_t device);
/* NUMA node of a device, -1 if it is near several. */
cndevRet_t cndevGetNUMANodeIdByDevId(cndevNUMANodeId_t *numaNodeId, cndevDevice_t device);
/* Clocks of a device. */
cndevRet_t cndevGetFrequencyInfo(cndevFrequencyInfo_t *freqInfo, cndevDevice_t device);
/* Memory bus of a device. */
cndevRet_t cndevGetDDRInfo(cndevDDRInfo_t *ddrInfo, cndevDevice_t device);
/* Processes that use a device: *infoCount is the capacity of procInfo on entry and the number of
 * processes on return, here just this process. Too small a capacity is
 * CNDEV_ERROR_INSUFFICIENT_SPACE. */
cndevRet_t cndevGetProcessInfo(unsigned *infoCount, cndevProcessInfo_t *procInfo,
                               cndevDevice_t device);

#ifdef __cplusplus
} /* extern "C" */
#endif

/* Stops the program when a call fails. */
#define cndevCheckErrors(call)                                                  \
  do {                                                                          \
    const cndevRet_t cndev_check_code_ = (call);                                \
    if (cndev_check_code_ != CNDEV_SUCCESS) {                                   \
      fprintf(stderr, "%s:%d: %s failed: %s (%d)\n", __FILE__, __LINE__, #call, \
              cndevGetErrorString(cndev_check_code_), (int)cndev_check_code_);  \
      exit(EXIT_FAILURE);                                                       \
    }                                                                           \
  } while (0)

#endif /* CNDEV_H_ */
