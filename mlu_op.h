/* SPDX-License-Identifier: MIT
 *
 * Mixture-of-experts and LLM inference operators: the public interface, in C.
 *
 * Conventions. Every operator takes the handle, then (descriptor, data) pairs of its inputs, host
 * scalars, the workspace with its size, and (descriptor, data) pairs of its outputs. Calls are
 * asynchronous: they are put into the handle's queue, and the caller synchronises. Operators
 * allocate no device memory; those that need some have a mluOpGet...WorkspaceSize function. A wrong
 * argument gives a status and one line in the log that names the argument, what was wanted and what
 * was got.
 */
#ifndef MLUOP_H_
#define MLUOP_H_

#define MLUOP_MAJOR 1
#define MLUOP_MINOR 0
#define MLUOP_PATCHLEVEL 0
/* Ambiguous once the minor version passes 9: prefer the three numbers. */
#define MLUOP_VERSION (MLUOP_MAJOR * 1000 + MLUOP_MINOR * 100 + MLUOP_PATCHLEVEL)

/* Dimensions a descriptor holds without allocating, and the most that operators take. */
#define MLUOP_DIM_MAX 8

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include "cn_api.h"
#include "cnrt.h"

#ifndef MLUOP_WIN_API
#ifdef _WIN32
#define MLUOP_WIN_API __stdcall
#else
#define MLUOP_WIN_API
#endif
#endif

