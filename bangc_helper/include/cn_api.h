/* SPDX-License-Identifier: MIT
 *
 * CNDrv, the driver interface of Neuware. It shares its objects with cnrt.h: a CNqueue is a
 * cnrtQueue_t, a CNnotifier a cnrtNotifier_t, a CNaddr an address from cnrtMalloc.
 */
#ifndef CN_API_H_
#define CN_API_H_

#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CN_MAJOR_VERSION 2
#define CN_MINOR_VERSION 15
#define CN_PATCH_VERSION 0
#define CN_VERSION (CN_MAJOR_VERSION * 100000 + CN_MINOR_VERSION * 1000 + CN_PATCH_VERSION)

typedef uint64_t cn_uint64_t;
typedef int64_t cn_int64_t;
typedef uint32_t cn_uint32_t;

/* The context configuration exists per thread (the default) and per process. */
#define CN_API_PERTHREAD(func) func##_pt
#define CN_API_PERPROCESS(func) func##_pp
#ifdef CN_CTX_CONFIG_PARAM_PER_PROCESS
#define cnSetCtxConfigParam CN_API_PERPROCESS(cnSetCtxConfigParam)
#define cnGetCtxConfigParam CN_API_PERPROCESS(cnGetCtxConfigParam)
#else
#define cnSetCtxConfigParam CN_API_PERTHREAD(cnSetCtxConfigParam)
#define cnGetCtxConfigParam CN_API_PERTHREAD(cnGetCtxConfigParam)
#endif

/* ---- Types ---- */

/* Result of a call. CN_INVOKE_ERROR_* are faults of a kernel; a synchronisation returns them.
 */
typedef enum {
  CN_SUCCESS = 0,
  CN_ERROR_NOT_READY = 1,
  CN_ERROR_NOT_INITIALIZED = 100002,
  CN_ERROR_DEINITIALIZED = 100003,
  CN_ERROR_NO_DEVICE = 100004,
  CN_ERROR_INVALID_DEVICE = 100005,
  CN_ERROR_INVALID_VALUE = 100006,
  CN_ERROR_OPERATING_SYSTEM = 100007,
  CN_ERROR_SYSTEM_NOT_READY = 100008,
  CN_ERROR_SYSTEM_DRIVER_MISMATCH = 100009,
  CN_ERROR_SYSTEM_OUT_OF_MEMORY = 100010,
  CN_ERROR_INVALID_ADDRESS = 100011,
  CN_ERROR_FILE_NOT_FOUND = 100012,
  CN_ERROR_COMPAT_NOT_SUPPORT_ON_SYSTEM = 100013,
  CN_ERROR_INVALID_HANDLE = 100014,
  CN_ERROR_ILLEGAL_STATE = 100015,
  CN_ERROR_ECC_UNCORRECTABLE = 100016,
  CN_OPS_ERROR_NOT_SUPPORTED = 100050,
  CN_OPS_ERROR_NOT_PERMITTED = 100051,
  CN_OPS_ERROR_TIMEOUT = 100052,
  CN_OPS_ERROR_OUT_OF_RESOURCES = 100053,
  CN_QUEUE_ERROR_INVALID = 100060,
  CN_QUEUE_ERROR_OUT_OF_RESOURCES = 100061,
  CN_NOTIFIER_ERROR_INVALID = 100080,
  CN_NOTIFIER_ERROR_OUT_OF_RESOURCES = 100081,
  CN_MEMORY_ERROR_OUT_OF_MEMORY = 100100,
  CN_MEMORY_ERROR_OUT_OF_PROCESS_MAX_MEMORY = 100101,
  CN_MEMORY_ERROR_INVALID_ADDRESS = 100102,
  CN_INVOKE_ERROR_OUT_OF_RESOURCES = 100120,
  CN_INVOKE_ERROR_EXECUTED_TIMEOUT = 100121,
  CN_INVOKE_ERROR_TIMEOUT = 100122,
  CN_INVOKE_ERROR_ILLEGAL_INSTRUCTION = 100123,
  CN_INVOKE_ERROR_ADDRESS_SPACE = 100124,
  CN_INVOKE_NO_TINYCORE = 100125,
  CN_INVOKE_ERROR_INVALID_PC = 100126,
  CN_INVOKE_ERROR_ILLEGAL_OPERAND = 100127,
  CN_INVOKE_ERROR_ASSERT = 100128,
  CN_INVOKE_ERROR_MEMORY_MISALIGNED_ADDRESS = 100130,
  CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS = 100131,
  CN_INVOKE_ERROR_KERNEL_TRAP = 100132,
  CN_INVOKE_ERROR_KERNEL_USER_TRAP = 100133,
  CN_INVOKE_ERROR_STACK_OVERFLOW = 100134,
  CN_INVOKE_ERROR_OUT_OF_RANGE_ADDRESS = 100135,
  CN_INVOKE_ERROR_NAN = 100136,
  CN_INVOKE_ERROR_POSITIVE_INF = 100137,
  CN_INVOKE_ERROR_NEGATIVE_INF = 100138,
  CN_INVOKE_ERROR = 100200,
  CN_CONTEXT_ERROR_INVALID = 100201,
  CN_CONTEXT_ERROR_OUT_OF_RESOURCES = 100202,
  CN_ERROR_INVALID_FATBIN = 100300,
  CN_ERROR_NOT_FOUND = 100301,
  CN_ERROR_INVALID_KERNEL = 100302,
  CN_FATBIN_ERROR_UNSUPPORTED_VERSION = 100303,
  CN_ERROR_QUEUE_CAPTURE_UNSUPPORTED = 100360,
  CN_ERROR_QUEUE_CAPTURE_INVALIDATED = 100361,
  CN_ERROR_QUEUE_CAPTURE_WRONG_THREAD = 100362,
  CN_ERROR_QUEUE_CAPTURE_MERGED = 100363,
  CN_ERROR_QUEUE_CAPTURE_UNJOINED = 100364,
  CN_ERROR_QUEUE_CAPTURE_ISOLATION = 100365,
  CN_ERROR_QUEUE_CAPTURE_UNMATCHED = 100366,
  CN_ERROR_TASK_TOPO_ENTITY_UPDATE_FAILURE = 100400,
  CN_FATBIN_ERROR_NO_KERNEL = 101312,
  CN_FATBIN_INVALID_IMAGE = 101313,
  CN_FATBIN_LIBCNBIN_NOT_FOUND = 101314,
  CN_FATBIN_INVALID_ARCH = 101315,
  CN_ERROR_UNKNOWN = 200000
} CNresult;

