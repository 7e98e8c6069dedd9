/* SPDX-License-Identifier: MIT
 *
 * Deformable convolution and its gradients, image by image and group by group.
 */
#include <stdlib.h>

#include "dcn.h"
#include "gemm.h"
#include "handle.h"
#include "values.h"

/* Members that the three operations share; each has further tensors. */
struct call {
  struct cnnl_dcn dcn;
  struct cnnl_tensor input;
  struct cnnl_tensor offset;
  struct cnnl_tensor mask; /* optional, as are bias and everything after grad_input */
  struct cnnl_tensor filter;
  struct cnnl_tensor bias;
  struct cnnl_tensor output;
  struct cnnl_tensor grad_input;
  struct cnnl_tensor grad_offset;
  struct cnnl_tensor grad_mask;
};

/* The tensors while an operation runs, and room for a group of an image. */
struct arrays {
  float *input;
  float *offset;
  float *mask;
  float *filter;
  float *bias;
  float *output;
  float *grad_input;
  float *grad_offset;
  float *grad_mask;
  float *columns; /* [pixels][row] */
  float *left;    /* [pixels][out channels of a group], or transposed */
  float *right;   /* [row][out channels of a group], or transposed */
};

enum { FORWARD, BACK_DATA, BACK_WEIGHT };

static float *read_or_null(const struct cnnl_tensor *tensor) {
  return tensor->data != NULL ? cnnl_read(tensor) : NULL;
}

static float *zeros_or_null(const struct cnnl_tensor *tensor) {
  return tensor->data != NULL ? cnnl_zeros(tensor) : NULL;
}

static bool is_there(const struct cnnl_tensor *tensor, const float *values) {
  return tensor->data == NULL || values != NULL;
}

static struct arrays read_all(const struct call *call, int kind, bool *complete) {
  const struct cnnl_dcn *dcn = &call->dcn;
  const size_t pixels = (size_t)cnnl_dcn_pixels(dcn);
  const size_t row = (size_t)cnnl_dcn_row(dcn);
  const size_t out = (size_t)(dcn->out_channels / dcn->desc.conv_group);
  struct arrays v = {
      .input = cnnl_read(&call->input),
      .offset = cnnl_read(&call->offset),
      .mask = read_or_null(&call->mask),
      .filter = kind == BACK_WEIGHT ? cnnl_zeros(&call->filter) : cnnl_read(&call->filter),
      .bias = kind == FORWARD ? read_or_null(&call->bias) : zeros_or_null(&call->bias),
      .output = kind == FORWARD ? cnnl_zeros(&call->output) : cnnl_read(&call->output),
      .grad_input = zeros_or_null(&call->grad_input),
      .grad_offset = zeros_or_null(&call->grad_offset),
      .grad_mask = zeros_or_null(&call->grad_mask),
      .columns = calloc(pixels * row + 1, sizeof(float)),
      .left = calloc(pixels * out + 1, sizeof(float)),
      .right = calloc(row * out + 1, sizeof(float))};
  *complete = v.input != NULL && v.offset != NULL && is_there(&call->mask, v.mask) &&
              v.filter != NULL && is_there(&call->bias, v.bias) && v.output != NULL &&
              is_there(&call->grad_input, v.grad_input) &&
              is_there(&call->grad_offset, v.grad_offset) &&
              is_there(&call->grad_mask, v.grad_mask) && v.columns != NULL && v.left != NULL &&
              v.right != NULL;
  return v;
}

static void free_all(struct arrays *v) {
  float *const all[] = {v->input,      v->offset,      v->mask,      v->filter,  v->bias, v->output,
                        v->grad_input, v->grad_offset, v->grad_mask, v->columns, v->left, v->right};
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); ++i) {
    free(all[i]);
  }
}

/* Addresses of an image's parts. */
struct image {
  const float *input;
  const float *offset;
  const float *mask;
  float *output;
  float *grad_input;
  float *grad_offset;
  float *grad_mask;
};

