/* SPDX-License-Identifier: MIT
 *
 * CNRT, the runtime of Neuware: devices, memory, queues, notifiers, kernel launch, host
 * conversions.
 *
 * Every function returns a cnrtRet_t unless its comment says otherwise. An error also becomes the
 * calling thread's last error (cnrtGetLastError). This header includes the driver interface,
 * because programs use CNcontext and its functions without including cn_api.h.
 */
#ifndef CNRT_H_
#define CNRT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cn_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CNRT_MAJOR_VERSION 6
#define CNRT_MINOR_VERSION 10
#define CNRT_PATCH_VERSION 0
#define CNRT_VERSION (CNRT_MAJOR_VERSION * 10000 + CNRT_MINOR_VERSION * 100 + CNRT_PATCH_VERSION)

/* ---- Types ---- */

/* Result of a call. Codes 100120..100200 are faults of a kernel; a synchronisation returns them.
 */
typedef enum {
  cnrtSuccess = 0,
  cnrtErrorNotReady = 1,
  cnrtErrorInit = 100002,
  cnrtErrorNoDevice = 100004,
  cnrtErrorDeviceInvalid = 100005,
  cnrtErrorArgsInvalid = 100006,
  cnrtErrorSys = 100007,
  cnrtErrorSysNoMem = 100010,
  cnrtErrorInvalidResourceHandle = 100014,
  cnrtErrorIllegalState = 100015,
  cnrtErrorNotSupport = 100050,
  cnrtErrorOpsNotPermitted = 100051,
  cnrtErrorQueue = 100060,
  cnrtErrorNoMem = 100100,
  cnrtErrorAssert = 100128,
  cnrtErrorKernelTrap = 100132,
  cnrtErrorKernelUserTrap = 100133,
  cnrtErrorNotFound = 100301,
  cnrtErrorInvalidKernel = 100302,
  cnrtErrorUnsupportedKernelVersion = 100303,
  cnrtErrorQueueCaptureUnsupported = 100360,
  cnrtErrorQueueCaptureInvalidated = 100361,
  cnrtErrorQueueCaptureWrongThread = 100362,
  cnrtErrorQueueCaptureMerged = 100363,
  cnrtErrorQueueCaptureUnjoined = 100364,
  cnrtErrorQueueCaptureIsolation = 100365,
  cnrtErrorQueueCaptureUnmatched = 100366,
  cnrtErrorTaskTopoEntityUpdateFailure = 100400,
  cnrtErrorNoKernel = 101312,
  cnrtErrorNoModule = 101315,
  cnrtErrorSetOnActiveProcess = 632002,
  cnrtErrorDevice = 632006,
  cnrtErrorNoAttribute = 632009,
  cnrtErrorMemcpyDirectionInvalid = 632013,
  cnrtErrorBusy = 632014,
  cnrtErrorCndrvFuncCall = 632015,
  cnrtErrorCndevFuncCall = 632017,
  cnrtErrorNoCnrtContext = 632019,
  cnrtErrorCndrvFuncNotFound = 632020,
  cnrtErrorInvalidSymbol = 632100,
  cnrtErrorUnknown = 999991,
  cnrtErrorMax
} cnrtRet_t;

/* How the tasks of a launch are grouped; the value is the number of cores in a group. */
typedef enum {
  cnrtFuncTypeBlock = 1,
  cnrtFuncTypeBlock0 = cnrtFuncTypeBlock,
  cnrtFuncTypeBlock1 = 2,
  cnrtFuncTypeUnion1 = 4,
  cnrtFuncTypeUnion2 = 8,
  cnrtFuncTypeUnion4 = 16,
  cnrtFuncTypeUnion8 = 32,
  cnrtFuncTypeUnion16 = 64,
  cnrtFuncTypeMutable = -1,
  cnrtJobTypeBlock = cnrtFuncTypeBlock,
  cnrtJobTypeUnion1 = cnrtFuncTypeUnion1,
  cnrtJobTypeUnion2 = cnrtFuncTypeUnion2,
  cnrtJobTypeUnion4 = cnrtFuncTypeUnion4,
  cnrtJobTypeUnion8 = cnrtFuncTypeUnion8,
  cnrtJobTypeUnion16 = cnrtFuncTypeUnion16
} cnrtFunctionType_t;
typedef cnrtFunctionType_t cnrtJobType_t;

/* Which processes may use a device at a time. */
typedef enum { cnrtComputeModeDefault = 0, cnrtComputeModeExclusiveProcess = 1 } cnrtComputeMode_t;

/* Attributes for cnrtDeviceGetAttribute. On-chip sizes are in bytes, memory totals in MB, clocks in
 * kHz. */
typedef enum {
  cnrtAttrComputeCapabilityMajor = 0x01,
  cnrtAttrComputeCapabilityMinor = 0x02,
  cnrtAttrSparseComputingSupported = 0x03,
  cnrtAttrFP16ComputingSupported = 0x04,
  cnrtAttrINT4ComputingSupported = 0x05,
  cnrtAttrINT8ComputingSupported = 0x06,
  cnrtAttrBF16ComputingSupported = 0x07,
  cnrtAttrTF32ComputingSupported = 0x08,
  cnrtAttrComputeMode = 0x09,
  cnrtAttrQueueSize = 0x101,
  cnrtAttrNotifierSize = 0x102,
  cnrtAttrSupportQueuePriorities = 0x103,
  cnrtAttrTinyCoreSupported = 0x104,
  cnrtAttrCodecJPEGSupported = 0x105,
  cnrtAttrCodecH264Supported = 0x106,
  cnrtAttrCodecH265Supported = 0x107,
  cnrtAttrAIIspCoreSupported = 0x108,
  cnrtAttrMultiCtxNotifierWaitSupported = 0x109,
  cnrtAttrIPCNotifierSupported = 0x10a,
  cnrtAttrMaxDimX = 0x201,
  cnrtAttrMaxDimY = 0x202,
  cnrtAttrMaxDimZ = 0x203,
  cnrtAttrMaxClusterCountPerUnionTask = 0x204,
  cnrtAttrClusterCount = 0x205,
  cnrtAttrMcorePerCluster = 0x206,
  cnrtAttrMaxQuadrantCount = 0x207,
  cnrtAttrMaxUnionTypePerQuadrant = 0x208,
  cnrtAttrMaxClusterPerUnionLimitTask = 0x209,
  cnrtAttrISAVersion = 0x20a,
  cnrtAttrIsMultipleTensorProcessor = 0x20b,
  cnrtAttrMaxL2CacheSize = 0x301,
  cnrtAttrNramSizePerMcore = 0x302,
  cnrtAttrWramSizePerMcore = 0x303,
  cnrtAttrTotalConstMemorySize = 0x304,
  cnrtAttrLmemSizePerMcore = 0x305,
  cnrtAttrSramSizePerMcore = 0x306,
  cnrtAttrGlobalMemoryNodeCount = 0x307,
  cnrtAttrMaxPersistingL2CacheSize = 0x309,
  cnrtAttrAvailableGlobalMemorySize = 0x312,
  cnrtAttrEccEnable = 0x401,
  cnrtAttrIpuClockRate = 0x402,
  cnrtAttrMemClockRate = 0x403,
  cnrtAttrGmemBusWidth = 0x404,
  cnrtAttrTotalMemSize = 0x405,
  cnrtAttrPciBusID = 0x406,
  cnrtAttrPciDeviceID = 0x407,
  cnrtAttrPciDomainID = 0x408,
  cnrtAttrMDRMemorySize = 0x409,
  cnrtAttrUnsupportedFlag = 0xffffff,
  cnrtAttrCanMapHostMemory,
  cnrtAttrCanSetQueueSize,
  cnrtAttrCanSetNotifierSize,
  cnrtAttrConcurrentKernels,
  cnrtAttrSupportUnifiedAddr,
  cnrtAttrSupportManagedMem,
  cnrtAttrSupportNativeAtomic,
  cnrtAttrSupportPageableMemAccess,
  cnrtAttrCanUseHostPointer,
  cnrtAttrSupportHostRegsiter,
  cnrtAttrCacheSize,
  cnrtAttrMaxNum
} cnrtDeviceAttr_t;