/* Attributes for cnDeviceGetAttribute; the numbers are those of cnrtDeviceAttr_t. */
typedef enum CNdevice_attribute_enum {
  CN_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 0x01,
  CN_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 0x02,
  CN_DEVICE_ATTRIBUTE_SPARSE_COMPUTING_SUPPORTED = 0x03,
  CN_DEVICE_ATTRIBUTE_FP16_COMPUTING_SUPPORTED = 0x04,
  CN_DEVICE_ATTRIBUTE_INT4_COMPUTING_SUPPORTED = 0x05,
  CN_DEVICE_ATTRIBUTE_INT8_COMPUTING_SUPPORTED = 0x06,
  CN_DEVICE_ATTRIBUTE_BF16_COMPUTING_SUPPORTED = 0x07,
  CN_DEVICE_ATTRIBUTE_TF32_COMPUTING_SUPPORTED = 0x08,
  CN_DEVICE_ATTRIBUTE_COMPUTE_MODE = 0x09,
  CN_DEVICE_ATTRIBUTE_MAX_QUEUE_COUNT = 0x101,
  CN_DEVICE_ATTRIBUTE_MAX_NOTIFIER_COUNT = 0x102,
  CN_DEVICE_ATTRIBUTE_QUEUE_PRIORITIES_SUPPORTED = 0x103,
  CN_DEVICE_ATTRIBUTE_TINY_CORE_SUPPORTED = 0x104,
  CN_DEVICE_ATTRIBUTE_CODEC_JPEG_SUPPORTED = 0x105,
  CN_DEVICE_ATTRIBUTE_CODEC_H264_SUPPORTED = 0x106,
  CN_DEVICE_ATTRIBUTE_CODEC_H265_SUPPORTED = 0x107,
  CN_DEVICE_ATTRIBUTE_AIISP_CORE_SUPPORTED = 0x108,
  CN_DEVICE_ATTRIBUTE_MULTI_CTX_NOTIFIER_WAIT_SUPPORTED = 0x109,
  CN_DEVICE_ATTRIBUTE_IPCNOTIFIER_SUPPORTED = 0x10a,
  CN_DEVICE_ATTRIBUTE_MAX_BLOCK_TASK_DIM_X = 0x201,
  CN_DEVICE_ATTRIBUTE_MAX_BLOCK_TASK_DIM_Y = 0x202,
  CN_DEVICE_ATTRIBUTE_MAX_BLOCK_TASK_DIM_Z = 0x203,
  CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT_PER_UNION_TASK = 0x204,
  CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT = 0x205,
  CN_DEVICE_ATTRIBUTE_MAX_CORE_COUNT_PER_CLUSTER = 0x206,
  CN_DEVICE_ATTRIBUTE_MAX_QUADRANT_COUNT = 0x207,
  CN_DEVICE_ATTRIBUTE_MAX_UNION_TYPE_PER_QUADRANT = 0x208,
  CN_DEVICE_ATTRIBUTE_MAX_CLUSTERS_PER_UNION_LIMIT_TASK = 0x209,
  CN_DEVICE_ATTRIBUTE_MLU_ISA_VERSION = 0x20a,
  CN_DEVICE_ATTRIBUTE_IS_MULTIPLE_TENSOR_PROCESSOR = 0x20b,
  CN_DEVICE_ATTRIBUTE_MAX_L2_CACHE_SIZE = 0x301,
  CN_DEVICE_ATTRIBUTE_NRAM_SIZE_PER_CORE = 0x302,
  CN_DEVICE_ATTRIBUTE_NEURAL_RAM_SIZE_PER_CORE = CN_DEVICE_ATTRIBUTE_NRAM_SIZE_PER_CORE,
  CN_DEVICE_ATTRIBUTE_WEIGHT_RAM_SIZE_PER_CORE = 0x303,
  CN_DEVICE_ATTRIBUTE_TOTAL_CONST_MEMORY_SIZE = 0x304,
  CN_DEVICE_ATTRIBUTE_LOCAL_MEMORY_SIZE_PER_CORE = 0x305,
  CN_DEVICE_ATTRIBUTE_MAX_SHARED_RAM_SIZE_PER_CLUSTER = 0x306,
  CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_NODE_COUNT = 0x307,
  CN_DEVICE_ATTRIBUTE_CLUSTER_L1_CACHE_SUPPORTED = 0x308,
  CN_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 0x309,
  CN_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 0x30b,
  CN_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED = 0x30d,
  CN_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 0x30e,
  CN_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 0x30f,
  CN_DEVICE_ATTRIBUTE_LINEAR_MAPPING_SUPPORTED = 0x310,
  CN_DEVICE_ATTRIBUTE_LINEAR_RECOMMEND_GRANULARITY = 0x311,
  CN_DEVICE_ATTRIBUTE_AVAILABLE_GLOBAL_MEMORY_SIZE = 0x312,
  CN_DEVICE_ATTRIBUTE_ECC_ENABLED = 0x401,
  CN_DEVICE_ATTRIBUTE_CLUSTER_CLOCK_RATE = 0x402,
  CN_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 0x403,
  CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 0x404,
  CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_TOTAL_SIZE = 0x405,
  CN_DEVICE_ATTRIBUTE_PCI_BUS_ID = 0x406,
  CN_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 0x407,
  CN_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 0x408,
  CN_DEVICE_ATTRIBUTE_MDR_MEMORY_SIZE = 0x409,
  CN_DEVICE_ATTRIBUTE_MAX
} CNdevice_attribute;

