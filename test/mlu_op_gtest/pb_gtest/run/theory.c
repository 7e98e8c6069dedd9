/* SPDX-License-Identifier: MIT */
#include "run/theory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "data/tensor.h"
#include "run/device_copy.h"
#include "run/estimate.h"

enum {
  COPY_BYTES = 32 << 20,
  COPY_GRAIN = 1 << 20,
  COPY_ROUNDS = 5,
  DEVICE_COPY_BYTES = 512 << 20
};

typedef struct CopyJob {
  char *from, *to;
} CopyJob;

static void copy_piece(void *arg, size_t piece, size_t begin, size_t end) {
  const CopyJob *job = arg;
  (void)piece;
  memcpy(job->to + begin, job->from + begin, end - begin);
}

/* Bytes read plus bytes written per second of a plain copy: what an operator that moves data can
 * hope for. On a device of its own by the device, */
static double device_copy_rate(void) {
  mluopDeviceCopy copy;
  double best_us = 0;
  if (!mluop_device_copy_open(&copy, DEVICE_COPY_BYTES)) {
    return MLUOP_RESULT_UNKNOWN;
  }
  for (int i = 0; i < COPY_ROUNDS; ++i) {
    const double us = mluop_device_copy_us(&copy, DEVICE_COPY_BYTES);
    best_us = us > 0 && (best_us <= 0 || us < best_us) ? us : best_us;
  }
  mluop_device_copy_close(&copy);
  return best_us > 0 ? 2.0 * DEVICE_COPY_BYTES / best_us * 1e-3 : MLUOP_RESULT_UNKNOWN;
}

/* on the host's processor on all cores. */
static double host_copy_rate(void) {
  CopyJob job = {.from = malloc(COPY_BYTES), .to = malloc(COPY_BYTES)};
  double best_us = 0;
  if (job.from && job.to) {
    memset(job.from, 1, COPY_BYTES);
    for (int i = 0; i < COPY_ROUNDS; ++i) {
      const double start = mluop_clock_us();
      mluop_parallel_for(COPY_BYTES, COPY_GRAIN, copy_piece, &job);
      const double us = mluop_clock_us() - start;
      best_us = i == 0 || us < best_us ? us : best_us;
    }
  }
  free(job.from);
  free(job.to);
  return best_us > 0 ? 2.0 * COPY_BYTES / best_us * 1e-3 : MLUOP_RESULT_UNKNOWN;
}

static double copy_rate_gbps = MLUOP_RESULT_UNKNOWN;
static pthread_once_t copy_rate_once = PTHREAD_ONCE_INIT;

static void copy_rate_init(void) {
  mluopEstimate estimate;
  if (mluop_estimate_ask(&estimate)) {
    copy_rate_gbps = estimate.bandwidth_gbps;
  } else {
    copy_rate_gbps = mluop_device_is_host() ? host_copy_rate() : device_copy_rate();
  }
}

static double io_bandwidth(const mluopTestOptions *options) {
  mluop_theory_prepare(options);
  return options->io_bandwidth > 0 ? options->io_bandwidth : copy_rate_gbps;
}

void mluop_theory_prepare(const mluopTestOptions *options) {
  if (options->io_bandwidth <= 0) {
    pthread_once(&copy_rate_once, copy_rate_init);
  }
}

double mluop_theory_compute_force(bool narrow) {
  int device = 0, clusters = 0, cores = 0, khz = 0;
  if (cnrtGetDevice(&device) != cnrtSuccess ||
      cnrtDeviceGetAttribute(&clusters, cnrtAttrClusterCount, device) != cnrtSuccess ||
      cnrtDeviceGetAttribute(&cores, cnrtAttrMcorePerCluster, device) != cnrtSuccess ||
      cnrtDeviceGetAttribute(&khz, cnrtAttrIpuClockRate, device) != cnrtSuccess) {
    return MLUOP_RESULT_UNKNOWN;
  }
  return (narrow ? 64.0 : 32.0) * clusters * cores * khz * 1e3;
}

static bool is_narrow(const mluopTestContext *ctx) {
  const mluopDtypeInfo *first = ctx->n_inputs ? ctx->inputs[0].info : NULL;
  return first && (first->part == MLUOP_PART_HALF || first->part == MLUOP_PART_INT16);
}

static double all_tensors_once(const mluopTestContext *ctx) {
  double bytes = 0;
  for (size_t i = 0; i < ctx->n_inputs + ctx->n_outputs; ++i) {
    const mluopTestTensor *t =
        i < ctx->n_inputs ? &ctx->inputs[i] : &ctx->outputs[i - ctx->n_inputs];
    bytes += t->is_null ? 0 : (double)t->count * (double)mluop_dtype_size(t->info);
  }
  return bytes;
}

void mluop_theory_fill(const mluopTestOptions *options, const mluopTestExecutor *executor,
                       const mluopTestContext *ctx, mluopCaseResult *result) {
  const Mluoptest__Node *node = ctx->node;
  result->theory_ops = node->has_theory_compute_ops ? node->theory_compute_ops
                       : executor->theory_ops       ? executor->theory_ops(ctx)
                                                    : MLUOP_RESULT_UNKNOWN;
  result->theory_ios = node->has_theory_io_size ? node->theory_io_size
                       : executor->theory_io    ? executor->theory_io(ctx)
                                                : all_tensors_once(ctx);
  result->compute_force = mluop_theory_compute_force(is_narrow(ctx));
  result->io_bandwidth = io_bandwidth(options);
  const double us = result->hardware_us;
  if (us > 0 && result->io_bandwidth > 0 && result->theory_ios >= 0) {
    result->io_efficiency = result->theory_ios / (us * result->io_bandwidth * 1e3);
  }
  if (us > 0 && result->compute_force > 0 && result->theory_ops >= 0) {
    result->compute_efficiency = result->theory_ops * 1e6 / (us * result->compute_force);
  }
  mluopEstimate estimate;
  if (mluop_estimate_ask(&estimate)) {
    snprintf(result->time_class, sizeof(result->time_class), "%s", estimate.time_class);
  }
  if (node->has_latency) {
    result->gpu_us = node->latency;
  }
  if (node->has_io_efficiency) {
    result->gpu_io_efficiency = node->io_efficiency;
  }
  if (node->has_efficiency) {
    result->gpu_compute_efficiency = node->efficiency;
  }
  if (node->has_workspace_size) {
    result->gpu_workspace_size = node->workspace_size;
  }
}