#if defined(__cplusplus)
extern "C" {
#endif
/* The library is compiled with hidden visibility; what stands in this file is what it exports. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/******************************************************************************
 * Enumerations
 ******************************************************************************/
/*! @brief What a function returns. */
typedef enum {
  MLUOP_STATUS_SUCCESS = 0,          /*!< It worked. */
  MLUOP_STATUS_NOT_INITIALIZED = 1,  /*!< The library cannot work: a library it needs is too old. */
  MLUOP_STATUS_ALLOC_FAILED = 2,     /*!< Memory could not be allocated. */
  MLUOP_STATUS_BAD_PARAM = 3,        /*!< An argument is wrong; the log says which one. */
  MLUOP_STATUS_INTERNAL_ERROR = 4,   /*!< A call inside the library or the runtime failed. */
  MLUOP_STATUS_ARCH_MISMATCH = 5,    /*!< The device's architecture is not supported. */
  MLUOP_STATUS_EXECUTION_FAILED = 6, /*!< The kernel could not be launched. */
  MLUOP_STATUS_NOT_SUPPORTED = 7,    /*!< A legal request this version cannot do. */
  MLUOP_STATUS_NUMERICAL_OVERFLOW = 8, /*!< A number does not fit. */
} mluOpStatus_t;

/*! @brief Data types of tensors. The number 10 is not used. */
typedef enum {
  MLUOP_DTYPE_INVALID = 0,        /*!< No data type. */
  MLUOP_DTYPE_HALF = 1,           /*!< 16-bit floating point. */
  MLUOP_DTYPE_FLOAT = 2,          /*!< 32-bit floating point. */
  MLUOP_DTYPE_INT8 = 3,           /*!< 8-bit signed integer. */
  MLUOP_DTYPE_INT16 = 4,          /*!< 16-bit signed integer. */
  MLUOP_DTYPE_INT31 = 5,          /*!< 31-bit signed integer in two 16-bit parts. */
  MLUOP_DTYPE_INT32 = 6,          /*!< 32-bit signed integer. */
  MLUOP_DTYPE_UINT8 = 7,          /*!< 8-bit unsigned integer. */
  MLUOP_DTYPE_BOOL = 8,           /*!< Truth value in 8 bits. */
  MLUOP_DTYPE_INT64 = 9,          /*!< 64-bit signed integer. */
  MLUOP_DTYPE_UINT32 = 11,        /*!< 32-bit unsigned integer. */
  MLUOP_DTYPE_UINT64 = 12,        /*!< 64-bit unsigned integer. */
  MLUOP_DTYPE_UINT16 = 13,        /*!< 16-bit unsigned integer. */
  MLUOP_DTYPE_DOUBLE = 14,        /*!< 64-bit floating point. */
  MLUOP_DTYPE_COMPLEX_HALF = 15,  /*!< Two ::MLUOP_DTYPE_HALF. */
  MLUOP_DTYPE_COMPLEX_FLOAT = 16, /*!< Two ::MLUOP_DTYPE_FLOAT. */
  MLUOP_DTYPE_BFLOAT16 = 17,      /*!< 16-bit floating point with the exponent of a float. */
} mluOpDataType_t;

/*! @brief Meaning of a tensor's dimensions, the slowest first. */
typedef enum {
  MLUOP_LAYOUT_NCHW = 0,  /*!< Dimensions: batch, channel, height, width. */
  MLUOP_LAYOUT_NHWC = 1,  /*!< Dimensions: batch, height, width, channel. */
  MLUOP_LAYOUT_HWCN = 2,  /*!< Dimensions: height, width, channel, batch. */
  MLUOP_LAYOUT_NDHWC = 3, /*!< Dimensions: batch, depth, height, width, channel. */
  MLUOP_LAYOUT_ARRAY = 4, /*!< Dimensions without a meaning of their own; what operators take. */
  MLUOP_LAYOUT_NCDHW = 5, /*!< Dimensions: batch, channel, depth, height, width. */
  MLUOP_LAYOUT_TNC = 6,   /*!< Dimensions: time, batch, channel. */
  MLUOP_LAYOUT_NTC = 7,   /*!< Dimensions: batch, time, channel. */
  MLUOP_LAYOUT_NC = 8,    /*!< Dimensions: batch, channel. */
  MLUOP_LAYOUT_NLC = 9,   /*!< Dimensions: batch, length, channel. */
  MLUOP_LAYOUT_NCL = 10,  /*!< Dimensions: batch, channel, length. */
} mluOpTensorLayout_t;

/*! @brief Meaning of the dimensions of sequence data, the slowest first. */
typedef enum {
  MLUOP_SEQDATA_TNC = 0,        /*!< Dimensions: time, batch, channel. */
  MLUOP_SEQDATA_TNC_PACKED = 1, /*!< Time and batch without padding, then channel. */
  MLUOP_SEQDATA_NTC = 2,        /*!< Dimensions: batch, time, channel. */
  MLUOP_SEQDATA_NC = 3,         /*!< Dimensions: batch, channel. */
  MLUOP_SEQDATA_TNBC = 4,       /*!< Dimensions: time, batch, beam, channel. */
  MLUOP_SEQDATA_TBNC = 5,       /*!< Dimensions: time, beam, batch, channel. */
  MLUOP_SEQDATA_NBTC = 6,       /*!< Dimensions: batch, beam, time, channel. */
  MLUOP_SEQDATA_NTBC = 7,       /*!< Dimensions: batch, time, beam, channel. */
  MLUOP_SEQDATA_BNTC = 8,       /*!< Dimensions: beam, batch, time, channel. */
  MLUOP_SEQDATA_BTNC = 9,       /*!< Dimensions: beam, time, batch, channel. */
  MLUOP_SEQDATA_TN = 10,        /*!< Dimensions: time, batch. */
  MLUOP_SEQDATA_NT = 11,        /*!< Dimensions: batch, time. */
} mluOpSeqDataLayout_t;

/*! @brief What an operator does with NaN. */
typedef enum {
  MLUOP_NOT_PROPAGATE_NAN = 0, /*!< NaN is ignored. */
  MLUOP_PROPAGATE_NAN = 1,     /*!< NaN goes through to the result. */
} mluOpNanPropagation_t;

/*! @brief What an operator prefers where it has a choice. */
typedef enum {
  MLUOP_COMPUTATION_FAST = 0,                /*!< Speed. */
  MLUOP_COMPUTATION_HIGH_PRECISION = 1,      /*!< Precision. */
  MLUOP_COMPUTATION_ULTRAHIGH_PRECISION = 2, /*!< The best precision there is. */
} mluOpComputationPreference_t;

/*! @brief Whether results may depend on the order of atomic operations. */
typedef enum {
  MLUOP_ATOMICS_NOT_ALLOWED = 1, /*!< No: same bits in every run. */
  MLUOP_ATOMICS_ALLOWED = 2,     /*!< Yes. */
} mluOpAtomicsMode_t;

/*! @brief How quantization rounds. */
typedef enum {
  MLUOP_ROUND_HALF_TO_EVEN = 0,  /*!< To the nearest, halves to the even number. */
  MLUOP_ROUND_HALF_UP = 1,       /*!< To the nearest, halves upwards. */
  MLUOP_ROUND_HALF_OFF_ZERO = 2, /*!< To the nearest, halves away from zero. */
} mluOpQuantizeRoundMode_t;

/*! @brief Which quantization parameters are used. */
typedef enum {
  MLUOP_QUANTIZE_POSITION = 0,              /*!< Position; scale is 1, offset is 0. */
  MLUOP_QUANTIZE_POSITION_SCALE = 1,        /*!< Position and scale; offset is 0. */
  MLUOP_QUANTIZE_POSITION_SCALE_OFFSET = 2, /*!< Position, scale and offset. */
} mluOpQuantizeMode_t;

/*! @brief Where the data of a scalar lives. */
typedef enum {
  MLUOP_POINTER_MODE_HOST = 0,   /*!< In host memory. */
  MLUOP_POINTER_MODE_DEVICE = 1, /*!< In device memory. */
} mluOpPointerMode_t;

/*! @brief Base of a logarithm. */
typedef enum {
  MLUOP_LOG_E = 0,  /*!< e. */
  MLUOP_LOG_2 = 1,  /*!< 2. */
  MLUOP_LOG_10 = 2, /*!< 10. */
} mluOpLogBase_t;

/*! @brief Width of indices. */
typedef enum {
  MLUOP_32BIT_INDICES = 0, /*!< 32 bits. */
  MLUOP_16BIT_INDICES = 1, /*!< 16 bits. */
} mluOpIndicesType_t;

/*! @brief What a loss is reduced to. */
typedef enum {
  MLUOP_LOSS_REDUCTION_NONE = 0, /*!< Not reduced. */
  MLUOP_LOSS_REDUCTION_SUM = 1,  /*!< The sum. */
  MLUOP_LOSS_REDUCTION_MEAN = 2, /*!< The mean. */
} mluOpLossReduction_t;

/*! @brief How values of one group are reduced. */
typedef enum {
  MLUOP_REDUCE_DSUM = 0,  /*!< The sum. */
  MLUOP_REDUCE_DMEAN = 1, /*!< The mean. */
  MLUOP_REDUCE_DMAX = 2,  /*!< The maximum. */
} mluOpReduceMode_t;

/*! @brief Pooling methods. */
typedef enum {
  MLUOP_POOLING_MAX = 0,                           /*!< The maximum. */
  MLUOP_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1, /*!< The mean, padding counted. */
  MLUOP_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2, /*!< The mean, padding not counted. */
  MLUOP_POOLING_FIXED = 3,                         /*!< A fixed number of elements. */
} mluOpPoolingMode_t;

/******************************************************************************
 * Opaque types
 ******************************************************************************/
struct mluOpContext;
/*! @brief Device, queue and modes of operator calls; see ::mluOpCreate. */
typedef struct mluOpContext *mluOpHandle_t;

struct mluOpTensorStruct;
/*! @brief Data type, layout, sizes and strides of a tensor; see ::mluOpCreateTensorDescriptor. */
typedef struct mluOpTensorStruct *mluOpTensorDescriptor_t;

struct mluOpTensorSetStruct;
/*! @brief A grid of tensors in one buffer; see ::mluOpCreateTensorSetDescriptor. */
typedef struct mluOpTensorSetStruct *mluOpTensorSetDescriptor_t;

struct mluOpSeqDataStruct;
/*! @brief A batch of sequences; see ::mluOpCreateSeqDataDescriptor. */
typedef struct mluOpSeqDataStruct *mluOpSeqDataDescriptor_t;

/******************************************************************************
 * Functions that are no operators
 ******************************************************************************/
// Group: Runtime Management
/*!
 * @brief Creates a handle bound to the calling thread's current device and returns it in \b
 * handle. The handle carries the queue, the device's properties and the modes operators follow.
 *
 * @param[out] handle
 * Receives the handle. Unchanged when the function fails.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_INITIALIZED,
 *   ::MLUOP_STATUS_ALLOC_FAILED, ::MLUOP_STATUS_INTERNAL_ERROR
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - Choose the device with cnrtSetDevice first. Release the handle with ::mluOpDestroy.
 *
 * @par Note
 * - A new handle uses the default queue, ::MLUOP_ATOMICS_NOT_ALLOWED and
 *   ::MLUOP_ROUND_HALF_TO_EVEN.
 * - Several threads may work at the same time when each has its own handle; one handle must not
 *   be used by two threads at once.
 * - ::MLUOP_STATUS_NOT_INITIALIZED means that the CNRT or the driver library is older than this
 *   library needs. Setting the environment variable MLUOP_CHECK_DEP_VERSION to 0 skips that
 *   test.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCreate(mluOpHandle_t *handle);

// Group: Runtime Management
/*!
 * @brief Reads again which clusters and which union sizes the driver context of the handle's
 * queue may use.
 *
 * @param[in,out] handle
 * A handle made with ::mluOpCreate.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_INTERNAL_ERROR
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreate; call it after the context's configuration was changed with
 *   cnSetCtxConfigParam.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpUpdateContextInformation(mluOpHandle_t handle);

// Group: Runtime Management
/*!
 * @brief Releases a handle.
 *
 * @param[in] handle
 * A handle made with ::mluOpCreate.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreate.
 *
 * @par Note
 * - The queue bound to the handle is not destroyed.
 * - A handle that was destroyed gets ::MLUOP_STATUS_BAD_PARAM here and everywhere else until its
 *   place is taken by a new handle, which happens after 64 more have been destroyed.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpDestroy(mluOpHandle_t handle);

// Group: Runtime Management
/*!
 * @brief Binds \b queue to \b handle. Every following operator call with this handle is put
 * into that queue.
 *
 * @param[in,out] handle
 * A handle made with ::mluOpCreate.
 * @param[in] queue
 * The queue; NULL selects the default queue.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreate.
 *
 * @par Note
 * - A queue that does not exist, or one of another device than the handle's, gets
 *   ::MLUOP_STATUS_BAD_PARAM. A queue that is destroyed later fails the operator calls that use it.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetQueue(mluOpHandle_t handle, cnrtQueue_t queue);

// Group: Runtime Management
/*!
 * @brief Returns the queue bound to \b handle.
 *
 * @param[in] handle
 * A handle made with ::mluOpCreate.
 * @param[out] queue
 * Receives the queue; NULL stands for the default queue.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreate.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetQueue(mluOpHandle_t handle, cnrtQueue_t *queue);

// Group: Runtime Management
/*!
 * @brief Returns the device \b handle was created on.
 *
 * @param[in] handle
 * A handle made with ::mluOpCreate.
 * @param[out] device
 * Receives the driver's device ordinal.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreate.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetDevice(mluOpHandle_t handle, CNdev *device);

// Group: Runtime Management
/*!
 * @brief Returns one part of the configuration of the driver context that \b handle works in:
 * visible clusters or the largest union.
 *
 * @param[in] handle
 * A handle made with ::mluOpCreate.
 * @param[in] type
 * Which part.
 * @param[out] param
 * Receives the value.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_INTERNAL_ERROR
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreate.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetContextParam(mluOpHandle_t handle, CNctxConfigParamType type,
                                                 CNctxConfigParam *param);

// Group: Runtime Management
/*!
 * @brief Returns the name of a status code.
 *
 * @param[in] status
 * The status.
 *
 * @par Return
 * - A static string equal to the enumerator's name; "MLUOP_STATUS_BAD_PARAM" for a number that
 *   is no status.
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
const char *MLUOP_WIN_API mluOpGetErrorString(mluOpStatus_t status);

// Group: Runtime Management
/*!
 * @brief Gets the last error message of the library on the calling thread, as the log has it.
 *
 * @par Return
 * - The text, never NULL: the names of the function and of the argument, what was wanted and what
 *   came. It is empty before the first error of the thread, and stays valid until the thread's next
 *   error or end.
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - Messages of libmluops_comm are those of ::mluOpCommGetLastErrorMessage.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
const char *MLUOP_WIN_API mluOpGetLastErrorMessage(void);

// Group: Runtime Management
/*!
 * @brief Returns the number of bytes one element of \b data_type takes.
 *
 * @param[in] data_type
 * The data type, see ::mluOpDataType_t.
 * @param[out] size
 * Receives the number of bytes.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - ::MLUOP_DTYPE_INVALID and numbers that are no data type are refused.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetSizeOfDataType(mluOpDataType_t data_type, size_t *size);

// Group: Runtime Management
/*!
 * @brief Returns the name of a data type without the library's prefix, for example
 * "DTYPE_FLOAT".
 *
 * @param[in] data_type
 * The data type.
 *
 * @par Return
 * - A static string; "DTYPE_INVALID" for anything that is no data type.
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
const char *MLUOP_WIN_API mluOpGetNameOfDataType(mluOpDataType_t data_type);

// Group: Runtime Management
/*!
 * @brief Returns the name of a tensor layout without the library's prefix, for example
 * "LAYOUT_NHWC".
 *
 * @param[in] layout
 * The layout.
 *
 * @par Return
 * - A static string; "LAYOUT_ARRAY" for anything that is no layout.
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
const char *MLUOP_WIN_API mluOpGetNameOfTensorLayout(mluOpTensorLayout_t layout);

// Group: Runtime Management
/*!
 * @brief Says whether operators called with \b handle may use atomic operations whose order of
 * accumulation, and so the last bits of the result, can differ from run to run.
 *
 * @param[in,out] handle
 * A handle made with ::mluOpCreate.
 * @param[in] atomics_mode
 * The mode, see ::mluOpAtomicsMode_t.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreate.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetAtomicsMode(mluOpHandle_t handle,
                                                mluOpAtomicsMode_t atomics_mode);

// Group: Runtime Management
/*!
 * @brief Returns the atomics mode of \b handle.
 *
 * @param[in] handle
 * A handle made with ::mluOpCreate.
 * @param[out] atomics_mode
 * Receives the mode.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreate.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetAtomicsMode(mluOpHandle_t handle,
                                                mluOpAtomicsMode_t *atomics_mode);

// Group: QuantizeRoundMode
/*!
 * @brief Sets how quantization rounds in operators called with \b handle.
 *
 * @param[in,out] handle
 * A handle made with ::mluOpCreate.
 * @param[in] round_mode
 * The mode, see ::mluOpQuantizeRoundMode_t.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreate.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetQuantizeRoundMode(mluOpHandle_t handle,
                                                      mluOpQuantizeRoundMode_t round_mode);

// Group: QuantizeRoundMode
/*!
 * @brief Returns the rounding mode of \b handle.
 *
 * @param[in] handle
 * A handle made with ::mluOpCreate.
 * @param[out] round_mode
 * Receives the mode.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreate.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetQuantizeRoundMode(mluOpHandle_t handle,
                                                      mluOpQuantizeRoundMode_t *round_mode);

// Group: Version Management
/*!
 * @brief Returns the version of the library that is loaded, which may differ from the macros of
 * the header a program was compiled with.
 *
 * @param[out] major
 * Receives the major number; may be NULL.
 * @param[out] minor
 * Receives the minor number; may be NULL.
 * @param[out] patch
 * Receives the patch level; may be NULL.
 *
 * @par Return
 * - None.
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
void MLUOP_WIN_API mluOpGetLibVersion(int *major, int *minor, int *patch);

// Group: Version Management
/*!
 * @brief Returns the version of the library that is loaded as one number, see MLUOP_VERSION.
 *
 * @par Deprecated
 * - The number is ambiguous once the minor version passes 9. Use ::mluOpGetLibVersion instead.
 *
 * @par Return
 * - MLUOP_VERSION of the library.
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
size_t MLUOP_WIN_API mluOpGetVersion(void);

// Group: Tensor
/*!
 * @brief Creates a tensor descriptor.
 *
 * It starts with no dimensions and no elements, ::MLUOP_DTYPE_FLOAT, ::MLUOP_LAYOUT_ARRAY, no
 * on-chip data type, ::MLUOP_POINTER_MODE_DEVICE, position 0, scale 1 and offset 0.
 *
 * @param[out] desc
 * Receives the descriptor.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - Release the descriptor with ::mluOpDestroyTensorDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCreateTensorDescriptor(mluOpTensorDescriptor_t *desc);

// Group: Tensor
/*!
 * @brief Creates \b desc_num tensor descriptors; each one is as ::mluOpCreateTensorDescriptor
 * makes it.
 *
 * @param[out] group_desc
 * An array of \b desc_num pointers; each points to the place that receives a descriptor.
 * @param[in] desc_num
 * The number of descriptors.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - \b desc_num is greater than 0.
 *
 * @par API Dependency
 * - Release them with ::mluOpDestroyGroupTensorDescriptors, or one by one with
 *   ::mluOpDestroyTensorDescriptor.
 *
 * @par Note
 * - When the function fails, no descriptor exists.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCreateGroupTensorDescriptors(mluOpTensorDescriptor_t *group_desc[],
                                                              const int desc_num);

// Group: Tensor
/*!
 * @brief Describes a contiguous tensor.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[in] layout
 * The layout, see ::mluOpTensorLayout_t.
 * @param[in] dtype
 * The data type, see ::mluOpDataType_t; ::MLUOP_DTYPE_INVALID is refused.
 * @param[in] dimNb
 * The number of dimensions.
 * @param[in] dimSize
 * \b dimNb sizes, the slowest dimension first. May be NULL when \b dimNb is 0.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - Every size is 0 or greater, and the tensor takes less than 2^63 bytes.
 * - \b dimNb may be 0 only when the pointer mode is ::MLUOP_POINTER_MODE_HOST; the tensor then
 *   has one element.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - Pointer mode, on-chip data type, position, scale and offset are kept. When the function
 *   fails, the descriptor is unchanged.
 * - More than MLUOP_DIM_MAX dimensions are accepted here; an operator may refuse them.
 * - A tensor of 2^31 elements and more is accepted with a warning in the log, since many
 *   operators refuse it.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptor(mluOpTensorDescriptor_t desc,
                                                     mluOpTensorLayout_t layout,
                                                     mluOpDataType_t dtype, int dimNb,
                                                     const int dimSize[]);

// Group: Tensor
/*!
 * @brief Describes a contiguous tensor with 64-bit sizes.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[in] layout
 * The layout, see ::mluOpTensorLayout_t.
 * @param[in] dtype
 * The data type, see ::mluOpDataType_t; ::MLUOP_DTYPE_INVALID is refused.
 * @param[in] dimNb
 * The number of dimensions.
 * @param[in] dimSize
 * \b dimNb sizes, the slowest dimension first. May be NULL when \b dimNb is 0.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - Every size is 0 or greater, and the tensor takes less than 2^63 bytes.
 * - \b dimNb may be 0 only when the pointer mode is ::MLUOP_POINTER_MODE_HOST; the tensor then
 *   has one element.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - Pointer mode, on-chip data type, position, scale and offset are kept. When the function
 *   fails, the descriptor is unchanged.
 * - More than MLUOP_DIM_MAX dimensions are accepted here; an operator may refuse them.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptor_v2(mluOpTensorDescriptor_t desc,
                                                        mluOpTensorLayout_t layout,
                                                        mluOpDataType_t dtype, int dimNb,
                                                        const int64_t dimSize[]);

// Group: Tensor
/*!
 * @brief Describes a tensor with strides.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[in] layout
 * The layout, see ::mluOpTensorLayout_t.
 * @param[in] dtype
 * The data type, see ::mluOpDataType_t; ::MLUOP_DTYPE_INVALID is refused.
 * @param[in] dimNb
 * The number of dimensions.
 * @param[in] dimSize
 * \b dimNb sizes, the slowest dimension first. May be NULL when \b dimNb is 0.
 * @param[in] dimStride
 * \b dimNb strides. May be NULL when \b dimNb is 0.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - Every size is 0 or greater, and the tensor takes less than 2^63 bytes.
 * - \b dimNb may be 0 only when the pointer mode is ::MLUOP_POINTER_MODE_HOST; the tensor then
 *   has one element.
 * - \b dimStride counts elements. Every stride is 0 or greater, and the extent of the buffer, 1
 *   + sum((size - 1) * stride) elements, stays below 2^63 bytes.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - Pointer mode, on-chip data type, position, scale and offset are kept. When the function
 *   fails, the descriptor is unchanged.
 * - More than MLUOP_DIM_MAX dimensions are accepted here; an operator may refuse them.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorEx(mluOpTensorDescriptor_t desc,
                                                       mluOpTensorLayout_t layout,
                                                       mluOpDataType_t dtype, int dimNb,
                                                       const int dimSize[], const int dimStride[]);

// Group: Tensor
/*!
 * @brief Describes a tensor with strides; sizes and strides are 64-bit.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[in] layout
 * The layout, see ::mluOpTensorLayout_t.
 * @param[in] dtype
 * The data type, see ::mluOpDataType_t; ::MLUOP_DTYPE_INVALID is refused.
 * @param[in] dimNb
 * The number of dimensions.
 * @param[in] dimSize
 * \b dimNb sizes, the slowest dimension first. May be NULL when \b dimNb is 0.
 * @param[in] dimStride
 * \b dimNb strides. May be NULL when \b dimNb is 0.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - Every size is 0 or greater, and the tensor takes less than 2^63 bytes.
 * - \b dimNb may be 0 only when the pointer mode is ::MLUOP_POINTER_MODE_HOST; the tensor then
 *   has one element.
 * - \b dimStride counts elements. Every stride is 0 or greater, and the extent of the buffer, 1
 *   + sum((size - 1) * stride) elements, stays below 2^63 bytes.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - Pointer mode, on-chip data type, position, scale and offset are kept. When the function
 *   fails, the descriptor is unchanged.
 * - More than MLUOP_DIM_MAX dimensions are accepted here; an operator may refuse them.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorEx_v2(mluOpTensorDescriptor_t desc,
                                                          mluOpTensorLayout_t layout,
                                                          mluOpDataType_t dtype, int dimNb,
                                                          const int64_t dimSize[],
                                                          const int64_t dimStride[]);

// Group: Tensor
/*!
 * @brief Changes only the dimensions of a descriptor; the tensor becomes contiguous, layout and
 * data type are kept.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[in] dimNb
 * The number of dimensions.
 * @param[in] dimSize
 * \b dimNb sizes, the slowest dimension first. May be NULL when \b dimNb is 0.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - Every size is 0 or greater, and the tensor takes less than 2^63 bytes.
 * - \b dimNb may be 0 only when the pointer mode is ::MLUOP_POINTER_MODE_HOST; the tensor then
 *   has one element.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - Pointer mode, on-chip data type, position, scale and offset are kept. When the function
 *   fails, the descriptor is unchanged.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t mluOpSetTensorDescriptorDim(mluOpTensorDescriptor_t desc, int dimNb,
                                          const int *dimSize);

// Group: Tensor
/*!
 * @brief Changes only the dimensions of a descriptor, with 64-bit sizes; the tensor becomes
 * contiguous, layout and data type are kept.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[in] dimNb
 * The number of dimensions.
 * @param[in] dimSize
 * \b dimNb sizes, the slowest dimension first. May be NULL when \b dimNb is 0.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - Every size is 0 or greater, and the tensor takes less than 2^63 bytes.
 * - \b dimNb may be 0 only when the pointer mode is ::MLUOP_POINTER_MODE_HOST; the tensor then
 *   has one element.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - Pointer mode, on-chip data type, position, scale and offset are kept. When the function
 *   fails, the descriptor is unchanged.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t mluOpSetTensorDescriptorDim_v2(mluOpTensorDescriptor_t desc, int dimNb,
                                             const int64_t *dimSize);

// Group: Tensor
/*!
 * @brief Describes \b desc_num contiguous tensors.
 *
 * @param[in,out] group_desc
 * An array of \b desc_num pointers to descriptors.
 * @param[in] group_layout
 * \b desc_num layouts.
 * @param[in] group_dtype
 * \b desc_num data types.
 * @param[in] group_dimNb
 * \b desc_num numbers of dimensions.
 * @param[in] group_dimSize
 * The sizes of all tensors, one tensor after the other.
 * @param[in] desc_num
 * The number of descriptors.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - \b desc_num is greater than 0.
 * - The limits of ::mluOpSetTensorDescriptor hold for each tensor.
 *
 * @par API Dependency
 * - ::mluOpCreateGroupTensorDescriptors.
 *
 * @par Note
 * - The first failure ends the call; the tensors before it are described, the others are
 *   unchanged.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetGroupTensorDescriptors(mluOpTensorDescriptor_t *group_desc[],
                                                           const mluOpTensorLayout_t group_layout[],
                                                           const mluOpDataType_t group_dtype[],
                                                           const int group_dimNb[],
                                                           const int group_dimSize[],
                                                           const int desc_num);

// Group: Tensor
/*!
 * @brief Describes \b desc_num contiguous tensors with 64-bit sizes.
 *
 * @param[in,out] group_desc
 * An array of \b desc_num pointers to descriptors.
 * @param[in] group_layout
 * \b desc_num layouts.
 * @param[in] group_dtype
 * \b desc_num data types.
 * @param[in] group_dimNb
 * \b desc_num numbers of dimensions.
 * @param[in] group_dimSize
 * The sizes of all tensors, one tensor after the other.
 * @param[in] desc_num
 * The number of descriptors.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - \b desc_num is greater than 0.
 * - The limits of ::mluOpSetTensorDescriptor_v2 hold for each tensor.
 *
 * @par API Dependency
 * - ::mluOpCreateGroupTensorDescriptors.
 *
 * @par Note
 * - The first failure ends the call; the tensors before it are described, the others are
 *   unchanged.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetGroupTensorDescriptors_v2(
    mluOpTensorDescriptor_t *group_desc[], const mluOpTensorLayout_t group_layout[],
    const mluOpDataType_t group_dtype[], const int group_dimNb[], const int64_t group_dimSize[],
    const int desc_num);

// Group: Tensor
/*!
 * @brief Puts a descriptor back into the state ::mluOpCreateTensorDescriptor leaves it in.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpResetTensorDescriptor(mluOpTensorDescriptor_t desc);

// Group: Tensor
/*!
 * @brief Returns layout, data type and dimensions of a descriptor.
 *
 * @param[in] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[out] layout
 * Receives the layout; may be NULL.
 * @param[out] dtype
 * Receives the data type; may be NULL.
 * @param[out] dimNb
 * Receives the number of dimensions; may be NULL.
 * @param[out] dimSize
 * Receives the sizes; has room for every dimension; may be NULL.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - A size that does not fit in an int gives ::MLUOP_STATUS_BAD_PARAM and nothing is written;
 *   use ::mluOpGetTensorDescriptor_v2 for such tensors.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptor(const mluOpTensorDescriptor_t desc,
                                                     mluOpTensorLayout_t *layout,
                                                     mluOpDataType_t *dtype, int *dimNb,
                                                     int dimSize[]);

// Group: Tensor
/*!
 * @brief Returns layout, data type and dimensions of a descriptor, 64-bit sizes.
 *
 * @param[in] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[out] layout
 * Receives the layout; may be NULL.
 * @param[out] dtype
 * Receives the data type; may be NULL.
 * @param[out] dimNb
 * Receives the number of dimensions; may be NULL.
 * @param[out] dimSize
 * Receives the sizes; has room for every dimension; may be NULL.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptor_v2(const mluOpTensorDescriptor_t desc,
                                                        mluOpTensorLayout_t *layout,
                                                        mluOpDataType_t *dtype, int *dimNb,
                                                        int64_t dimSize[]);

// Group: Tensor
/*!
 * @brief Returns layout, data type and dimensions with strides of a descriptor.
 *
 * @param[in] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[out] layout
 * Receives the layout.
 * @param[out] dtype
 * Receives the data type.
 * @param[out] dimNb
 * Receives the number of dimensions.
 * @param[out] dimSize
 * Receives the sizes; has room for every dimension.
 * @param[out] dimStride
 * Receives the strides; has room for every dimension.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - A size or stride that does not fit in an int gives ::MLUOP_STATUS_BAD_PARAM and nothing is
 *   written; use ::mluOpGetTensorDescriptorEx_v2 for such tensors.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorEx(const mluOpTensorDescriptor_t desc,
                                                       mluOpTensorLayout_t *layout,
                                                       mluOpDataType_t *dtype, int *dimNb,
                                                       int dimSize[], int dimStride[]);

// Group: Tensor
/*!
 * @brief Returns layout, data type and dimensions with strides of a descriptor, 64-bit sizes.
 *
 * @param[in] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[out] layout
 * Receives the layout.
 * @param[out] dtype
 * Receives the data type.
 * @param[out] dimNb
 * Receives the number of dimensions.
 * @param[out] dimSize
 * Receives the sizes; has room for every dimension.
 * @param[out] dimStride
 * Receives the strides; has room for every dimension.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorEx_v2(const mluOpTensorDescriptor_t desc,
                                                          mluOpTensorLayout_t *layout,
                                                          mluOpDataType_t *dtype, int *dimNb,
                                                          int64_t dimSize[], int64_t dimStride[]);

// Group: Tensor
/*!
 * @brief Returns the number of elements of a tensor: the product of its sizes.
 *
 * @param[in] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 *
 * @par Return
 * - The number of elements; 0 when \b desc is NULL (with an error line in the log).
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
size_t MLUOP_WIN_API mluOpGetTensorElementNum(const mluOpTensorDescriptor_t desc);

// Group: Tensor
/*!
 * @brief Sets the data type an operator computes with on the chip when it differs from the type
 * in memory.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[in] onchip_dtype
 * The data type; ::MLUOP_DTYPE_INVALID removes the setting.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorOnchipDataType(mluOpTensorDescriptor_t desc,
                                                                   mluOpDataType_t onchip_dtype);

// Group: Tensor
/*!
 * @brief Returns the on-chip data type of a tensor.
 *
 * @param[in] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[out] onchip_dtype
 * Receives the data type.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpSetTensorDescriptorOnchipDataType.
 *
 * @par Note
 * - When no on-chip data type was set, \b onchip_dtype becomes ::MLUOP_DTYPE_INVALID and the
 *   status is ::MLUOP_STATUS_BAD_PARAM.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorOnchipDataType(
    const mluOpTensorDescriptor_t desc, mluOpDataType_t *onchip_dtype);

// Group: Tensor
/*!
 * @brief Says where the data of a tensor lives. ::MLUOP_POINTER_MODE_HOST is meant for a scalar
 * (no dimensions) in host memory.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[in] pointer_mode
 * The mode, see ::mluOpPointerMode_t.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor; call it before the dimensions are set to none.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPointerMode(mluOpTensorDescriptor_t desc,
                                                                mluOpPointerMode_t pointer_mode);

// Group: Tensor
/*!
 * @brief Returns the pointer mode of a tensor.
 *
 * @param[in] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[out] pointer_mode
 * Receives the mode.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPointerMode(mluOpTensorDescriptor_t desc,
                                                                mluOpPointerMode_t *pointer_mode);

// Group: Tensor
/*!
 * @brief Sets the quantization position of a fixed-point tensor.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[in] position
 * The position.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - Quantization parameters that the function does not name are kept.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPosition(mluOpTensorDescriptor_t desc,
                                                             int position);

// Group: Tensor
/*!
 * @brief Returns the quantization position of a tensor.
 *
 * @param[in] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[out] position
 * Receives the position.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPosition(const mluOpTensorDescriptor_t desc,
                                                             int *position);

// Group: Tensor
/*!
 * @brief Sets quantization position and scale of a fixed-point tensor.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[in] position
 * The position.
 * @param[in] scale
 * The scale.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - Quantization parameters that the function does not name are kept.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPositionAndScale(mluOpTensorDescriptor_t desc,
                                                                     int position, float scale);

// Group: Tensor
/*!
 * @brief Returns quantization position and scale of a tensor.
 *
 * @param[in] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[out] position
 * Receives the position.
 * @param[out] scale
 * Receives the scale.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPositionAndScale(
    const mluOpTensorDescriptor_t desc, int *position, float *scale);

// Group: Tensor
/*!
 * @brief Sets quantization position, scale and offset of a fixed-point tensor.
 *
 * @param[in,out] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[in] position
 * The position.
 * @param[in] scale
 * The scale.
 * @param[in] offset
 * The offset.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPositionScaleAndOffset(
    mluOpTensorDescriptor_t desc, int position, float scale, int offset);

// Group: Tensor
/*!
 * @brief Returns quantization position, scale and offset of a tensor.
 *
 * @param[in] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 * @param[out] position
 * Receives the position.
 * @param[out] scale
 * Receives the scale.
 * @param[out] offset
 * Receives the offset.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPositionScaleAndOffset(
    const mluOpTensorDescriptor_t desc, int *position, float *scale, int *offset);

// Group: Tensor
/*!
 * @brief Releases a tensor descriptor.
 *
 * @param[in] desc
 * The tensor descriptor, see ::mluOpTensorDescriptor_t.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorDescriptor.
 *
 * @par Note
 * - A descriptor that was destroyed must not be used or destroyed again; that is not detected.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpDestroyTensorDescriptor(mluOpTensorDescriptor_t desc);

// Group: Tensor
/*!
 * @brief Releases \b desc_num tensor descriptors.
 *
 * @param[in] group_desc
 * An array of \b desc_num pointers to descriptors.
 * @param[in] desc_num
 * The number of descriptors.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - \b desc_num is greater than 0.
 *
 * @par API Dependency
 * - ::mluOpCreateGroupTensorDescriptors.
 *
 * @par Note
 * - A descriptor that was destroyed must not be used or destroyed again; that is not detected.
 * - When one of the descriptors is NULL, none is released.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API
mluOpDestroyGroupTensorDescriptors(mluOpTensorDescriptor_t *group_desc[], const int desc_num);

// Group: TensorSet
/*!
 * @brief Creates a tensor set: a grid of tensors whose data stand one after the other in one
 * buffer.
 *
 * @param[out] tensorSetDesc
 * Receives the tensor set.
 * @param[in] setDimNb
 * The number of dimensions of the grid.
 * @param[in] setDimSize
 * \b setDimNb sizes, the slowest dimension first.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - \b setDimNb and every size are greater than 0, and the number of members fits in an int.
 *
 * @par API Dependency
 * - Release it with ::mluOpDestroyTensorSetDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCreateTensorSetDescriptor(
    mluOpTensorSetDescriptor_t *tensorSetDesc, const int setDimNb, const int setDimSize[]);

// Group: TensorSet
/*!
 * @brief Returns the dimensions of a tensor set.
 *
 * @param[in] tensorSetDesc
 * The tensor set, see ::mluOpTensorSetDescriptor_t.
 * @param[out] setDimNb
 * Receives the number of dimensions.
 * @param[out] setDimSize
 * Receives the sizes; has room for every dimension.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorSetDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorSetDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc,
                                                        int *setDimNb, int setDimSize[]);

// Group: TensorSet
/*!
 * @brief Releases a tensor set and the descriptors of its members.
 *
 * @param[in] tensorSetDesc
 * The tensor set, see ::mluOpTensorSetDescriptor_t.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorSetDescriptor.
 *
 * @par Note
 * - A descriptor that was destroyed must not be used or destroyed again; that is not detected.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API
mluOpDestroyTensorSetDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc);

// Group: TensorSet
/*!
 * @brief Describes one member of a tensor set as a contiguous tensor.
 *
 * @param[in,out] tensorSetDesc
 * The tensor set, see ::mluOpTensorSetDescriptor_t.
 * @param[in] setDimNb
 * The number of dimensions of the set; must be the one the set was created with.
 * @param[in] tensorIndex
 * The position of the member, \b setDimNb numbers.
 * @param[in] layout
 * The layout, see ::mluOpTensorLayout_t.
 * @param[in] dtype
 * The data type, see ::mluOpDataType_t; ::MLUOP_DTYPE_INVALID is refused.
 * @param[in] dimNb
 * The number of dimensions.
 * @param[in] dimSize
 * \b dimNb sizes, the slowest dimension first. May be NULL when \b dimNb is 0.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - 0 <= tensorIndex[i] < setDimSize[i] for every i.
 * - The limits of ::mluOpSetTensorDescriptor.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorSetDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpInitTensorSetMemberDescriptor(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    mluOpTensorLayout_t layout, mluOpDataType_t dtype, const int dimNb, const int dimSize[]);

// Group: TensorSet
/*!
 * @brief Describes one member of a tensor set as a contiguous tensor with 64-bit sizes.
 *
 * @param[in,out] tensorSetDesc
 * The tensor set, see ::mluOpTensorSetDescriptor_t.
 * @param[in] setDimNb
 * The number of dimensions of the set; must be the one the set was created with.
 * @param[in] tensorIndex
 * The position of the member, \b setDimNb numbers.
 * @param[in] layout
 * The layout, see ::mluOpTensorLayout_t.
 * @param[in] dtype
 * The data type, see ::mluOpDataType_t; ::MLUOP_DTYPE_INVALID is refused.
 * @param[in] dimNb
 * The number of dimensions.
 * @param[in] dimSize
 * \b dimNb sizes, the slowest dimension first. May be NULL when \b dimNb is 0.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - 0 <= tensorIndex[i] < setDimSize[i] for every i.
 * - The limits of ::mluOpSetTensorDescriptor_v2.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorSetDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpInitTensorSetMemberDescriptor_v2(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    mluOpTensorLayout_t layout, mluOpDataType_t dtype, const int dimNb, const int64_t dimSize[]);

// Group: TensorSet
/*!
 * @brief Sets quantization position and scale of one member of a tensor set.
 *
 * @param[in,out] tensorSetDesc
 * The tensor set, see ::mluOpTensorSetDescriptor_t.
 * @param[in] setDimNb
 * The number of dimensions of the set; must be the one the set was created with.
 * @param[in] tensorIndex
 * The position of the member, \b setDimNb numbers.
 * @param[in] position
 * The position.
 * @param[in] scale
 * The scale.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - 0 <= tensorIndex[i] < setDimSize[i] for every i.
 *
 * @par API Dependency
 * - ::mluOpCreateTensorSetDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpInitTensorSetMemberDescriptorPositionAndScale(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    const int position, const float scale);

// Group: TensorSet
/*!
 * @brief Returns the number of bytes the members of a tensor set take together.
 *
 * @param[in] tensorSetDesc
 * The tensor set, see ::mluOpTensorSetDescriptor_t.
 * @param[out] sizeInBytes
 * Receives the number of bytes.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NUMERICAL_OVERFLOW
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpInitTensorSetMemberDescriptor for every member.
 *
 * @par Note
 * - ::MLUOP_STATUS_NUMERICAL_OVERFLOW when the number does not fit in an int; \b sizeInBytes is
 *   unchanged then.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API
mluOpGetTensorSetDescriptorSize(mluOpTensorSetDescriptor_t tensorSetDesc, int *sizeInBytes);

// Group: TensorSet
/*!
 * @brief Returns the descriptor and the address of one member of a tensor set. The address is
 * \b data plus the bytes of the members before it.
 *
 * @param[in] tensorSetDesc
 * The tensor set, see ::mluOpTensorSetDescriptor_t.
 * @param[in] setDimNb
 * The number of dimensions of the set; must be the one the set was created with.
 * @param[in] tensorIndex
 * The position of the member, \b setDimNb numbers.
 * @param[in] data
 * The address of the set's data in device memory.
 * @param[out] tensorDesc
 * Receives the descriptor, which stays the property of the set.
 * @param[out] dataAddrInDevice
 * Receives the address.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NUMERICAL_OVERFLOW
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - 0 <= tensorIndex[i] < setDimSize[i] for every i.
 *
 * @par API Dependency
 * - ::mluOpInitTensorSetMemberDescriptor for every member.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorAndDataFromTensorSet(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    void *data, mluOpTensorDescriptor_t *tensorDesc, void **dataAddrInDevice);

// Group: SeqData
/*!
 * @brief Creates a descriptor of sequence data: a batch of sequences of different lengths,
 * padded to the longest.
 *
 * @param[out] seq_data_desc
 * Receives the descriptor.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - Release it with ::mluOpDestroySeqDataDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCreateSeqDataDescriptor(mluOpSeqDataDescriptor_t *seq_data_desc);

// Group: SeqData
/*!
 * @brief Describes sequence data.
 *
 * @param[in,out] seq_data_desc
 * The descriptor, see ::mluOpSeqDataDescriptor_t.
 * @param[in] layout
 * The layout, see ::mluOpSeqDataLayout_t.
 * @param[in] dtype
 * The data type, see ::mluOpDataType_t; ::MLUOP_DTYPE_INVALID is refused.
 * @param[in] dimNb
 * The number of dimensions.
 * @param[in] dimSize
 * \b dimNb sizes in the order the layout names.
 * @param[in] seqLengthArraySize
 * The number of sequence lengths.
 * @param[in] seqLengthArray
 * The length of each sequence; may be NULL when there is none.
 * @param[in] paddingFill
 * The address of one element of type \b dtype in host memory that fills the padding; may be
 * NULL. The element is copied.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - \b dimNb is greater than 0; every size and every length is 0 or greater.
 *
 * @par API Dependency
 * - ::mluOpCreateSeqDataDescriptor.
 *
 * @par Note
 * - Quantization parameters are kept. When the function fails, the descriptor is unchanged.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetSeqDataDescriptor(mluOpSeqDataDescriptor_t seq_data_desc,
                                                      mluOpSeqDataLayout_t layout,
                                                      mluOpDataType_t dtype, int dimNb,
                                                      const int dimSize[], int seqLengthArraySize,
                                                      const int seqLengthArray[],
                                                      void *paddingFill);

// Group: SeqData
/*!
 * @brief Describes sequence data with 64-bit sizes.
 *
 * @param[in,out] seq_data_desc
 * The descriptor, see ::mluOpSeqDataDescriptor_t.
 * @param[in] layout
 * The layout, see ::mluOpSeqDataLayout_t.
 * @param[in] dtype
 * The data type, see ::mluOpDataType_t; ::MLUOP_DTYPE_INVALID is refused.
 * @param[in] dimNb
 * The number of dimensions.
 * @param[in] dimSize
 * \b dimNb sizes in the order the layout names.
 * @param[in] seqLengthArraySize
 * The number of sequence lengths.
 * @param[in] seqLengthArray
 * The length of each sequence; may be NULL when there is none.
 * @param[in] paddingFill
 * The address of one element of type \b dtype in host memory that fills the padding; may be
 * NULL. The element is copied.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - \b dimNb is greater than 0; every size and every length is 0 or greater.
 *
 * @par API Dependency
 * - ::mluOpCreateSeqDataDescriptor.
 *
 * @par Note
 * - Quantization parameters are kept. When the function fails, the descriptor is unchanged.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API
mluOpSetSeqDataDescriptor_v2(mluOpSeqDataDescriptor_t seq_data_desc, mluOpSeqDataLayout_t layout,
                             mluOpDataType_t dtype, int dimNb, const int64_t dimSize[],
                             int seqLengthArraySize, const int seqLengthArray[], void *paddingFill);

// Group: SeqData
/*!
 * @brief Returns what ::mluOpSetSeqDataDescriptor_v2 has set. Every receiving pointer may be
 * NULL.
 *
 * @param[in] seq_data_desc
 * The descriptor, see ::mluOpSeqDataDescriptor_t.
 * @param[out] layout
 * Receives the layout.
 * @param[out] dtype
 * Receives the data type.
 * @param[out] dimNb
 * Receives the number of dimensions.
 * @param[out] dimSize
 * Receives the sizes; has room for every dimension.
 * @param[out] seqLengthArraySize
 * Receives the number of sequence lengths.
 * @param[out] seqLengthArray
 * Receives the lengths; has room for all of them.
 * @param[out] paddingFill
 * Receives the fill element; unchanged when none was set.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateSeqDataDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetSeqDataDescriptor_v2(
    const mluOpSeqDataDescriptor_t seq_data_desc, mluOpSeqDataLayout_t *layout,
    mluOpDataType_t *dtype, int *dimNb, int64_t dimSize[], int64_t *seqLengthArraySize,
    int64_t seqLengthArray[], void *paddingFill);

// Group: SeqData
/*!
 * @brief Sets quantization position and scale of sequence data.
 *
 * @param[in,out] seq_data_desc
 * The descriptor, see ::mluOpSeqDataDescriptor_t.
 * @param[in] position
 * The position.
 * @param[in] scale
 * The scale.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateSeqDataDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetSeqDataDescriptorPositionAndScale(
    mluOpSeqDataDescriptor_t seq_data_desc, int position, float scale);

// Group: SeqData
/*!
 * @brief Returns quantization position and scale of sequence data.
 *
 * @param[in] seq_data_desc
 * The descriptor, see ::mluOpSeqDataDescriptor_t.
 * @param[out] position
 * Receives the position.
 * @param[out] scale
 * Receives the scale.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateSeqDataDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetSeqDataDescriptorPositionAndScale(
    const mluOpSeqDataDescriptor_t seq_data_desc, int *position, float *scale);

// Group: SeqData
/*!
 * @brief Sets the on-chip data type of sequence data.
 *
 * @param[in,out] seq_data_desc
 * The descriptor, see ::mluOpSeqDataDescriptor_t.
 * @param[in] onchip_dtype
 * The data type; ::MLUOP_DTYPE_INVALID removes the setting.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateSeqDataDescriptor.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetSeqDataDescriptorOnchipDataType(
    mluOpSeqDataDescriptor_t seq_data_desc, mluOpDataType_t onchip_dtype);

// Group: SeqData
/*!
 * @brief Returns the on-chip data type of sequence data.
 *
 * @param[in] seq_data_desc
 * The descriptor, see ::mluOpSeqDataDescriptor_t.
 * @param[out] onchip_dtype
 * Receives the data type.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpSetSeqDataDescriptorOnchipDataType.
 *
 * @par Note
 * - When none was set, \b onchip_dtype becomes ::MLUOP_DTYPE_INVALID and the status is
 *   ::MLUOP_STATUS_BAD_PARAM.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetSeqDataDescriptorOnchipDataType(
    const mluOpSeqDataDescriptor_t seq_data_desc, mluOpDataType_t *onchip_dtype);

// Group: SeqData
/*!
 * @brief Releases a descriptor of sequence data.
 *
 * @param[in] seq_data_desc
 * The descriptor, see ::mluOpSeqDataDescriptor_t.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - ::mluOpCreateSeqDataDescriptor.
 *
 * @par Note
 * - A descriptor that was destroyed must not be used or destroyed again; that is not detected.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpDestroySeqDataDescriptor(mluOpSeqDataDescriptor_t seq_data_desc);

// Group: Debugging
/*!
 * @brief Chooses how operator calls are recorded as test cases, for the whole process. 0: not
 * at all. 1: one file per call, data given as random numbers. 2: as 1, with real data where it
 * decides the result. 3: print the shapes only.
 *
 * @param[in] mode
 * The mode; a number outside 0 to 3 means 0.
 *
 * @par Return
 * - None.
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - Overrides the environment variable MLUOP_GEN_CASE.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
void MLUOP_WIN_API mluOpSetGenCaseMode(int mode);

// Group: Debugging
/*!
 * @brief Chooses the folder below which gen_case/ with the recorded calls is written, for the
 * whole process.
 *
 * @param[in] path
 * The folder; "{pid}" and "{deviceid}" in it are replaced by pid<number> and deviceid<number>.
 * It is made when needed.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - Overrides the environment variable MLUOP_GEN_CASE_DIR.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetGenCaseDirectory(const char *path);

// Group: Debugging
/*!
 * @brief Returns the folder below which recorded calls are written; the working directory when
 * none was chosen.
 *
 * @param[out] buffer
 * Receives the folder; when NULL, memory is allocated, which the caller releases with free().
 * @param[in] bufferSize
 * The bytes at \b buffer; not used when \b buffer is NULL.
 * @param[out] pathLen
 * Receives the length without the ending zero, 0 when the function fails; may be NULL.
 * @param[out] status
 * Receives ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM when \b buffer is too small, or
 * ::MLUOP_STATUS_ALLOC_FAILED; may be NULL.
 *
 * @par Return
 * - \b buffer, or the allocated memory, which is NULL when the allocation failed.
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
const char *MLUOP_WIN_API mluOpGetGenCaseDirectory(char *buffer, size_t bufferSize, size_t *pathLen,
                                                   mluOpStatus_t *status);

/******************************************************************************
 * Operators: one group per family, in the order of core/op_list.inc
 ******************************************************************************/

// Group: MoeDispatch
/*!
 * @brief Writes the rows of \b input, each multiplied by its gate, to the expert slots that
 * \b indices and \b locations name:
 * dispatch[indices[i] * capacity + locations[i]][j] = gates[i] * input[i][j].
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] gates_desc
 * Descriptor of \b gates. See ::mluOpTensorDescriptor_t.
 * @param[in] gates
 * Device pointer to the gate of each sample.
 * @param[in] indices_desc
 * Descriptor of \b indices. See ::mluOpTensorDescriptor_t.
 * @param[in] indices
 * Device pointer to the expert of each sample.
 * @param[in] locations_desc
 * Descriptor of \b locations. See ::mluOpTensorDescriptor_t.
 * @param[in] locations
 * Device pointer to the slot of each sample inside its expert.
 * @param[in] input_desc
 * Descriptor of \b input. See ::mluOpTensorDescriptor_t.
 * @param[in] input
 * Device pointer to the samples.
 * @param[in] samples
 * Number of samples.
 * @param[in] capacity
 * Number of slots of one expert.
 * @param[in] hidden
 * Number of elements of one sample.
 * @param[in] num_experts
 * Number of experts.
 * @param[in] dispatch_desc
 * Descriptor of \b dispatch. See ::mluOpTensorDescriptor_t.
 * @param[in,out] dispatch
 * Device pointer to the expert slots. Rows that no sample addresses keep their contents.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - gates, input, dispatch: all float, all half or all bfloat16. The product is rounded once.
 * - indices, locations: int32.
 *
 * @par Data Layout
 * - gates, indices, locations: [samples]; input: [samples, hidden];
 *   dispatch: [num_experts * capacity, hidden]. All are contiguous.
 *
 * @par Scale Limitation
 * - samples, capacity, hidden and num_experts are 0 or more and match the descriptors.
 * - No tensor has 2^31 elements or more.
 * - \b dispatch may be \b input where num_experts * capacity is samples, at most 524288. Then each
 *   addressed row becomes the product of a gate and what a row held before the call. They do not
 *   overlap otherwise.
 * - When a tensor has no elements, nothing is done and data pointers may be NULL.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - A sample whose index is not in [0, num_experts) or whose location is not in [0, capacity) is
 *   dropped. More samples than slots are allowed (MLU-OPS refuses them): capacity factors below 1
 *   need that.
 * - When several samples address one slot, the last one wins. The result does not depend on the
 *   number of tasks.
 * - \b dispatch is never cleared here, so several calls may fill one buffer (top-k routing).
 * - NaN and infinity follow IEEE 754; denormal numbers are kept.
 *
 * @par Example
 * @verbatim
 * samples 3, capacity 2, hidden 2, num_experts 2
 * gates     [0.5, 2, 1]      indices [1, 0, 1]      locations [0, 1, 1]
 * input     [[2, 4], [1, 3], [7, 9]]
 * dispatch  [[-, -], [2, 6], [1, 2], [7, 9]]        (- keeps its contents)
 * @endverbatim
 *
 * @par Reference
 * - https://github.com/microsoft/tutel/blob/v0.2.0/tutel/jit_kernels/sparse.py
 */
mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t gates_desc, const void *gates,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t locations_desc, const void *locations,
    const mluOpTensorDescriptor_t input_desc, const void *input, const int samples,
    const int capacity, const int hidden, const int num_experts,
    const mluOpTensorDescriptor_t dispatch_desc, void *dispatch);

