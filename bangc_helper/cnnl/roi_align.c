/* SPDX-License-Identifier: MIT
 *
 * Regions of images at a fixed size: samples of each bin, averaged or their maximum.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "handle.h"
#include "sample.h"
#include "values.h"

enum { MAXIMUM = 0, AVERAGE = 1, BOX = 5 };

struct cnnlRoiAlignStruct {
  int pooled_height;
  int pooled_width;
  int sampling_ratio;
  float spatial_scale;
  int pool_mode;
  bool aligned;
};

/* The forward direction reads `image` and writes `pooled`; the backward direction does the reverse.
 */
struct roi_align {
  struct cnnlRoiAlignStruct desc;
  struct cnnl_tensor image;
  struct cnnl_tensor boxes;
  struct cnnl_tensor pooled;
  struct cnnl_tensor argmax_x; /* of maxima */
  struct cnnl_tensor argmax_y;
};

struct arrays {
  float *image;
  float *boxes;
  float *pooled;
  float *argmax_x;
  float *argmax_y;
};

/* The bins of a box. */
struct region {
  int64_t batch;
  float y;
  float x;
  float bin_height;
  float bin_width;
  int rows; /* samples of a bin */
  int columns;
};

static struct region region_of(const struct cnnlRoiAlignStruct *desc, const float *box) {
  const float offset = desc->aligned ? 0.5F : 0.0F;
  struct region region = {.batch = (int64_t)box[0],
                          .x = box[1] * desc->spatial_scale - offset,
                          .y = box[2] * desc->spatial_scale - offset};
  float width = box[3] * desc->spatial_scale - offset - region.x;
  float height = box[4] * desc->spatial_scale - offset - region.y;
  if (!desc->aligned) { /* at least a pixel */
    width = fmaxf(width, 1);
    height = fmaxf(height, 1);
  }
  region.bin_height = height / (float)desc->pooled_height;
  region.bin_width = width / (float)desc->pooled_width;
  region.rows = desc->sampling_ratio > 0 ? desc->sampling_ratio : (int)ceilf(region.bin_height);
  region.columns = desc->sampling_ratio > 0 ? desc->sampling_ratio : (int)ceilf(region.bin_width);
  return region;
}

static float sample_y(const struct region *region, int bin, int row) {
  return region->y + (float)bin * region->bin_height +
         ((float)row + 0.5F) * region->bin_height / (float)region->rows;
}

static float sample_x(const struct region *region, int bin, int column) {
  return region->x + (float)bin * region->bin_width +
         ((float)column + 0.5F) * region->bin_width / (float)region->columns;
}

/* One bin of all channels; `place` is its first channel in the pooled tensor. */
static void average_bin(const struct roi_align *call, const struct arrays *v,
                        const struct region *region, int ph, int pw, int64_t place, bool backward) {
  const int64_t *dims = call->image.shape.dims;
  const int64_t channels = dims[3];
  float *image = v->image + region->batch * dims[1] * dims[2] * channels;
  const int count = region->rows * region->columns;
  const float share = 1.0F / (float)(count > 1 ? count : 1);
  for (int row = 0; row < region->rows; ++row) {
    for (int column = 0; column < region->columns; ++column) {
      const struct cnnl_sample sample = cnnl_sample_edge(
          dims[1], dims[2], sample_y(region, ph, row), sample_x(region, pw, column));
      for (int64_t c = 0; c < channels; ++c) {
        if (backward) {
          cnnl_sample_add(&sample, image + c, channels, v->pooled[place + c] * share);
        } else {
          v->pooled[place + c] += cnnl_sample_value(&sample, image + c, channels) * share;
        }
      }
    }
  }
}

static void maximum_bin(const struct roi_align *call, const struct arrays *v,
                        const struct region *region, int ph, int pw, int64_t place) {
  const int64_t *dims = call->image.shape.dims;
  const int64_t channels = dims[3];
  const float *image = v->image + region->batch * dims[1] * dims[2] * channels;
  for (int64_t c = 0; c < channels; ++c) {
    v->pooled[place + c] = region->rows * region->columns > 0 ? -FLT_MAX : 0;
    v->argmax_x[place + c] = -1;
    v->argmax_y[place + c] = -1;
  }
  for (int row = 0; row < region->rows; ++row) {
    for (int column = 0; column < region->columns; ++column) {
      const float y = sample_y(region, ph, row);
      const float x = sample_x(region, pw, column);
      const struct cnnl_sample sample = cnnl_sample_edge(dims[1], dims[2], y, x);
      for (int64_t c = 0; c < channels; ++c) {
        const float value = cnnl_sample_value(&sample, image + c, channels);
        if (value > v->pooled[place + c]) {
          v->pooled[place + c] = value;
          v->argmax_x[place + c] = x;
          v->argmax_y[place + c] = y;
        }
      }
    }
  }
}