/* How a host thread waits in a synchronisation; only a hint. */
typedef enum {
  cnrtDeviceScheduleSpin = 0,
  cnrtDeviceScheduleBlock = 1,
  cnrtDeviceScheduleYield = 2,
  cnrtDeviceScheduleAuto = 3,
  cnrtDeviceFlagsMaxNum
} cnrtDeviceFlags_t;

/* Direction of a copy. With NoDirection it follows from the addresses. */
typedef enum {
  cnrtMemcpyHostToDev = 0,
  cnrtMemcpyDevToDev,
  cnrtMemcpyDevToHost,
  cnrtMemcpyHostToHost,
  cnrtMemcpyPeerToPeer,
  cnrtMemcpyNoDirection
} cnrtMemTransDir_t;

/* What kind of memory an address belongs to. */
typedef enum { cnrtMemTypeUnregistered = 0, cnrtMemTypeHost, cnrtMemTypeDevice } cnrtMemType_t;

/* Cache mode of host memory that a device can access. */
typedef enum {
  cnrtUvaNotSupport = -1,
  cnrtUvaUnknown = 0,
  cnrtUvaUnCached,
  cnrtUvaCached
} cnrtUvaCacheMode_t;

/* Result of cnrtPointerGetAttributes. */
typedef struct {
  cnrtMemType_t type;           /* unregistered, host (cnrtHostMalloc) or device (cnrtMalloc) */
  int device;                   /* ordinal of the owning device, -1 if unregistered */
  size_t size;                  /* bytes of the whole allocation, 0 if unregistered */
  void *devicePointer;          /* the address in the device's view, NULL if it has none */
  void *hostPointer;            /* the address in the host's view, NULL for device memory */
  cnrtUvaCacheMode_t cacheMode; /* cache mode of the host address */
  void *deviceBasePointer;      /* start of the allocation for device memory, else NULL */
} cnrtPointerAttributes_t;

/* Unique identifier of a device. */
struct cnrtUUID_st {
  char uuid[16];
};
typedef struct cnrtUUID_st cnrtUUID_t;

/* Result of cnrtGetDeviceProperties; units as in cnrtDeviceAttr_t. */
typedef struct cnrtDeviceProp_V3 {
  char name[256];
  int totalMem;
  int maxDim[3];
  int ipuClockRate;
  int memClockRate;
  int totalConstMem;
  int major;
  int minor;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int maxL2CacheSize;
  int persistingL2CacheMaxSize;
  int queuePrioritiesSupported;
  int sparseComputingSupported;
  int FP16ComputingSupported;
  int INT4ComputingSupported;
  int INT8ComputingSupported;
  int BF16ComputingSupported;
  int TF32ComputingSupported;
  int maxQueueSize;
  int maxNotifierSize;
  int tinyCoreSupported;
  int codecJPEGSupported;
  int codecH264Supported;
  int codecH265Supported;
  int maxClusterCountPerUnionTask;
  int clusterCount;
  int McorePerCluster;
  int maxQuadrantCount;
  int maxUnionTypePerQuadrant;
  int maxClusterPerUnionLimitTask;
  int ISAVersion;
  int isMultipleTensorProcessor;
  int NramSizePerMcore;
  int WramSizePerMcore;
  int LmemSizePerMcore;
  int SramSizePerMcore;
  int globalMemoryNodeCount;
  int cacheSize;
  int GmemBusWidth;
  int computeMode;
  int MDRMemorySize;
  int availableGlobalMemorySize;
  cnrtUUID_t uuid;
  uint64_t totalGlobalMemSize;
  int reserved[30];
} cnrtDeviceProp_t;

/* Number of tasks of a launch in each dimension. */
typedef struct {
  unsigned int x;
  unsigned int y;
  unsigned int z;
} cnrtDim3_t;

/* Start of a 3-D copy: byte offset x, row y, plane z. */
typedef struct {
  size_t x;
  size_t y;
  size_t z;
} cnrtPos_t;

/* A pitched array: rows of `pitch` bytes, `ysize` rows per plane. */
typedef struct {
  size_t pitch;
  void *ptr;
  size_t xsize;
  size_t ysize;
} cnrtPitchedPtr_t;

/* Size of a 3-D copy: bytes per row, rows, planes. */
typedef struct {
  size_t depth;
  size_t height;
  size_t width;
} cnrtExtent_t;

/* Argument of cnrtMemcpy3D. */
typedef struct cnrtMemcpy3dParam_st {
  void *dst;
  cnrtPos_t dstPos;
  cnrtPitchedPtr_t dstPtr;
  cnrtExtent_t extent;
  cnrtMemTransDir_t dir;
  void *src;
  cnrtPos_t srcPos;
  cnrtPitchedPtr_t srcPtr;
} cnrtMemcpy3dParam_t;

/* Data types of cnrtCastDataType (first generation). */
typedef enum cnrtDataType {
  cnrtInvalid = 0x0,
  cnrtFloat16 = 0x12,
  cnrtFloat32 = 0x13,
  cnrtFloat64 = 0x14,
  cnrtInt4 = 0x20,
  cnrtInt8 = 0x21,
  cnrtInt16 = 0x22,
  cnrtInt32 = 0x23,
  cnrtInt64 = 0x24,
  cnrtAuto = 0x25,
  cnrtUInt8 = 0x31,
  cnrtUInt16 = 0x32,
  cnrtUInt32 = 0x33,
  cnrtFix8 = 0x41,
  cnrtQuant8 = 0x51,
  cnrtBool = 0x61
} cnrtDataType_t;

