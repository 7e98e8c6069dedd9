/* SPDX-License-Identifier: MIT */
#include "dcn.h"

CNNL_EXPORT cnnlStatus_t cnnlCreateDCNDescriptor(cnnlDCNDescriptor_t *desc) {
  return cnnl_create(__func__, (void **)desc, sizeof(**desc));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroyDCNDescriptor(cnnlDCNDescriptor_t desc) {
  return cnnl_destroy(__func__, desc);
}

CNNL_EXPORT cnnlStatus_t cnnlSetDCNDescriptor(cnnlDCNDescriptor_t desc, int dim_count,
                                              const int pad[], const int stride[],
                                              const int dilation[], int deformable_group,
                                              int conv_group, int im2col_step,
                                              cnnlDataType_t compute_type) {
  (void)im2col_step;
  (void)compute_type;
  if (desc == NULL || pad == NULL || stride == NULL || dilation == NULL || stride[0] < 1 ||
      stride[1] < 1 || dilation[0] < 1 || dilation[1] < 1 || deformable_group < 1 ||
      conv_group < 1) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL or below 1", __func__);
  }
  if (dim_count != 4) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: images have 4 dimensions, not %d", __func__,
                       dim_count);
  }
  *desc = (struct cnnlDCNStruct){.is_set = true,
                                 .pad_top = pad[0],
                                 .pad_left = pad[2],
                                 .stride = {stride[0], stride[1]},
                                 .dilation = {dilation[0], dilation[1]},
                                 .deformable_group = deformable_group,
                                 .conv_group = conv_group};
  return CNNL_STATUS_SUCCESS;
}

static bool has_dims(const struct cnnl_tensor *tensor, int64_t a, int64_t b, int64_t c, int64_t d) {
  const int64_t *dims = tensor->shape.dims;
  return dims[0] == a && dims[1] == b && dims[2] == c && dims[3] == d;
}

cnnlStatus_t cnnl_dcn_take(const char *function, cnnlDCNDescriptor_t desc,
                           const struct cnnl_tensor *input, const struct cnnl_tensor *offset,
                           const struct cnnl_tensor *mask, const struct cnnl_tensor *filter,
                           const struct cnnl_tensor *output, struct cnnl_dcn *dcn) {
  if (desc == NULL || !desc->is_set) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: desc is NULL or not set", function);
  }
  const struct cnnl_tensor *const tensors[] = {input, offset, filter, output, mask};
  static const char *const names[] = {"the input", "the offset", "the filter", "the output",
                                      "the mask"};
  for (int i = 0; i < (mask->data != NULL ? 5 : 4); ++i) {
    CNNL_CHECK(cnnl_need_rank(function, names[i], tensors[i], 4));
    CNNL_CHECK(cnnl_need_float(function, names[i], tensors[i]));
  }
  *dcn = (struct cnnl_dcn){.desc = *desc,
                           .images = input->shape.dims[0],
                           .height = input->shape.dims[1],
                           .width = input->shape.dims[2],
                           .channels = input->shape.dims[3],
                           .out_height = output->shape.dims[1],
                           .out_width = output->shape.dims[2],
                           .out_channels = output->shape.dims[3],
                           .kernel_height = filter->shape.dims[1],
                           .kernel_width = filter->shape.dims[2]};
  const int64_t taps = dcn->kernel_height * dcn->kernel_width;
  const int64_t places = desc->deformable_group * taps;
  if (dcn->channels % desc->conv_group != 0 || dcn->out_channels % desc->conv_group != 0 ||
      dcn->channels % desc->deformable_group != 0 || output->shape.dims[0] != dcn->images ||
      !has_dims(offset, dcn->images, dcn->out_height, dcn->out_width, 2 * places) ||
      (mask->data != NULL &&
       !has_dims(mask, dcn->images, dcn->out_height, dcn->out_width, places)) ||
      !has_dims(filter, dcn->out_channels, dcn->kernel_height, dcn->kernel_width,
                cnnl_dcn_group_channels(dcn))) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the tensors' dimensions do not fit", function);
  }
  return CNNL_STATUS_SUCCESS;
}

int64_t cnnl_dcn_pixels(const struct cnnl_dcn *dcn) {
  return dcn->out_height * dcn->out_width;
}

int64_t cnnl_dcn_group_channels(const struct cnnl_dcn *dcn) {
  return dcn->channels / dcn->desc.conv_group;
}

int64_t cnnl_dcn_row(const struct cnnl_dcn *dcn) {
  return dcn->kernel_height * dcn->kernel_width * cnnl_dcn_group_channels(dcn);
}

struct cnnl_dcn_point cnnl_dcn_point(const struct cnnl_dcn *dcn, const float *offsets,
                                     const float *masks, int64_t pixel, int64_t tap,
                                     int64_t channel) {
  const struct cnnlDCNStruct *desc = &dcn->desc;
  const int64_t taps = dcn->kernel_height * dcn->kernel_width;
  const int64_t group = channel / (dcn->channels / desc->deformable_group);
  struct cnnl_dcn_point point = {.mask = (pixel * desc->deformable_group + group) * taps + tap};
  point.offset = 2 * point.mask;
  point.scale = masks != NULL ? masks[point.mask] : 1.0F;
  const int64_t y = pixel / dcn->out_width * desc->stride[0] - desc->pad_top +
                    tap / dcn->kernel_width * desc->dilation[0];
  const int64_t x = pixel % dcn->out_width * desc->stride[1] - desc->pad_left +
                    tap % dcn->kernel_width * desc->dilation[1];
  point.sample = cnnl_sample_zeros(dcn->height, dcn->width, (float)y + offsets[point.offset],
                                   (float)x + offsets[point.offset + 1]);
  return point;
}

void cnnl_dcn_columns(const struct cnnl_dcn *dcn, const float *image, const float *offsets,
                      const float *masks, int64_t group, float *rows) {
  const int64_t taps = dcn->kernel_height * dcn->kernel_width;
  const int64_t channels = cnnl_dcn_group_channels(dcn);
  const int64_t pixels = cnnl_dcn_pixels(dcn);
  const int64_t first = group * channels;
  const int64_t shared = dcn->channels / dcn->desc.deformable_group; /* channels with one offset */
  float *out = rows;
  for (int64_t pixel = 0; pixel < pixels; ++pixel) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      struct cnnl_dcn_point point;
      for (int64_t c = first; c < first + channels; ++c) {
        if (c == first || c % shared == 0) {
          point = cnnl_dcn_point(dcn, offsets, masks, pixel, tap, c);
        }
        *out++ = point.scale * cnnl_sample_value(&point.sample, image + c, dcn->channels);
      }
    }
  }
}