/* The gradient goes to the position of the maximum. */
static void maximum_back(const struct roi_align *call, const struct arrays *v,
                         const struct region *region, int64_t place) {
  const int64_t *dims = call->image.shape.dims;
  const int64_t channels = dims[3];
  float *image = v->image + region->batch * dims[1] * dims[2] * channels;
  for (int64_t c = 0; c < channels; ++c) {
    const float y = v->argmax_y[place + c];
    if (y != -1.0F) {
      const struct cnnl_sample sample =
          cnnl_sample_edge(dims[1], dims[2], y, v->argmax_x[place + c]);
      cnnl_sample_add(&sample, image + c, channels, v->pooled[place + c]);
    }
  }
}

static void all_bins(const struct roi_align *call, const struct arrays *v, bool backward) {
  const struct cnnlRoiAlignStruct *desc = &call->desc;
  const int64_t channels = call->image.shape.dims[3];
  for (int64_t n = 0; n < call->boxes.shape.dims[0]; ++n) {
    const struct region region = region_of(desc, v->boxes + n * BOX);
    if (region.batch < 0 || region.batch >= call->image.shape.dims[0]) {
      continue;
    }
    for (int ph = 0; ph < desc->pooled_height; ++ph) {
      for (int pw = 0; pw < desc->pooled_width; ++pw) {
        const int64_t place = ((n * desc->pooled_height + ph) * desc->pooled_width + pw) * channels;
        if (desc->pool_mode == AVERAGE) {
          average_bin(call, v, &region, ph, pw, place, backward);
        } else if (backward) {
          maximum_back(call, v, &region, place);
        } else {
          maximum_bin(call, v, &region, ph, pw, place);
        }
      }
    }
  }
}

static cnrtRet_t run(const struct roi_align *call, bool backward) {
  const bool maximum = call->desc.pool_mode == MAXIMUM;
  struct arrays v = {.image = backward ? cnnl_zeros(&call->image) : cnnl_read(&call->image),
                     .boxes = cnnl_read(&call->boxes),
                     .pooled = backward ? cnnl_read(&call->pooled) : cnnl_zeros(&call->pooled)};
  if (maximum) {
    v.argmax_x = cnnl_read(&call->argmax_x);
    v.argmax_y = cnnl_read(&call->argmax_y);
  }
  const bool complete = v.image != NULL && v.boxes != NULL && v.pooled != NULL &&
                        (!maximum || (v.argmax_x != NULL && v.argmax_y != NULL));
  if (complete) {
    all_bins(call, &v, backward);
    cnnl_write(backward ? &call->image : &call->pooled, backward ? v.image : v.pooled);
    if (maximum && !backward) {
      cnnl_write(&call->argmax_x, v.argmax_x);
      cnnl_write(&call->argmax_y, v.argmax_y);
    }
  }
  free(v.image);
  free(v.boxes);
  free(v.pooled);
  free(v.argmax_x);
  free(v.argmax_y);
  return complete ? cnrtSuccess : cnrtErrorNoMem;
}

static cnrtRet_t run_forward(void *arguments) {
  return run(arguments, false);
}

static cnrtRet_t run_backward(void *arguments) {
  return run(arguments, true);
}

/* ---- Calls ---- */

CNNL_EXPORT cnnlStatus_t cnnlCreateRoiAlignDescriptor(cnnlRoiAlignDescriptor_t *desc) {
  return cnnl_create(__func__, (void **)desc, sizeof(**desc));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroyRoiAlignDescriptor(cnnlRoiAlignDescriptor_t desc) {
  return cnnl_destroy(__func__, desc);
}

CNNL_EXPORT cnnlStatus_t cnnlSetRoiAlignDescriptor_v2(cnnlRoiAlignDescriptor_t desc,
                                                      int pooled_height, int pooled_width,
                                                      int sampling_ratio, float spatial_scale,
                                                      int pool_mode, bool aligned) {
  if (desc == NULL || pooled_height < 1 || pooled_width < 1) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: desc is NULL, or a region has no bins",
                       __func__);
  }
  if (pool_mode != MAXIMUM && pool_mode != AVERAGE) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: there is no pool_mode %d", __func__,
                       pool_mode);
  }
  *desc = (struct cnnlRoiAlignStruct){pooled_height, pooled_width, sampling_ratio,
                                      spatial_scale, pool_mode,    aligned};
  return CNNL_STATUS_SUCCESS;
}

struct argument {
  const char *name;
  cnnlTensorDescriptor_t desc;
  const void *data;
};