/* Data types of cnrtCastDataType_V2. */
typedef enum cnrtDataType_V2 {
  cnrtUnknown = 0,
  cnrtDouble = 0x1,
  cnrtFloat = 0x2,
  cnrtHalf = 0x3,
  cnrtBfloat = 0x4,
  cnrtUlonglong = 0x11,
  cnrtUint = 0x12,
  cnrtUshort = 0x13,
  cnrtUchar = 0x14,
  cnrtLonglong = 0x21,
  cnrtInt = 0x22,
  cnrtShort = 0x23,
  cnrtChar = 0x24,
  cnrtBoolean = 0x31
} cnrtDataType_V2_t;

/* Rounding of a conversion: nearest even, toward zero, down, up, away from zero, and "math"
 * (nearest, halves toward plus infinity). */
typedef enum cnrtRoundingMode {
  cnrtRounding_rn = 0,
  cnrtRounding_rz = 1,
  cnrtRounding_rd = 2,
  cnrtRounding_ru = 3,
  cnrtRounding_ro = 4,
  cnrtRounding_rm = 5,
  cnrtRounding_max
} cnrtRoundingMode_t;

/* Position, scale and offset of quantized data. */
struct cnrtQuantizedParam;
typedef struct cnrtQuantizedParam *cnrtQuantizedParam_t;

/* Inter-process handles. */
#define CNRT_IPC_HANDLE_SIZE 8
typedef struct cnrtIpcNotifierHandle_st {
  uint64_t res[CNRT_IPC_HANDLE_SIZE];
} cnrtIpcNotifierHandle;
typedef void *cnrtIpcMemHandle;

/* A queue; the same object as the driver's CNqueue. NULL is the default queue of the current
 * device. */
typedef struct CNqueue_st *cnrtQueue_t;
typedef struct CNqueue_st cnrtQueue; /* older code declares a queue as cnrtQueue * */
/* Predefined queues: one per host thread, and the default queue. */
#define cnrtQueuePerThread ((cnrtQueue_t)1)
#define cnrtQueueLegacy ((cnrtQueue_t)2)

/* A notifier (event); the same object as the driver's CNnotifier. */
typedef struct CNnotifier_st *cnrtNotifier_t;

/* Creation flags of a notifier. */
typedef enum cnrtNotifierFlags {
  CNRT_NOTIFIER_DEFAULT = 0x0,
  CNRT_NOTIFIER_DISABLE_TIMING_SW = 0x2,
  CNRT_NOTIFIER_DISABLE_TIMING = CNRT_NOTIFIER_DISABLE_TIMING_SW,
  CNRT_NOTIFIER_DISABLE_TIMING_ALL = 0x4,
  CNRT_NOTIFIER_INTERPROCESS = 0x8
} cnrtNotifierFlags_t;

/* Flags for placements and waits during a queue capture; only the defaults are supported. */
typedef enum cnrtNotifierPlaceFlags {
  CNRT_NOTIFIER_PLACE_DEFAULT = 0x0,
  CNRT_NOTIFIER_PLACE_EXTERNAL
} cnrtNotifierPlaceFlags_t;
typedef enum cnrtNotifierWaitFlags {
  CNRT_NOTIFIER_WAIT_DEFAULT = 0x0,
  CNRT_NOTIFIER_WAIT_EXTERNAL
} cnrtNotifierWaitFlags_t;

/* Per-device values of cnrtDeviceSetConfig. */
typedef enum {
  cnrtDeviceConfigReserved = 0,
  cnrtDeviceConfigPrintfFifoNum = 1,
  cnrtDeviceConfigMaxPersistingL2CacheSize = 2,
  cnrtDeviceConfigPrintfFifoSize = 3,
  cnrtDeviceConfigMaxNum
} cnrtDeviceConfig_t;

/* What cnrtMcacheOperation does to a mapping. */
typedef enum { CNRT_FLUSH_CACHE = 1, CNRT_INVALID_CACHE = 2 } cnrtCacheOps_t;

/* Pools of device memory: allocation kind, location, access and attributes. */
typedef struct CNmemoryPool_st *cnrtMemPool_t;
typedef enum cnrtMemAllocationType {
  cnrtMemAllocationTypeInvalid = 0x0,
  cnrtMemAllocationTypeDefault = 0x1
} cnrtMemAllocationType_t;
typedef enum cnrtMemAllocationHandleType {
  cnrtMemHandleTypeNone = 0x0,
  cnrtMemHandleTypePosixFileDescriptor = 0x1
} cnrtMemAllocationHandleType_t;
typedef enum cnrtMemLocationType {
  cnrtMemLocationTypeInvalid = 0x0,
  cnrtMemLocationTypeDevice = 0x1
} cnrtMemLocationType_t;
typedef struct cnrtMemLocation {
  cnrtMemLocationType_t type;
  uint32_t id; /* ordinal of the device */
} cnrtMemLocation_t;
typedef struct cnrtMemPoolProps {
  cnrtMemAllocationType_t type;                       /* default */
  cnrtMemAllocationHandleType_t requestedHandleTypes; /* none */
  cnrtMemLocation_t location;
  size_t maxSize; /* limit of bytes in use; 0: the device's memory */
  unsigned char reserved[64];
} cnrtMemPoolProps_t;
typedef enum cnrtMemoryAccessFlags {
  cnrtMemAccessFlagsProtReadWrite = 0x0,
  cnrtMemAccessFlagsProtReadOnly = 0x1
} cnrtMemoryAccessFlags_t;
typedef enum cnrtMemPoolAttr {
  cnrtMemPoolAttrReuseFollowNotifierDependencies = 0x1, /* int, stored but unused */
  cnrtMemPoolAttrReuseAllowOpportunistic,               /* int, stored but unused */
  cnrtMemPoolAttrReuseAllowInternalDependencies,        /* int, stored but unused */
  cnrtMemPoolAttrReleaseThreshold,                      /* 64 bits, stored but unused */
  cnrtMemPoolAttrReservedMemCurrent,                    /* 64 bits: same as used */
  cnMemPoolAttrReservedMemHigh,                         /* 64 bits; may be reset to 0 */
  cnrtMemPoolAttrUsedMemCurrent,                        /* 64 bits */
  cnrtMemPoolAttrUsedMemHigh                            /* 64 bits; may be reset to 0 */
} cnrtMemPoolAttr_t;

/* Status and mode of a queue capture. */
typedef enum cnrtQueueCaptureStatus {
  cnrtQueueCaptureStatusNone = 0,
  cnrtQueueCaptureStatusActive = 1,
  cnrtQueueCaptureStatusInvalidated = 2
} cnrtQueueCaptureStatus_t;
typedef enum cnrtQueueCaptureMode {
  cnrtQueueCaptureModeGlobal = 0,
  cnrtQueueCaptureModeThreadLocal = 1,
  cnrtQueueCaptureModeRelaxed = 2
} cnrtQueueCaptureMode_t;

