/* SPDX-License-Identifier: MIT
 *
 * Non-maximum suppression of boxes, and pooling of image regions.
 */
#include <math.h>
#include <string.h>

#include "bed.h"

/* ---- Non-maximum suppression ---- */

static cnnlNmsDescriptor_t describe_nms(int output_mode, int layout, bool pads) {
  cnnlNmsDescriptor_t desc = NULL;
  const int box_mode = CNNL_NMS_BOX_DIAGONAL;
  const float iou = 0.5F;
  const int most = 3;
  const float confidence = 0.1F;
  const float offset = 0;
  CHECK_CNNL(cnnlCreateNmsDescriptor(&desc));
  CHECK_CNNL(cnnlSetNmsDescAttr(desc, CNNL_NMS_DESC_BOX_MODE, &box_mode, sizeof(box_mode)));
  CHECK_CNNL(
      cnnlSetNmsDescAttr(desc, CNNL_NMS_DESC_OUTPUT_MODE, &output_mode, sizeof(output_mode)));
  CHECK_CNNL(cnnlSetNmsDescAttr(desc, CNNL_NMS_DESC_IOU_THRESHOLD, &iou, sizeof(iou)));
  CHECK_CNNL(cnnlSetNmsDescAttr(desc, CNNL_NMS_DESC_MAX_OUTPUT_SIZE, &most, sizeof(most)));
  CHECK_CNNL(cnnlSetNmsDescAttr(desc, CNNL_NMS_DESC_CONFIDENCE_THRESHOLD, &confidence,
                                sizeof(confidence)));
  CHECK_CNNL(cnnlSetNmsDescAttr(desc, CNNL_NMS_DESC_OFFSET, &offset, sizeof(offset)));
  CHECK_CNNL(cnnlSetNmsDescAttr(desc, CNNL_NMS_DESC_INPUT_LAYOUT, &layout, sizeof(layout)));
  CHECK_CNNL(cnnlSetNmsDescAttr(desc, CNNL_NMS_DESC_PAD_TO_MAX_OUTPUT_SIZE, &pads, sizeof(pads)));
  CHECK_EQ(cnnlSetNmsDescAttr(desc, CNNL_NMS_DESC_OFFSET, &offset, 8), CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlSetNmsDescAttr(desc, (cnnlNmsDescAttribute_t)99, &offset, 4),
           CNNL_STATUS_NOT_SUPPORTED);
  return desc;
}

/* Box 1 covers most of box 0, whose corners are swapped. The confidence of box 3 is too low. */
static const float boxes[4][4] = {
    {10, 10, 0, 0}, {0, 0, 10, 9}, {20, 20, 30, 30}, {50, 50, 60, 60}};
static const float confidences[4] = {0.7F, 0.9F, 0.8F, 0.05F};

static void nms(void) {
  struct bed bed = bed_make();
  float columns[4][4];
  for (int i = 0; i < 16; ++i) {
    columns[i % 4][i / 4] = boxes[i / 4][i % 4];
  }
  cnnlTensorDescriptor_t confidence_desc = DENSE(CNNL_DTYPE_FLOAT, 4);
  cnnlTensorDescriptor_t boxes_desc = DENSE(CNNL_DTYPE_FLOAT, 4, 4);
  cnnlTensorDescriptor_t numbers = DENSE(CNNL_DTYPE_INT32, 3);
  cnnlTensorDescriptor_t few = DENSE(CNNL_DTYPE_INT32, 2);
  void *confidence = upload(confidences, sizeof(confidences));
  for (int layout = 0; layout < 2; ++layout) {
    int found[3] = {-7, -7, -7};
    int count = -1;
    void *device = upload(layout == 0 ? (const void *)boxes : (const void *)columns, sizeof(boxes));
    void *output = upload(found, sizeof(found));
    void *size = upload(&count, sizeof(count));
    size_t workspace = 1;
    cnnlNmsDescriptor_t desc = describe_nms(CNNL_NMS_OUTPUT_TARGET_INDICES, layout, layout == 1);
    CHECK_CNNL(
        cnnlGetNmsWorkspaceSize_v4(bed.handle, desc, boxes_desc, confidence_desc, &workspace));
    CHECK_EQ(workspace, 0);
    CHECK_EQ(cnnlNms_v2(bed.handle, desc, boxes_desc, device, confidence_desc, confidence, NULL, 0,
                        few, output, size),
             CNNL_STATUS_BAD_PARAM);
    CHECK_EQ(cnnlNms_v2(bed.handle, desc, boxes_desc, device, NULL, NULL, NULL, 0, numbers, output,
                        size),
             CNNL_STATUS_NOT_SUPPORTED);
    CHECK_CNNL(cnnlNms_v2(bed.handle, desc, boxes_desc, device, confidence_desc, confidence, NULL,
                          0, numbers, output, size));
    fetch(&bed, output, found, sizeof(found));
    fetch(&bed, size, &count, sizeof(count));
    CHECK_EQ(count, 2);
    CHECK_EQ(found[0], 1);
    CHECK_EQ(found[1], 2);
    CHECK_EQ(found[2], layout == 1 ? 0 : -7); /* padding is on with layout 1 */
    CHECK_CNNL(cnnlDestroyNmsDescriptor(desc));
    CHECK_OK(cnrtFree(device));
  }
  CHECK_OK(cnrtFree(confidence));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(confidence_desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(boxes_desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(numbers));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(few));
  bed_free(&bed);
}

