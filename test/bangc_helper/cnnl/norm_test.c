/* SPDX-License-Identifier: MIT
 *
 * Batch normalisation of two devices' parts, step by step, against that of the whole; gradients
 * against finite differences of the forward pass.
 */
#include <math.h>
#include <string.h>

#include "bed.h"

enum { DEVICES = 2, ROWS = 5, CHANNELS = 3, PART = ROWS * CHANNELS, ALL = DEVICES * PART };

static const float eps = 1e-3F;
static const float filter[CHANNELS] = {1.5F, -2, 0.5F};
static const float bias[CHANNELS] = {0.25F, 1, -1};

static float x_value(int i) {
  return sinf((float)i) * 3 + (float)(i % CHANNELS);
}

/* The expected y of all parts, in double. */
static void normalise(const double x[ALL], double y[ALL]) {
  for (int c = 0; c < CHANNELS; ++c) {
    double sum = 0;
    double squares = 0;
    for (int i = c; i < ALL; i += CHANNELS) {
      sum += x[i];
    }
    const double mean = sum / (DEVICES * ROWS);
    for (int i = c; i < ALL; i += CHANNELS) {
      squares += (x[i] - mean) * (x[i] - mean);
    }
    const double invstd = 1 / sqrt(squares / (DEVICES * ROWS) + (double)eps);
    for (int i = c; i < ALL; i += CHANNELS) {
      y[i] = (x[i] - mean) * invstd * (double)filter[c] + (double)bias[c];
    }
  }
}

static double loss(const double x[ALL], const float dy[ALL]) {
  double y[ALL];
  normalise(x, y);
  double sum = 0;
  for (int i = 0; i < ALL; ++i) {
    sum += y[i] * (double)dy[i];
  }
  return sum;
}

struct world {
  struct bed bed;
  cnnlTensorDescriptor_t part; /* NHWC */
  cnnlTensorDescriptor_t channels;
  cnnlTensorDescriptor_t all;
  cnnlTensorDescriptor_t counts;
  cnnlTensorDescriptor_t numbers;
  void *x; /* x and dy have ALL elements: two parts */
  void *dy;
  void *filter;
  void *bias;
  void *mean; /* of all parts */
  void *invstd;
};

static struct world make(void) {
  float x[ALL];
  float dy[ALL];
  for (int i = 0; i < ALL; ++i) {
    x[i] = x_value(i);
    dy[i] = cosf((float)i * 2);
  }
  const float none[CHANNELS] = {0};
  struct world w = {.bed = bed_make(),
                    .part = DENSE(CNNL_DTYPE_FLOAT, 1, ROWS, 1, CHANNELS),
                    .channels = DENSE(CNNL_DTYPE_FLOAT, CHANNELS),
                    .all = DENSE(CNNL_DTYPE_FLOAT, DEVICES, CHANNELS),
                    .counts = DENSE(CNNL_DTYPE_FLOAT, DEVICES),
                    .numbers = DENSE(CNNL_DTYPE_INT32, DEVICES)};
  w.x = upload(x, sizeof(x));
  w.dy = upload(dy, sizeof(dy));
  w.filter = upload(filter, sizeof(filter));
  w.bias = upload(bias, sizeof(bias));
  w.mean = upload(none, sizeof(none));
  w.invstd = upload(none, sizeof(none));
  return w;
}

static void destroy(struct world *w) {
  void *const memory[] = {w->x, w->dy, w->filter, w->bias, w->mean, w->invstd};
  for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); ++i) {
    CHECK_OK(cnrtFree(memory[i]));
  }
  CHECK_CNNL(cnnlDestroyTensorDescriptor(w->part));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(w->channels));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(w->all));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(w->counts));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(w->numbers));
  bed_free(&w->bed);
}

