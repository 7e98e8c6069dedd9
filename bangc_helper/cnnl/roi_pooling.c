/* SPDX-License-Identifier: MIT
 *
 * The maximum of each bin of regions whose edges are whole pixels.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "handle.h"
#include "values.h"

enum { BOX = 5 };

struct roi_pooling {
  struct cnnl_tensor image;
  struct cnnl_tensor rois;
  struct cnnl_tensor pooled;
  int *argmax; /* dense, of the shape of the pooled tensor; may be NULL in the forward direction */
  float spatial_scale;
};

struct range {
  int64_t first;
  int64_t end;
};

/* The pixels of bin `index` of `bins` along one edge of a region. */
static struct range bin_range(float from, float to, float scale, int64_t bins, int64_t index,
                              int64_t length) {
  const int64_t start = (int64_t)roundf(from * scale);
  const int64_t last = (int64_t)roundf(to * scale);
  const float size = fmaxf((float)(last - start + 1), 1) / (float)bins;
  struct range range = {start + (int64_t)floorf((float)index * size),
                        start + (int64_t)ceilf((float)(index + 1) * size)};
  range.first = range.first < 0 ? 0 : range.first > length ? length : range.first;
  range.end = range.end < 0 ? 0 : range.end > length ? length : range.end;
  return range;
}

static void pool_bin(const struct roi_pooling *call, const float *image, struct range rows,
                     struct range columns, float *pooled, int64_t place) {
  const int64_t width = call->image.shape.dims[2];
  const int64_t channels = call->image.shape.dims[3];
  const bool is_empty = rows.end <= rows.first || columns.end <= columns.first;
  for (int64_t c = 0; c < channels; ++c) {
    float best = is_empty ? 0 : -FLT_MAX;
    int64_t pixel = -1;
    for (int64_t y = rows.first; y < rows.end; ++y) {
      for (int64_t x = columns.first; x < columns.end; ++x) {
        const float value = image[(y * width + x) * channels + c];
        if (value > best) {
          best = value;
          pixel = y * width + x;
        }
      }
    }
    pooled[place + c] = best;
    if (call->argmax != NULL) {
      call->argmax[place + c] = (int)pixel;
    }
  }
}

static void pool(const struct roi_pooling *call, const float *image, const float *rois,
                 float *pooled) {
  const int64_t *dims = call->image.shape.dims;
  const int64_t *out = call->pooled.shape.dims;
  for (int64_t n = 0; n < out[0]; ++n) {
    const float *roi = rois + n * BOX;
    const int64_t batch = (int64_t)roi[0];
    if (batch < 0 || batch >= dims[0]) {
      continue;
    }
    for (int64_t ph = 0; ph < out[1]; ++ph) {
      for (int64_t pw = 0; pw < out[2]; ++pw) {
        pool_bin(call, image + batch * dims[1] * dims[2] * dims[3],
                 bin_range(roi[2], roi[4], call->spatial_scale, out[1], ph, dims[1]),
                 bin_range(roi[1], roi[3], call->spatial_scale, out[2], pw, dims[2]), pooled,
                 ((n * out[1] + ph) * out[2] + pw) * out[3]);
      }
    }
  }
}

static cnrtRet_t run_forward(void *arguments) {
  const struct roi_pooling *call = arguments;
  float *image = cnnl_read(&call->image);
  float *rois = cnnl_read(&call->rois);
  float *pooled = cnnl_zeros(&call->pooled);
  const bool complete = image != NULL && rois != NULL && pooled != NULL;
  if (complete) {
    pool(call, image, rois, pooled);
    cnnl_write(&call->pooled, pooled);
  }
  free(image);
  free(rois);
  free(pooled);
  return complete ? cnrtSuccess : cnrtErrorNoMem;
}