/* Values of CN_MEM_ATTRIBUTE_TYPE. */
enum CN_memory_type { CN_MEMORYTYPE_UNKNOWN = 0, CN_MEMORYTYPE_HOST = 1, CN_MEMORYTYPE_DEVICE = 2 };

/* Attributes for cnGetMemAttribute. */
typedef enum CNmem_attribute_enum {
  CN_MEM_ATTRIBUTE_TYPE = 0x1,
  CN_MEM_ATTRIBUTE_DEVICE_POINTER = 0x2,
  CN_MEM_ATTRIBUTE_HOST_POINTER = 0x3,
  CN_MEM_ATTRIBUTE_CONTEXT = 0x6,
  CN_MEM_ATTRIBUTE_DEVICE_ORDINAL = 0x7,
  CN_MEM_ATTRIBUTE_RANGE_START_ADDR = 0x11,
  CN_MEM_ATTRIBUTE_RANGE_SIZE = 0x12,
  CN_MEM_ATTRIBUTE_MAPPED = 0x16,
  CN_MEM_ATTRIBUTE_ISLINEAR = 0x18,
  CN_MEM_ATTRIBUTE_MAX
} CNmem_attribute;

/* Handle types of cnMemGetHandleForAddressRange. */
typedef enum CNmemRangeHandleType_enum {
  CN_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD = 0x1
} CNmemRangeHandleType;