static struct image image_of(const struct cnnl_dcn *dcn, const struct arrays *v, int64_t n) {
  const int64_t places =
      cnnl_dcn_pixels(dcn) * dcn->desc.deformable_group * dcn->kernel_height * dcn->kernel_width;
  const int64_t input = n * dcn->height * dcn->width * dcn->channels;
  const int64_t output = n * cnnl_dcn_pixels(dcn) * dcn->out_channels;
  return (struct image){
      .input = v->input + input,
      .offset = v->offset + n * places * 2,
      .mask = v->mask != NULL ? v->mask + n * places : NULL,
      .output = v->output + output,
      .grad_input = v->grad_input != NULL ? v->grad_input + input : NULL,
      .grad_offset = v->grad_offset != NULL ? v->grad_offset + n * places * 2 : NULL,
      .grad_mask = v->grad_mask != NULL ? v->grad_mask + n * places : NULL};
}

/* ---- Forward ---- */

static void forward_group(const struct cnnl_dcn *dcn, const struct arrays *v,
                          const struct image *image, int64_t group) {
  const int64_t pixels = cnnl_dcn_pixels(dcn);
  const int64_t row = cnnl_dcn_row(dcn);
  const int64_t out = dcn->out_channels / dcn->desc.conv_group;
  const float *filter = v->filter + group * out * row;
  for (int64_t o = 0; o < out; ++o) {
    for (int64_t i = 0; i < row; ++i) {
      v->right[i * out + o] = filter[o * row + i];
    }
  }
  cnnl_dcn_columns(dcn, image->input, image->offset, image->mask, group, v->columns);
  cnnl_gemm(pixels, out, row, 1, v->columns, v->right, 0, v->left);
  for (int64_t p = 0; p < pixels; ++p) {
    for (int64_t o = 0; o < out; ++o) {
      const int64_t channel = group * out + o;
      image->output[p * dcn->out_channels + channel] =
          v->left[p * out + o] + (v->bias != NULL ? v->bias[channel] : 0.0F);
    }
  }
}

/* ---- Gradients of input, offset and mask ---- */

/* Spreads the gradient of one sample. */
static void spread(const struct cnnl_dcn *dcn, const struct image *image,
                   const struct cnnl_dcn_point *point, int64_t channel, float gradient) {
  const float *pixels = image->input + channel;
  float down = 0;
  float right = 0;
  for (int i = 0; i < 4; ++i) {
    const float value = pixels[point->sample.pixel[i] * dcn->channels];
    down += point->sample.along_y[i] * value;
    right += point->sample.along_x[i] * value;
  }
  cnnl_sample_add(&point->sample, image->grad_input + channel, dcn->channels,
                  gradient * point->scale);
  image->grad_offset[point->offset] += gradient * point->scale * down;
  image->grad_offset[point->offset + 1] += gradient * point->scale * right;
  if (image->grad_mask != NULL) {
    image->grad_mask[point->mask] +=
        gradient * cnnl_sample_value(&point->sample, pixels, dcn->channels);
  }
}

static void data_group(const struct cnnl_dcn *dcn, const struct arrays *v,
                       const struct image *image, int64_t group) {
  const int64_t pixels = cnnl_dcn_pixels(dcn);
  const int64_t row = cnnl_dcn_row(dcn);
  const int64_t out = dcn->out_channels / dcn->desc.conv_group;
  const int64_t channels = cnnl_dcn_group_channels(dcn);
  for (int64_t p = 0; p < pixels; ++p) {
    for (int64_t o = 0; o < out; ++o) {
      v->left[p * out + o] = image->output[p * dcn->out_channels + group * out + o];
    }
  }
  cnnl_gemm(pixels, row, out, 1, v->left, v->filter + group * out * row, 0, v->columns);
  for (int64_t i = 0; i < pixels * row; ++i) {
    const int64_t channel = group * channels + i % channels;
    const struct cnnl_dcn_point point =
        cnnl_dcn_point(dcn, image->offset, image->mask, i / row, i % row / channels, channel);
    spread(dcn, image, &point, channel, v->columns[i]);
  }
}