// Group: MoeDispatch
/*!
 * @brief Gives each sample the row of \b dispatch it was sent to, multiplied by its gate:
 * grad_input[i][j] = gates[i] * dispatch[indices[i] * capacity + locations[i]][j]. This is the
 * gradient of ::mluOpMoeDispatchForward for its input, and at the same time what brings the results
 * of experts back to their samples.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] gates_desc
 * Descriptor of \b gates. See ::mluOpTensorDescriptor_t.
 * @param[in] gates
 * Device pointer to the gate of each sample.
 * @param[in] indices_desc
 * Descriptor of \b indices. See ::mluOpTensorDescriptor_t.
 * @param[in] indices
 * Device pointer to the expert of each sample.
 * @param[in] locations_desc
 * Descriptor of \b locations. See ::mluOpTensorDescriptor_t.
 * @param[in] locations
 * Device pointer to the slot of each sample inside its expert.
 * @param[in] dispatch_desc
 * Descriptor of \b dispatch. See ::mluOpTensorDescriptor_t.
 * @param[in] dispatch
 * Device pointer to the expert slots.
 * @param[in] samples
 * Number of samples.
 * @param[in] capacity
 * Number of slots of one expert.
 * @param[in] hidden
 * Number of elements of one sample.
 * @param[in] num_experts
 * Number of experts.
 * @param[in] grad_input_desc
 * Descriptor of \b grad_input. See ::mluOpTensorDescriptor_t.
 * @param[out] grad_input
 * Device pointer to the result, one row per sample. All of it is written.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - gates, dispatch, grad_input: all float, all half or all bfloat16. The product is rounded once.
 * - indices, locations: int32.
 *
 * @par Data Layout
 * - gates, indices, locations: [samples]; dispatch: [num_experts * capacity, hidden];
 *   grad_input: [samples, hidden]. All are contiguous.
 *
 * @par Scale Limitation
 * - samples, capacity, hidden and num_experts are 0 or more and match the descriptors.
 * - No tensor has 2^31 elements or more.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 * - When samples or hidden is 0, nothing is done. When capacity or num_experts is 0, \b grad_input
 *   is filled with 0. The other data pointers may be NULL then.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - A sample whose index is not in [0, num_experts) or whose location is not in [0, capacity) gets
 *   a row of 0.
 * - NaN and infinity follow IEEE 754; denormal numbers are kept.
 *
 * @par Example
 * @verbatim
 * samples 3, capacity 2, hidden 2, num_experts 2
 * gates       [0.5, 2, 1]      indices [1, 0, 2]      locations [0, 1, 1]
 * dispatch    [[1, 2], [3, 4], [5, 6], [7, 8]]
 * grad_input  [[2.5, 3], [6, 8], [0, 0]]
 * @endverbatim
 *
 * @par Reference
 * - https://github.com/microsoft/tutel/blob/v0.2.0/tutel/jit_kernels/sparse.py
 */
mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchBackwardData(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t gates_desc, const void *gates,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t locations_desc, const void *locations,
    const mluOpTensorDescriptor_t dispatch_desc, const void *dispatch, const int samples,
    const int capacity, const int hidden, const int num_experts,
    const mluOpTensorDescriptor_t grad_input_desc, void *grad_input);

// Group: MoeDispatch
/*!
 * @brief Gets the bytes of workspace that ::mluOpMoeDispatchBackwardGate needs.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] input_desc
 * Descriptor of \b input. See ::mluOpTensorDescriptor_t.
 * @param[out] workspace_size
 * Host pointer to the number of bytes; 0 when no workspace is needed.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH
 *
 * @par Data Type
 * - input: float, half or bfloat16.
 *
 * @par Data Layout
 * - input: [samples, hidden], contiguous.
 *
 * @par Scale Limitation
 * - The limits of \b input in ::mluOpMoeDispatchBackwardGate.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetMoeDispatchBackwardGateWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, size_t *workspace_size);

// Group: MoeDispatch
/*!
 * @brief Computes the gradient of ::mluOpMoeDispatchForward for its gates: the product sum of a
 * sample and the row of \b dispatch it was sent to,
 * grad_gates[i] = sum over j of dispatch[indices[i] * capacity + locations[i]][j] * input[i][j].
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] indices_desc
 * Descriptor of \b indices. See ::mluOpTensorDescriptor_t.
 * @param[in] indices
 * Device pointer to the expert of each sample.
 * @param[in] locations_desc
 * Descriptor of \b locations. See ::mluOpTensorDescriptor_t.
 * @param[in] locations
 * Device pointer to the slot of each sample inside its expert.
 * @param[in] input_desc
 * Descriptor of \b input. See ::mluOpTensorDescriptor_t.
 * @param[in] input
 * Device pointer to the samples.
 * @param[in] dispatch_desc
 * Descriptor of \b dispatch. See ::mluOpTensorDescriptor_t.
 * @param[in] dispatch
 * Device pointer to the gradients of the expert slots.
 * @param[in] samples
 * Number of samples.
 * @param[in] capacity
 * Number of slots of one expert.
 * @param[in] hidden
 * Number of elements of one sample.
 * @param[in] num_experts
 * Number of experts.
 * @param[in] workspace
 * Device pointer to extra memory. May be NULL when none is needed.
 * @param[in] workspace_size
 * Bytes of \b workspace, at least what ::mluOpGetMoeDispatchBackwardGateWorkspaceSize gives.
 * @param[in] grad_gates_desc
 * Descriptor of \b grad_gates. See ::mluOpTensorDescriptor_t.
 * @param[out] grad_gates
 * Device pointer to the result, one number per sample.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - input, dispatch, grad_gates: all float, all half or all bfloat16. Products and sums are float;
 *   the sum is rounded once.
 * - indices, locations: int32.
 *
 * @par Data Layout
 * - indices, locations, grad_gates: [samples]; input: [samples, hidden];
 *   dispatch: [num_experts * capacity, hidden]. All are contiguous.
 *
 * @par Scale Limitation
 * - samples, capacity, hidden and num_experts are 0 or more and match the descriptors.
 * - No tensor has 2^31 elements or more.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 * - When samples is 0, nothing is done. When hidden, capacity or num_experts is 0, \b grad_gates is
 *   filled with 0. The other data pointers may be NULL then.
 *
 * @par API Dependency
 * - ::mluOpGetMoeDispatchBackwardGateWorkspaceSize
 *
 * @par Note
 * - A sample whose index is not in [0, num_experts) or whose location is not in [0, capacity) gets
 *   0.
 * - The order of the sum is fixed by \b hidden: the bits do not depend on the number of tasks.
 * - NaN and infinity follow IEEE 754.
 *
 * @par Example
 * @verbatim
 * samples 3, capacity 2, hidden 2, num_experts 2
 * indices     [1, 0, 2]        locations [0, 1, 1]
 * input       [[2, 4], [1, 3], [7, 9]]
 * dispatch    [[1, 2], [3, 4], [5, 6], [7, 8]]
 * grad_gates  [34, 15, 0]
 * @endverbatim
 *
 * @par Reference
 * - https://github.com/microsoft/tutel/blob/v0.2.0/tutel/jit_kernels/sparse.py
 */
