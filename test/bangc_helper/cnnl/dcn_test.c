/* SPDX-License-Identifier: MIT
 *
 * Deformable convolution. The output is linear in the input, in the filter and in the mask, so each
 * of them times its gradient gives the same sum. Gradients of offsets are compared with finite
 * differences.
 */
#include <math.h>
#include <string.h>

#include "bed.h"

enum {
  IMAGES = 2,
  SIDE = 5,
  CHANNELS = 4,
  OUT = 6,
  KERNEL = 3,
  TAPS = KERNEL * KERNEL,
  GROUPS = 2,     /* groups of the convolution */
  DEFORMABLE = 2, /* groups of offsets */
  STRIDE = 2,
  PAD = 1,
  SMALL = (SIDE + 2 * PAD - KERNEL) / STRIDE + 1, /* the output's side */
  INPUT = IMAGES * SIDE * SIDE * CHANNELS,
  PIXELS = IMAGES * SMALL * SMALL,
  OFFSET = PIXELS * DEFORMABLE * TAPS * 2,
  MASK = PIXELS * DEFORMABLE * TAPS,
  FILTER = OUT * TAPS * CHANNELS / GROUPS,
  OUTPUT = PIXELS * OUT
};

struct data {
  float input[INPUT];
  float offset[OFFSET];
  float mask[MASK];
  float filter[FILTER];
  float bias[OUT];
};

struct world {
  struct bed bed;
  cnnlDCNDescriptor_t desc;
  cnnlTensorDescriptor_t input;
  cnnlTensorDescriptor_t offset;
  cnnlTensorDescriptor_t mask;
  cnnlTensorDescriptor_t filter;
  cnnlTensorDescriptor_t bias;
  cnnlTensorDescriptor_t output;
};

static void fill(float *values, int count, float scale, int seed) {
  for (int i = 0; i < count; ++i) {
    values[i] = scale * sinf((float)(i * 7 + seed));
  }
}

static struct data make_data(void) {
  struct data data;
  fill(data.input, INPUT, 1, 1);
  fill(data.offset, OFFSET, 0.4F, 2);
  fill(data.mask, MASK, 1, 3);
  fill(data.filter, FILTER, 1, 4);
  fill(data.bias, OUT, 1, 5);
  return data;
}

static struct world make_world(void) {
  const int pad[4] = {PAD, PAD, PAD, PAD};
  const int stride[2] = {STRIDE, STRIDE};
  const int dilation[2] = {1, 1};
  struct world w = {.bed = bed_make(),
                    .input = DENSE(CNNL_DTYPE_FLOAT, IMAGES, SIDE, SIDE, CHANNELS),
                    .offset = DENSE(CNNL_DTYPE_FLOAT, IMAGES, SMALL, SMALL, DEFORMABLE * TAPS * 2),
                    .mask = DENSE(CNNL_DTYPE_FLOAT, IMAGES, SMALL, SMALL, DEFORMABLE * TAPS),
                    .filter = DENSE(CNNL_DTYPE_FLOAT, OUT, KERNEL, KERNEL, CHANNELS / GROUPS),
                    .bias = DENSE(CNNL_DTYPE_FLOAT, OUT),
                    .output = DENSE(CNNL_DTYPE_FLOAT, IMAGES, SMALL, SMALL, OUT)};
  CHECK_CNNL(cnnlCreateDCNDescriptor(&w.desc));
  CHECK_EQ(cnnlSetDCNDescriptor(w.desc, 5, pad, stride, dilation, DEFORMABLE, GROUPS, 1,
                                CNNL_DTYPE_FLOAT),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_EQ(cnnlSetDCNDescriptor(w.desc, 4, pad, stride, dilation, 0, GROUPS, 1, CNNL_DTYPE_FLOAT),
           CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(cnnlSetDCNDescriptor(w.desc, 4, pad, stride, dilation, DEFORMABLE, GROUPS, 1,
                                  CNNL_DTYPE_FLOAT));
  return w;
}

static void free_world(struct world *w) {
  CHECK_CNNL(cnnlDestroyDCNDescriptor(w->desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(w->input));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(w->offset));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(w->mask));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(w->filter));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(w->bias));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(w->output));
  bed_free(&w->bed);
}

static void forward(struct world *w, const struct data *data, bool masked, bool biased,
                    float output[OUTPUT]) {
  void *input = upload(data->input, sizeof(data->input));
  void *offset = upload(data->offset, sizeof(data->offset));
  void *mask = upload(data->mask, sizeof(data->mask));
  void *filter = upload(data->filter, sizeof(data->filter));
  void *bias = upload(data->bias, sizeof(data->bias));
  void *device = upload(output, OUTPUT * sizeof(float));
  size_t size = 1;
  CHECK_CNNL(cnnlGetDCNForwardWorkspaceSize(w->bed.handle, w->desc, w->input, w->offset, w->mask,
                                            w->filter, w->bias, w->output, &size));
  CHECK_EQ(size, 0);
  CHECK_CNNL(cnnlDCNForward(w->bed.handle, w->desc, w->input, input, w->offset, offset, w->mask,
                            masked ? mask : NULL, w->filter, filter, w->bias, biased ? bias : NULL,
                            NULL, 0, w->output, device));
  fetch(&w->bed, device, output, OUTPUT * sizeof(float));
  void *const memory[] = {input, offset, mask, filter, bias};
  for (int i = 0; i < 5; ++i) {
    CHECK_OK(cnrtFree(memory[i]));
  }
}