/* Attributes for cnKernelGetAttribute. */
typedef enum CNkernel_attribute_enum {
  CN_KERNEL_ATTRIBUTE_NRAM_SIZE_BYTES = 0,
  CN_KERNEL_ATTRIBUTE_WEIGHT_RAM_SIZE_BYTES,
  CN_KERNEL_ATTRIBUTE_SHARED_SIZE_BYTES,
  CN_KERNEL_ATTRIBUTE_CONST_SIZE_BYTES,
  CN_KERNEL_ATTRIBUTE_BINARY_VERSION,
  CN_KERNEL_ATTRIBUTE_MAX
} CNkernel_attribute;

/* How the tasks of a launch are grouped. */
typedef enum cn_kernel_class {
  CN_KERNEL_CLASS_BLOCK = 1,
  CN_KERNEL_CLASS_UNION = 4,
  CN_KERNEL_CLASS_UNION2 = 8,
  CN_KERNEL_CLASS_UNION4 = 16,
  CN_KERNEL_CLASS_UNION8 = 32,
  CN_KERNEL_CLASS_UNION16 = 64,
  CN_KERNEL_CLASS_NONE = 0xFF
} KernelClass;

/* Fields of a context's configuration. */
typedef enum cn_ctx_config_type {
  CN_CTX_CONFIG_VISIBLE_CLUSTER = 0, /* bit mask, may be set */
  CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM, /* number of bits in the mask, read only */
  CN_CTX_CONFIG_UNION_LIMIT,         /* largest union a kernel should use, may be set */
  CN_CTX_CONFIG_NUM
} CNctxConfigParamType;

/* Value of one field. */
typedef union cn_ctx_config_param {
  cn_uint64_t visibleCluster;
  cn_uint64_t visibleClusterNumber;
  KernelClass unionLimit;
} CNctxConfigParam;

/* How host threads wait; flags of cnCtxCreate, only a hint. */
typedef enum CNCtxSchedEnum {
  CN_CTX_SCHED_SYNC_SPIN = 0,
  CN_CTX_SCHED_SYNC_WAIT,
  CN_CTX_SCHED_SYNC_YIELD,
  CN_CTX_SCHED_SYNC_AUTO,
  CN_CTX_SCHED_SYNC_NUM
} CNCtxSched;

/* Whether a device's shared context is in use. */
typedef enum CNCtxStateEnum { CN_CONTEXT_STATE_INACTIVE = 0, CN_CONTEXT_STATE_ACTIVE } CNCtxState;

/* Flags for placements and waits during a queue capture; only the defaults are supported. */
typedef enum CNNotifierPlaceFlags {
  CN_NOTIFIER_PLACE_DEFAULT = 0x0,
  CN_NOTIFIER_PLACE_EXTERNAL
} CNNotifierPlaceFlags;
typedef enum CNNotifierWaitFlags {
  CN_NOTIFIER_WAIT_DEFAULT = 0x0,
  CN_NOTIFIER_WAIT_EXTERNAL
} CNNotifierWaitFlags;

/* Status and mode of a queue capture, and the kinds of topology nodes. */
typedef enum CNqueueCaptureStatus_enum {
  CN_QUEUE_CAPTURE_STATUS_NONE = 0,
  CN_QUEUE_CAPTURE_STATUS_ACTIVE = 1,
  CN_QUEUE_CAPTURE_STATUS_INVALIDATED = 2
} CNqueueCaptureStatus;
typedef enum CNqueueCaptureMode_enum {
  CN_QUEUE_CAPTURE_MODE_GLOBAL = 0,
  CN_QUEUE_CAPTURE_MODE_THREAD_LOCAL = 1,
  CN_QUEUE_CAPTURE_MODE_RELAXED = 2
} CNqueueCaptureMode;
typedef enum CNtaskTopoNodeType_enum {
  CN_TASK_TOPO_NODE_TYPE_EMPTY = 0,
  CN_TASK_TOPO_NODE_TYPE_KERNEL = 1,
  CN_TASK_TOPO_NODE_TYPE_HOST = 2,
  CN_TASK_TOPO_NODE_TYPE_MEMCPY = 3,
  CN_TASK_TOPO_NODE_TYPE_MEMSET = 4
} CNtaskTopoNodeType;