/* ---- Gradients of filter and bias ---- */

static void weight_group(const struct cnnl_dcn *dcn, const struct arrays *v,
                         const struct image *image, int64_t group) {
  const int64_t pixels = cnnl_dcn_pixels(dcn);
  const int64_t row = cnnl_dcn_row(dcn);
  const int64_t out = dcn->out_channels / dcn->desc.conv_group;
  for (int64_t p = 0; p < pixels; ++p) {
    for (int64_t o = 0; o < out; ++o) {
      const int64_t channel = group * out + o;
      const float gradient = image->output[p * dcn->out_channels + channel];
      v->left[o * pixels + p] = gradient;
      if (v->bias != NULL) {
        v->bias[channel] += gradient;
      }
    }
  }
  cnnl_dcn_columns(dcn, image->input, image->offset, image->mask, group, v->columns);
  cnnl_gemm(out, row, pixels, 1, v->left, v->columns, 1, v->filter + group * out * row);
}

/* ---- Operations ---- */

static void write_results(const struct call *call, const struct arrays *v, int kind) {
  if (kind == FORWARD) {
    cnnl_write(&call->output, v->output);
  } else if (kind == BACK_WEIGHT) {
    cnnl_write(&call->filter, v->filter);
    if (v->bias != NULL) {
      cnnl_write(&call->bias, v->bias);
    }
  } else {
    cnnl_write(&call->grad_input, v->grad_input);
    cnnl_write(&call->grad_offset, v->grad_offset);
    if (v->grad_mask != NULL) {
      cnnl_write(&call->grad_mask, v->grad_mask);
    }
  }
}

static cnrtRet_t run(const struct call *call, int kind) {
  const struct cnnl_dcn *dcn = &call->dcn;
  bool complete = false;
  struct arrays v = read_all(call, kind, &complete);
  for (int64_t n = 0; complete && n < dcn->images; ++n) {
    const struct image image = image_of(dcn, &v, n);
    for (int64_t group = 0; group < dcn->desc.conv_group; ++group) {
      if (kind == FORWARD) {
        forward_group(dcn, &v, &image, group);
      } else if (kind == BACK_DATA) {
        data_group(dcn, &v, &image, group);
      } else {
        weight_group(dcn, &v, &image, group);
      }
    }
  }
  if (complete) {
    write_results(call, &v, kind);
  }
  free_all(&v);
  return complete ? cnrtSuccess : cnrtErrorNoMem;
}

static cnrtRet_t run_forward(void *arguments) {
  return run(arguments, FORWARD);
}

static cnrtRet_t run_data(void *arguments) {
  return run(arguments, BACK_DATA);
}

static cnrtRet_t run_weight(void *arguments) {
  return run(arguments, BACK_WEIGHT);
}

static cnnlStatus_t submit(const char *function, cnnlHandle_t handle, cnnlDCNDescriptor_t desc,
                           struct call *call, cnnl_run_t function_to_run) {
  CNNL_CHECK(cnnl_dcn_take(function, desc, &call->input, &call->offset, &call->mask, &call->filter,
                           &call->output, &call->dcn));
  if (call->bias.data != NULL && cnnl_count(&call->bias.shape) != call->dcn.out_channels) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the bias has not a value per channel", function);
  }
  return cnnl_submit(function, handle, function_to_run, call, sizeof(*call),
                     cnnl_count(&call->output.shape) * cnnl_dcn_row(&call->dcn));
}