static void nms_outputs(void) {
  struct bed bed = bed_make();
  static const struct {
    int mode;
    cnnlDataType_t type;
    float expected[15];
  } modes[] = {{CNNL_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1,
                CNNL_DTYPE_FLOAT,
                {0.9F, 0, 0, 10, 9, 0.8F, 20, 20, 30, 30}},
               {CNNL_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2,
                CNNL_DTYPE_FLOAT,
                {0.9F, 0.8F, 0, 0, 20, 0, 0, 20, 0, 10, 30, 0, 9, 30, 0}},
               {CNNL_NMS_OUTPUT_TARGET_BATCH_AND_CLASS, CNNL_DTYPE_FLOAT, {0, 0, 1, 0, 0, 2}}};
  for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); ++i) {
    const bool batched = modes[i].mode == CNNL_NMS_OUTPUT_TARGET_BATCH_AND_CLASS;
    cnnlTensorDescriptor_t boxes_desc =
        batched ? DENSE(CNNL_DTYPE_FLOAT, 1, 4, 4) : DENSE(CNNL_DTYPE_FLOAT, 4, 4);
    cnnlTensorDescriptor_t confidence_desc =
        batched ? DENSE(CNNL_DTYPE_FLOAT, 1, 1, 4) : DENSE(CNNL_DTYPE_FLOAT, 4);
    cnnlTensorDescriptor_t output_desc = DENSE(CNNL_DTYPE_FLOAT, 15);
    float result[15] = {0};
    int count = 0;
    void *device = upload(boxes, sizeof(boxes));
    void *confidence = upload(confidences, sizeof(confidences));
    void *output = upload(result, sizeof(result));
    void *size = upload(&count, sizeof(count));
    cnnlNmsDescriptor_t desc = describe_nms(modes[i].mode, 0, false);
    CHECK_CNNL(cnnlNms_v2(bed.handle, desc, boxes_desc, device, confidence_desc, confidence, NULL,
                          0, output_desc, output, size));
    fetch(&bed, output, result, sizeof(result));
    CHECK(memcmp(result, modes[i].expected, sizeof(result)) == 0);
    CHECK_CNNL(cnnlDestroyNmsDescriptor(desc));
    CHECK_OK(cnrtFree(device));
    CHECK_OK(cnrtFree(confidence));
    CHECK_OK(cnrtFree(size));
    CHECK_CNNL(cnnlDestroyTensorDescriptor(boxes_desc));
    CHECK_CNNL(cnnlDestroyTensorDescriptor(confidence_desc));
    CHECK_CNNL(cnnlDestroyTensorDescriptor(output_desc));
  }
  bed_free(&bed);
}

/* Box 1 is box 0, a square, rotated by 90 degrees. Box 2 is a bar across it, box 3 lies elsewhere;
 * these are no squares, so rotation changes them. */
