/* SPDX-License-Identifier: MIT
 *
 * CNDev, the device-management interface of Neuware: the part that test and monitoring programs use
 * around kernels. Callers set the `version` field of a structure before they ask for it.
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
  CNDEV_ERROR_NOT_SUPPORTED = 10
} cndevRet_t;

/* Versions of the structures; all are accepted. */
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

/* Memory bus: width in bits, bandwidth in GB/s and its decimals. */
typedef struct {
  int32_t version;
  uint32_t dataWidth;
  uint32_t bandWidth;
  uint32_t bandWidthDecimal;
} cndevDDRInfo_t;

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

/* Starts the library; reserved is 0. */
cndevRet_t cndevInit(int reserved);
/* Ends the use of the library. */
cndevRet_t cndevRelease(void);
/* Sentence about a code, never NULL. */
const char *cndevGetErrorString(cndevRet_t errorId);
/* Number of devices. */
cndevRet_t cndevGetDeviceCount(cndevCardInfo_t *cardNum);
/* Handle of device `index`. */
cndevRet_t cndevGetDeviceHandleByIndex(int32_t index, cndevDevice_t *handle);
/* Clocks of a device. */
cndevRet_t cndevGetFrequencyInfo(cndevFrequencyInfo_t *freqInfo, cndevDevice_t device);
/* Memory bus of a device. */
cndevRet_t cndevGetDDRInfo(cndevDDRInfo_t *ddrInfo, cndevDevice_t device);
/* Processes that use a device: *infoCount is the room in procInfo and then the number of processes,
 * which here is this one. Too little room: CNDEV_ERROR_INSUFFICIENT_SPACE. */
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