/* Creation flags of a notifier. */
typedef enum CNNotifierFlags {
  CN_NOTIFIER_DEFAULT = 0x0,
  CN_NOTIFIER_DISABLE_TIMING_SW = 0x2,
  CN_NOTIFIER_DISABLE_TIMING = CN_NOTIFIER_DISABLE_TIMING_SW,
  CN_NOTIFIER_DISABLE_TIMING_ALL = 0x4,
  CN_NOTIFIER_INTERPROCESS = 0x8
} CNNotifierFlags_t;

typedef struct CNqueue_st *CNqueue;
typedef struct CNnotifier_st *CNnotifier;
typedef struct CNcontext_st *CNcontext;
typedef struct CNkernel_st *CNkernel;
typedef struct CNmodule_st *CNmodule;
typedef cn_uint64_t CNdev;
typedef cn_uint64_t CNaddr;
typedef void (*CNhostFn)(void *userData);
typedef struct CNtaskTopo_st *CNtaskTopo;
typedef struct CNtaskTopoNode_st *CNtaskTopoNode;
typedef struct CNtaskTopoEntity_st *CNtaskTopoEntity;

/* Predefined queues: one per host thread, and the default queue. */
#define CN_QUEUE_TYPE_PER_THREAD ((CNqueue)1)
#define CN_QUEUE_TYPE_LEGACY ((CNqueue)2)

/* Unique identifier of a device. */
typedef struct CNuuid_st {
  char uuid[16];
} CNuuid;

/* Argument of cnMemcpy3D: start (byte offset, row, plane), the pitched arrays, and the extent
 * (bytes per row, rows, planes). The direction follows from the addresses. */
typedef struct {
  cn_uint64_t x;
  cn_uint64_t y;
  cn_uint64_t z;
} CNpos;
typedef struct {
  cn_uint64_t pitch;
  void *ptr;
  cn_uint64_t xsize;
  cn_uint64_t ysize;
} CNpitchedPtr;
typedef struct {
  cn_uint64_t depth;
  cn_uint64_t height;
  cn_uint64_t width;
} CNextent;
typedef struct CNmemcpy3dParam_st {
  void *dst;
  CNpos dstPos;
  CNpitchedPtr dstPtr;
  CNextent extent;
  cn_uint32_t dir; /* reserved */
  void *src;
  CNpos srcPos;
  CNpitchedPtr srcPtr;
} CNmemcpy3dParam;

/* ---- Library ---- */

/* Initialises the driver; flags must be 0. Optional here. */
CNresult cnInit(unsigned int flags);
/* Version of this library. */
CNresult cnGetLibVersion(int *major, int *minor, int *patch);
/* Version of the installed driver. */
CNresult cnGetDriverVersion(int *major, int *minor, int *patch);
/* Version of this interface that the driver implements. */
CNresult cnDriverGetVersion(int *major, int *minor, int *patch);
/* Name of a code. */
CNresult cnGetErrorName(CNresult error, const char **pStr);
/* Description of a code. */
CNresult cnGetErrorString(CNresult error, const char **pStr);
/* Looks up a driver function that this header lacks. There are none: CN_ERROR_NOT_FOUND. */
CNresult cnGetExportFunction(const char *name, const void **func);

/* ---- Devices and contexts ---- */

/* Number of devices. */
CNresult cnDeviceGetCount(int *count);
/* Handle of device `ordinal`. */
CNresult cnDeviceGet(CNdev *device, int ordinal);
/* Name of a device, cut to len - 1 characters. */
CNresult cnDeviceGetName(char *name, unsigned int len, CNdev dev);
/* One attribute of a device. */
CNresult cnDeviceGetAttribute(int *pi, CNdevice_attribute attrib, CNdev dev);
/* Bytes of device memory. */
CNresult cnDeviceTotalMem(cn_uint64_t *bytes, CNdev dev);
/* PCI address of a device as "domain:bus:device.function", and the reverse lookup. */
CNresult cnDeviceGetPCIBusId(char *pciBusId, int len, CNdev dev);
CNresult cnDeviceGetByPCIBusId(CNdev *dev, const char *pciBusId);
/* Whether a device can reach another one's memory. */
CNresult cnDeviceCanPeerAble(int *canPeer, CNdev devSrc, CNdev devDst);
/* Unique identifier of a device: as bytes, as 36 characters of text, and the reverse lookup. The
 * text ends with 0 if len leaves room for it. */