static void turned_boxes(void) {
  struct bed bed = bed_make();
  const float quarter = 1.57079633F;
  const float turned[4][7] = {{0, 0, 0, 4, 4, 1, 0},
                              {0, 0, 0, 4, 4, 1, quarter},
                              {0, 0, 0, 8, 1, 1, quarter / 2},
                              {9, 9, 0, 8, 1, 1, 0}};
  int found[4] = {-7, -7, -7, -7};
  int count = 0;
  cnnlTensorDescriptor_t boxes_desc = DENSE(CNNL_DTYPE_FLOAT, 4, 7);
  cnnlTensorDescriptor_t narrow = DENSE(CNNL_DTYPE_FLOAT, 4, 6);
  cnnlTensorDescriptor_t numbers = DENSE(CNNL_DTYPE_INT32, 4);
  void *device = upload(turned, sizeof(turned));
  void *output = upload(found, sizeof(found));
  void *size = upload(&count, sizeof(count));
  cnnlNmsDescriptor_t desc = describe_nms(CNNL_NMS_OUTPUT_TARGET_INDICES, 0, false);
  CHECK_EQ(cnnlNms_v2(bed.handle, desc, narrow, device, NULL, NULL, NULL, 0, numbers, output, size),
           CNNL_STATUS_NOT_SUPPORTED);
  /* The bar (area 8) and the square (16) share 5.16: an IoU of 5.16 / 18.84 = 0.27. */
  const float thresholds[2] = {0.25F, 0.32F};
  for (int i = 0; i < 2; ++i) {
    CHECK_CNNL(cnnlSetNmsDescAttr(desc, CNNL_NMS_DESC_IOU_THRESHOLD, &thresholds[i], 4));
    CHECK_CNNL(cnnlNms_v2(bed.handle, desc, boxes_desc, device, NULL, NULL, NULL, 0, numbers,
                          output, size));
    CHECK_OK(cnrtQueueSync(bed.queue));
    CHECK_EQ(read_device_word(size), i == 0 ? 2 : 3);
  }
  fetch(&bed, output, found, sizeof(found));
  CHECK_EQ(found[0], 0);
  CHECK_EQ(found[1], 2);
  CHECK_EQ(found[2], 3);
  CHECK_EQ(found[3], -7);
  CHECK_CNNL(cnnlDestroyNmsDescriptor(desc));
  CHECK_OK(cnrtFree(device));
  CHECK_OK(cnrtFree(size));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(boxes_desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(narrow));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(numbers));
  bed_free(&bed);
}

/* ---- Regions ---- */

enum {
  SIDE = 8,
  CHANNELS = 2,
  BINS = 2,
  PIXELS = SIDE * SIDE * CHANNELS,
  POOLED = BINS * BINS * CHANNELS
};

/* Channel 0 is x + 2 y, channel 1 its negative. */
static void make_image(float image[PIXELS]) {
  for (int i = 0; i < PIXELS; ++i) {
    const int y = i / CHANNELS / SIDE;
    const int x = i / CHANNELS % SIDE;
    image[i] = (float)(x + 2 * y) * (i % CHANNELS == 0 ? 1.0F : -1.0F);
  }
}

/* In a linear image, the average of a bin is the value at its centre, and its maximum is that of a
 * corner sample. */
