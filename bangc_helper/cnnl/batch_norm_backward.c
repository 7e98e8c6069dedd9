/* SPDX-License-Identifier: MIT
 *
 * Gradients of batch normalisation: sums of each device, then the gradient of the input.
 */
#include <stdlib.h>

#include "batch_norm.h"
#include "element.h"
#include "handle.h"

/* ---- Sums of a device's part ---- */

enum { RED_X, RED_DZ, RED_MEAN, RED_INVSTD, RED_DFILTER, RED_DBIAS, RED_SUM_DY, RED_SUM_DY_XMU };

static cnrtRet_t run_reduce(void *arguments) {
  const struct cnnl_norm *call = arguments;
  struct cnnl_norm_arrays arrays = cnnl_norm_read(call);
  const int64_t channels = cnnl_norm_channels(&call->tensors[RED_X]);
  const int64_t rows = cnnl_norm_rows(&call->tensors[RED_X]);
  float *const *v = arrays.values;
  for (int64_t c = 0; arrays.complete && c < channels; ++c) {
    double sum = 0;
    double product = 0;
    for (int64_t r = 0; r < rows; ++r) {
      const double dz = (double)v[RED_DZ][r * channels + c];
      sum += dz;
      product += dz * ((double)v[RED_X][r * channels + c] - (double)v[RED_MEAN][c]);
    }
    const double results[] = {product * (double)v[RED_INVSTD][c], sum, sum, product};
    for (int i = RED_DFILTER; i <= RED_SUM_DY_XMU; ++i) {
      if (v[i] != NULL) {
        v[i][c] = (float)results[i - RED_DFILTER];
      }
    }
  }
  if (arrays.complete) {
    cnnl_norm_write(call, &arrays, RED_DFILTER);
  }
  cnnl_norm_free(&arrays);
  return arrays.complete ? cnrtSuccess : cnrtErrorNoMem;
}

CNNL_EXPORT cnnlStatus_t cnnlGetSyncBatchnormBackwardReduceWorkspaceSize(
    cnnlHandle_t handle, const cnnlTensorDescriptor_t x_desc, size_t *size) {
  (void)x_desc;
  return cnnl_no_workspace(__func__, handle, size);
}

CNNL_EXPORT cnnlStatus_t cnnlSyncBatchnormBackwardReduce_v2(
    cnnlHandle_t handle, const cnnlTensorDescriptor_t dz_desc, const void *dz,
    const cnnlTensorDescriptor_t x_desc, const void *x, const cnnlTensorDescriptor_t mean_desc,
    const void *mean, const cnnlTensorDescriptor_t invstd_desc, const void *invstd, void *workspace,
    size_t workspace_size, const cnnlTensorDescriptor_t dfilter_desc, void *dfilter,
    const cnnlTensorDescriptor_t dbias_desc, void *dbias, const cnnlTensorDescriptor_t sum_dy_desc,
    void *sum_dy, const cnnlTensorDescriptor_t sum_dy_xmu_desc, void *sum_dy_xmu,
    bool needs_input_grad0, bool needs_input_grad1, bool needs_input_grad2) {
  (void)workspace;
  (void)workspace_size;
  struct cnnl_norm call = {.eps = 0};
  /* Outputs that are not needed are not written. */
  const struct cnnl_norm_argument arguments[] = {
      {"x", x_desc, x, false},
      {"dz", dz_desc, dz, false},
      {"mean", mean_desc, mean, false},
      {"invstd", invstd_desc, invstd, false},
      {"dfilter", dfilter_desc, needs_input_grad1 ? dfilter : NULL, true},
      {"dbias", dbias_desc, needs_input_grad2 ? dbias : NULL, true},
      {"sum_dy", sum_dy_desc, needs_input_grad0 ? sum_dy : NULL, true},
      {"sum_dy_xmu", sum_dy_xmu_desc, needs_input_grad0 ? sum_dy_xmu : NULL, true}};
  CNNL_CHECK(cnnl_norm_take(__func__, arguments, CNNL_NORM_COUNT(arguments), 2, &call));
  return cnnl_submit(__func__, handle, run_reduce, &call, sizeof(call),
                     cnnl_count(&call.tensors[RED_X].shape));
}

/* ---- The gradient of the input ---- */

enum { IN_X, IN_DY, IN_MEAN, IN_INVSTD, IN_FILTER, IN_MEAN_DY, IN_MEAN_DY_XMU, IN_DX };

/* Sums are divided by `parts`: 1 if they are means already. */
static cnrtRet_t gradient(const struct cnnl_norm *call, double parts) {
  struct cnnl_norm_arrays arrays = cnnl_norm_read(call);
  const int64_t channels = cnnl_norm_channels(&call->tensors[IN_X]);
  const int64_t rows = cnnl_norm_rows(&call->tensors[IN_X]);
  float *const *v = arrays.values;
  for (int64_t i = 0; arrays.complete && i < rows * channels; ++i) {
    const int64_t c = i % channels;
    const double invstd = (double)v[IN_INVSTD][c];
    const double distance = (double)v[IN_X][i] - (double)v[IN_MEAN][c];
    const double filter = v[IN_FILTER] != NULL ? (double)v[IN_FILTER][c] : 1.0;
    const double inner = (double)v[IN_DY][i] - (double)v[IN_MEAN_DY][c] / parts -
                         distance * invstd * invstd * (double)v[IN_MEAN_DY_XMU][c] / parts;
    v[IN_DX][i] = (float)(inner * invstd * filter);
  }
  if (arrays.complete) {
    cnnl_norm_write(call, &arrays, IN_DX);
  }
  cnnl_norm_free(&arrays);
  return arrays.complete ? cnrtSuccess : cnrtErrorNoMem;
}

