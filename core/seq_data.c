/* SPDX-License-Identifier: MIT
 *
 * Descriptors of sequence data.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/tensor.h"
#include "core/tensor_describe.h"
#include "core/tool.h"

struct mluOpSeqDataStruct {
  mluOpDataType_t dtype;
  mluOpDataType_t onchip_dtype; /* MLUOP_DTYPE_INVALID: none */
  mluOpSeqDataLayout_t layout;
  int dim;
  int64_t *dims; /* one allocation with the lengths after it */
  int length_num;
  int64_t *lengths;
  bool has_padding_fill;
  unsigned char padding_fill[sizeof(uint64_t)]; /* one element of dtype; no type is larger */
  int position;
  float scale;
};

mluOpStatus_t MLUOP_WIN_API mluOpCreateSeqDataDescriptor(mluOpSeqDataDescriptor_t *seq_data_desc) {
  const char *api = "[mluOpCreateSeqDataDescriptor]";
  CHECK_NOT_NULL(api, seq_data_desc);
  mluOpSeqDataDescriptor_t created = (mluOpSeqDataDescriptor_t)calloc(1, sizeof(*created));
  if (created == NULL) {
    LOG_ERROR("%s cannot allocate a descriptor.", api);
    return MLUOP_STATUS_ALLOC_FAILED;
  }
  created->dtype = MLUOP_DTYPE_FLOAT;
  created->onchip_dtype = MLUOP_DTYPE_INVALID;
  created->layout = MLUOP_SEQDATA_TNC;
  created->scale = 1.0f;
  *seq_data_desc = created;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpDestroySeqDataDescriptor(mluOpSeqDataDescriptor_t seq_data_desc) {
  CHECK_DESC("[mluOpDestroySeqDataDescriptor]", seq_data_desc);
  free(seq_data_desc->dims);
  free(seq_data_desc);
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t describe(const char *api, mluOpSeqDataDescriptor_t seq_data_desc,
                              mluOpSeqDataLayout_t layout, mluOpDataType_t dtype, int dimNb,
                              mluopSizes dimSize, int seqLengthArraySize,
                              const int seqLengthArray[], const void *paddingFill) {
  CHECK_DESC(api, seq_data_desc);
  CHECK_VALUE(api, layout, mluop_seq_layout_is_known(layout), "a layout of sequence data");
  CHECK_VALUE(api, dtype, mluop_dtype_size(dtype) > 0, "a data type");
  CHECK_VALUE(api, dimNb, dimNb > 0, "1 or more");
  if (dimSize.narrow == NULL && dimSize.wide == NULL) {
    return mluop_check_not_null(api, "dimSize", NULL);
  }
  CHECK_NOT_NEGATIVE(api, seqLengthArraySize);
  if (seqLengthArraySize > 0) CHECK_NOT_NULL(api, seqLengthArray);

  const size_t dim_num = (size_t)dimNb, length_num = (size_t)seqLengthArraySize;
  int64_t *dims = (int64_t *)malloc((dim_num + length_num) * sizeof(*dims));
  if (dims == NULL) {
    LOG_ERROR("%s cannot allocate %d sizes and %d lengths.", api, dimNb, seqLengthArraySize);
    return MLUOP_STATUS_ALLOC_FAILED;
  }
  for (size_t i = 0; i < dim_num + length_num; ++i) {
    const bool is_dim = i < dim_num;
    const size_t k = is_dim ? i : i - dim_num;
    dims[i] = !is_dim                ? seqLengthArray[k]
              : dimSize.wide != NULL ? dimSize.wide[k]
                                     : dimSize.narrow[k];
    if (dims[i] < 0) {
      LOG_ERROR("%s %s[%zu]: wanted 0 or more, got %" PRId64 ".", api,
                is_dim ? "dimSize" : "seqLengthArray", k, dims[i]);
      free(dims);
      return MLUOP_STATUS_BAD_PARAM;
    }
  }

  free(seq_data_desc->dims);
  seq_data_desc->dims = dims;
  seq_data_desc->lengths = dims + dim_num;
  seq_data_desc->dim = dimNb;
  seq_data_desc->length_num = seqLengthArraySize;
  seq_data_desc->layout = layout;
  seq_data_desc->dtype = dtype;
  seq_data_desc->has_padding_fill = paddingFill != NULL;
  if (paddingFill != NULL) {
    memcpy(seq_data_desc->padding_fill, paddingFill, mluop_dtype_size(dtype));
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSetSeqDataDescriptor(mluOpSeqDataDescriptor_t seq_data_desc,
                                                      mluOpSeqDataLayout_t layout,
                                                      mluOpDataType_t dtype, int dimNb,
                                                      const int dimSize[], int seqLengthArraySize,
                                                      const int seqLengthArray[],
                                                      void *paddingFill) {
  return describe("[mluOpSetSeqDataDescriptor]", seq_data_desc, layout, dtype, dimNb,
                  (mluopSizes){.narrow = dimSize}, seqLengthArraySize, seqLengthArray, paddingFill);
}

mluOpStatus_t MLUOP_WIN_API mluOpSetSeqDataDescriptor_v2(
    mluOpSeqDataDescriptor_t seq_data_desc, mluOpSeqDataLayout_t layout, mluOpDataType_t dtype,
    int dimNb, const int64_t dimSize[], int seqLengthArraySize, const int seqLengthArray[],
    void *paddingFill) {
  return describe("[mluOpSetSeqDataDescriptor_v2]", seq_data_desc, layout, dtype, dimNb,
                  (mluopSizes){.wide = dimSize}, seqLengthArraySize, seqLengthArray, paddingFill);
}

mluOpStatus_t MLUOP_WIN_API mluOpGetSeqDataDescriptor_v2(
    const mluOpSeqDataDescriptor_t seq_data_desc, mluOpSeqDataLayout_t *layout,
    mluOpDataType_t *dtype, int *dimNb, int64_t dimSize[], int64_t *seqLengthArraySize,
    int64_t seqLengthArray[], void *paddingFill) {
  CHECK_DESC("[mluOpGetSeqDataDescriptor_v2]", seq_data_desc);
  if (layout != NULL) *layout = seq_data_desc->layout;
  if (dtype != NULL) *dtype = seq_data_desc->dtype;
  if (dimNb != NULL) *dimNb = seq_data_desc->dim;
  if (seqLengthArraySize != NULL) *seqLengthArraySize = seq_data_desc->length_num;
  for (int i = 0; dimSize != NULL && i < seq_data_desc->dim; ++i) {
    dimSize[i] = seq_data_desc->dims[i];
  }
  for (int i = 0; seqLengthArray != NULL && i < seq_data_desc->length_num; ++i) {
    seqLengthArray[i] = seq_data_desc->lengths[i];
  }
  if (paddingFill != NULL && seq_data_desc->has_padding_fill) {
    memcpy(paddingFill, seq_data_desc->padding_fill, mluop_dtype_size(seq_data_desc->dtype));
  }
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSetSeqDataDescriptorPositionAndScale(
    mluOpSeqDataDescriptor_t seq_data_desc, int position, float scale) {
  CHECK_DESC("[mluOpSetSeqDataDescriptorPositionAndScale]", seq_data_desc);
  seq_data_desc->position = position;
  seq_data_desc->scale = scale;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetSeqDataDescriptorPositionAndScale(
    const mluOpSeqDataDescriptor_t seq_data_desc, int *position, float *scale) {
  const char *api = "[mluOpGetSeqDataDescriptorPositionAndScale]";
  CHECK_DESC(api, seq_data_desc);
  CHECK_NOT_NULL(api, position);
  CHECK_NOT_NULL(api, scale);
  *position = seq_data_desc->position;
  *scale = seq_data_desc->scale;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSetSeqDataDescriptorOnchipDataType(
    mluOpSeqDataDescriptor_t seq_data_desc, mluOpDataType_t onchip_dtype) {
  const char *api = "[mluOpSetSeqDataDescriptorOnchipDataType]";
  CHECK_DESC(api, seq_data_desc);
  CHECK_VALUE(api, onchip_dtype,
              onchip_dtype == MLUOP_DTYPE_INVALID || mluop_dtype_size(onchip_dtype) > 0,
              "a data type");
  seq_data_desc->onchip_dtype = onchip_dtype;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetSeqDataDescriptorOnchipDataType(
    const mluOpSeqDataDescriptor_t seq_data_desc, mluOpDataType_t *onchip_dtype) {
  const char *api = "[mluOpGetSeqDataDescriptorOnchipDataType]";
  CHECK_DESC(api, seq_data_desc);
  CHECK_NOT_NULL(api, onchip_dtype);
  *onchip_dtype = seq_data_desc->onchip_dtype;
  PARAM_CHECK_V2(api, seq_data_desc->onchip_dtype != MLUOP_DTYPE_INVALID,
                 "seq_data_desc has no on-chip data type.");
  return MLUOP_STATUS_SUCCESS;
}