mluOpStatus_t MLUOP_WIN_API mluOpMoeDispatchBackwardGate(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t locations_desc, const void *locations,
    const mluOpTensorDescriptor_t input_desc, const void *input,
    const mluOpTensorDescriptor_t dispatch_desc, const void *dispatch, const int samples,
    const int capacity, const int hidden, const int num_experts, void *workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t grad_gates_desc, void *grad_gates);

// Group: MoeTokenPermuteWithRoutingMap
/*!
 * @brief Gets the bytes of workspace that ::mluOpMoeTokenPermuteWithRoutingMap and
 * ::mluOpMoeTokenPermuteWithRoutingMap_v2 need.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] routing_map_desc
 * Descriptor of \b routing_map. See ::mluOpTensorDescriptor_t.
 * @param[out] workspace_size
 * Host pointer to the number of bytes; 0 when no workspace is needed.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH
 *
 * @par Data Type
 * - routing_map: int8 or bool.
 *
 * @par Data Layout
 * - routing_map: [tokens_num, num_experts], contiguous.
 *
 * @par Scale Limitation
 * - The limits of \b routing_map in ::mluOpMoeTokenPermuteWithRoutingMap.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t routing_map_desc, size_t *workspace_size);

// Group: MoeTokenPermuteWithRoutingMap
/*!
 * @brief Copies the rows of \b tokens into the order of the experts that \b routing_map selects for
 * them. There are two modes, and \b sorted_indices MEANS DIFFERENT THINGS in them.
 *
 * Without \b drop_and_pad, for the experts ascending and their selected tokens ascending, the next
 * row of the output is the token's row. sorted_indices[token * topK + slot] IS THE ROW of the
 * token's slot-th selected expert: the map goes from (token, slot) to row. -1: the slot is not
 * used.
 *
 * With \b drop_and_pad, every expert has \b capacity rows: its selected tokens ascending, then,
 * when there are fewer, the tokens it did not select, ascending; what does not fit is dropped.
 * sorted_indices[row] IS THE TOKEN: the map goes from row to token.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] tokens_desc
 * Descriptor of \b tokens. See ::mluOpTensorDescriptor_t.
 * @param[in] tokens
 * Device pointer to the tokens.
 * @param[in] routing_map_desc
 * Descriptor of \b routing_map. See ::mluOpTensorDescriptor_t.
 * @param[in] routing_map
 * Device pointer to the map: not 0 where a token selects an expert.
 * @param[in] probs_desc
 * Descriptor of \b probs, or NULL when there are none. See ::mluOpTensorDescriptor_t.
 * @param[in] probs
 * Device pointer to the probability of each token and expert, or NULL.
 * @param[in] num_out_tokens
 * Wanted number of rows. Without \b drop_and_pad, topK = num_out_tokens / tokens_num and there are
 * topK * tokens_num rows; with it, capacity = num_out_tokens / num_experts and there are
 * capacity * num_experts rows. Divisions round down.
 * @param[in] drop_and_pad
 * The mode.
 * @param[in] workspace
 * Device pointer to extra memory. May be NULL when none is needed.
 * @param[in] workspace_size
 * Bytes of \b workspace, at least what ::mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize gives.
 * @param[in] permuted_tokens_desc
 * Descriptor of \b permuted_tokens. See ::mluOpTensorDescriptor_t.
 * @param[out] permuted_tokens
 * Device pointer to the permuted rows.
 * @param[in] permuted_probs_desc
 * Descriptor of \b permuted_probs; given if and only if \b probs_desc is. See
 * ::mluOpTensorDescriptor_t.
 * @param[out] permuted_probs
 * Device pointer to the probability of each row's token and expert.
 * @param[in] sorted_indices_desc
 * Descriptor of \b sorted_indices. See ::mluOpTensorDescriptor_t.
 * @param[out] sorted_indices
 * Device pointer to the map between tokens and rows described above.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - tokens, permuted_tokens: both float, half or bfloat16.
 * - routing_map: int8 or bool.
 * - probs, permuted_probs: the type of tokens, or float beside tokens of bfloat16.
 * - sorted_indices: int32.
 *
 * @par Data Layout
 * - tokens: [tokens_num, hidden]; routing_map, probs: [tokens_num, num_experts];
 *   permuted_tokens: [rows, hidden]; permuted_probs, sorted_indices: [rows]. All are contiguous.
 *
 * @par Scale Limitation
 * - 0 <= num_out_tokens <= tokens_num * num_experts.
 * - tokens_num and num_experts are less than 16777215; there are fewer than 2^31 rows. topK is at
 *   most 512. Tensors may have 2^31 elements and more.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 * - When \b tokens or \b routing_map has no elements or there are no rows, nothing is written and
 *   data pointers may be NULL.
 *
 * @par API Dependency
 * - ::mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize
 *
 * @par Note
 * - Without \b drop_and_pad a token is expected to select topK experts. When it selects more, only
 *   its first topK, by expert number, count: there is never a row too many. When it selects fewer,
 *   its unused slots are -1, and the rows (and probs) left over at the end of the output are 0.
 * - With \b drop_and_pad the rows that fill up an expert are real tokens with their real probs.
 * - Values are copied bit by bit. The result does not depend on the number of tasks.
 *
 * @par Example
 * @verbatim
 * drop_and_pad false, 3 tokens, 4 experts, num_out_tokens 6 (topK 2)
 * routing_map     [[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]]
 * tokens of rows  [0, 2, 1, 0, 1, 2]
 * sorted_indices  [0, 3, 2, 4, 1, 5]
 *
 * drop_and_pad true, 4 tokens, 2 experts, num_out_tokens 6 (capacity 3)
 * routing_map     [[0, 1], [1, 0], [0, 0], [0, 1]]
 * sorted_indices  [1, 0, 2, 0, 3, 1]
 * @endverbatim
 *
 * @par Reference
 * - https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/transformer/moe/moe_utils.py
 */
mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenPermuteWithRoutingMap(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t tokens_desc, const void *tokens,
    const mluOpTensorDescriptor_t routing_map_desc, const void *routing_map,
    const mluOpTensorDescriptor_t probs_desc, const void *probs, const int64_t num_out_tokens,
    const bool drop_and_pad, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t permuted_tokens_desc, void *permuted_tokens,
    const mluOpTensorDescriptor_t permuted_probs_desc, void *permuted_probs,
    const mluOpTensorDescriptor_t sorted_indices_desc, void *sorted_indices);

