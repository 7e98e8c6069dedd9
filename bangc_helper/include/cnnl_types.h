/* SPDX-License-Identifier: MIT
 *
 * Types and enumerations of cnnl.h, with the vendor's names and, where public interfaces show them,
 * its values. */
#ifndef CNNL_TYPES_H_
#define CNNL_TYPES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cnrt.h"

#define CNNL_MAJOR 2
#define CNNL_MINOR 2
#define CNNL_PATCHLEVEL 6
#define CNNL_VERSION (CNNL_MAJOR * 10000 + CNNL_MINOR * 100 + CNNL_PATCHLEVEL)

#define CNNL_DIM_MAX 8

typedef enum {
  CNNL_STATUS_SUCCESS = 0,
  CNNL_STATUS_NOT_INITIALIZED = 1,
  CNNL_STATUS_ALLOC_FAILED = 2,
  CNNL_STATUS_BAD_PARAM = 3,
  CNNL_STATUS_INTERNAL_ERROR = 4,
  CNNL_STATUS_ARCH_MISMATCH = 5,
  CNNL_STATUS_EXECUTION_FAILED = 6,
  CNNL_STATUS_NOT_SUPPORTED = 7,
  CNNL_STATUS_NUMERICAL_OVERFLOW = 8,
} cnnlStatus_t;

typedef enum {
  CNNL_LAYOUT_NCHW = 0,
  CNNL_LAYOUT_NHWC = 1,
  CNNL_LAYOUT_HWCN = 2,
  CNNL_LAYOUT_NDHWC = 3,
  CNNL_LAYOUT_ARRAY = 4,
  CNNL_LAYOUT_NCDHW = 5,
  CNNL_LAYOUT_TNC = 6,
  CNNL_LAYOUT_NTC = 7,
  CNNL_LAYOUT_NC = 8,
  CNNL_LAYOUT_NLC = 9,
  CNNL_LAYOUT_NCL = 10,
} cnnlTensorLayout_t;

typedef enum {
  CNNL_DTYPE_INVALID = 0,
  CNNL_DTYPE_HALF = 1,
  CNNL_DTYPE_FLOAT = 2,
  CNNL_DTYPE_INT8 = 3,
  CNNL_DTYPE_INT16 = 4,
  CNNL_DTYPE_INT31 = 5,
  CNNL_DTYPE_INT32 = 6,
  CNNL_DTYPE_UINT8 = 7,
  CNNL_DTYPE_BOOL = 8,
  CNNL_DTYPE_INT64 = 9,
  CNNL_DTYPE_UINT32 = 11,
  CNNL_DTYPE_UINT64 = 12,
  CNNL_DTYPE_UINT16 = 13,
  CNNL_DTYPE_DOUBLE = 14,
  CNNL_DTYPE_COMPLEX_HALF = 15,
  CNNL_DTYPE_COMPLEX_FLOAT = 16,
  CNNL_DTYPE_BFLOAT16 = 17,
} cnnlDataType_t;

typedef enum {
  CNNL_NOT_PROPAGATE_NAN = 0,
  CNNL_PROPAGATE_NAN = 1,
} cnnlNanPropagation_t;

/* Where a scalar passed by address is stored. */
typedef enum {
  CNNL_POINTER_MODE_HOST = 0,
  CNNL_POINTER_MODE_DEVICE = 1,
} cnnlPointerMode_t;

typedef enum {
  CNNL_OP_TENSOR_ADD = 0,
  CNNL_OP_TENSOR_SUB = 1,
  CNNL_OP_TENSOR_MUL = 2,
} cnnlOpTensorDesc_t;

typedef enum {
  CNNL_REDUCE_ADD = 0,
  CNNL_REDUCE_AVG = 1,
  CNNL_REDUCE_MUL = 2,
  CNNL_REDUCE_MAX = 3,
  CNNL_REDUCE_MIN = 4,
} cnnlReduceOp_t;