CNNL_EXPORT cnnlStatus_t cnnlGetDCNForwardWorkspaceSize(
    cnnlHandle_t handle, const cnnlDCNDescriptor_t desc, const cnnlTensorDescriptor_t input_desc,
    const cnnlTensorDescriptor_t offset_desc, const cnnlTensorDescriptor_t mask_desc,
    const cnnlTensorDescriptor_t filter_desc, const cnnlTensorDescriptor_t bias_desc,
    const cnnlTensorDescriptor_t output_desc, size_t *size) {
  (void)desc;
  (void)input_desc;
  (void)offset_desc;
  (void)mask_desc;
  (void)filter_desc;
  (void)bias_desc;
  (void)output_desc;
  return cnnl_no_workspace(__func__, handle, size);
}

CNNL_EXPORT cnnlStatus_t cnnlDCNForward(cnnlHandle_t handle, const cnnlDCNDescriptor_t desc,
                                        const cnnlTensorDescriptor_t input_desc, const void *input,
                                        const cnnlTensorDescriptor_t offset_desc,
                                        const void *offset, const cnnlTensorDescriptor_t mask_desc,
                                        const void *mask, const cnnlTensorDescriptor_t filter_desc,
                                        const void *filter, const cnnlTensorDescriptor_t bias_desc,
                                        const void *bias, void *workspace, size_t workspace_size,
                                        const cnnlTensorDescriptor_t output_desc, void *output) {
  (void)workspace;
  (void)workspace_size;
  struct call call = {.input = {.data = NULL}};
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &call.input));
  CNNL_CHECK(cnnl_take(__func__, "offset", offset_desc, offset, &call.offset));
  CNNL_CHECK(cnnl_take_optional(__func__, "mask", mask_desc, mask, &call.mask));
  CNNL_CHECK(cnnl_take(__func__, "filter", filter_desc, filter, &call.filter));
  CNNL_CHECK(cnnl_take_optional(__func__, "bias", bias_desc, bias, &call.bias));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &call.output));
  return submit(__func__, handle, desc, &call, run_forward);
}

CNNL_EXPORT cnnlStatus_t cnnlGetDCNBakcwardDataWorkspaceSize(
    cnnlHandle_t handle, const cnnlDCNDescriptor_t desc, const cnnlTensorDescriptor_t input_desc,
    const cnnlTensorDescriptor_t offset_desc, const cnnlTensorDescriptor_t mask_desc,
    const cnnlTensorDescriptor_t filter_desc, const cnnlTensorDescriptor_t grad_output_desc,
    const cnnlTensorDescriptor_t grad_input_desc, const cnnlTensorDescriptor_t grad_offset_desc,
    const cnnlTensorDescriptor_t grad_mask_desc, size_t *size) {
  (void)desc;
  (void)input_desc;
  (void)offset_desc;
  (void)mask_desc;
  (void)filter_desc;
  (void)grad_output_desc;
  (void)grad_input_desc;
  (void)grad_offset_desc;
  (void)grad_mask_desc;
  return cnnl_no_workspace(__func__, handle, size);
}