/* Gradients go to the positions of the maxima. */
static cnrtRet_t run_backward(void *arguments) {
  const struct roi_pooling *call = arguments;
  float *image = cnnl_zeros(&call->image);
  float *rois = cnnl_read(&call->rois);
  float *pooled = cnnl_read(&call->pooled);
  const bool complete = image != NULL && rois != NULL && pooled != NULL;
  const int64_t *dims = call->image.shape.dims;
  const int64_t pixels = dims[1] * dims[2];
  const int64_t channels = dims[3];
  const int64_t count = complete ? cnnl_count(&call->pooled.shape) : 0;
  const int64_t bins = call->pooled.shape.dims[1] * call->pooled.shape.dims[2] * channels;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t batch = (int64_t)rois[i / bins * BOX];
    const int64_t pixel = call->argmax[i];
    if (pixel >= 0 && pixel < pixels && batch >= 0 && batch < dims[0]) {
      image[(batch * pixels + pixel) * channels + i % channels] += pooled[i];
    }
  }
  if (complete) {
    cnnl_write(&call->image, image);
  }
  free(image);
  free(rois);
  free(pooled);
  return complete ? cnrtSuccess : cnrtErrorNoMem;
}

/* ---- Calls ---- */

static cnnlStatus_t check(const char *function, cnnlPoolingMode_t mode,
                          const struct roi_pooling *call) {
  if (mode != CNNL_POOLING_MAX) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: only CNNL_POOLING_MAX, not %d", function,
                       (int)mode);
  }
  CNNL_CHECK(cnnl_need_rank(function, "the image", &call->image, 4));
  CNNL_CHECK(cnnl_need_rank(function, "rois", &call->rois, 2));
  CNNL_CHECK(cnnl_need_rank(function, "what is pooled", &call->pooled, 4));
  CNNL_CHECK(cnnl_need_float(function, "the image", &call->image));
  CNNL_CHECK(cnnl_need_float(function, "rois", &call->rois));
  CNNL_CHECK(cnnl_need_float(function, "what is pooled", &call->pooled));
  if (call->rois.shape.dims[1] != BOX || call->rois.shape.dims[0] != call->pooled.shape.dims[0] ||
      call->image.shape.dims[3] != call->pooled.shape.dims[3]) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the tensors' dimensions do not fit", function);
  }
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlRoiPoolingForward(
    cnnlHandle_t handle, cnnlPoolingMode_t mode, const cnnlTensorDescriptor_t input_desc,
    const void *input, const cnnlTensorDescriptor_t rois_desc, const void *rois,
    float spatial_scale, const cnnlTensorDescriptor_t output_desc, void *output, int *argmax) {
  struct roi_pooling call = {.spatial_scale = spatial_scale, .argmax = argmax};
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &call.image));
  CNNL_CHECK(cnnl_take(__func__, "rois", rois_desc, rois, &call.rois));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &call.pooled));
  CNNL_CHECK(check(__func__, mode, &call));
  return cnnl_submit(__func__, handle, run_forward, &call, sizeof(call),
                     cnnl_count(&call.image.shape) + 4 * cnnl_count(&call.pooled.shape));
}

CNNL_EXPORT cnnlStatus_t cnnlRoiPoolingBackward(
    cnnlHandle_t handle, cnnlPoolingMode_t mode, const cnnlTensorDescriptor_t grads_desc,
    const void *grads, const cnnlTensorDescriptor_t rois_desc, const void *rois,
    const cnnlTensorDescriptor_t argmax_desc, const int *argmax, float spatial_scale,
    const cnnlTensorDescriptor_t grads_image_desc, void *grads_image) {
  struct cnnl_tensor places;
  struct roi_pooling call = {.spatial_scale = spatial_scale, .argmax = (int *)argmax};
  CNNL_CHECK(cnnl_take(__func__, "grads", grads_desc, grads, &call.pooled));
  CNNL_CHECK(cnnl_take(__func__, "rois", rois_desc, rois, &call.rois));
  CNNL_CHECK(cnnl_take(__func__, "argmax", argmax_desc, argmax, &places));
  CNNL_CHECK(cnnl_take(__func__, "grads_image", grads_image_desc, grads_image, &call.image));
  CNNL_CHECK(check(__func__, mode, &call));
  CNNL_CHECK(cnnl_need_type(__func__, "argmax", &places, CNNL_DTYPE_INT32));
  CNNL_CHECK(cnnl_need_same_dims(__func__, &places, &call.pooled));
  return cnnl_submit(__func__, handle, run_backward, &call, sizeof(call),
                     cnnl_count(&call.image.shape) + cnnl_count(&call.pooled.shape));
}
