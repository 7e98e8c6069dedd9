/* SPDX-License-Identifier: MIT
 *
 * A point between the pixels of an image.
 */
#ifndef CNNL_SAMPLE_H_
#define CNNL_SAMPLE_H_

#include <stdint.h>

/* The four pixels around it with their weights; a pixel outside of the image has weight 0. */
struct cnnl_sample {
  int64_t pixel[4]; /* y * width + x */
  float weight[4];
  /* Derivatives of each weight with respect to the point's y and x. */
  float along_y[4];
  float along_x[4];
};

/* Points up to one pixel outside have the value of the image's edge, points further away have none.
 */
struct cnnl_sample cnnl_sample_edge(int64_t height, int64_t width, float y, float x);
/* The image is continued with zeros. */
struct cnnl_sample cnnl_sample_zeros(int64_t height, int64_t width, float y, float x);

/* Its value in one channel of an image whose pixels are `step` floats apart. */
float cnnl_sample_value(const struct cnnl_sample *sample, const float *image, int64_t step);
/* Adds a gradient of the value to the image. */
void cnnl_sample_add(const struct cnnl_sample *sample, float *image, int64_t step, float gradient);

#endif /* CNNL_SAMPLE_H_ */
