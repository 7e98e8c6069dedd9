/* SPDX-License-Identifier: MIT
 *
 * Mean and deviation of each device, those of all, and the normalised elements.
 */
#include <math.h>

#include "batch_norm.h"
#include "handle.h"

/* ---- Mean and deviation of a device's part ---- */

enum { STATS_X, STATS_MEAN, STATS_INVSTD };

static cnrtRet_t run_stats(void *arguments) {
  const struct cnnl_norm *call = arguments;
  struct cnnl_norm_arrays arrays = cnnl_norm_read(call);
  const int64_t channels = cnnl_norm_channels(&call->tensors[STATS_X]);
  const int64_t rows = cnnl_norm_rows(&call->tensors[STATS_X]);
  for (int64_t c = 0; arrays.complete && c < channels; ++c) {
    const float *x = arrays.values[STATS_X] + c;
    double sum = 0;
    double squares = 0;
    for (int64_t r = 0; r < rows; ++r) {
      sum += (double)x[r * channels];
    }
    const double mean = sum / (double)rows;
    for (int64_t r = 0; r < rows; ++r) {
      const double distance = (double)x[r * channels] - mean;
      squares += distance * distance;
    }
    arrays.values[STATS_MEAN][c] = (float)mean;
    arrays.values[STATS_INVSTD][c] =
        (float)(1.0 / sqrt(squares / (double)rows + (double)call->eps));
  }
  if (arrays.complete) {
    cnnl_norm_write(call, &arrays, STATS_MEAN);
  }
  cnnl_norm_free(&arrays);
  return arrays.complete ? cnrtSuccess : cnrtErrorNoMem;
}

CNNL_EXPORT cnnlStatus_t cnnlGetSyncBatchNormStatsWorkspaceSize(cnnlHandle_t handle,
                                                                const cnnlTensorDescriptor_t x_desc,
                                                                size_t *size) {
  (void)x_desc;
  return cnnl_no_workspace(__func__, handle, size);
}

CNNL_EXPORT cnnlStatus_t cnnlSyncBatchNormStats_v2(
    cnnlHandle_t handle, const cnnlTensorDescriptor_t x_desc, const void *x, void *workspace,
    size_t workspace_size, float eps, const cnnlTensorDescriptor_t mean_desc, void *mean,
    const cnnlTensorDescriptor_t invstd_desc, void *invstd) {
  (void)workspace;
  (void)workspace_size;
  struct cnnl_norm call = {.eps = eps};
  const struct cnnl_norm_argument arguments[] = {{"x", x_desc, x, false},
                                                 {"mean", mean_desc, mean, false},
                                                 {"invstd", invstd_desc, invstd, false}};
  CNNL_CHECK(cnnl_norm_take(__func__, arguments, CNNL_NORM_COUNT(arguments), 1, &call));
  return cnnl_submit(__func__, handle, run_stats, &call, sizeof(call),
                     cnnl_count(&call.tensors[STATS_X].shape));
}

/* ---- Those of all devices ---- */

enum {
  ALL_MEAN,
  ALL_INVSTD,
  ALL_COUNT,
  ALL_MOVING_MEAN,
  ALL_MOVING_VAR,
  ALL_OUT_MEAN,
  ALL_OUT_INVSTD
};

static void gather_channel(const struct cnnl_norm *call, struct cnnl_norm_arrays *arrays, int64_t c,
                           int64_t channels, int64_t devices) {
  const float *means = arrays->values[ALL_MEAN] + c;
  const float *invstds = arrays->values[ALL_INVSTD] + c;
  const float *counts = arrays->values[ALL_COUNT];
  double count = 0;
  double sum = 0;
  for (int64_t i = 0; i < devices; ++i) {
    count += (double)counts[i];
    sum += (double)means[i * channels] * (double)counts[i];
  }
  const double mean = sum / count;
  double squares = 0;
  for (int64_t i = 0; i < devices; ++i) {
    const double invstd = (double)invstds[i * channels];
    const double distance = (double)means[i * channels] - mean;
    squares +=
        (1.0 / (invstd * invstd) - (double)call->eps + distance * distance) * (double)counts[i];
  }
  arrays->values[ALL_OUT_MEAN][c] = (float)mean;
  arrays->values[ALL_OUT_INVSTD][c] = (float)(1.0 / sqrt(squares / count + (double)call->eps));
  const double momentum = (double)call->momentum;
  float *moving_mean = arrays->values[ALL_MOVING_MEAN];
  float *moving_var = arrays->values[ALL_MOVING_VAR];
  if (moving_mean != NULL) {
    moving_mean[c] = (float)((1 - momentum) * (double)moving_mean[c] + momentum * mean);
  }
  if (moving_var != NULL) { /* a sample's variance divides by one less */
    moving_var[c] =
        (float)((1 - momentum) * (double)moving_var[c] + momentum * squares / (count - 1));
  }
}

static cnrtRet_t run_gather(void *arguments) {
  const struct cnnl_norm *call = arguments;
  struct cnnl_norm_arrays arrays = cnnl_norm_read(call);
  const int64_t channels = cnnl_norm_channels(&call->tensors[ALL_MEAN]);
  const int64_t devices = cnnl_norm_rows(&call->tensors[ALL_MEAN]);
  if (arrays.complete) {
    for (int64_t c = 0; c < channels; ++c) {
      gather_channel(call, &arrays, c, channels, devices);
    }
    cnnl_norm_write(call, &arrays, ALL_MOVING_MEAN);
  }
  cnnl_norm_free(&arrays);
  return arrays.complete ? cnrtSuccess : cnrtErrorNoMem;
}