// Group: MoeTokenPermuteWithRoutingMap
/*!
 * @brief Does what ::mluOpMoeTokenPermuteWithRoutingMap does and counts the tokens of each expert.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] tokens_desc
 * As in ::mluOpMoeTokenPermuteWithRoutingMap, like all parameters up to \b sorted_indices.
 * @param[in] tokens
 * Device pointer to the tokens.
 * @param[in] routing_map_desc
 * Descriptor of \b routing_map. See ::mluOpTensorDescriptor_t.
 * @param[in] routing_map
 * Device pointer to the map.
 * @param[in] probs_desc
 * Descriptor of \b probs, or NULL. See ::mluOpTensorDescriptor_t.
 * @param[in] probs
 * Device pointer to the probabilities, or NULL.
 * @param[in] num_out_tokens
 * Wanted number of rows.
 * @param[in] drop_and_pad
 * The mode.
 * @param[in] workspace
 * Device pointer to extra memory.
 * @param[in] workspace_size
 * Bytes of \b workspace.
 * @param[in] permuted_tokens_desc
 * Descriptor of \b permuted_tokens. See ::mluOpTensorDescriptor_t.
 * @param[out] permuted_tokens
 * Device pointer to the permuted rows.
 * @param[in] permuted_probs_desc
 * Descriptor of \b permuted_probs, or NULL. See ::mluOpTensorDescriptor_t.
 * @param[out] permuted_probs
 * Device pointer to the probabilities of the rows, or NULL.
 * @param[in] sorted_indices_desc
 * Descriptor of \b sorted_indices. See ::mluOpTensorDescriptor_t.
 * @param[out] sorted_indices
 * Device pointer to the map between tokens and rows.
 * @param[in] tokens_per_expert_desc
 * Descriptor of \b tokens_per_expert, or NULL when it is not wanted. See
 * ::mluOpTensorDescriptor_t.
 * @param[out] tokens_per_expert
 * Device pointer to the number of rows each expert has, or NULL. With \b drop_and_pad only rows of
 * selected tokens count, so a number is at most the capacity. Without it the numbers add up to the
 * rows that are used.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - tokens_per_expert: int32 or int64; others as in ::mluOpMoeTokenPermuteWithRoutingMap.
 *
 * @par Data Layout
 * - tokens_per_expert: [num_experts]; others as in ::mluOpMoeTokenPermuteWithRoutingMap.
 *
 * @par Scale Limitation
 * - As in ::mluOpMoeTokenPermuteWithRoutingMap.
 *
 * @par API Dependency
 * - ::mluOpGetMoeTokenPermuteWithRoutingMapWorkspaceSize
 *
 * @par Note
 * - When there is nothing to permute, \b tokens_per_expert is filled with 0.
 *
 * @par Example
 * @verbatim
 * drop_and_pad false, 3 tokens, 4 experts, num_out_tokens 6
 * routing_map        [[1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1]]
 * tokens_per_expert  [2, 1, 2, 1]
 * @endverbatim
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenPermuteWithRoutingMap_v2(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t tokens_desc, const void *tokens,
    const mluOpTensorDescriptor_t routing_map_desc, const void *routing_map,
    const mluOpTensorDescriptor_t probs_desc, const void *probs, const int64_t num_out_tokens,
    const bool drop_and_pad, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t permuted_tokens_desc, void *permuted_tokens,
    const mluOpTensorDescriptor_t permuted_probs_desc, void *permuted_probs,
    const mluOpTensorDescriptor_t sorted_indices_desc, void *sorted_indices,
    const mluOpTensorDescriptor_t tokens_per_expert_desc, void *tokens_per_expert);

// Group: MoeTokenUnpermuteWithRoutingMap
/*!
 * @brief Gets the bytes of workspace that ::mluOpMoeTokenUnpermuteWithRoutingMap needs.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] sorted_indices_desc
 * Descriptor of \b sorted_indices. See ::mluOpTensorDescriptor_t.
 * @param[in] drop_and_pad
 * The mode.
 * @param[out] workspace_size
 * Host pointer to the number of bytes; 0 when no workspace is needed.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH
 *
 * @par Data Type
 * - sorted_indices: int32.
 *
 * @par Data Layout
 * - sorted_indices: one dimension, contiguous.
 *
 * @par Scale Limitation
 * - \b sorted_indices has fewer than 2^31 elements.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetMoeTokenUnpermuteWithRoutingMapWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t sorted_indices_desc,
    const bool drop_and_pad, size_t *workspace_size);

// Group: MoeTokenUnpermuteWithRoutingMap
/*!
 * @brief Puts permuted rows back to their tokens: a token becomes the sum of its rows, each times
 * its weight. The weight of a row is the \b probs element of its token and expert, or 1 without
 * \b probs.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] permuted_tokens_desc
 * Descriptor of \b permuted_tokens. See ::mluOpTensorDescriptor_t.
 * @param[in] permuted_tokens
 * Device pointer to the permuted rows.
 * @param[in] sorted_indices_desc
 * Descriptor of \b sorted_indices. See ::mluOpTensorDescriptor_t.
 * @param[in] sorted_indices
 * Device pointer to what ::mluOpMoeTokenPermuteWithRoutingMap gave in the same mode.
 * @param[in] routing_map_desc
 * Descriptor of \b routing_map. See ::mluOpTensorDescriptor_t.
 * @param[in] routing_map
 * Device pointer to the map: not 0 where a token selects an expert.
 * @param[in] probs_desc
 * Descriptor of \b probs, or NULL when there are no weights. See ::mluOpTensorDescriptor_t.
 * @param[in] probs
 * Device pointer to the weight of each token and expert, or NULL.
 * @param[in] drop_and_pad
 * The mode of the permutation.
 * @param[in] workspace
 * Device pointer to extra memory. May be NULL when none is needed.
 * @param[in] workspace_size
 * Bytes of \b workspace, at least what
 * ::mluOpGetMoeTokenUnpermuteWithRoutingMapWorkspaceSize gives.
 * @param[in] unpermuted_tokens_desc
 * Descriptor of \b unpermuted_tokens. See ::mluOpTensorDescriptor_t.
 * @param[out] unpermuted_tokens
 * Device pointer to the tokens. All of it is written.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - permuted_tokens, unpermuted_tokens: both float, half or bfloat16. Products and sums are float;
 *   the sum is rounded once.
 * - sorted_indices: int32. routing_map: int8 or bool.
 * - probs: the type of tokens, or float beside tokens of bfloat16.
 *
 * @par Data Layout
 * - permuted_tokens: [rows, hidden]; sorted_indices: [rows]; routing_map, probs: [tokens_num,
 *   num_experts]; unpermuted_tokens: [tokens_num, hidden]. All are contiguous.
 *
 * @par Scale Limitation
 * - rows is topK * tokens_num with topK at most num_experts and 512, or, with \b drop_and_pad,
 *   capacity * num_experts with capacity at most tokens_num. It is less than 2^31.
 * - tokens_num and num_experts are less than 16777215. Tensors may have 2^31 elements and more.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 * - When \b unpermuted_tokens has no elements, nothing is done. When there are no rows, it is
 * filled with 0. The other data pointers may be NULL then.
 *
 * @par API Dependency
 * - ::mluOpGetMoeTokenUnpermuteWithRoutingMapWorkspaceSize
 *
 * @par Note
 * - Rows are added in the order of a token's slots or, with \b drop_and_pad, in ascending order.
 * The bits do not depend on the number of tasks.
 * - Numbers in \b sorted_indices that are no row (no token with \b drop_and_pad) are skipped, -1
 *   among them. With \b probs, a slot beyond the experts that the token selects is skipped too.
 * - A token without rows becomes 0. NaN and infinity follow IEEE 754.
 *
 * @par Example
 * @verbatim
 * drop_and_pad false, 2 tokens, 2 experts, 4 rows, hidden 1
 * permuted_tokens    [[1], [2], [3], [4]]      sorted_indices [0, 2, 1, 3]
 * probs              [[0.5, 0.5], [1, 0.25]]   routing_map all 1
 * unpermuted_tokens  [[2], [3]]
 * @endverbatim
 *
 * @par Reference
 * - https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/transformer/moe/moe_utils.py
 */
mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenUnpermuteWithRoutingMap(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t permuted_tokens_desc,
    const void *permuted_tokens, const mluOpTensorDescriptor_t sorted_indices_desc,
    const void *sorted_indices, const mluOpTensorDescriptor_t routing_map_desc,
    const void *routing_map, const mluOpTensorDescriptor_t probs_desc, const void *probs,
    const bool drop_and_pad, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t unpermuted_tokens_desc, void *unpermuted_tokens);

// Group: MoeTokenPermuteWithRoutingMapGrad
/*!
 * @brief Gets the bytes of workspace that ::mluOpMoeTokenPermuteWithRoutingMapGrad needs.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] sorted_indices_desc
 * Descriptor of \b sorted_indices. See ::mluOpTensorDescriptor_t.
 * @param[in] drop_and_pad
 * The mode.
 * @param[out] workspace_size
 * Host pointer to the number of bytes; 0 when no workspace is needed.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH
 *
 * @par Data Type
 * - sorted_indices: int32.
 *
 * @par Data Layout
 * - sorted_indices: one dimension, contiguous.
 *
 * @par Scale Limitation
 * - \b sorted_indices has fewer than 2^31 elements.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetMoeTokenPermuteWithRoutingMapGradWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t sorted_indices_desc,
    const bool drop_and_pad, size_t *workspace_size);

// Group: MoeTokenPermuteWithRoutingMapGrad
/*!
 * @brief Computes the gradients of ::mluOpMoeTokenPermuteWithRoutingMap: a token's is the sum of
 * those of its rows, a prob's is that of the permuted prob it was copied to.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] permuted_tokens_grad_desc
 * Descriptor of \b permuted_tokens_grad. See ::mluOpTensorDescriptor_t.
 * @param[in] permuted_tokens_grad
 * Device pointer to the gradients of the permuted rows.
 * @param[in] permuted_probs_grad_desc
 * Descriptor of \b permuted_probs_grad, or NULL. See ::mluOpTensorDescriptor_t.
 * @param[in] permuted_probs_grad
 * Device pointer to the gradients of the permuted probs, or NULL.
 * @param[in] sorted_indices_desc
 * Descriptor of \b sorted_indices. See ::mluOpTensorDescriptor_t.
 * @param[in] sorted_indices
 * Device pointer to what ::mluOpMoeTokenPermuteWithRoutingMap gave in the same mode.
 * @param[in] routing_map_desc
 * Descriptor of \b routing_map. See ::mluOpTensorDescriptor_t.
 * @param[in] routing_map
 * Device pointer to the map: not 0 where a token selects an expert.
 * @param[in] drop_and_pad
 * The mode of the permutation.
 * @param[in] workspace
 * Device pointer to extra memory. May be NULL when none is needed.
 * @param[in] workspace_size
 * Bytes of \b workspace, at least what
 * ::mluOpGetMoeTokenPermuteWithRoutingMapGradWorkspaceSize gives.
 * @param[in] tokens_grad_desc
 * Descriptor of \b tokens_grad. See ::mluOpTensorDescriptor_t.
 * @param[out] tokens_grad
 * Device pointer to the gradients of the tokens. All of it is written.
 * @param[in] probs_grad_desc
 * Descriptor of \b probs_grad; given if and only if \b permuted_probs_grad_desc is. See
 * ::mluOpTensorDescriptor_t.
 * @param[out] probs_grad
 * Device pointer to the gradients of the probs, or NULL. All of it is written.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - permuted_tokens_grad, tokens_grad: both float, half or bfloat16. Sums are float and rounded
 * once.
 * - permuted_probs_grad, probs_grad: the type of tokens_grad, or float beside bfloat16.
 * - sorted_indices: int32. routing_map: int8 or bool.
 *
 * @par Data Layout
 * - permuted_tokens_grad: [rows, hidden]; permuted_probs_grad, sorted_indices: [rows]; routing_map,
 *   probs_grad: [tokens_num, num_experts]; tokens_grad: [tokens_num, hidden]. All are contiguous.
 *
 * @par Scale Limitation
 * - As in ::mluOpMoeTokenUnpermuteWithRoutingMap.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 * - When \b tokens_grad or \b routing_map has no elements, nothing is done. When there are no rows,
 *   the outputs are filled with 0. The other data pointers may be NULL then.
 *
 * @par API Dependency
 * - ::mluOpGetMoeTokenPermuteWithRoutingMapGradWorkspaceSize
 *
 * @par Note
 * - Gradients are added in the order of a token's slots or, with \b drop_and_pad, of the rows. The
 *   bits do not depend on the number of tasks.
 * - Numbers in \b sorted_indices that are no row (no token with \b drop_and_pad) are skipped.
 * - The gradient of a prob that was not copied is 0; of one that was copied to several rows, that
 * of the last row.
 *
 * @par Example
 * @verbatim
 * drop_and_pad false, 2 tokens, 2 experts, 2 rows, hidden 1
 * permuted_tokens_grad [[1], [2]]     permuted_probs_grad [5, 6]
 * routing_map [[0, 1], [1, 0]]        sorted_indices [1, 0]
 * tokens_grad [[2], [1]]              probs_grad [[0, 6], [5, 0]]
 * @endverbatim
 *
 * @par Reference
 * - https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/transformer/moe/moe_utils.py
 */
mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenPermuteWithRoutingMapGrad(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t permuted_tokens_grad_desc,
    const void *permuted_tokens_grad, const mluOpTensorDescriptor_t permuted_probs_grad_desc,
    const void *permuted_probs_grad, const mluOpTensorDescriptor_t sorted_indices_desc,
    const void *sorted_indices, const mluOpTensorDescriptor_t routing_map_desc,
    const void *routing_map, const bool drop_and_pad, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t tokens_grad_desc, void *tokens_grad,
    const mluOpTensorDescriptor_t probs_grad_desc, void *probs_grad);