CNresult cnDeviceGetUuid(CNuuid *uuid, CNdev dev);
CNresult cnDeviceGetUuidStr(char *uuid_str, int len, CNdev dev);
CNresult cnDeviceGetByUuidStr(CNdev *dev, const char *uuid_str);

/* A new context of a device, made current for the calling thread. */
CNresult cnCtxCreate(CNcontext *pctx, unsigned int flags, CNdev dev);
/* Destroys a context of cnCtxCreate. */
CNresult cnCtxDestroy(CNcontext ctx);
/* The calling thread's context; a thread that set none uses its device's shared context. */
CNresult cnCtxGetCurrent(CNcontext *pctx);
/* Makes a context (and its device) current for the calling thread. */
CNresult cnCtxSetCurrent(CNcontext ctx);
/* The flags that the calling thread's context was created with. */
CNresult cnCtxGetFlags(unsigned int *pflags);
/* Version of this interface that a context supports: CN_VERSION. */
CNresult cnCtxGetApiVersion(CNcontext context, unsigned int *pversion);
/* Device of the calling thread's context. */
CNresult cnCtxGetDevice(CNdev *dev);
/* Waits for all work of the current context's device. */
CNresult cnCtxSync(void);
/* Least and greatest queue priority. */
CNresult cnCtxGetQueuePriorityRange(int *leastPriority, int *greatestPriority);
/* The shared context of a device, which CNRT uses. */
CNresult cnSharedContextAcquire(CNcontext *pctx, CNdev dev);
CNresult cnSharedContextRelease(CNdev dev);
CNresult cnSharedContextGetState(CNdev dev, unsigned int *flags, int *active);
/* Configuration of a context: visible clusters and union limit. */
CNresult cnSetCtxConfigParam_pt(CNcontext ctx, CNctxConfigParamType type, CNctxConfigParam *param);
CNresult cnGetCtxConfigParam_pt(CNcontext ctx, CNctxConfigParamType type, CNctxConfigParam *param);
CNresult cnSetCtxConfigParam_pp(CNcontext ctx, CNctxConfigParamType type, CNctxConfigParam *param);
CNresult cnGetCtxConfigParam_pp(CNcontext ctx, CNctxConfigParamType type, CNctxConfigParam *param);
/* How many union tasks of a class fit on the visible clusters at a time (for Block: cores). */
CNresult cnGetCtxMaxParallelUnionTasks(CNcontext ctx, KernelClass c, int *number);

/* ---- Memory ---- */

/* Device memory on the current context's device. Zmalloc clears it; MallocConstant is read-only for
 * kernels. */
CNresult cnMalloc(CNaddr *pmluAddr, cn_uint64_t bytes);
CNresult cnZmalloc(CNaddr *pmluAddr, cn_uint64_t bytes);
CNresult cnMallocConstant(CNaddr *pmluAddr, cn_uint64_t bytes);
/* Same as cnMalloc: every device can access all device memory. */
CNresult cnMallocPeerAble(CNaddr *pmluAddr, cn_uint64_t bytes);
/* Memory on one of the device's CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_NODE_COUNT nodes, which is one
 * here. */
CNresult cnMallocNode(CNaddr *pmluAddr, cn_uint64_t bytes, int node);
CNresult cnZmallocNode(CNaddr *pmluAddr, cn_uint64_t bytes, int node);
CNresult cnMallocNodeConstant(CNaddr *pmluAddr, cn_uint64_t bytes, int node);
/* Frees device memory. */
CNresult cnFree(CNaddr mluAddr);
/* Host memory for copies. */
CNresult cnMallocHost(void **pMem, cn_uint64_t bytes);
CNresult cnFreeHost(void *mem);
/* Free and total bytes of the current context's device, and of one of its nodes. */
CNresult cnMemGetInfo(cn_uint64_t *free, cn_uint64_t *total);
CNresult cnMemGetNodeInfo(cn_uint64_t *free, cn_uint64_t *total, int node);
/* One attribute of an address; the type of *data depends on the attribute. */
CNresult cnGetMemAttribute(void *data, CNmem_attribute attribute, CNaddr addr);
/* Start and size of the allocation an address lies in. */
CNresult cnMemGetAddressRange(CNaddr *pBase, cn_uint64_t *pBytes, CNaddr addr);
/* A handle that gives other drivers access to device memory. CN_OPS_ERROR_NOT_SUPPORTED, as
 * CN_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED reports. */