/* argmax_x and argmax_y are used for maxima only. */
static cnnlStatus_t take(const char *function, struct roi_align *call, struct argument image,
                         struct argument boxes, struct argument pooled, struct argument argmax_x,
                         struct argument argmax_y) {
  CNNL_CHECK(cnnl_take(function, image.name, image.desc, image.data, &call->image));
  CNNL_CHECK(cnnl_take(function, boxes.name, boxes.desc, boxes.data, &call->boxes));
  CNNL_CHECK(cnnl_take(function, pooled.name, pooled.desc, pooled.data, &call->pooled));
  CNNL_CHECK(cnnl_need_rank(function, image.name, &call->image, 4));
  CNNL_CHECK(cnnl_need_rank(function, boxes.name, &call->boxes, 2));
  CNNL_CHECK(cnnl_need_rank(function, pooled.name, &call->pooled, 4));
  CNNL_CHECK(cnnl_need_float(function, image.name, &call->image));
  CNNL_CHECK(cnnl_need_float(function, boxes.name, &call->boxes));
  CNNL_CHECK(cnnl_need_float(function, pooled.name, &call->pooled));
  const int64_t *dims = call->pooled.shape.dims;
  if (call->boxes.shape.dims[1] != BOX || dims[0] != call->boxes.shape.dims[0] ||
      dims[1] != call->desc.pooled_height || dims[2] != call->desc.pooled_width ||
      dims[3] != call->image.shape.dims[3]) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the dimensions of %s, %s and %s do not fit",
                       function, image.name, boxes.name, pooled.name);
  }
  if (call->desc.pool_mode == MAXIMUM) {
    struct cnnl_tensor *const tensors[] = {&call->argmax_x, &call->argmax_y};
    const struct argument *const places[] = {&argmax_x, &argmax_y};
    for (int i = 0; i < 2; ++i) {
      CNNL_CHECK(
          cnnl_take(function, places[i]->name, places[i]->desc, places[i]->data, tensors[i]));
      CNNL_CHECK(cnnl_need_float(function, places[i]->name, tensors[i]));
      CNNL_CHECK(cnnl_need_same_dims(function, tensors[i], &call->pooled));
    }
  }
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlRoiAlign_v2(cnnlHandle_t handle, const cnnlRoiAlignDescriptor_t desc,
                                         const cnnlTensorDescriptor_t input_desc, const void *input,
                                         const cnnlTensorDescriptor_t boxes_desc, const void *boxes,
                                         const cnnlTensorDescriptor_t output_desc, void *output,
                                         const cnnlTensorDescriptor_t argmax_x_desc, void *argmax_x,
                                         const cnnlTensorDescriptor_t argmax_y_desc,
                                         void *argmax_y) {
  if (desc == NULL || desc->pooled_height == 0) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: desc is NULL or not set", __func__);
  }
  struct roi_align call = {.desc = *desc};
  CNNL_CHECK(take(__func__, &call, (struct argument){"input", input_desc, input},
                  (struct argument){"boxes", boxes_desc, boxes},
                  (struct argument){"output", output_desc, output},
                  (struct argument){"argmax_x", argmax_x_desc, argmax_x},
                  (struct argument){"argmax_y", argmax_y_desc, argmax_y}));
  return cnnl_submit(__func__, handle, run_forward, &call, sizeof(call),
                     cnnl_count(&call.image.shape) + 4 * cnnl_count(&call.pooled.shape));
}

CNNL_EXPORT cnnlStatus_t cnnlRoiAlignBackward_v2(
    cnnlHandle_t handle, const cnnlTensorDescriptor_t grads_desc, const void *grads,
    const cnnlTensorDescriptor_t boxes_desc, const void *boxes,
    const cnnlTensorDescriptor_t argmax_x_desc, const void *argmax_x,
    const cnnlTensorDescriptor_t argmax_y_desc, const void *argmax_y, float spatial_scale,
    int sampling_ratio, bool aligned, int pool_mode, const cnnlTensorDescriptor_t grads_image_desc,
    void *grads_image) {
  struct cnnl_tensor pooled;
  struct roi_align call;
  CNNL_CHECK(cnnl_take(__func__, "grads", grads_desc, grads, &pooled));
  CNNL_CHECK(cnnl_need_rank(__func__, "grads", &pooled, 4));
  CNNL_CHECK(cnnlSetRoiAlignDescriptor_v2(&call.desc, (int)pooled.shape.dims[1],
                                          (int)pooled.shape.dims[2], sampling_ratio, spatial_scale,
                                          pool_mode, aligned));
  CNNL_CHECK(take(__func__, &call, (struct argument){"grads_image", grads_image_desc, grads_image},
                  (struct argument){"boxes", boxes_desc, boxes},
                  (struct argument){"grads", grads_desc, grads},
                  (struct argument){"argmax_x", argmax_x_desc, argmax_x},
                  (struct argument){"argmax_y", argmax_y_desc, argmax_y}));
  return cnnl_submit(__func__, handle, run_backward, &call, sizeof(call),
                     cnnl_count(&call.image.shape) + 4 * cnnl_count(&call.pooled.shape));
}