/* A captured topology, its nodes (one per task), and an instance that can run. */
typedef struct CNtaskTopo_st *cnrtTaskTopo_t;
typedef struct CNtaskTopoNode_st *cnrtTaskTopoNode_t;
typedef struct CNtaskTopoEntity_st *cnrtTaskTopoEntity_t;
typedef enum cnrtTaskTopoNodeType {
  cnrtTaskTopoNodeTypeEmpty = 0,
  cnrtTaskTopoNodeTypeKernel = 1,
  cnrtTaskTopoNodeTypeHost = 2,
  cnrtTaskTopoNodeTypeMemcpy = 3,
  cnrtTaskTopoNodeTypeMemset = 4
} cnrtTaskTopoNodeType_t;

/* A host function that runs in queue order. */
typedef void (*cnrtHostFn_t)(void *userData);

/* ---- Errors and versions ---- */

/* The last error of the calling thread; Get resets it to cnrtSuccess, Peek keeps it. */
cnrtRet_t cnrtGetLastError(void);
cnrtRet_t cnrtPeekAtLastError(void);
/* Returns a description of the code, never NULL. */
const char *cnrtGetErrorStr(cnrtRet_t errCode);
/* Returns the name of the code, never NULL. */
const char *cnrtGetErrorName(cnrtRet_t errCode);
/* Version of this library. */
cnrtRet_t cnrtGetLibVersion(int *libMajor, int *libMinor, int *libPatch);
/* Version of the installed driver. */
cnrtRet_t cnrtDriverGetVersion(int *major, int *minor, int *patch);

/* ---- Devices ---- */

/* Number of devices, at least 1. */
cnrtRet_t cnrtGetDeviceCount(unsigned int *pCount);
/* The calling host thread's device, initially 0. */
cnrtRet_t cnrtGetDevice(int *pOrdinal);
/* Sets the calling host thread's device. */
cnrtRet_t cnrtSetDevice(int ordinal);
/* One attribute of a device. */
cnrtRet_t cnrtDeviceGetAttribute(int *pValue, cnrtDeviceAttr_t attr, int device);
/* All properties of a device. */
cnrtRet_t cnrtGetDeviceProperties(cnrtDeviceProp_t *prop, int device);
/* PCI address of a device as "domain:bus:device.function". */
cnrtRet_t cnrtDeviceGetPCIBusId(char *pciBusId, int len, int device);
/* The device with this PCI address. */
cnrtRet_t cnrtDeviceGetByPCIBusId(int *device, const char *pciBusId);
/* Waits for all work of the current device; returns its first fault. */
cnrtRet_t cnrtSyncDevice(void);
/* Waits for the current device's work, then frees its memory, queues and notifiers. */
cnrtRet_t cnrtDeviceReset(void);
/* Whether `ordinal` can access the memory of `peerOrdinal`: 1 for two different devices. */
cnrtRet_t cnrtGetPeerAccessibility(unsigned int *canAccess, int ordinal, int peerOrdinal);
/* Least (7) and greatest (0) queue priority. */
cnrtRet_t cnrtDeviceGetQueuePriorityRange(int *pMinPriority, int *pMaxPriority);
/* Hint for how host threads wait (cnrtDeviceFlags_t). */
cnrtRet_t cnrtSetDeviceFlag(unsigned int flags);
cnrtRet_t cnrtGetDeviceFlag(unsigned int *pFlags);
/* Stores a value for the current device, and returns it; the values have no effect here. Values
 * below 0 are cnrtErrorArgsInvalid. */
cnrtRet_t cnrtDeviceSetConfig(cnrtDeviceConfig_t type, int64_t value);
cnrtRet_t cnrtDeviceGetConfig(int64_t *pValue, cnrtDeviceConfig_t type);
/* Device memory that kernels occupy themselves: none. */
cnrtRet_t cnrtDeviceQueryKernelMemoryUsage(size_t *pBytes);
/* Does nothing: no cache is persistent here. */
cnrtRet_t cnrtDeviceResetPersistingL2Cache(void);

/* ---- Memory ---- */

/* Device memory of the current device, aligned to at least 256 bytes. Size 0 gives a unique address
 * that must not be accessed. More than the device has left is cnrtErrorNoMem. */
cnrtRet_t cnrtMalloc(void **pPtr, size_t bytes);
/* Device memory that kernels only read. */
cnrtRet_t cnrtMallocConstant(void **pPtr, size_t bytes);
/* Frees memory of cnrtMalloc after the device's running work. NULL is allowed; any other address
 * that is not the start of an allocation is cnrtErrorArgsInvalid. */
cnrtRet_t cnrtFree(void *ptr);
/* Host memory for copies. */
cnrtRet_t cnrtHostMalloc(void **pPtr, size_t bytes);
/* Frees memory of cnrtHostMalloc; the rules of cnrtFree apply. */
cnrtRet_t cnrtFreeHost(void *ptr);
/* Free and total bytes of the current device. */
cnrtRet_t cnrtMemGetInfo(size_t *free, size_t *total);
/* Describes an address, which may be inside an allocation; unknown addresses are
 * cnrtMemTypeUnregistered. */
cnrtRet_t cnrtPointerGetAttributes(cnrtPointerAttributes_t *attr, const void *ptr);

/* Maps device memory into the host's address space while it is allocated; writes need no flush.
 * cnrtErrorNotSupport if the host cannot access it. */
cnrtRet_t cnrtMmap(void *ptr, void **pHostPtr, size_t size);
cnrtRet_t cnrtMmapCached(void *ptr, void **pHostPtr, size_t size);
cnrtRet_t cnrtMunmap(void *hostPtr, size_t size);
cnrtRet_t cnrtMcacheOperation(void *ptr, void *hostPtr, size_t size, cnrtCacheOps_t ops);

/* Allocation and free in queue order. The address is valid at once; memory is released when all
 * work submitted before the free is done. cnrtFree accepts it too. */
cnrtRet_t cnrtMemAllocAsync(void **pPtr, size_t bytes, cnrtQueue_t queue);
cnrtRet_t cnrtMemAllocFromPoolAsync(void **pPtr, size_t bytes, cnrtMemPool_t pool,
                                    cnrtQueue_t queue);
cnrtRet_t cnrtMemFreeAsync(void *ptr, cnrtQueue_t queue);
/* Pools count the bytes allocated from them and limit them; they keep no freed memory. A device has
 * a default pool, and cnrtMemAllocAsync uses the pool set last. A destroyed pool lives until its
 * memory is freed; the default pool cannot be destroyed. */