CNresult cnMemGetHandleForAddressRange(void *handle, CNaddr addr, cn_uint64_t size,
                                       CNmemRangeHandleType type, cn_uint64_t flags);
/* Synchronous copies. */
CNresult cnMemcpy(CNaddr dst, CNaddr src, cn_uint64_t bytes);
CNresult cnMemcpyHtoD(CNaddr dst, const void *src, cn_uint64_t bytes);
CNresult cnMemcpyDtoH(void *dst, CNaddr src, cn_uint64_t bytes);
CNresult cnMemcpyDtoD(CNaddr dst, CNaddr src, cn_uint64_t bytes);
/* Copies in queue order. */
CNresult cnMemcpyAsync(CNaddr dst, CNaddr src, cn_uint64_t bytes, CNqueue queue);
CNresult cnMemcpyHtoDAsync(CNaddr dst, const void *src, cn_uint64_t bytes, CNqueue queue);
CNresult cnMemcpyDtoHAsync(void *dst, CNaddr src, cn_uint64_t bytes, CNqueue queue);
CNresult cnMemcpyDtoDAsync(CNaddr dst, CNaddr src, cn_uint64_t bytes, CNqueue queue);
/* Other names of the above. */
CNresult cnMemcpyAsync_V2(CNaddr dst, CNaddr src, cn_uint64_t bytes, CNqueue queue);
CNresult cnMemcpyAsync_V3(CNaddr dst, CNaddr src, cn_uint64_t bytes, CNqueue queue);
CNresult cnMemcpyHtoDAsync_V2(CNaddr dst, const void *src, cn_uint64_t bytes, CNqueue queue);
CNresult cnMemcpyDtoHAsync_V2(void *dst, CNaddr src, cn_uint64_t bytes, CNqueue queue);
/* Copies between the devices of two contexts. */
CNresult cnMemcpyPeer(CNaddr dst, CNcontext dstCtx, CNaddr src, CNcontext srcCtx,
                      cn_uint64_t bytes);
CNresult cnMemcpyPeerAsync(CNaddr dst, CNcontext dstCtx, CNaddr src, CNcontext srcCtx,
                           cn_uint64_t bytes, CNqueue queue);
/* Copies rows, or a box, between pitched arrays; DtoD only within device memory. An extent of 0 is
 * CN_ERROR_INVALID_VALUE. */
CNresult cnMemcpy2D(CNaddr dst, cn_uint64_t dpitch, CNaddr src, cn_uint64_t spitch,
                    cn_uint64_t width, cn_uint64_t height);
CNresult cnMemcpy2DAsync(CNaddr dst, cn_uint64_t dpitch, CNaddr src, cn_uint64_t spitch,
                         cn_uint64_t width, cn_uint64_t height, CNqueue queue);
CNresult cnMemcpyDtoD2D(CNaddr dst, cn_uint64_t dpitch, CNaddr src, cn_uint64_t spitch,
                        cn_uint64_t width, cn_uint64_t height);
CNresult cnMemcpy3D(CNmemcpy3dParam *p);
CNresult cnMemcpy3DAsync(const CNmemcpy3dParam *p, CNqueue queue);
CNresult cnMemcpyDtoD3D(CNmemcpy3dParam *p);
/* Fills `count` elements of 8, 16 or 32 bits. */
CNresult cnMemsetD8(CNaddr dst, unsigned char value, cn_uint64_t count);
CNresult cnMemsetD16(CNaddr dst, unsigned short value, cn_uint64_t count);
CNresult cnMemsetD32(CNaddr dst, unsigned int value, cn_uint64_t count);
CNresult cnMemsetD8Async(CNaddr dst, unsigned char value, cn_uint64_t count, CNqueue queue);
CNresult cnMemsetD16Async(CNaddr dst, unsigned short value, cn_uint64_t count, CNqueue queue);
CNresult cnMemsetD32Async(CNaddr dst, unsigned int value, cn_uint64_t count, CNqueue queue);

/* ---- Queues, notifiers, execution ---- */