typedef enum {
  CNNL_REDUCE_NO_INDICES = 0,
  CNNL_REDUCE_FLATTENED_INDICES = 1,
  CNNL_REDUCE_ONLY_INDICES = 2,
} cnnlReduceIndices_t;

typedef enum {
  CNNL_32BIT_INDICES = 0,
  CNNL_16BIT_INDICES = 1,
  CNNL_64BIT_INDICES = 2,
} cnnlIndicesType_t;

typedef enum {
  CNNL_SCATTERND_ADD = 0,
  CNNL_SCATTERND_SUB = 1,
  CNNL_SCATTERND_MUL = 2,
  CNNL_SCATTERND_UPDATE = 3,
} cnnlScatterNdMode_t;

typedef enum {
  CNNL_UNSORT_REVERSE = 0,
  CNNL_UNSORT_FORWARD = 1,
  CNNL_SORT_ASCEND = 2,
  CNNL_SORT_DESCEND = 3,
} cnnlUniqueSort_t;

typedef enum {
  CNNL_MATMUL_DESC_COMPUTE_TYPE = 0,
  CNNL_MATMUL_DESC_TRANSA = 1,
  CNNL_MATMUL_DESC_TRANSB = 2,
  CNNL_MATMUL_ALLOW_TF32 = 3,
} cnnlMatMulDescAttribute_t;

typedef enum {
  CNNL_POOLING_MAX = 0,
  CNNL_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1,
  CNNL_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2,
  CNNL_POOLING_FIXED = 3,
} cnnlPoolingMode_t;

typedef enum {
  CNNL_NMS_BOX_DIAGONAL = 0, /* x1, y1, x2, y2 */
  CNNL_NMS_BOX_CENTER = 1,   /* x, y of the centre, width, height */
} cnnlNmsBoxPointMode_t;

typedef enum {
  CNNL_NMS_OUTPUT_TARGET_INDICES = 0,
  CNNL_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1 = 1, /* one row per box */
  CNNL_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2 = 2, /* one row per coordinate */
  CNNL_NMS_OUTPUT_TARGET_BATCH_AND_CLASS = 3,
} cnnlNmsOutputMode_t;

typedef enum {
  CNNL_NMS_DESC_BOX_MODE = 0,
  CNNL_NMS_DESC_OUTPUT_MODE = 1,
  CNNL_NMS_DESC_IOU_THRESHOLD = 2,
  CNNL_NMS_DESC_MAX_OUTPUT_SIZE = 3,
  CNNL_NMS_DESC_CONFIDENCE_THRESHOLD = 4,
  CNNL_NMS_DESC_OFFSET = 5,
  CNNL_NMS_DESC_INPUT_LAYOUT = 6, /* 0: [boxes, 4]; 1: [4, boxes] */
  CNNL_NMS_DESC_PAD_TO_MAX_OUTPUT_SIZE = 7,
} cnnlNmsDescAttribute_t;

typedef struct cnnlContext *cnnlHandle_t;
typedef struct cnnlTensorStruct *cnnlTensorDescriptor_t;
typedef struct cnnlTransposeStruct *cnnlTransposeDescriptor_t;
typedef struct cnnlOpTensorStruct *cnnlOpTensorDescriptor_t;
typedef struct cnnlReduceStruct *cnnlReduceDescriptor_t;
typedef struct cnnlUniqueStruct *cnnlUniqueDescriptor_t;
typedef struct cnnlMatMulStruct *cnnlMatMulDescriptor_t;
typedef struct cnnlMatMulAlgoStruct *cnnlMatMulAlgo_t;
typedef struct cnnlMatMulPreferStruct *cnnlMatMulPrefer_t;
typedef struct cnnlMatMulHeuristicResultStruct *cnnlMatMulHeuristicResult_t;
typedef struct cnnlNmsStruct *cnnlNmsDescriptor_t;
typedef struct cnnlRoiAlignStruct *cnnlRoiAlignDescriptor_t;
typedef struct cnnlDCNStruct *cnnlDCNDescriptor_t;

#endif /* CNNL_TYPES_H_ */