static cnrtRet_t run_with_means(void *arguments) {
  return gradient(arguments, 1);
}

struct with_counts {
  struct cnnl_norm norm;
  struct cnnl_tensor counts;
};

static cnrtRet_t run_with_counts(void *arguments) {
  const struct with_counts *call = arguments;
  const struct cnnlTensorStruct *shape = &call->counts.shape;
  const int64_t step = shape->strides[shape->rank - 1] * (int64_t)cnnl_size(shape->type);
  double total = 0;
  for (int64_t i = 0; i < cnnl_count(shape); ++i) {
    total += (double)cnnl_get_integer(shape->type, call->counts.data + i * step);
  }
  return gradient(&call->norm, total);
}

static cnnlStatus_t take_gradient(const char *function, const struct cnnl_norm_argument *arguments,
                                  int count, cnnlTensorDescriptor_t dx_desc, void *dx,
                                  struct cnnl_norm *call) {
  CNNL_CHECK(cnnl_norm_take(function, arguments, count, 2, call));
  CNNL_CHECK(cnnl_take(function, "dx", dx_desc, dx, &call->tensors[IN_DX]));
  CNNL_CHECK(cnnl_need_float(function, "dx", &call->tensors[IN_DX]));
  return cnnl_need_same_dims(function, &call->tensors[IN_DX], &call->tensors[IN_X]);
}

CNNL_EXPORT cnnlStatus_t cnnlSyncBatchNormBackwardElemt(
    cnnlHandle_t handle, const cnnlTensorDescriptor_t dy_desc, const void *dy,
    const cnnlTensorDescriptor_t x_desc, const void *x, const cnnlTensorDescriptor_t mean_desc,
    const void *mean, const cnnlTensorDescriptor_t invstd_desc, const void *invstd,
    const cnnlTensorDescriptor_t filter_desc, const void *filter,
    const cnnlTensorDescriptor_t mean_dy_desc, const void *mean_dy,
    const cnnlTensorDescriptor_t mean_dy_xmu_desc, const void *mean_dy_xmu,
    const cnnlTensorDescriptor_t dx_desc, void *dx) {
  struct cnnl_norm call = {.eps = 0};
  const struct cnnl_norm_argument arguments[] = {
      {"x", x_desc, x, false},
      {"dy", dy_desc, dy, false},
      {"mean", mean_desc, mean, false},
      {"invstd", invstd_desc, invstd, false},
      {"filter", filter_desc, filter, true},
      {"mean_dy", mean_dy_desc, mean_dy, false},
      {"mean_dy_xmu", mean_dy_xmu_desc, mean_dy_xmu, false}};
  CNNL_CHECK(take_gradient(__func__, arguments, CNNL_NORM_COUNT(arguments), dx_desc, dx, &call));
  return cnnl_submit(__func__, handle, run_with_means, &call, sizeof(call),
                     cnnl_count(&call.tensors[IN_X].shape));
}

CNNL_EXPORT cnnlStatus_t cnnlSyncBatchNormBackwardElemtV2(
    cnnlHandle_t handle, const cnnlTensorDescriptor_t dy_desc, const void *dy,
    const cnnlTensorDescriptor_t x_desc, const void *x, const cnnlTensorDescriptor_t mean_desc,
    const void *mean, const cnnlTensorDescriptor_t invstd_desc, const void *invstd,
    const cnnlTensorDescriptor_t filter_desc, const void *filter,
    const cnnlTensorDescriptor_t sum_dy_desc, const void *sum_dy,
    const cnnlTensorDescriptor_t sum_dy_xmu_desc, const void *sum_dy_xmu,
    const cnnlTensorDescriptor_t count_desc, const void *count,
    const cnnlTensorDescriptor_t dx_desc, void *dx) {
  struct with_counts call = {.norm = {.eps = 0}};
  const struct cnnl_norm_argument arguments[] = {
      {"x", x_desc, x, false},
      {"dy", dy_desc, dy, false},
      {"mean", mean_desc, mean, false},
      {"invstd", invstd_desc, invstd, false},
      {"filter", filter_desc, filter, true},
      {"sum_dy", sum_dy_desc, sum_dy, false},
      {"sum_dy_xmu", sum_dy_xmu_desc, sum_dy_xmu, false}};
  CNNL_CHECK(
      take_gradient(__func__, arguments, CNNL_NORM_COUNT(arguments), dx_desc, dx, &call.norm));
  CNNL_CHECK(cnnl_take(__func__, "count", count_desc, count, &call.counts));
  CNNL_CHECK(cnnl_need_type(__func__, "count", &call.counts, CNNL_DTYPE_INT32));
  CNNL_CHECK(cnnl_need_rank(__func__, "count", &call.counts, 1));
  return cnnl_submit(__func__, handle, run_with_counts, &call, sizeof(call),
                     cnnl_count(&call.norm.tensors[IN_X].shape));
}