cnrtRet_t cnrtMemPoolCreate(cnrtMemPool_t *pool, const cnrtMemPoolProps_t *poolProps);
cnrtRet_t cnrtMemPoolDestroy(cnrtMemPool_t pool);
cnrtRet_t cnrtMemPoolGetAttribute(cnrtMemPool_t pool, cnrtMemPoolAttr_t attr, void *value);
cnrtRet_t cnrtMemPoolSetAttribute(cnrtMemPool_t pool, cnrtMemPoolAttr_t attr, void *value);
cnrtRet_t cnrtMemPoolGetAccess(cnrtMemoryAccessFlags_t *flags, cnrtMemPool_t pool,
                               cnrtMemLocation_t *location);
cnrtRet_t cnrtMemPoolTrimTo(cnrtMemPool_t pool, size_t minBytesToKeep);
cnrtRet_t cnrtDeviceGetDefaultMemPool(cnrtMemPool_t *pool, int device);
cnrtRet_t cnrtDeviceGetMemPool(cnrtMemPool_t *pool, int device);
cnrtRet_t cnrtDeviceSetMemPool(int device, cnrtMemPool_t pool);

/* Device variables (__mlu_device__, __mlu_const__), given by their address in the program: their
 * address on the device, their size, and copies from and to them starting at byte `offset`. Any
 * other address is cnrtErrorInvalidSymbol. */
cnrtRet_t cnrtGetSymbolAddress(void **pPtr, const void *symbol);
cnrtRet_t cnrtGetSymbolSize(size_t *size, const void *symbol);
cnrtRet_t cnrtMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                               cnrtMemTransDir_t dir);
cnrtRet_t cnrtMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                             cnrtMemTransDir_t dir);
cnrtRet_t cnrtMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset,
                                    cnrtMemTransDir_t dir, cnrtQueue_t queue);
cnrtRet_t cnrtMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes, size_t offset,
                                  cnrtMemTransDir_t dir, cnrtQueue_t queue);
cnrtRet_t cnrtMemcpyFromSymbolAsync_V2(void *dst, const void *symbol, size_t bytes, size_t offset,
                                       cnrtMemTransDir_t dir, cnrtQueue_t queue);
cnrtRet_t cnrtMemcpyToSymbolAsync_V2(const void *symbol, const void *src, size_t bytes,
                                     size_t offset, cnrtMemTransDir_t dir, cnrtQueue_t queue);

/* Synchronous copy, ordered after earlier work of the default queue. */
cnrtRet_t cnrtMemcpy(void *dst, void *src, size_t bytes, cnrtMemTransDir_t dir);
/* Copies in queue order; host memory must stay valid until the copy is done. */
cnrtRet_t cnrtMemcpyAsync(void *dst, void *src, size_t bytes, cnrtQueue_t queue,
                          cnrtMemTransDir_t dir);
/* Other names of cnrtMemcpyAsync. */
cnrtRet_t cnrtMemcpyAsync_V2(void *dst, void *src, size_t bytes, cnrtQueue_t queue,
                             cnrtMemTransDir_t dir);
cnrtRet_t cnrtMemcpyAsync_V3(void *dst, void *src, size_t bytes, cnrtQueue_t queue,
                             cnrtMemTransDir_t dir);
/* Copies `height` rows of `width` bytes between pitched arrays. */
cnrtRet_t cnrtMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                       size_t height, cnrtMemTransDir_t dir);
cnrtRet_t cnrtMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, cnrtMemTransDir_t dir, cnrtQueue_t queue);
/* Copies a box between pitched arrays. */
cnrtRet_t cnrtMemcpy3D(const cnrtMemcpy3dParam_t *p);
cnrtRet_t cnrtMemcpy3DAsync(const cnrtMemcpy3dParam_t *p, cnrtQueue_t queue);
/* Copies between two devices. */
cnrtRet_t cnrtMemcpyPeer(void *dst, int dstDevice, void *src, int srcDevice, size_t bytes);
cnrtRet_t cnrtMemcpyPeerAsync(void *dst, int dstDevice, void *src, int srcDevice, size_t bytes,
                              cnrtQueue_t queue);
/* Fills `bytes` bytes with the low byte of value. */
cnrtRet_t cnrtMemset(void *ptr, int value, size_t bytes);
cnrtRet_t cnrtMemsetAsync(void *ptr, int value, size_t bytes, cnrtQueue_t queue);
/* Fills `count` elements of 8 or 32 bits. */
cnrtRet_t cnrtMemsetD8(void *ptr, unsigned char value, size_t count);
cnrtRet_t cnrtMemsetD8Async(void *ptr, unsigned char value, size_t count, cnrtQueue_t queue);
cnrtRet_t cnrtMemsetD32(void *ptr, unsigned int value, size_t count);
cnrtRet_t cnrtMemsetD32Async(void *ptr, unsigned int value, size_t count, cnrtQueue_t queue);

/* Memory shared between processes. A handle, for the start of an allocation of cnrtMalloc, is valid
 * as long as that. Any process of the same host and user may map it (flag 0) as memory of its
 * current device, repeatedly, and must unmap it as often; work in flight may still use it. Unless
 * the process belongs to an MPI job, the first handle of an allocation waits for all work in
 * flight. cnrtErrorNotSupport if memory cannot be shared. */
cnrtRet_t cnrtAcquireMemHandle(cnrtIpcMemHandle *handle, void *ptr);
cnrtRet_t cnrtMapMemHandle(void **pPtr, cnrtIpcMemHandle handle, int flag);
cnrtRet_t cnrtUnMapMemHandle(void *ptr);

/* ---- Queues ---- */

/* A queue of the current device. Its work is done in order; different queues run at the same time.
 */
cnrtRet_t cnrtQueueCreate(cnrtQueue_t *pQueue);
/* As cnrtQueueCreate with a priority between 7 (least) and 0; flags are 0. */
cnrtRet_t cnrtQueueCreateWithPriority(cnrtQueue_t *pQueue, unsigned int flags, int priority);
/* Returns at once; pending work still completes. */
cnrtRet_t cnrtQueueDestroy(cnrtQueue_t queue);
/* Waits for the queue's work; returns and clears the queue's first fault. */
cnrtRet_t cnrtQueueSync(cnrtQueue_t queue);
/* cnrtSuccess when the queue is empty (or its first fault), else cnrtErrorNotReady. */
cnrtRet_t cnrtQueueQuery(cnrtQueue_t queue);
/* Priority of a queue. */
cnrtRet_t cnrtQueueGetPriority(cnrtQueue_t queue, int *pPriority);
/* Later work of the queue waits for the notifier's latest placement; flags are 0. */
cnrtRet_t cnrtQueueWaitNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue, unsigned int flags);

/* ---- Queue capture ---- */