/* Same as the cnrtQueue functions. */
CNresult cnCreateQueue(CNqueue *pQueue, unsigned int flags);
CNresult cnCreateQueueWithPriority(CNqueue *pQueue, unsigned int flags, int priority);
CNresult cnDestroyQueue(CNqueue queue);
CNresult cnQueueSync(CNqueue queue);
CNresult cnQueryQueue(CNqueue queue);
CNresult cnQueueGetPriority(CNqueue queue, int *priority);
CNresult cnQueueWaitNotifier(CNqueue queue, CNnotifier notifier);
CNresult cnQueueWaitNotifierWithFlags(CNqueue queue, CNnotifier notifier, unsigned int flags);
/* Context of a queue; NULL is the default queue of the current context. */
CNresult cnQueueGetContext(CNqueue queue, CNcontext *pctx);
/* Same as the cnrtNotifier functions. */
CNresult cnCreateNotifier(CNnotifier *pNotifier, unsigned int flags);
CNresult cnDestroyNotifier(CNnotifier notifier);
CNresult cnPlaceNotifier(CNnotifier notifier, CNqueue queue);
CNresult cnPlaceNotifierWithFlags(CNnotifier notifier, CNqueue queue, unsigned int flags);
CNresult cnQueryNotifier(CNnotifier notifier);
CNresult cnWaitNotifier(CNnotifier notifier);
/* Time between two reached notifiers; device work has no other clock. */
CNresult cnNotifierElapsedTime(float *pMilliseconds, CNnotifier start, CNnotifier end);
CNresult cnNotifierElapsedExecTime(float *pMilliseconds, CNnotifier start, CNnotifier end);
/* Loads a shared library made by cncc (-shared, --bang-fatbin-only), from a file or from memory,
 * and finds its kernels by function name; extern "C" names are not mangled. The library's own
 * dependencies stay loaded after the module is unloaded. */
CNresult cnModuleLoad(const char *fname, CNmodule *module);
CNresult cnModuleLoadFatBinary(const void *data, CNmodule *module);
CNresult cnModuleLoadData(const void *data, CNmodule *module);
CNresult cnModuleUnload(CNmodule module);
CNresult cnModuleGetKernel(CNmodule module, const char *kname, CNkernel *kernel);
/* Launches a kernel by its function's address, which is a CNkernel here; params[i] points to
 * parameter i. A packed buffer in `extra` is not supported. */
CNresult cnInvokeKernel(CNkernel kernel, unsigned int dimx, unsigned int dimy, unsigned int dimz,
                        KernelClass c, unsigned int reserve, CNqueue queue, void **kernelParams,
                        void **extra);
/* Resources a kernel needs: CN_OPS_ERROR_NOT_SUPPORTED, as they are not known before it runs;
 * CN_ERROR_INVALID_KERNEL if it is not a kernel. */
CNresult cnKernelGetAttribute(cn_int64_t *pi, CNkernel_attribute attrib, CNkernel kernel);
/* Calls fn(userData) in queue order. */
CNresult cnInvokeHostFunc(CNqueue queue, CNhostFn fn, void *userData);

/* ---- Queue capture, task topologies ---- */

/* Same as the cnrtQueue and cnrtTaskTopo functions; nodes come only from captures. */
CNresult cnQueueBeginCapture(CNqueue queue, CNqueueCaptureMode mode);
CNresult cnQueueEndCapture(CNqueue queue, CNtaskTopo *pTaskTopo);
CNresult cnQueueIsCapturing(CNqueue queue, CNqueueCaptureStatus *pCaptureStatus);
CNresult cnQueueGetCaptureInfo(CNqueue queue, CNqueueCaptureStatus *pCaptureStatus,
                               cn_uint64_t *idOut, CNtaskTopo *pTaskTopo,
                               const CNtaskTopoNode **pDependenciesOut,
                               size_t *pNumDependenciesOut);
CNresult cnThreadExchangeQueueCaptureMode(CNqueueCaptureMode *pmode);
CNresult cnTaskTopoCreate(CNtaskTopo *pTopo, unsigned int flags);
CNresult cnTaskTopoDestroy(CNtaskTopo topo);
CNresult cnTaskTopoGetNodes(CNtaskTopo topo, CNtaskTopoNode *pNodes, size_t *numNodes);
CNresult cnTaskTopoNodeGetType(CNtaskTopoNode node, CNtaskTopoNodeType *type);
CNresult cnTaskTopoDebugDotPrint(CNtaskTopo topo, const char *path, unsigned int flags);
CNresult cnTaskTopoInstantiate(CNtaskTopoEntity *entity, CNtaskTopo topo,
                               CNtaskTopoNode *pErrorNode, char *logBuffer, size_t bufferSize);
CNresult cnTaskTopoEntityInvoke(CNtaskTopoEntity entity, CNqueue queue);
CNresult cnTaskTopoEntityDestroy(CNtaskTopoEntity entity);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* CN_API_H_ */