CNNL_EXPORT cnnlStatus_t cnnlSyncBatchNormGatherStatsWithCounts(
    cnnlHandle_t handle, const cnnlTensorDescriptor_t mean_all_desc, const void *mean_all,
    const cnnlTensorDescriptor_t invstd_all_desc, const void *invstd_all,
    const cnnlTensorDescriptor_t moving_mean_desc, void *moving_mean,
    const cnnlTensorDescriptor_t moving_var_desc, void *moving_var, float momentum, float eps,
    const cnnlTensorDescriptor_t count_all_desc, const void *count_all,
    const cnnlTensorDescriptor_t mean_desc, void *mean, const cnnlTensorDescriptor_t invstd_desc,
    void *invstd) {
  struct cnnl_norm call = {.eps = eps, .momentum = momentum};
  const struct cnnl_norm_argument arguments[] = {
      {"mean_all", mean_all_desc, mean_all, false},
      {"invstd_all", invstd_all_desc, invstd_all, false}};
  CNNL_CHECK(cnnl_norm_take(__func__, arguments, CNNL_NORM_COUNT(arguments), 2, &call));
  struct cnnl_tensor *t = call.tensors;
  CNNL_CHECK(cnnl_take(__func__, "count_all", count_all_desc, count_all, &t[ALL_COUNT]));
  CNNL_CHECK(cnnl_need_float(__func__, "count_all", &t[ALL_COUNT]));
  const struct cnnl_norm_argument per_channel[] = {
      {"moving_mean", moving_mean_desc, moving_mean, true},
      {"moving_var", moving_var_desc, moving_var, true},
      {"mean", mean_desc, mean, false},
      {"invstd", invstd_desc, invstd, false}};
  for (int i = 0; i < CNNL_NORM_COUNT(per_channel); ++i) {
    struct cnnl_norm one = {.tensors = {t[ALL_MEAN]}};
    const struct cnnl_norm_argument pair[] = {arguments[0], per_channel[i]};
    CNNL_CHECK(cnnl_norm_take(__func__, pair, CNNL_NORM_COUNT(pair), 1, &one));
    t[ALL_MOVING_MEAN + i] = one.tensors[1];
  }
  if (cnnl_count(&t[ALL_COUNT].shape) != cnnl_norm_rows(&t[ALL_MEAN])) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: count_all has not a value per device", __func__);
  }
  return cnnl_submit(__func__, handle, run_gather, &call, sizeof(call),
                     cnnl_count(&t[ALL_MEAN].shape));
}

/* ---- The normalised elements ---- */

enum { EL_X, EL_MEAN, EL_INVSTD, EL_FILTER, EL_BIAS, EL_Y };

static cnrtRet_t run_elemt(void *arguments) {
  const struct cnnl_norm *call = arguments;
  struct cnnl_norm_arrays arrays = cnnl_norm_read(call);
  const int64_t channels = cnnl_norm_channels(&call->tensors[EL_X]);
  const int64_t rows = cnnl_norm_rows(&call->tensors[EL_X]);
  float *const *v = arrays.values;
  for (int64_t i = 0; arrays.complete && i < rows * channels; ++i) {
    const int64_t c = i % channels;
    const float scaled = (v[EL_X][i] - v[EL_MEAN][c]) * v[EL_INVSTD][c];
    v[EL_Y][i] = scaled * (v[EL_FILTER] != NULL ? v[EL_FILTER][c] : 1.0F) +
                 (v[EL_BIAS] != NULL ? v[EL_BIAS][c] : 0.0F);
  }
  if (arrays.complete) {
    cnnl_norm_write(call, &arrays, EL_Y);
  }
  cnnl_norm_free(&arrays);
  return arrays.complete ? cnrtSuccess : cnrtErrorNoMem;
}

CNNL_EXPORT cnnlStatus_t
cnnlSyncBatchNormElemt(cnnlHandle_t handle, const cnnlTensorDescriptor_t x_desc, const void *x,
                       const cnnlTensorDescriptor_t mean_desc, const void *mean,
                       const cnnlTensorDescriptor_t invstd_desc, const void *invstd,
                       const cnnlTensorDescriptor_t filter_desc, const void *filter,
                       const cnnlTensorDescriptor_t bias_desc, const void *bias,
                       const cnnlTensorDescriptor_t y_desc, void *y) {
  struct cnnl_norm call = {.eps = 0};
  const struct cnnl_norm_argument arguments[] = {{"x", x_desc, x, false},
                                                 {"mean", mean_desc, mean, false},
                                                 {"invstd", invstd_desc, invstd, false},
                                                 {"filter", filter_desc, filter, true},
                                                 {"bias", bias_desc, bias, true}};
  CNNL_CHECK(cnnl_norm_take(__func__, arguments, CNNL_NORM_COUNT(arguments), 1, &call));
  CNNL_CHECK(cnnl_take(__func__, "y", y_desc, y, &call.tensors[EL_Y]));
  CNNL_CHECK(cnnl_need_float(__func__, "y", &call.tensors[EL_Y]));
  CNNL_CHECK(cnnl_need_same_dims(__func__, &call.tensors[EL_Y], &call.tensors[EL_X]));
  return cnnl_submit(__func__, handle, run_elemt, &call, sizeof(call),
                     cnnl_count(&call.tensors[EL_X].shape));
}