CNNL_EXPORT cnnlStatus_t cnnlDCNBackwardData(
    cnnlHandle_t handle, const cnnlDCNDescriptor_t desc, const cnnlTensorDescriptor_t input_desc,
    const void *input, const cnnlTensorDescriptor_t offset_desc, const void *offset,
    const cnnlTensorDescriptor_t mask_desc, const void *mask,
    const cnnlTensorDescriptor_t filter_desc, const void *filter,
    const cnnlTensorDescriptor_t grad_output_desc, const void *grad_output, void *workspace,
    size_t workspace_size, const cnnlTensorDescriptor_t grad_input_desc, void *grad_input,
    const cnnlTensorDescriptor_t grad_offset_desc, void *grad_offset,
    const cnnlTensorDescriptor_t grad_mask_desc, void *grad_mask) {
  (void)workspace;
  (void)workspace_size;
  struct call call = {.input = {.data = NULL}};
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &call.input));
  CNNL_CHECK(cnnl_take(__func__, "offset", offset_desc, offset, &call.offset));
  CNNL_CHECK(cnnl_take_optional(__func__, "mask", mask_desc, mask, &call.mask));
  CNNL_CHECK(cnnl_take(__func__, "filter", filter_desc, filter, &call.filter));
  CNNL_CHECK(cnnl_take(__func__, "grad_output", grad_output_desc, grad_output, &call.output));
  CNNL_CHECK(cnnl_take(__func__, "grad_input", grad_input_desc, grad_input, &call.grad_input));
  CNNL_CHECK(cnnl_take(__func__, "grad_offset", grad_offset_desc, grad_offset, &call.grad_offset));
  CNNL_CHECK(cnnl_take_optional(__func__, "grad_mask", grad_mask_desc, grad_mask, &call.grad_mask));
  CNNL_CHECK(cnnl_need_same_dims(__func__, &call.grad_input, &call.input));
  CNNL_CHECK(cnnl_need_same_dims(__func__, &call.grad_offset, &call.offset));
  CNNL_CHECK(cnnl_need_float(__func__, "grad_input", &call.grad_input));
  CNNL_CHECK(cnnl_need_float(__func__, "grad_offset", &call.grad_offset));
  if (call.grad_mask.data != NULL) {
    CNNL_CHECK(cnnl_need_same_dims(__func__, &call.grad_mask, &call.mask));
    CNNL_CHECK(cnnl_need_float(__func__, "grad_mask", &call.grad_mask));
  }
  return submit(__func__, handle, desc, &call, run_data);
}

CNNL_EXPORT cnnlStatus_t cnnlGetDCNBackwardWeightWorkspaceSize(
    cnnlHandle_t handle, const cnnlDCNDescriptor_t desc, const cnnlTensorDescriptor_t input_desc,
    const cnnlTensorDescriptor_t offset_desc, const cnnlTensorDescriptor_t mask_desc,
    const cnnlTensorDescriptor_t grad_output_desc, const cnnlTensorDescriptor_t grad_filter_desc,
    const cnnlTensorDescriptor_t grad_bias_desc, size_t *size) {
  (void)desc;
  (void)input_desc;
  (void)offset_desc;
  (void)mask_desc;
  (void)grad_output_desc;
  (void)grad_filter_desc;
  (void)grad_bias_desc;
  return cnnl_no_workspace(__func__, handle, size);
}

CNNL_EXPORT cnnlStatus_t cnnlDCNBackwardWeight(
    cnnlHandle_t handle, const cnnlDCNDescriptor_t desc, const cnnlTensorDescriptor_t input_desc,
    const void *input, const cnnlTensorDescriptor_t offset_desc, const void *offset,
    const cnnlTensorDescriptor_t mask_desc, const void *mask,
    const cnnlTensorDescriptor_t grad_output_desc, const void *grad_output, void *workspace,
    size_t workspace_size, const cnnlTensorDescriptor_t grad_filter_desc, void *grad_filter,
    const cnnlTensorDescriptor_t grad_bias_desc, void *grad_bias) {
  (void)workspace;
  (void)workspace_size;
  struct call call = {.input = {.data = NULL}};
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &call.input));
  CNNL_CHECK(cnnl_take(__func__, "offset", offset_desc, offset, &call.offset));
  CNNL_CHECK(cnnl_take_optional(__func__, "mask", mask_desc, mask, &call.mask));
  CNNL_CHECK(cnnl_take(__func__, "grad_output", grad_output_desc, grad_output, &call.output));
  CNNL_CHECK(cnnl_take(__func__, "grad_filter", grad_filter_desc, grad_filter, &call.filter));
  CNNL_CHECK(cnnl_take_optional(__func__, "grad_bias", grad_bias_desc, grad_bias, &call.bias));
  return submit(__func__, handle, desc, &call, run_weight);
}
