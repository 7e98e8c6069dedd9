/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include <math.h>

struct cnnl_sample cnnl_sample_zeros(int64_t height, int64_t width, float y, float x) {
  struct cnnl_sample sample = {{0}, {0}, {0}, {0}};
  /* Points further away have no pixels, and no index that fits. */
  if (!(y > -1 && y < (float)height && x > -1 && x < (float)width)) {
    return sample;
  }
  const int64_t top = (int64_t)floorf(y);
  const int64_t left = (int64_t)floorf(x);
  const float down = y - (float)top;
  const float right = x - (float)left;
  for (int i = 0; i < 4; ++i) {
    const int64_t row = top + i / 2;
    const int64_t column = left + i % 2;
    if (row < 0 || row >= height || column < 0 || column >= width) {
      continue;
    }
    const float by_y = i / 2 == 0 ? 1 - down : down;
    const float by_x = i % 2 == 0 ? 1 - right : right;
    sample.pixel[i] = row * width + column;
    sample.weight[i] = by_y * by_x;
    sample.along_y[i] = i / 2 == 0 ? -by_x : by_x;
    sample.along_x[i] = i % 2 == 0 ? -by_y : by_y;
  }
  return sample;
}

struct cnnl_sample cnnl_sample_edge(int64_t height, int64_t width, float y, float x) {
  if (!(y >= -1 && y <= (float)height && x >= -1 && x <= (float)width)) {
    return (struct cnnl_sample){{0}, {0}, {0}, {0}};
  }
  return cnnl_sample_zeros(height, width, fminf(fmaxf(y, 0), (float)(height - 1)),
                           fminf(fmaxf(x, 0), (float)(width - 1)));
}

float cnnl_sample_value(const struct cnnl_sample *sample, const float *image, int64_t step) {
  float value = 0;
  for (int i = 0; i < 4; ++i) {
    if (sample->weight[i] != 0.0F) {
      value += sample->weight[i] * image[sample->pixel[i] * step];
    }
  }
  return value;
}

void cnnl_sample_add(const struct cnnl_sample *sample, float *image, int64_t step, float gradient) {
  for (int i = 0; i < 4; ++i) {
    if (sample->weight[i] != 0.0F) {
      image[sample->pixel[i] * step] += sample->weight[i] * gradient;
    }
  }
}