/* Statistics of the parts, then of all. The moving averages start at 1. */
static void gather(struct world *w, float moving_mean[CHANNELS], float moving_var[CHANNELS]) {
  const float none[DEVICES * CHANNELS] = {0};
  const float ones[CHANNELS] = {1, 1, 1};
  const float counts[DEVICES] = {ROWS, ROWS};
  void *means = upload(none, sizeof(none));
  void *invstds = upload(none, sizeof(none));
  void *count = upload(counts, sizeof(counts));
  void *moving[2] = {upload(ones, sizeof(ones)), upload(ones, sizeof(ones))};
  size_t size = 1;
  CHECK_CNNL(cnnlGetSyncBatchNormStatsWorkspaceSize(w->bed.handle, w->part, &size));
  CHECK_EQ(size, 0);
  for (int d = 0; d < DEVICES; ++d) {
    CHECK_CNNL(cnnlSyncBatchNormStats_v2(w->bed.handle, w->part, (float *)w->x + d * PART, NULL, 0,
                                         eps, w->channels, (float *)means + d * CHANNELS,
                                         w->channels, (float *)invstds + d * CHANNELS));
  }
  CHECK_EQ(cnnlSyncBatchNormStats_v2(w->bed.handle, w->part, w->x, NULL, 0, eps, w->all, means,
                                     w->channels, invstds),
           CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(cnnlSyncBatchNormGatherStatsWithCounts(
      w->bed.handle, w->all, means, w->all, invstds, w->channels, moving[0], w->channels, moving[1],
      0.25F, eps, w->counts, count, w->channels, w->mean, w->channels, w->invstd));
  fetch(&w->bed, moving[0], moving_mean, sizeof(ones));
  fetch(&w->bed, moving[1], moving_var, sizeof(ones));
  CHECK_OK(cnrtFree(means));
  CHECK_OK(cnrtFree(invstds));
  CHECK_OK(cnrtFree(count));
}

static void forwards(void) {
  struct world w = make();
  float moving_mean[CHANNELS];
  float moving_var[CHANNELS];
  gather(&w, moving_mean, moving_var);
  double x[ALL];
  double expected[ALL];
  for (int i = 0; i < ALL; ++i) {
    x[i] = (double)x_value(i);
  }
  normalise(x, expected);
  for (int d = 0; d < DEVICES; ++d) {
    float y[PART] = {0};
    void *output = upload(y, sizeof(y));
    CHECK_CNNL(cnnlSyncBatchNormElemt(w.bed.handle, w.part, (float *)w.x + d * PART, w.channels,
                                      w.mean, w.channels, w.invstd, w.channels, w.filter,
                                      w.channels, w.bias, w.part, output));
    fetch(&w.bed, output, y, sizeof(y));
    for (int i = 0; i < PART; ++i) {
      CHECK(fabs((double)y[i] - expected[d * PART + i]) < 1e-5);
    }
  }
  for (int c = 0; c < CHANNELS; ++c) {
    double sum = 0;
    double squares = 0;
    for (int i = c; i < ALL; i += CHANNELS) {
      sum += x[i];
    }
    for (int i = c; i < ALL; i += CHANNELS) {
      const double distance = x[i] - sum / (DEVICES * ROWS);
      squares += distance * distance;
    }
    CHECK(fabs((double)moving_mean[c] - (0.75 + 0.25 * sum / (DEVICES * ROWS))) < 1e-5);
    CHECK(fabs((double)moving_var[c] - (0.75 + 0.25 * squares / (DEVICES * ROWS - 1))) < 1e-4);
  }
  destroy(&w);
}

/* Adds the sums of both parts, as devices would. Both interfaces that take them give the same. */
static void backwards(void) {
  struct world w = make();
  float sums[4][CHANNELS] = {{0}};
  float ignored[2][CHANNELS];
  gather(&w, ignored[0], ignored[1]);
  size_t size = 1;
  CHECK_CNNL(cnnlGetSyncBatchnormBackwardReduceWorkspaceSize(w.bed.handle, w.part, &size));
  CHECK_EQ(size, 0);
  for (int d = 0; d < DEVICES; ++d) {
    float own[4][CHANNELS] = {{0}};
    void *results[4];
    for (int i = 0; i < 4; ++i) {
      results[i] = upload(own[i], sizeof(own[i]));
    }
    CHECK_CNNL(cnnlSyncBatchnormBackwardReduce_v2(
        w.bed.handle, w.part, (float *)w.dy + d * PART, w.part, (float *)w.x + d * PART, w.channels,
        w.mean, w.channels, w.invstd, NULL, 0, w.channels, results[0], w.channels, results[1],
        w.channels, results[2], w.channels, results[3], true, true, d == 0));
    for (int i = 0; i < 4; ++i) {
      fetch(&w.bed, results[i], own[i], sizeof(own[i]));
      for (int c = 0; c < CHANNELS; ++c) {
        sums[i][c] += own[i][c];
      }
    }
    CHECK((d == 0) == (own[1][0] != 0)); /* results that are not asked for stay unchanged */
  }
  double x[ALL];
  float dy[ALL];
  for (int i = 0; i < ALL; ++i) {
    x[i] = (double)x_value(i);
    dy[i] = cosf((float)i * 2);
  }
  float means[2][CHANNELS];
  for (int c = 0; c < CHANNELS; ++c) {
    means[0][c] = sums[2][c] / (DEVICES * ROWS);
    means[1][c] = sums[3][c] / (DEVICES * ROWS);
  }
  const int rows[DEVICES] = {ROWS, ROWS};
  void *count = upload(rows, sizeof(rows));
  void *given[4] = {upload(means[0], sizeof(means[0])), upload(means[1], sizeof(means[1])),
                    upload(sums[2], sizeof(sums[2])), upload(sums[3], sizeof(sums[3]))};
  for (int d = 0; d < DEVICES; ++d) {
    float dx[2][PART] = {{0}};
    void *outputs[2] = {upload(dx[0], sizeof(dx[0])), upload(dx[1], sizeof(dx[1]))};
    void *part_dy = (float *)w.dy + d * PART;
    void *part_x = (float *)w.x + d * PART;
    CHECK_CNNL(cnnlSyncBatchNormBackwardElemt(
        w.bed.handle, w.part, part_dy, w.part, part_x, w.channels, w.mean, w.channels, w.invstd,
        w.channels, w.filter, w.channels, given[0], w.channels, given[1], w.part, outputs[0]));
    CHECK_CNNL(cnnlSyncBatchNormBackwardElemtV2(
        w.bed.handle, w.part, part_dy, w.part, part_x, w.channels, w.mean, w.channels, w.invstd,
        w.channels, w.filter, w.channels, given[2], w.channels, given[3], w.numbers, count, w.part,
        outputs[1]));
    fetch(&w.bed, outputs[0], dx[0], sizeof(dx[0]));
    fetch(&w.bed, outputs[1], dx[1], sizeof(dx[1]));
    for (int i = 0; i < PART; ++i) {
      const double step = 1e-5;
      double *place = &x[d * PART + i];
      *place += step;
      const double more = loss(x, dy);
      *place -= 2 * step;
      const double less = loss(x, dy);
      *place += step;
      CHECK(fabs((double)dx[0][i] - (more - less) / (2 * step)) < 1e-4);
      CHECK(fabsf(dx[0][i] - dx[1][i]) < 1e-6F);
    }
  }
  CHECK_OK(cnrtFree(count));
  for (int i = 0; i < 4; ++i) {
    CHECK_OK(cnrtFree(given[i]));
  }
  destroy(&w);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {{"forwards", forwards}, {"backwards", backwards}};
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