/* Starts a capture: tasks submitted to the queue (launches, copies, fills, host functions) are not
 * run but become nodes of a topology. Another queue of the same device joins by waiting for a
 * notifier placed in the capture; before the end, the first queue must wait for it in the same way.
 * The default queue cannot be captured (cnrtErrorArgsInvalid), nor one that is
 * (cnrtErrorIllegalState).
 *
 * The following return cnrtErrorQueueCaptureUnsupported and invalidate the capture:
 * - waiting for, or querying, a captured queue, its device, or a notifier placed in a capture;
 * - destroying the queue; asynchronous allocation, and operations of CNCL, in it;
 * - in global mode from all threads that have not exchanged their mode, in thread-local mode from
 * the thread that began: waiting for or querying any queue, allocating memory, synchronous copies
 * and fills, cnrtTaskTopoInstantiate.
 * Waiting for a notifier across the border of a capture is cnrtErrorQueueCaptureIsolation.
 * Submitting to an invalidated capture returns cnrtErrorQueueCaptureInvalidated. */
cnrtRet_t cnrtQueueBeginCapture(cnrtQueue_t queue, cnrtQueueCaptureMode_t mode);
/* Ends the capture; the caller owns the topology. Without a capture: cnrtErrorIllegalState.
 * The capture continues after cnrtErrorQueueCaptureUnmatched (it was begun on another queue) and
 * cnrtErrorQueueCaptureWrongThread (another thread, unless relaxed).
 * The capture ends, with NULL, after cnrtErrorQueueCaptureInvalidated (it was invalidated) and
 * cnrtErrorQueueCaptureUnjoined (a queue that joined was not waited for). */
cnrtRet_t cnrtQueueEndCapture(cnrtQueue_t queue, cnrtTaskTopo_t *pTaskTopo);
cnrtRet_t cnrtQueueIsCapturing(cnrtQueue_t queue, cnrtQueueCaptureStatus_t *pStatus);
/* The status and, if not NULL, the number of the capture, its topology and the nodes that the next
 * node depends on, valid until then. Unless the status is "active" these are 0 and NULL. */
cnrtRet_t cnrtQueueGetCaptureInfo(cnrtQueue_t queue, cnrtQueueCaptureStatus_t *pStatus,
                                  uint64_t *idOut, cnrtTaskTopo_t *pTaskTopo,
                                  const cnrtTaskTopoNode_t **pDependenciesOut,
                                  size_t *pNumDependencies);
/* Exchanges the calling thread's mode, which is initially global. */
cnrtRet_t cnrtThreadExchangeQueueCaptureMode(cnrtQueueCaptureMode_t *mode);

/* ---- Task topologies ---- */

/* An empty topology; flags must be 0. Nodes come only from captures. */
cnrtRet_t cnrtTaskTopoCreate(cnrtTaskTopo_t *pTaskTopo, unsigned int flags);
/* Destroys a topology; its entities stay valid. cnrtErrorIllegalState during its capture. */
cnrtRet_t cnrtTaskTopoDestroy(cnrtTaskTopo_t taskTopo);
/* The number of nodes and, if `nodes` is not NULL, up to *numNodes of them; unused entries become
 * NULL. */
cnrtRet_t cnrtTaskTopoGetNodes(cnrtTaskTopo_t taskTopo, cnrtTaskTopoNode_t *nodes,
                               size_t *numNodes);
cnrtRet_t cnrtTaskTopoNodeGetType(cnrtTaskTopoNode_t node, cnrtTaskTopoNodeType_t *type);
/* Writes the graph in Graphviz format. */
cnrtRet_t cnrtTaskTopoDebugDotPrint(cnrtTaskTopo_t taskTopo, const char *path, unsigned int flags);
/* Makes an entity that queues can run; the topology may then be destroyed. The last three
 * parameters report errors and may be NULL and 0. */
cnrtRet_t cnrtTaskTopoInstantiate(cnrtTaskTopoEntity_t *pEntity, cnrtTaskTopo_t taskTopo,
                                  cnrtTaskTopoNode_t *pErrorNode, char *logBuffer,
                                  size_t bufferSize);
/* Submits the tasks, with their captured arguments, to a queue of the device of the capture; they
 * run one after another. An entity never runs concurrently with itself; a second queue waits. */
cnrtRet_t cnrtTaskTopoEntityInvoke(cnrtTaskTopoEntity_t entity, cnrtQueue_t queue);
/* Destroys an entity; work in flight still completes. */
cnrtRet_t cnrtTaskTopoEntityDestroy(cnrtTaskTopoEntity_t entity);

/* ---- Notifiers ---- */

/* Creates a notifier; one that was never placed counts as reached. */
cnrtRet_t cnrtNotifierCreate(cnrtNotifier_t *pNotifier);
/* As cnrtNotifierCreate with cnrtNotifierFlags. */
cnrtRet_t cnrtNotifierCreateWithFlags(cnrtNotifier_t *pNotifier, unsigned int flags);
/* Allowed while placements are pending. */
cnrtRet_t cnrtNotifierDestroy(cnrtNotifier_t notifier);
/* The notifier takes its time stamp when the queue reaches this point. */
cnrtRet_t cnrtPlaceNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue);
cnrtRet_t cnrtPlaceNotifierWithFlags(cnrtNotifier_t notifier, cnrtQueue_t queue,
                                     unsigned int flags);
/* cnrtSuccess when the latest placement was reached, else cnrtErrorNotReady (in the fourth
 * generation cnrtErrorBusy). */
cnrtRet_t cnrtQueryNotifier(cnrtNotifier_t notifier);
/* Waits for the latest placement. */
cnrtRet_t cnrtWaitNotifier(cnrtNotifier_t notifier);
/* Time between two reached notifiers in microseconds. */
cnrtRet_t cnrtNotifierDuration(cnrtNotifier_t start, cnrtNotifier_t end, float *us);
/* Time between two reached notifiers in milliseconds. */
cnrtRet_t cnrtNotifierElapsedTime(cnrtNotifier_t start, cnrtNotifier_t end, float *ms);
/* Notifiers with CNRT_NOTIFIER_INTERPROCESS, which requires CNRT_NOTIFIER_DISABLE_TIMING_ALL. Any
 * process of the same host and user may open a handle; whoever waits, waits for the latest
 * placement by any process. Each process destroys its own notifier, and after the creator has
 * destroyed its own, waiting returns at once. If a process ends before its placement is reached,
 * waiters get cnrtErrorSys.
 * cnrtErrorNotSupport if unavailable, as CN_DEVICE_ATTRIBUTE_IPCNOTIFIER_SUPPORTED reports. */
cnrtRet_t cnrtIpcGetNotifierHandle(cnrtIpcNotifierHandle *handle, cnrtNotifier_t notifier);
cnrtRet_t cnrtIpcOpenNotifierHandle(cnrtNotifier_t *pNotifier, cnrtIpcNotifierHandle handle);

/* ---- Execution ---- */

/* Launches a kernel by its function's address; args[i] points to the value of parameter i;
 * `reserved` is 0. Same as `kernel<<<dim, type, queue>>>(...)`, which also checks the types. */
