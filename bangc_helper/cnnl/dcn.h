/* SPDX-License-Identifier: MIT
 *
 * Deformable convolution: a convolution whose samples are moved by offsets and scaled by a mask. It
 * is computed as a product of matrices, with a row of samples ("columns") for each output pixel.
 */
#ifndef CNNL_DCN_H_
#define CNNL_DCN_H_

#include "sample.h"
#include "tensor.h"

struct cnnlDCNStruct {
  bool is_set;
  int pad_top;
  int pad_left;
  int stride[2];
  int dilation[2];
  int deformable_group;
  int conv_group;
};

/* Sizes of a call: input [n][height][width][channels], offset [n][out_height][out_width][deformable
 * groups][kernel][2], mask the same without the last, filter [out_channels][kernel][channels of a
 * group], output [n][out_height][out_width][out_channels]. */
struct cnnl_dcn {
  struct cnnlDCNStruct desc;
  int64_t images;
  int64_t height;
  int64_t width;
  int64_t channels;
  int64_t out_height;
  int64_t out_width;
  int64_t out_channels;
  int64_t kernel_height;
  int64_t kernel_width;
};

/* Sizes from the tensors, which are checked; mask may be left out. */
cnnlStatus_t cnnl_dcn_take(const char *function, cnnlDCNDescriptor_t desc,
                           const struct cnnl_tensor *input, const struct cnnl_tensor *offset,
                           const struct cnnl_tensor *mask, const struct cnnl_tensor *filter,
                           const struct cnnl_tensor *output, struct cnnl_dcn *dcn);

/* Of one image, and of one group of the convolution. */
int64_t cnnl_dcn_pixels(const struct cnnl_dcn *dcn);
int64_t cnnl_dcn_row(const struct cnnl_dcn *dcn); /* length of a row of samples */
int64_t cnnl_dcn_group_channels(const struct cnnl_dcn *dcn);

/* One sample: its position and its factor. */
struct cnnl_dcn_point {
  struct cnnl_sample sample;
  int64_t offset; /* its places in the image's offsets and masks */
  int64_t mask;
  float scale;
};

/* Sample `tap` of the kernel at output pixel `pixel`, for channel `channel` of the input. */
struct cnnl_dcn_point cnnl_dcn_point(const struct cnnl_dcn *dcn, const float *offsets,
                                     const float *masks, int64_t pixel, int64_t tap,
                                     int64_t channel);

/* The samples of an image and group as rows: rows[pixels][row]. */
void cnnl_dcn_columns(const struct cnnl_dcn *dcn, const float *image, const float *offsets,
                      const float *masks, int64_t group, float *rows);

#endif /* CNNL_DCN_H_ */