// Group: MoeTokenUnpermuteWithRoutingMapGrad
/*!
 * @brief Gets the bytes of workspace that ::mluOpMoeTokenUnpermuteWithRoutingMapGrad needs.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] sorted_indices_desc
 * Descriptor of \b sorted_indices. See ::mluOpTensorDescriptor_t.
 * @param[in] drop_and_pad
 * The mode.
 * @param[out] workspace_size
 * Host pointer to the number of bytes; 0 when no workspace is needed.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH
 *
 * @par Data Type
 * - sorted_indices: int32.
 *
 * @par Data Layout
 * - sorted_indices: one dimension, contiguous.
 *
 * @par Scale Limitation
 * - \b sorted_indices has fewer than 2^31 elements.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t sorted_indices_desc,
    const bool drop_and_pad, size_t *workspace_size);

// Group: MoeTokenUnpermuteWithRoutingMapGrad
/*!
 * @brief Computes the gradients of ::mluOpMoeTokenUnpermuteWithRoutingMap: a row's is that of its
 * token times the row's weight; a prob's is the product sum of its token's gradient and its row.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] unpermuted_tokens_grad_desc
 * Descriptor of \b unpermuted_tokens_grad. See ::mluOpTensorDescriptor_t.
 * @param[in] unpermuted_tokens_grad
 * Device pointer to the gradients of the tokens.
 * @param[in] permuted_tokens_desc
 * Descriptor of \b permuted_tokens; given if and only if \b probs_desc is. See
 * ::mluOpTensorDescriptor_t.
 * @param[in] permuted_tokens
 * Device pointer to the permuted rows, or NULL.
 * @param[in] sorted_indices_desc
 * Descriptor of \b sorted_indices. See ::mluOpTensorDescriptor_t.
 * @param[in] sorted_indices
 * Device pointer to what ::mluOpMoeTokenPermuteWithRoutingMap gave in the same mode.
 * @param[in] routing_map_desc
 * Descriptor of \b routing_map. See ::mluOpTensorDescriptor_t.
 * @param[in] routing_map
 * Device pointer to the map: not 0 where a token selects an expert.
 * @param[in] probs_desc
 * Descriptor of \b probs, or NULL when there are no weights. See ::mluOpTensorDescriptor_t.
 * @param[in] probs
 * Device pointer to the weight of each token and expert, or NULL.
 * @param[in] drop_and_pad
 * The mode of the permutation.
 * @param[in] workspace
 * Device pointer to extra memory. May be NULL when none is needed.
 * @param[in] workspace_size
 * Bytes of \b workspace, at least what
 * ::mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize gives.
 * @param[in] permuted_tokens_grad_desc
 * Descriptor of \b permuted_tokens_grad. See ::mluOpTensorDescriptor_t.
 * @param[out] permuted_tokens_grad
 * Device pointer to the gradients of the rows. All of it is written.
 * @param[in] probs_grad_desc
 * Descriptor of \b probs_grad; given if and only if \b probs_desc is. See
 * ::mluOpTensorDescriptor_t.
 * @param[out] probs_grad
 * Device pointer to the gradients of the probs, or NULL. All of it is written.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - unpermuted_tokens_grad, permuted_tokens, permuted_tokens_grad: all float, half or bfloat16.
 *   Products and sums are float; results are rounded once.
 * - probs, probs_grad: the type of tokens, or float beside tokens of bfloat16.
 * - sorted_indices: int32. routing_map: int8 or bool.
 *
 * @par Data Layout
 * - unpermuted_tokens_grad: [tokens_num, hidden]; permuted_tokens, permuted_tokens_grad: [rows,
 *   hidden]; sorted_indices: [rows]; routing_map, probs, probs_grad: [tokens_num, num_experts]. All
 *   are contiguous.
 *
 * @par Scale Limitation
 * - As in ::mluOpMoeTokenUnpermuteWithRoutingMap.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 * - When \b unpermuted_tokens_grad or \b routing_map has no elements, nothing is done. When there
 *   are no rows, \b probs_grad is filled with 0. The other data pointers may be NULL then.
 *
 * @par API Dependency
 * - ::mluOpGetMoeTokenUnpermuteWithRoutingMapGradWorkspaceSize
 *
 * @par Note
 * - The order of a product sum is fixed by hidden: the bits do not depend on the number of tasks.
 * - Rows that no token uses become 0. Numbers in \b sorted_indices that are no row (no token with
 *   \b drop_and_pad) are skipped. When a row is named twice, the last one of
 *   sorted_indices decides, even where its slot is beyond the experts of its token.
 * - The gradient of a prob that is the weight of no row is 0; of several rows, that of the last
 * one.
 *
 * @par Example
 * @verbatim
 * drop_and_pad false, 2 tokens, 2 experts, 2 rows, hidden 1
 * unpermuted_tokens_grad [[3], [4]]   permuted_tokens [[5], [6]]   sorted_indices [1, 0]
 * routing_map [[0, 1], [1, 0]]        probs [[0, 0.5], [2, 0]]
 * permuted_tokens_grad [[8], [1.5]]   probs_grad [[0, 18], [20, 0]]
 * @endverbatim
 *
 * @par Reference
 * - https://github.com/NVIDIA/Megatron-LM/blob/main/megatron/core/transformer/moe/moe_utils.py
 */
mluOpStatus_t MLUOP_WIN_API mluOpMoeTokenUnpermuteWithRoutingMapGrad(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t unpermuted_tokens_grad_desc,
    const void *unpermuted_tokens_grad, const mluOpTensorDescriptor_t permuted_tokens_desc,
    const void *permuted_tokens, const mluOpTensorDescriptor_t sorted_indices_desc,
    const void *sorted_indices, const mluOpTensorDescriptor_t routing_map_desc,
    const void *routing_map, const mluOpTensorDescriptor_t probs_desc, const void *probs,
    const bool drop_and_pad, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t permuted_tokens_grad_desc, void *permuted_tokens_grad,
    const mluOpTensorDescriptor_t probs_grad_desc, void *probs_grad);

// Group: GatherInUb
/*!
 * @brief Copies the rows of a paged cache that \b indices name, in their order, through the block
 * table of one request: with id = indices[0][j],
 * output[j] = param[block_table[0][id / block_size] * block_size + id % block_size].
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] param_desc
 * Descriptor of \b param. See ::mluOpTensorDescriptor_t.
 * @param[in] param
 * Device pointer to the cache, block after block.
 * @param[in] indices_desc
 * Descriptor of \b indices. See ::mluOpTensorDescriptor_t.
 * @param[in] indices
 * Device pointer to the ids of the wanted rows inside the request.
 * @param[in] block_table_desc
 * Descriptor of \b block_table. See ::mluOpTensorDescriptor_t.
 * @param[in] block_table
 * Device pointer to the physical block of each logical block.
 * @param[in] block_size
 * Number of rows in a block.
 * @param[in] axis
 * The axis of \b param that is gathered; -2.
 * @param[in] output_desc
 * Descriptor of \b output. See ::mluOpTensorDescriptor_t.
 * @param[out] output
 * Device pointer to the gathered rows.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - param, output: both float, half, bfloat16, int8 or uint8. Elements are moved, not computed, so
 *   rows of uint8 may hold packed records.
 * - indices, block_table: int32.
 *
 * @par Data Layout
 * - param: [token_size, hidden_dim], the rows may lie apart (a stride of hidden_dim or more between
 *   them); indices: [1, k]; block_table: [1, block_table_size]; output: [k, hidden_dim]. All but
 *   param are contiguous.
 *
 * @par Scale Limitation
 * - No tensor is empty, unlike in other operators: the empty case is refused.
 * - block_size is 1 or more, axis is -2.
 * - block_table_size is less than 2^30. param and output may have 2^31 elements and more.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - An id that is negative or not below block_table_size * block_size, and an entry of the table
 *   that is negative or leads to a row not below token_size, give a row of zeros; nothing outside
 *   \b param and \b block_table is read. So -1 may pad both.
 * - Ids and entries of the table may repeat. token_size need not be a multiple of block_size.
 * - Bits are kept, those of NaN included.
 *
 * @par Example
 * @verbatim
 * block_size 2, block_table [[0, 2, 1]], indices [[0, 4, 3]]
 * param   [[0, 1], [10, 11], [20, 21], [30, 31], [40, 41], [50, 51]]
 * output  [[0, 1], [20, 21], [50, 51]]
 * @endverbatim
 *
 * @par Reference
 * - pypto.experimental.gather_in_ub
 */
mluOpStatus_t MLUOP_WIN_API mluOpGatherInUb(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t param_desc, const void *param,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t block_table_desc, const void *block_table, const int block_size,
    const int axis, const mluOpTensorDescriptor_t output_desc, void *output);

// Group: GatherInUb
/*!
 * @brief As ::mluOpGatherInUb for many queries of many requests in one call: with r the request of
 * query q and id = indices[q][j],
 * output[q][j] = param[block_table[r][id / block_size] * block_size + id % block_size].
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] param_desc
 * Descriptor of \b param. See ::mluOpTensorDescriptor_t.
 * @param[in] param
 * Device pointer to the cache, block after block.
 * @param[in] indices_desc
 * Descriptor of \b indices. See ::mluOpTensorDescriptor_t.
 * @param[in] indices
 * Device pointer to the ids each query wants inside its request.
 * @param[in] block_table_desc
 * Descriptor of \b block_table. See ::mluOpTensorDescriptor_t.
 * @param[in] block_table
 * Device pointer to the physical block of each logical block of each request.
 * @param[in] request_ids_desc
 * Descriptor of \b request_ids, or NULL. See ::mluOpTensorDescriptor_t.
 * @param[in] request_ids
 * Device pointer to the request of each query. NULL: the queries are evenly spread, query q is of
 * request q * requests / queries.
 * @param[in] valid_counts_desc
 * Descriptor of \b valid_counts, or NULL. See ::mluOpTensorDescriptor_t.
 * @param[in] valid_counts
 * Device pointer to the number of ids of each query that count, from the first on. NULL: all.
 * @param[in] block_size
 * Number of rows in a block.
 * @param[in] axis
 * The axis of \b param that is gathered; -2.
 * @param[in] output_desc
 * Descriptor of \b output. See ::mluOpTensorDescriptor_t.
 * @param[out] output
 * Device pointer to the gathered rows.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - param, output: both float, half, bfloat16, int8 or uint8.
 * - indices, block_table, request_ids, valid_counts: int32.
 *
 * @par Data Layout
 * - param: [token_size, hidden_dim], the rows may lie apart; indices: [queries, k];
 *   block_table: [requests, block_table_size]; request_ids, valid_counts: [queries];
 *   output: [queries, k, hidden_dim]. All but param are contiguous.
 *
 * @par Scale Limitation
 * - As for ::mluOpGatherInUb.
 * - The descriptor and the data of an optional tensor are both given or both NULL.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - As for ::mluOpGatherInUb. Rows from valid_counts[q] on are zeros (a negative count means 0, one
 *   above k means k), as are all rows of a query whose request is not in [0, requests).
 * - The result does not depend on the number of tasks.
 *
 * @par Example
 * @verbatim
 * block_size 2, block_table [[1, 0], [0, -1]], request_ids [1, 0], valid_counts [2, 1]
 * indices [[0, 2], [3, 0]], param [[0], [10], [20], [30]]
 * output  [[[0], [0]], [[10], [0]]]
 * @endverbatim
 *
 * @par Reference
 * - pypto.experimental.gather_in_ub
 */
mluOpStatus_t MLUOP_WIN_API mluOpGatherInUbBatched(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t param_desc, const void *param,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t block_table_desc, const void *block_table,
    const mluOpTensorDescriptor_t request_ids_desc, const void *request_ids,
    const mluOpTensorDescriptor_t valid_counts_desc, const void *valid_counts, const int block_size,
    const int axis, const mluOpTensorDescriptor_t output_desc, void *output);