cnrtRet_t cnrtInvokeKernel(const void *kernel, cnrtDim3_t dim, cnrtFunctionType_t ktype,
                           void **args, size_t reserved, cnrtQueue_t queue);
/* Calls fn(userData) on a thread of the runtime, in queue order. */
cnrtRet_t cnrtInvokeHostFunc(cnrtQueue_t queue, cnrtHostFn_t fn, void *userData);

/* ---- Conversions on the host ---- */

/* Position, scale and offset: real = (stored - offset) / scale * 2^pos. */
cnrtRet_t cnrtCreateQuantizedParam(cnrtQuantizedParam_t *param, int pos, float scale, int offset);
cnrtRet_t cnrtDestroyQuantizedParam(cnrtQuantizedParam_t param);
/* Converts `count` elements. To a float type: rounds by `mode`; overflow gives infinity, or the
 * largest finite value if the mode rounds toward zero. To an integer type: rounds by `mode`,
 * saturates, NaN gives 0. To boolean: true if not zero. With `param` NULL values are plain;
 * otherwise it quantizes between a float type and an integer type. */
cnrtRet_t cnrtCastDataType_V2(const void *src, cnrtDataType_V2_t srcDataType, void *dst,
                              cnrtDataType_V2_t dstDataType, int count, cnrtQuantizedParam_t param,
                              cnrtRoundingMode_t mode);
/* Same as cnrtCastDataType_V2 with first-generation types. Rounds to nearest; ties go away from
 * zero for integers and to even for floats. */
cnrtRet_t cnrtCastDataType(void *src, cnrtDataType_t srcDataType, void *dst,
                           cnrtDataType_t dstDataType, int count, cnrtQuantizedParam_t param);

/* ---- Names of earlier generations ---- */

#define CNRT_RET_SUCCESS cnrtSuccess
#define CNRT_RET_ERR_INVALID cnrtErrorArgsInvalid
#define CNRT_RET_ERR_NOMEM cnrtErrorNoMem
#define CNRT_RET_ERR_NODEV cnrtErrorNoDevice
#define CNRT_RET_ERR_SYS cnrtErrorSys
#define CNRT_RET_ERR_NOT_READY cnrtErrorNotReady
#define CNRT_RET_ERR_UNSUPPORTED cnrtErrorNotSupport
#define CNRT_RET_ERR_INIT cnrtErrorInit
#define CNRT_RET_ERR_QUEUE cnrtErrorQueue
#define CNRT_RET_ERR_BUSY cnrtErrorBusy
#define CNRT_RET_ERR_UNKNOWN cnrtErrorUnknown
/* The number 1. Programs compare it with the result of cnrtQueryNotifier for work in flight. */
#define CNRT_RET_WARNING_FAKE_DEVICE cnrtErrorNotReady

#define CNRT_FUNC_TYPE_BLOCK cnrtFuncTypeBlock
#define CNRT_FUNC_TYPE_BLOCK0 cnrtFuncTypeBlock0
#define CNRT_FUNC_TYPE_BLOCK1 cnrtFuncTypeBlock1
#define CNRT_FUNC_TYPE_UNION1 cnrtFuncTypeUnion1
#define CNRT_FUNC_TYPE_UNION2 cnrtFuncTypeUnion2
#define CNRT_FUNC_TYPE_UNION4 cnrtFuncTypeUnion4
#define CNRT_FUNC_TYPE_UNION8 cnrtFuncTypeUnion8
#define CNRT_FUNC_TYPE_UNION16 cnrtFuncTypeUnion16
#define CNRT_FUNC_TYPE_MUTABLE cnrtFuncTypeMutable
#define CNRT_JOB_TYPE_BLOCK cnrtFuncTypeBlock
#define CNRT_JOB_TYPE_UNION1 cnrtFuncTypeUnion1
#define CNRT_JOB_TYPE_UNION2 cnrtFuncTypeUnion2
#define CNRT_JOB_TYPE_UNION4 cnrtFuncTypeUnion4

#define CNRT_MEM_TRANS_DIR_HOST2DEV cnrtMemcpyHostToDev
#define CNRT_MEM_TRANS_DIR_DEV2DEV cnrtMemcpyDevToDev
#define CNRT_MEM_TRANS_DIR_DEV2HOST cnrtMemcpyDevToHost
#define CNRT_MEM_TRANS_DIR_HOST2HOST cnrtMemcpyHostToHost
#define CNRT_MEM_TRANS_DIR_PEER2PEER cnrtMemcpyPeerToPeer
#define CNRT_MEM_TRANS_DIR_NODIR cnrtMemcpyNoDirection

#define CNRT_QUEUE_SYNC_SPIN cnrtDeviceScheduleSpin
#define CNRT_QUEUE_SYNC_BLOCK cnrtDeviceScheduleBlock
#define CNRT_QUEUE_SYNC_YIELD cnrtDeviceScheduleYield

#define CNRT_INVALID cnrtInvalid
#define CNRT_FLOAT16 cnrtFloat16
#define CNRT_FLOAT32 cnrtFloat32
#define CNRT_FLOAT64 cnrtFloat64
#define CNRT_INT4 cnrtInt4
#define CNRT_INT8 cnrtInt8
#define CNRT_INT16 cnrtInt16
#define CNRT_INT32 cnrtInt32
#define CNRT_INT64 cnrtInt64
#define CNRT_AUTO cnrtAuto
#define CNRT_UINT8 cnrtUInt8
#define CNRT_UINT16 cnrtUInt16
#define CNRT_UINT32 cnrtUInt32
#define CNRT_FIX8 cnrtFix8
#define CNRT_QUANT8 cnrtQuant8
#define CNRT_BOOL cnrtBool

/* Device ordinal in fourth-generation programs. */
typedef int cnrtDev_t;
/* Does nothing: the runtime initialises itself. */
cnrtRet_t cnrtInit(unsigned int flags);
/* Does nothing: the runtime ends with the process. */
void cnrtDestroy(void);
/* Handle of device `ordinal`. */
cnrtRet_t cnrtGetDeviceHandle(cnrtDev_t *pDev, int ordinal);
/* Sets the calling host thread's device by handle. */
cnrtRet_t cnrtSetCurrentDevice(cnrtDev_t dev);
/* The calling host thread's device as a handle. */
cnrtRet_t cnrtGetCurrentDevice(cnrtDev_t *pDev);

/* Type of a device in the fourth generation. The list ends with MLU370, which all devices here
 * report. */
typedef enum cnrtCoreVersion {
  CNRT_1H8 = 0,
  CNRT_1H16 = 1,
  CNRT_MLU100 = 3,
  CNRT_1H8MINI = 4,
  CNRT_MLU270 = 5,
  CNRT_MLU220 = 6,
  CNRT_MLU290 = 7,
  CNRT_1M20 = 8,
  CNRT_1M70 = 9,
  CNRT_MLU370 = 11
} cnrtCoreVersion_t;
typedef struct {
  char device_name[64];
  cnrtCoreVersion_t core_version;
  int core_num; /* in all clusters */
} cnrtDeviceInfo_t;
/* Name and size of device `ordinal`. */
cnrtRet_t cnrtGetDeviceInfo(cnrtDeviceInfo_t *info, int ordinal);