static void roi_align(void) {
  struct bed bed = bed_make();
  float image[PIXELS];
  make_image(image);
  const float roi[5] = {0, 1, 1, 5, 5};
  cnnlTensorDescriptor_t image_desc = DENSE(CNNL_DTYPE_FLOAT, 1, SIDE, SIDE, CHANNELS);
  cnnlTensorDescriptor_t boxes_desc = DENSE(CNNL_DTYPE_FLOAT, 1, 5);
  cnnlTensorDescriptor_t pooled_desc = DENSE(CNNL_DTYPE_FLOAT, 1, BINS, BINS, CHANNELS);
  void *input = upload(image, sizeof(image));
  void *device = upload(roi, sizeof(roi));
  for (int mode = 0; mode < 2; ++mode) {
    float pooled[POOLED] = {0};
    float ys[POOLED] = {0};
    float xs[POOLED] = {0};
    void *output = upload(pooled, sizeof(pooled));
    void *argmax_x = upload(xs, sizeof(xs));
    void *argmax_y = upload(ys, sizeof(ys));
    cnnlRoiAlignDescriptor_t desc = NULL;
    CHECK_CNNL(cnnlCreateRoiAlignDescriptor(&desc));
    CHECK_EQ(cnnlSetRoiAlignDescriptor_v2(desc, BINS, BINS, 2, 1, 2, false),
             CNNL_STATUS_NOT_SUPPORTED);
    CHECK_CNNL(cnnlSetRoiAlignDescriptor_v2(desc, BINS, BINS, 2, 1, mode, false));
    CHECK_CNNL(cnnlRoiAlign_v2(bed.handle, desc, image_desc, input, boxes_desc, device, pooled_desc,
                               output, pooled_desc, argmax_x, pooled_desc, argmax_y));
    CHECK_CNNL(cnnlDestroyRoiAlignDescriptor(desc));
    fetch(&bed, output, pooled, sizeof(pooled));

    /* The backward pass uses the weights of the forward pass. */
    float back[PIXELS] = {0};
    float gradient[POOLED];
    for (int i = 0; i < POOLED; ++i) {
      gradient[i] = (float)(i + 1);
    }
    void *grads = upload(gradient, sizeof(gradient));
    void *grads_image = upload(image, sizeof(image)); /* overwritten, not added to */
    CHECK_CNNL(cnnlRoiAlignBackward_v2(bed.handle, pooled_desc, grads, boxes_desc, device,
                                       pooled_desc, argmax_x, pooled_desc, argmax_y, 1, 2, false,
                                       mode, image_desc, grads_image));
    fetch(&bed, grads_image, back, sizeof(back));
    fetch(&bed, argmax_x, xs, sizeof(xs));
    fetch(&bed, argmax_y, ys, sizeof(ys));
    float forwards = 0;
    float backwards = 0;
    for (int i = 0; i < POOLED; ++i) {
      const float y = 1 + 2 * (float)(i / CHANNELS / BINS);
      const float x = 1 + 2 * (float)(i / CHANNELS % BINS);
      const float sign = i % CHANNELS == 0 ? 1 : -1;
      const float most = mode == 1 ? 0 : 0.5F * sign; /* offset from the centre */
      CHECK(fabsf(pooled[i] - sign * (x + 1 + most + 2 * (y + 1 + most))) < 1e-5F);
      if (mode == 0) {
        CHECK(xs[i] == x + 1 + most && ys[i] == y + 1 + most);
      }
      forwards += pooled[i] * gradient[i];
    }
    for (int i = 0; i < PIXELS; ++i) {
      backwards += image[i] * back[i];
    }
    CHECK(fabsf(forwards - backwards) < 1e-3F);
    CHECK_OK(cnrtFree(grads));
  }
  CHECK_OK(cnrtFree(input));
  CHECK_OK(cnrtFree(device));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(image_desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(boxes_desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(pooled_desc));
  bed_free(&bed);
}

static void roi_pooling(void) {
  struct bed bed = bed_make();
  float image[PIXELS];
  make_image(image);
  const float roi[5] = {0, 2, 2, 5, 5}; /* 4 x 4 pixels, bins of 2 x 2 */
  float pooled[POOLED] = {0};
  int places[POOLED] = {0};
  cnnlTensorDescriptor_t image_desc = DENSE(CNNL_DTYPE_FLOAT, 1, SIDE, SIDE, CHANNELS);
  cnnlTensorDescriptor_t boxes_desc = DENSE(CNNL_DTYPE_FLOAT, 1, 5);
  cnnlTensorDescriptor_t pooled_desc = DENSE(CNNL_DTYPE_FLOAT, 1, BINS, BINS, CHANNELS);
  cnnlTensorDescriptor_t places_desc = DENSE(CNNL_DTYPE_INT32, 1, BINS, BINS, CHANNELS);
  void *input = upload(image, sizeof(image));
  void *device = upload(roi, sizeof(roi));
  void *output = upload(pooled, sizeof(pooled));
  void *argmax = upload(places, sizeof(places));
  CHECK_EQ(cnnlRoiPoolingForward(bed.handle, CNNL_POOLING_FIXED, image_desc, input, boxes_desc,
                                 device, 1, pooled_desc, output, argmax),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_CNNL(cnnlRoiPoolingForward(bed.handle, CNNL_POOLING_MAX, image_desc, input, boxes_desc,
                                   device, 1, pooled_desc, output, argmax));
  /* With the pooled values as gradients, each goes back to the pixel it came from. */
  void *back = upload(image, sizeof(image));
  CHECK_CNNL(cnnlRoiPoolingBackward(bed.handle, CNNL_POOLING_MAX, pooled_desc, output, boxes_desc,
                                    device, places_desc, argmax, 1, image_desc, back));
  float result[PIXELS];
  fetch(&bed, back, result, sizeof(result));
  fetch(&bed, output, pooled, sizeof(pooled));
  fetch(&bed, argmax, places, sizeof(places));
  float sum = 0;
  for (int i = 0; i < POOLED; ++i) {
    const int last = i % CHANNELS == 0 ? 1 : 0; /* which pixel of the bin has the maximum */
    const int y = 2 + 2 * (i / CHANNELS / BINS) + last;
    const int x = 2 + 2 * (i / CHANNELS % BINS) + last;
    CHECK_EQ(places[i], y * SIDE + x);
    CHECK(pooled[i] == image[(y * SIDE + x) * CHANNELS + i % CHANNELS]);
    CHECK(result[(y * SIDE + x) * CHANNELS + i % CHANNELS] == pooled[i]);
    sum += pooled[i];
  }
  for (int i = 0; i < PIXELS; ++i) {
    sum -= result[i];
  }
  CHECK(sum == 0);
  CHECK_OK(cnrtFree(input));
  CHECK_OK(cnrtFree(device));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(image_desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(boxes_desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(pooled_desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(places_desc));
  bed_free(&bed);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {{"nms", nms},
                                    {"nms_outputs", nms_outputs},
                                    {"turned_boxes", turned_boxes},
                                    {"roi_align", roi_align},
                                    {"roi_pooling", roi_pooling}};
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