// Group: GatherInUb
/*!
 * @brief Writes rows into a paged cache: with r = request_ids[i] and p = positions[i],
 * cache[block_table[r][p / block_size] * block_size + p % block_size] = input[i].
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] input_desc
 * Descriptor of \b input. See ::mluOpTensorDescriptor_t.
 * @param[in] input
 * Device pointer to the rows.
 * @param[in] positions_desc
 * Descriptor of \b positions. See ::mluOpTensorDescriptor_t.
 * @param[in] positions
 * Device pointer to the place of each row inside its request; -1 skips the row.
 * @param[in] request_ids_desc
 * Descriptor of \b request_ids, or NULL. See ::mluOpTensorDescriptor_t.
 * @param[in] request_ids
 * Device pointer to the request of each row; NULL when there is one request.
 * @param[in] block_table_desc
 * Descriptor of \b block_table. See ::mluOpTensorDescriptor_t.
 * @param[in] block_table
 * Device pointer to the physical block of each logical block of each request.
 * @param[in] block_size
 * Number of rows in a block.
 * @param[in] cache_desc
 * Descriptor of \b cache. See ::mluOpTensorDescriptor_t.
 * @param[in,out] cache
 * Device pointer to the cache. Rows that no position names keep their contents, as do the bytes
 * between rows that lie apart.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - input, cache: both float, half, bfloat16, int8 or uint8.
 * - positions, request_ids, block_table: int32.
 *
 * @par Data Layout
 * - input: [n, hidden_dim]; positions, request_ids: [n]; block_table: [requests, block_table_size];
 *   cache: [token_size, hidden_dim], the rows may lie apart. All but cache are contiguous.
 *
 * @par Scale Limitation
 * - No tensor is empty, as for ::mluOpGatherInUb. block_size is 1 or more.
 * - block_table has less than 2^30 entries, cache less than 2^32 rows. input and cache may have
 * 2^31 elements and more.
 * - request_ids is given when there is more than one request; its descriptor and its data are both
 *   given or both NULL.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - A row is skipped when its position is negative or not below block_table_size * block_size, its
 *   request is not in [0, requests), or the entry of the table is negative or leads to a row not
 *   below token_size. Nothing outside the tensors is read or written.
 * - When several rows have the same place, the last one wins. The result does not depend on the
 *   number of tasks.
 *
 * @par Example
 * @verbatim
 * block_size 2, block_table [[1, 0]], positions [0, -1, 3]
 * input [[7], [8], [9]]
 * cache [[-], [9], [7], [-]]         (- keeps its contents)
 * @endverbatim
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpPagedCacheWrite(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void *input,
    const mluOpTensorDescriptor_t positions_desc, const void *positions,
    const mluOpTensorDescriptor_t request_ids_desc, const void *request_ids,
    const mluOpTensorDescriptor_t block_table_desc, const void *block_table, const int block_size,
    const mluOpTensorDescriptor_t cache_desc, void *cache);

// Group: GatherInUb
/*!
 * @brief Attention scores of selected keys of a paged cache, without writing the gathered keys to
 * memory: with row the one ::mluOpGatherInUbBatched finds for query q and id j,
 * scores[q][h][j] = scale * sum over d of query[q][h][d] * param[row][d].
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] query_desc
 * Descriptor of \b query. See ::mluOpTensorDescriptor_t.
 * @param[in] query
 * Device pointer to the heads of each query; all heads use the same keys.
 * @param[in] param_desc
 * Descriptor of \b param. See ::mluOpTensorDescriptor_t.
 * @param[in] param
 * Device pointer to the cache of keys, block after block.
 * @param[in] indices_desc
 * Descriptor of \b indices. See ::mluOpTensorDescriptor_t.
 * @param[in] indices
 * Device pointer to the ids each query wants inside its request.
 * @param[in] block_table_desc
 * Descriptor of \b block_table. See ::mluOpTensorDescriptor_t.
 * @param[in] block_table
 * Device pointer to the physical block of each logical block of each request.
 * @param[in] request_ids_desc
 * Descriptor of \b request_ids, or NULL. See ::mluOpTensorDescriptor_t.
 * @param[in] request_ids
 * Device pointer to the request of each query. NULL: query q is of request
 * q * requests / queries.
 * @param[in] valid_counts_desc
 * Descriptor of \b valid_counts, or NULL. See ::mluOpTensorDescriptor_t.
 * @param[in] valid_counts
 * Device pointer to the number of ids of each query that count, from the first on. NULL: all.
 * @param[in] block_size
 * Number of rows in a block.
 * @param[in] scale
 * Factor of all scores.
 * @param[in] scores_desc
 * Descriptor of \b scores. See ::mluOpTensorDescriptor_t.
 * @param[out] scores
 * Device pointer to the scores.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - query, param: both float, half or bfloat16. scores: float; products are summed in float.
 * - indices, block_table, request_ids, valid_counts: int32.
 *
 * @par Data Layout
 * - query: [queries, heads, dim]; param: [token_size, dim], the rows may lie apart;
 *   indices: [queries, k]; block_table: [requests, block_table_size];
 *   request_ids, valid_counts: [queries]; scores: [queries, heads, k]. All but param are
 * contiguous.
 *
 * @par Scale Limitation
 * - As for ::mluOpGatherInUbBatched; no tensor that is written overlaps another one of the call.
 * - scale is finite.
 * - The heads of a query fit the weight memory of a core: every 64th head lies in the same 64th of
 *   it, each padded to 64 bytes (for 576 bfloat16 and 512 KB up to 448 heads); at most 8192 heads.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - Where ::mluOpGatherInUbBatched gives a row of zeros because there is no row, the score is minus
 *   infinity, so that softmax leaves it out.
 * - The result does not depend on the number of tasks.
 *
 * @par Example
 * @verbatim
 * block_size 1, block_table [[1, 0]], indices [[0, 1, -1]], scale 0.5
 * query [[[2, 4]]], param [[1, 1], [3, 1]]
 * scores [[[5, 3, -inf]]]
 * @endverbatim
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSparseAttentionScores(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t query_desc, const void *query,
    const mluOpTensorDescriptor_t param_desc, const void *param,
    const mluOpTensorDescriptor_t indices_desc, const void *indices,
    const mluOpTensorDescriptor_t block_table_desc, const void *block_table,
    const mluOpTensorDescriptor_t request_ids_desc, const void *request_ids,
    const mluOpTensorDescriptor_t valid_counts_desc, const void *valid_counts, const int block_size,
    const float scale, const mluOpTensorDescriptor_t scores_desc, void *scores);

// Group: TopKTopPSample
/*!
 * @brief Returns in \b workspace_size the size of the MLU memory that ::mluOpTopKTopPSample and
 * ::mluOpTopKTopPSample_v2 need as extra workspace, most with fewer rows than cores.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] logits_desc
 * Descriptor of the logits. See ::mluOpTensorDescriptor_t.
 * @param[out] workspace_size
 * Receives the size in bytes.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH
 *
 * @par Data Type
 * - logits: half, bfloat16 or float.
 *
 * @par Data Layout
 * - logits: [batch, vocab].
 *
 * @par Scale Limitation
 * - The limits of \b logits in ::mluOpTopKTopPSample.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - The size depends on the cores the handle may use.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTopKTopPSampleWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, size_t *workspace_size);

// Group: TopKTopPSample
/*!
 * @brief Draws one token per row: keeps the \b top_k largest logits, then the largest of them whose
 * probability mass before them is below \b top_p, divides the probabilities of what is kept by
 * exponential noise \b q and takes the largest quotient. Each of the three steps can be off, for
 * each row on its own.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] logits_desc
 * Descriptor of \b logits. See ::mluOpTensorDescriptor_t.
 * @param[in] logits
 * Device pointer to the logits; they are not changed.
 * @param[in] top_k_desc
 * Descriptor of \b top_k. See ::mluOpTensorDescriptor_t.
 * @param[in] top_k
 * Device pointer to the number of tokens each row keeps. Below 1, above vocab or above 1024: the
 * step is off for the row.
 * @param[in] top_p_desc
 * Descriptor of \b top_p. See ::mluOpTensorDescriptor_t.
 * @param[in] top_p
 * Device pointer to the mass each row keeps. 1, more, or NaN: the step is off for the row; 0 or
 * less: one token is kept.
 * @param[in] q_desc
 * Descriptor of \b q, or NULL together with \b q: no noise, the most probable token is taken.
 * See ::mluOpTensorDescriptor_t.
 * @param[in] q
 * Device pointer to the noise.
 * @param[in] eps
 * Added to |q|.
 * @param[in] is_need_logits
 * Whether \b logits_top_kp_select is written.
 * @param[in] top_k_guess
 * How many tokens the caller expects top-p to keep: a hint that never changes the result.
 * @param[in] workspace
 * Device pointer to the extra workspace.
 * @param[in] workspace_size
 * Its size in bytes, at least what ::mluOpGetTopKTopPSampleWorkspaceSize returns.
 * @param[in] logits_select_idx_desc
 * Descriptor of \b logits_select_idx. See ::mluOpTensorDescriptor_t.
 * @param[out] logits_select_idx
 * Device pointer to the drawn token of each row, always in [0, vocab).
 * @param[in] logits_top_kp_select_desc
 * Descriptor of \b logits_top_kp_select; may be NULL when it is not needed.
 * See ::mluOpTensorDescriptor_t.
 * @param[out] logits_top_kp_select
 * Device pointer to the logits that are kept, -inf elsewhere; may be NULL when it is not needed.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - logits, top_p: both half, both bfloat16 or both float.
 * - top_k: int32; q, logits_top_kp_select: float; logits_select_idx: int64.
 *
 * @par Data Layout
 * - logits, q, logits_top_kp_select: [batch, vocab]; top_k, top_p, logits_select_idx: [batch].
 *   All are contiguous; only the rows of \b logits may lie apart.
 *
 * @par Scale Limitation
 * - batch is 1 or more, vocab is 1 to 2^20.
 * - eps is 0 or more.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 *
 * @par API Dependency
 * - ::mluOpGetTopKTopPSampleWorkspaceSize.
 *
 * @par Note
 * - Tokens are ordered by falling logit, equal ones by rising id; exactly top_k are kept. The mass
 * of top-p is that of the tokens top-k left. q is taken by rank in this order, by token id when
 *   neither step is on.
 * - -inf marks tokens that cannot be drawn. NaN counts as the largest logit, then +inf. A row whose
 *   largest logit is NaN or infinite has no probabilities: its first kept token is drawn, which
 *   is token 0 when no step is on.
 * - Results are the same bits for any number of cores and whatever other rows the batch has.
 *
 * @par Example
 * @verbatim
 * logits [0.5, 2, 1, 2, -1, 0]   q [1.2, 0.4, 0.9, 0.3, 2, 0.7]
 * top_k 3, top_p 0.7: tokens 1, 3, 2 have 0.42, 0.42, 0.16 of the mass; 1 and 3 are kept;
 * 0.5 / 1.2 < 0.5 / 0.4, so token 3 is drawn
 * @endverbatim
 *
 * @par Reference
 * - CANN ops-nn, index/top_k_top_p_sample
 */
mluOpStatus_t MLUOP_WIN_API mluOpTopKTopPSample(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, const void *logits,
    const mluOpTensorDescriptor_t top_k_desc, const void *top_k,
    const mluOpTensorDescriptor_t top_p_desc, const void *top_p,
    const mluOpTensorDescriptor_t q_desc, const void *q, const float eps, const bool is_need_logits,
    const int top_k_guess, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t logits_select_idx_desc, void *logits_select_idx,
    const mluOpTensorDescriptor_t logits_top_kp_select_desc, void *logits_top_kp_select);

// Group: TopKTopPSample
/*!
 * @brief As ::mluOpTopKTopPSample with one more step after top-p: of the tokens that are left,
 * those with less than \b min_p times the probability of the most probable one are dropped.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] logits_desc
 * Descriptor of \b logits. See ::mluOpTensorDescriptor_t.
 * @param[in] logits
 * Device pointer to the logits; they are not changed.
 * @param[in] top_k_desc
 * Descriptor of \b top_k. See ::mluOpTensorDescriptor_t.
 * @param[in] top_k
 * Device pointer to the number of tokens each row keeps.
 * @param[in] top_p_desc
 * Descriptor of \b top_p. See ::mluOpTensorDescriptor_t.
 * @param[in] top_p
 * Device pointer to the mass each row keeps.
 * @param[in] min_p_desc
 * Descriptor of \b min_p, or NULL together with \b min_p: the step is off.
 * See ::mluOpTensorDescriptor_t.
 * @param[in] min_p
 * Device pointer to the bound of each row. 0, less, or NaN: the step is off for the row; 1 or more:
 * one token is kept.
 * @param[in] q_desc
 * Descriptor of \b q, or NULL together with \b q. See ::mluOpTensorDescriptor_t.
 * @param[in] q
 * Device pointer to the noise.
 * @param[in] eps
 * Added to |q|.
 * @param[in] is_need_logits
 * Whether \b logits_top_kp_select is written.
 * @param[in] top_k_guess
 * A hint that never changes the result.
 * @param[in] workspace
 * Device pointer to the extra workspace.
 * @param[in] workspace_size
 * Its size in bytes, at least what ::mluOpGetTopKTopPSampleWorkspaceSize returns.
 * @param[in] logits_select_idx_desc
 * Descriptor of \b logits_select_idx. See ::mluOpTensorDescriptor_t.
 * @param[out] logits_select_idx
 * Device pointer to the drawn token of each row.
 * @param[in] logits_top_kp_select_desc
 * Descriptor of \b logits_top_kp_select; may be NULL when it is not needed.
 * See ::mluOpTensorDescriptor_t.
 * @param[out] logits_top_kp_select
 * Device pointer to the logits that are kept, -inf elsewhere; may be NULL when it is not needed.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - min_p: the type of \b logits. The others as in ::mluOpTopKTopPSample.
 *
 * @par Data Layout
 * - min_p: [batch], contiguous. The others as in ::mluOpTopKTopPSample.
 *
 * @par Scale Limitation
 * - As in ::mluOpTopKTopPSample.
 *
 * @par API Dependency
 * - ::mluOpGetTopKTopPSampleWorkspaceSize.
 *
 * @par Note
 * - As in ::mluOpTopKTopPSample; where min-p is on, q is taken by rank.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - CANN ops-nn, index/top_k_top_p_sample_v2
 */
mluOpStatus_t MLUOP_WIN_API mluOpTopKTopPSample_v2(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, const void *logits,
    const mluOpTensorDescriptor_t top_k_desc, const void *top_k,
    const mluOpTensorDescriptor_t top_p_desc, const void *top_p,
    const mluOpTensorDescriptor_t min_p_desc, const void *min_p,
    const mluOpTensorDescriptor_t q_desc, const void *q, const float eps, const bool is_need_logits,
    const int top_k_guess, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t logits_select_idx_desc, void *logits_select_idx,
    const mluOpTensorDescriptor_t logits_top_kp_select_desc, void *logits_top_kp_select);

// Group: TopKTopPSample
/*!
 * @brief Returns in \b workspace_size the size of the MLU memory that ::mluOpApplyTopKTopP needs as
 * extra workspace.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] logits_desc
 * Descriptor of the logits. See ::mluOpTensorDescriptor_t.
 * @param[out] workspace_size
 * Receives the size in bytes.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH
 *
 * @par Data Type
 * - logits: half, bfloat16 or float.
 *
 * @par Data Layout
 * - logits: [batch, vocab].
 *
 * @par Scale Limitation
 * - The limits of \b logits in ::mluOpApplyTopKTopP.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - The size depends on the cores the handle may use.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetApplyTopKTopPWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, size_t *workspace_size);

// Group: TopKTopPSample
/*!
 * @brief Filters logits as ::mluOpTopKTopPSample does, without the draw: what neither \b top_k nor
 * \b top_p keeps becomes -inf.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] logits_desc
 * Descriptor of \b logits. See ::mluOpTensorDescriptor_t.
 * @param[in] logits
 * Device pointer to the logits; they are not changed.
 * @param[in] top_k_desc
 * Descriptor of \b top_k. See ::mluOpTensorDescriptor_t.
 * @param[in] top_k
 * Device pointer to the number of tokens each row keeps. Below 1, above vocab or above 1024: the
 * step is off for the row.
 * @param[in] top_p_desc
 * Descriptor of \b top_p. See ::mluOpTensorDescriptor_t.
 * @param[in] top_p
 * Device pointer to the mass each row keeps. 1, more, or NaN: the step is off for the row; 0 or
 * less: one token is kept.
 * @param[in] workspace
 * Device pointer to the extra workspace.
 * @param[in] workspace_size
 * Its size in bytes, at least what ::mluOpGetApplyTopKTopPWorkspaceSize returns.
 * @param[in] output_desc
 * Descriptor of \b output. See ::mluOpTensorDescriptor_t.
 * @param[out] output
 * Device pointer to the filtered logits.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - logits, top_p, output: all half, all bfloat16 or all float.
 * - top_k: int32.
 *
 * @par Data Layout
 * - logits, output: [batch, vocab]; top_k, top_p: [batch]. All are contiguous; only the rows of
 *   \b logits may lie apart.
 *
 * @par Scale Limitation
 * - batch is 1 or more, vocab is 1 to 2^20.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 *
 * @par API Dependency
 * - ::mluOpGetApplyTopKTopPWorkspaceSize.
 *
 * @par Note
 * - Exactly top_k tokens are kept: of equal logits those with the lowest ids.
 *
 * @par Example
 * @verbatim
 * logits [1, 2, 2, 2, 3], top_k 3, top_p 1: output [-inf, 2, 2, -inf, 3]
 * @endverbatim
 *
 * @par Reference
 * - CANN ops-nn, index/apply_top_k_top_p_with_sorted
 */
mluOpStatus_t MLUOP_WIN_API mluOpApplyTopKTopP(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t logits_desc, const void *logits,
    const mluOpTensorDescriptor_t top_k_desc, const void *top_k,
    const mluOpTensorDescriptor_t top_p_desc, const void *top_p, void *workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t output_desc, void *output);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#if defined(__cplusplus)
}
#endif

#endif /* MLUOP_H_ */