/* Memory channel for a host thread's allocations. Devices here have a single memory, so the value
 * is only stored. */
typedef enum {
  CNRT_CHANNEL_TYPE_DUPLICATE = -2,
  CNRT_CHANNEL_TYPE_NONE = -1,
  CNRT_CHANNEL_TYPE_0 = 0,
  CNRT_CHANNEL_TYPE_1,
  CNRT_CHANNEL_TYPE_2,
  CNRT_CHANNEL_TYPE_3
} cnrtChannelType_t;
cnrtRet_t cnrtSetCurrentChannel(cnrtChannelType_t channel);
/* The channel that this thread set last, or CNRT_CHANNEL_TYPE_NONE. */
cnrtRet_t cnrtGetCurrentChannel(cnrtChannelType_t *pChannel);

#define CNRT_MEMTYPE_DEFAULT cnrtMemTypeUnregistered
#define CNRT_MEMTYPE_LOCKED cnrtMemTypeHost
#define CNRT_MEMTYPE_DEV cnrtMemTypeDevice
/* Same as cnrtHostMalloc; the two kinds of host memory are equal here. CNRT_MEMTYPE_DEV is
 * cnrtErrorArgsInvalid. */
cnrtRet_t cnrtMallocHost(void **pPtr, size_t bytes, cnrtMemType_t type);

#define cnrtCreateQueue cnrtQueueCreate
#define cnrtDestroyQueue cnrtQueueDestroy
#define cnrtSyncQueue cnrtQueueSync
#define cnrtQueryQueue cnrtQueueQuery
#define cnrtCreateNotifier cnrtNotifierCreate
#define cnrtDestroyNotifier(pNotifier) cnrtNotifierDestroy(*(pNotifier))

/* Converts one number to or from half, rounding to nearest, ties to even. */
cnrtRet_t cnrtConvertFloatToHalf(uint16_t *half, float value);
cnrtRet_t cnrtConvertDoubleToHalf(uint16_t *half, double value);
cnrtRet_t cnrtConvertHalfToFloat(float *value, uint16_t half);
cnrtRet_t cnrtConvertHalfToDouble(double *value, uint16_t half);
/* Bytes of one element; 0 for an unknown type or one smaller than a byte. */
size_t cnrtDataTypeSize(cnrtDataType_t type);

/* Transposes a host array: dimension i of dst is dimension dimOrder[i] of src,
 * which has the sizes dimValues. At most 8 dimensions; src and dst must not
 * overlap. */
cnrtRet_t cnrtTransDataOrder(void *src, cnrtDataType_t type, void *dst, int dimNum, int dimValues[],
                             int dimOrder[]);
/* The same, followed by cnrtCastDataType. */
cnrtRet_t cnrtTransOrderAndCast(void *src, cnrtDataType_t srcType, void *dst,
                                cnrtDataType_t dstType, cnrtQuantizedParam_t param, int dimNum,
                                int dimValues[], int dimOrder[]);

/* The `extra` argument of cnrtInvokeKernel_V3: the clusters a task prefers. Ignored here: tasks run
 * on any free cluster. */
typedef struct cnrtClusterAffinity {
  unsigned int *affinity;
} cnrtClusterAffinity_t;
typedef enum cnrtInvokeParamType { CNRT_INVOKE_PARAM_TYPE_0 = 0 } cnrtInvokeParamType_t;
typedef struct cnrtInvokeParam {
  cnrtInvokeParamType_t invoke_param_type;
  cnrtClusterAffinity_t cluster_affinity;
} cnrtInvokeParam_t;

/* Kernel parameters collected one by one, for cnrtInvokeKernel_V2 and _V3. */
struct cnrtKernelParamsBuffer;
typedef struct cnrtKernelParamsBuffer *cnrtKernelParamsBuffer_t;
/* An empty parameter buffer. */
cnrtRet_t cnrtGetKernelParamsBuffer(cnrtKernelParamsBuffer_t *pParams);
/* Appends a copy of one parameter. */
cnrtRet_t cnrtKernelParamsBufferAddParam(cnrtKernelParamsBuffer_t params, void *data, size_t bytes);
/* Frees a parameter buffer. */
cnrtRet_t cnrtDestroyKernelParamsBuffer(cnrtKernelParamsBuffer_t params);
/* Initialisation data of a kernel; kept for old programs, without effect. */
struct cnrtKernelInitParam;
typedef struct cnrtKernelInitParam *cnrtKernelInitParam_t;
cnrtRet_t cnrtCreateKernelInitParam(cnrtKernelInitParam_t *pParam);
cnrtRet_t cnrtInitKernelMemory(const void *function, cnrtKernelInitParam_t param);
cnrtRet_t cnrtDestroyKernelInitParamAndMemory(cnrtKernelInitParam_t param);
/* Launches a kernel with a parameter buffer. */
cnrtRet_t cnrtInvokeKernel_V2(const void *function, cnrtDim3_t dim, cnrtKernelParamsBuffer_t params,
                              cnrtFunctionType_t ktype, cnrtQueue_t queue);
cnrtRet_t cnrtInvokeKernel_V3(const void *function, cnrtKernelInitParam_t init, cnrtDim3_t dim,
                              cnrtKernelParamsBuffer_t params, cnrtFunctionType_t ktype,
                              cnrtQueue_t queue, void *extra);

#ifdef __cplusplus
} /* extern "C" */
#endif

/* Stops the program when a call fails. A program may define the logging and the action before it
 * includes this header. */
#ifndef CNRT_CHECK
#ifndef CNRT_CHECK_PRINT_CHANNEL
#define CNRT_CHECK_PRINT_CHANNEL stderr
#endif
#ifndef CNRT_CHECK_ERROR_BEHAVIOR
#define CNRT_CHECK_ERROR_BEHAVIOR(code) exit(EXIT_FAILURE)
#endif
#define CNRT_CHECK(call)                                                                          \
  do {                                                                                            \
    const cnrtRet_t cnrt_check_code_ = (call);                                                    \
    if (cnrt_check_code_ != cnrtSuccess) {                                                        \
      fprintf(CNRT_CHECK_PRINT_CHANNEL, "%s:%d: %s failed: %s (%d)\n", __FILE__, __LINE__, #call, \
              cnrtGetErrorStr(cnrt_check_code_), (int)cnrt_check_code_);                          \
      CNRT_CHECK_ERROR_BEHAVIOR(cnrt_check_code_);                                                \
    }                                                                                             \
  } while (0)
#endif

#endif /* CNRT_H_ */