/* Without offsets and masks it is a convolution. */
static void plain(void) {
  struct world w = make_world();
  struct data data = make_data();
  memset(data.offset, 0, sizeof(data.offset));
  float output[OUTPUT] = {0};
  forward(&w, &data, false, true, output);
  for (int i = 0; i < OUTPUT; ++i) {
    const int o = i % OUT;
    const int pixel = i / OUT;
    float sum = data.bias[o];
    for (int tap = 0; tap < TAPS; ++tap) {
      const int y = pixel / SMALL % SMALL * STRIDE - PAD + tap / KERNEL;
      const int x = pixel % SMALL * STRIDE - PAD + tap % KERNEL;
      for (int c = 0; c < CHANNELS / GROUPS && y >= 0 && y < SIDE && x >= 0 && x < SIDE; ++c) {
        const int channel = o / (OUT / GROUPS) * (CHANNELS / GROUPS) + c;
        const int image = pixel / (SMALL * SMALL);
        sum += data.input[((image * SIDE + y) * SIDE + x) * CHANNELS + channel] *
               data.filter[(o * TAPS + tap) * (CHANNELS / GROUPS) + c];
      }
    }
    CHECK(fabsf(output[i] - sum) < 1e-4F);
  }
  free_world(&w);
}

static double dot(const float *a, const float *b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    sum += (double)a[i] * (double)b[i];
  }
  return sum;
}

static void gradients(void) {
  struct world w = make_world();
  struct data data = make_data();
  struct data back;
  float output[OUTPUT] = {0};
  float gradient[OUTPUT];
  fill(gradient, OUTPUT, 1, 6);
  forward(&w, &data, true, false, output);
  const double loss = dot(output, gradient, OUTPUT);

  void *input = upload(data.input, sizeof(data.input));
  void *offset = upload(data.offset, sizeof(data.offset));
  void *mask = upload(data.mask, sizeof(data.mask));
  void *filter = upload(data.filter, sizeof(data.filter));
  void *grads = upload(gradient, sizeof(gradient));
  void *results[5] = {
      upload(data.input, sizeof(data.input)), upload(data.offset, sizeof(data.offset)),
      upload(data.mask, sizeof(data.mask)), upload(data.filter, sizeof(data.filter)),
      upload(data.bias, sizeof(data.bias))};
  size_t size = 1;
  CHECK_CNNL(cnnlGetDCNBakcwardDataWorkspaceSize(w.bed.handle, w.desc, w.input, w.offset, w.mask,
                                                 w.filter, w.output, w.input, w.offset, w.mask,
                                                 &size));
  CHECK_EQ(size, 0);
  CHECK_CNNL(cnnlGetDCNBackwardWeightWorkspaceSize(w.bed.handle, w.desc, w.input, w.offset, w.mask,
                                                   w.output, w.filter, w.bias, &size));
  CHECK_EQ(cnnlDCNBackwardData(w.bed.handle, w.desc, w.input, input, w.offset, offset, w.mask, mask,
                               w.filter, filter, w.output, grads, NULL, 0, w.output, results[0],
                               w.offset, results[1], w.mask, results[2]),
           CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(cnnlDCNBackwardData(w.bed.handle, w.desc, w.input, input, w.offset, offset, w.mask,
                                 mask, w.filter, filter, w.output, grads, NULL, 0, w.input,
                                 results[0], w.offset, results[1], w.mask, results[2]));
  CHECK_CNNL(cnnlDCNBackwardWeight(w.bed.handle, w.desc, w.input, input, w.offset, offset, w.mask,
                                   mask, w.output, grads, NULL, 0, w.filter, results[3], w.bias,
                                   results[4]));
  fetch(&w.bed, results[0], back.input, sizeof(back.input));
  fetch(&w.bed, results[1], back.offset, sizeof(back.offset));
  fetch(&w.bed, results[2], back.mask, sizeof(back.mask));
  fetch(&w.bed, results[3], back.filter, sizeof(back.filter));
  fetch(&w.bed, results[4], back.bias, sizeof(back.bias));
  CHECK(fabs(dot(data.input, back.input, INPUT) - loss) < 1e-3);
  CHECK(fabs(dot(data.mask, back.mask, MASK) - loss) < 1e-3);
  CHECK(fabs(dot(data.filter, back.filter, FILTER) - loss) < 1e-3);
  for (int o = 0; o < OUT; ++o) {
    double sum = 0;
    for (int p = 0; p < PIXELS; ++p) {
      sum += (double)gradient[p * OUT + o];
    }
    CHECK(fabs(sum - (double)back.bias[o]) < 1e-5);
  }
  for (int i = 0; i < OFFSET; i += 37) {
    const float before = data.offset[i];
    const float step = 1e-2F;
    data.offset[i] = before + step;
    forward(&w, &data, true, false, output);
    const double more = dot(output, gradient, OUTPUT);
    data.offset[i] = before - step;
    forward(&w, &data, true, false, output);
    const double less = dot(output, gradient, OUTPUT);
    data.offset[i] = before;
    CHECK(fabs((more - less) / (2 * (double)step) - (double)back.offset[i]) < 1e-3);
  }
  void *const memory[] = {input, offset, mask, filter, grads};
  for (int i = 0; i < 5; ++i) {
    CHECK_OK(cnrtFree(memory[i]));
  }
  free_world(&w);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {{"plain", plain}, {"gradients", gradients}};
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
