/* SPDX-License-Identifier: MIT
 *
 * Non-maximum suppression: takes boxes by descending confidence and drops those that overlap a
 * taken one by more than a threshold.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "handle.h"
#include "nms_desc.h"
#include "nms_turned.h"
#include "values.h"

struct nms {
  struct cnnlNmsStruct desc;
  struct cnnl_tensor boxes;
  struct cnnl_tensor confidence;
  struct cnnl_tensor output;
  int *output_size;
  int64_t batches;
  int64_t classes;
  int64_t count; /* boxes of a batch */
};

struct box {
  float x1;
  float y1;
  float x2;
  float y2;
  float area;
};

/* Result of a call. */
struct found {
  int64_t batch;
  int64_t class_index;
  int64_t box;
  float confidence;
};

CNNL_EXPORT cnnlStatus_t cnnlCreateNmsDescriptor(cnnlNmsDescriptor_t *desc) {
  return cnnl_create(__func__, (void **)desc, sizeof(**desc));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroyNmsDescriptor(cnnlNmsDescriptor_t desc) {
  return cnnl_destroy(__func__, desc);
}

CNNL_EXPORT cnnlStatus_t cnnlSetNmsDescAttr(cnnlNmsDescriptor_t desc,
                                            cnnlNmsDescAttribute_t attribute, const void *value,
                                            size_t size) {
  if (desc == NULL || value == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL", __func__);
  }
  const struct {
    void *place;
    size_t size;
  } places[] = {[CNNL_NMS_DESC_BOX_MODE] = {&desc->box_mode, sizeof(desc->box_mode)},
                [CNNL_NMS_DESC_OUTPUT_MODE] = {&desc->output_mode, sizeof(desc->output_mode)},
                [CNNL_NMS_DESC_IOU_THRESHOLD] = {&desc->iou_threshold, sizeof(desc->iou_threshold)},
                [CNNL_NMS_DESC_MAX_OUTPUT_SIZE] = {&desc->most, sizeof(desc->most)},
                [CNNL_NMS_DESC_CONFIDENCE_THRESHOLD] = {&desc->confidence_threshold,
                                                        sizeof(desc->confidence_threshold)},
                [CNNL_NMS_DESC_OFFSET] = {&desc->offset, sizeof(desc->offset)},
                [CNNL_NMS_DESC_INPUT_LAYOUT] = {&desc->input_layout, sizeof(desc->input_layout)},
                [CNNL_NMS_DESC_PAD_TO_MAX_OUTPUT_SIZE] = {&desc->pads, sizeof(desc->pads)}};
  const size_t index = (size_t)attribute;
  if (index >= sizeof(places) / sizeof(places[0])) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: there is no attribute %d", __func__,
                       (int)attribute);
  }
  if (size != places[index].size) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: attribute %d has %zu bytes, not %zu", __func__,
                       (int)attribute, places[index].size, size);
  }
  memcpy(places[index].place, value, size);
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlGetNmsWorkspaceSize_v4(cnnlHandle_t handle,
                                                    const cnnlNmsDescriptor_t desc,
                                                    const cnnlTensorDescriptor_t boxes_desc,
                                                    const cnnlTensorDescriptor_t confidence_desc,
                                                    size_t *size) {
  (void)desc;
  (void)boxes_desc;
  (void)confidence_desc;
  return cnnl_no_workspace(__func__, handle, size);
}

/* ---- Boxes ---- */

/* The four numbers of a box as they are given. */
static void numbers_of(const struct nms *call, const float *boxes, int64_t index,
                       float numbers[4]) {
  for (int i = 0; i < 4; ++i) {
    numbers[i] =
        call->desc.input_layout == 0 ? boxes[index * 4 + i] : boxes[i * call->count + index];
  }
}

static struct box make_box(const struct nms *call, const float *boxes, int64_t index) {
  float n[4];
  numbers_of(call, boxes, index, n);
  struct box box;
  if (call->desc.box_mode == CNNL_NMS_BOX_CENTER) {
    box = (struct box){n[0] - n[2] * 0.5F, n[1] - n[3] * 0.5F, 0, 0, 0};
    box.x2 = box.x1 + n[2];
    box.y2 = box.y1 + n[3];
  } else { /* two opposite corners in any order */
    box =
        (struct box){fminf(n[0], n[2]), fminf(n[1], n[3]), fmaxf(n[0], n[2]), fmaxf(n[1], n[3]), 0};
  }
  box.area = (box.x2 - box.x1 + call->desc.offset) * (box.y2 - box.y1 + call->desc.offset);
  return box;
}

static float overlap(const struct box *a, const struct box *b, float offset) {
  const float width = fminf(a->x2, b->x2) - fmaxf(a->x1, b->x1) + offset;
  const float height = fminf(a->y2, b->y2) - fmaxf(a->y1, b->y1) + offset;
  const float shared = fmaxf(width, 0) * fmaxf(height, 0);
  return shared / (a->area + b->area - shared);
}

/* ---- The search ---- */

/* Searches the boxes of one class of one batch and overwrites `scores`. Returns the number of boxes
 * in `out`. */
static int64_t search(const struct nms *call, const struct box *boxes, float *scores, int64_t batch,
                      int64_t class_index, struct found *out) {
  int64_t taken = 0;
  while (taken < call->desc.most) {
    int64_t best = -1;
    for (int64_t i = 0; i < call->count; ++i) {
      if (scores[i] > call->desc.confidence_threshold && (best < 0 || scores[i] > scores[best])) {
        best = i;
      }
    }
    if (best < 0) {
      break;
    }
    out[taken++] = (struct found){batch, class_index, best, scores[best]};
    scores[best] = -INFINITY;
    for (int64_t i = 0; i < call->count; ++i) {
      if (overlap(&boxes[best], &boxes[i], call->desc.offset) > call->desc.iou_threshold) {
        scores[i] = -INFINITY;
      }
    }
  }
  return taken;
}

/* ---- Output ---- */

static void put_number(const struct cnnl_tensor *output, int64_t index, double value) {
  const cnnlDataType_t type = output->shape.type;
  char *element = output->data + index * (int64_t)cnnl_size(type);
  if (cnnl_kind(type) == CNNL_KIND_INTEGER) {
    cnnl_put_integer(type, element, (int64_t)value);
  } else {
    cnnl_put(type, element, value);
  }
}

static void put_found(const struct nms *call, const float *boxes, const struct found *found,
                      int64_t place) {
  const struct cnnl_tensor *output = &call->output;
  float n[4];
  numbers_of(call, boxes + found->batch * call->count * 4, found->box, n);
  const float row[5] = {found->confidence, n[0], n[1], n[2], n[3]};
  switch (call->desc.output_mode) {
    case CNNL_NMS_OUTPUT_TARGET_INDICES:
      put_number(output, place, (double)found->box);
      break;
    case CNNL_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1:
      for (int i = 0; i < 5; ++i) {
        put_number(output, place * 5 + i, (double)row[i]);
      }
      break;
    case CNNL_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2:
      for (int i = 0; i < 5; ++i) {
        put_number(output, i * (int64_t)call->desc.most + place, (double)row[i]);
      }
      break;
    default:
      put_number(output, place * 3, (double)found->batch);
      put_number(output, place * 3 + 1, (double)found->class_index);
      put_number(output, place * 3 + 2, (double)found->box);
      break;
  }
}

static void run_search(const struct nms *call, const float *numbers, float *scores,
                       struct box *boxes, struct found *found) {
  if (call->desc.pads) {
    for (int64_t i = 0; i < cnnl_count(&call->output.shape); ++i) {
      put_number(&call->output, i, 0);
    }
  }
  int64_t places = 0;
  for (int64_t b = 0; b < call->batches; ++b) {
    const float *own = numbers + b * call->count * 4;
    for (int64_t i = 0; i < call->count; ++i) {
      boxes[i] = make_box(call, own, i);
    }
    for (int64_t c = 0; c < call->classes; ++c) {
      float *line = scores + (b * call->classes + c) * call->count;
      const int64_t taken = search(call, boxes, line, b, c, found);
      for (int64_t i = 0; i < taken; ++i) {
        put_found(call, numbers, &found[i], places++);
      }
    }
  }
  *call->output_size = (int)places;
}

static cnrtRet_t run_nms(void *arguments) {
  const struct nms *call = arguments;
  float *numbers = cnnl_read(&call->boxes);
  float *scores = cnnl_read(&call->confidence);
  struct box *boxes = calloc((size_t)call->count + 1, sizeof(*boxes));
  struct found *found = calloc((size_t)call->count + 1, sizeof(*found));
  const bool complete = numbers != NULL && scores != NULL && boxes != NULL && found != NULL;
  if (complete) {
    run_search(call, numbers, scores, boxes, found);
  }
  free(numbers);
  free(scores);
  free(boxes);
  free(found);
  return complete ? cnrtSuccess : cnrtErrorNoMem;
}

/* Boxes are [n, 4], and confidences [n]; or with batches [b, n, 4] and [b, classes, n]. */
static cnnlStatus_t take_counts(const char *function, struct nms *call) {
  const struct cnnlTensorStruct *boxes = &call->boxes.shape;
  const struct cnnlTensorStruct *confidence = &call->confidence.shape;
  const int last = boxes->rank - 1;
  const int number = call->desc.input_layout == 0 ? last : last - 1;
  if (boxes->rank < 2 || boxes->rank > 3 || confidence->rank != (boxes->rank == 2 ? 1 : 3)) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED,
                       "%s: boxes of %d and confidences of %d dimensions", function, boxes->rank,
                       confidence->rank);
  }
  if (boxes->dims[number] != 4) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: a box has 4 numbers, not %lld", function,
                       (long long)boxes->dims[number]);
  }
  call->count = boxes->dims[number == last ? last - 1 : last];
  call->batches = boxes->rank == 2 ? 1 : boxes->dims[0];
  call->classes = boxes->rank == 2 ? 1 : confidence->dims[1];
  if (cnnl_count(confidence) != call->batches * call->classes * call->count) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: there is not a confidence per box", function);
  }
  return CNNL_STATUS_SUCCESS;
}

/* Largest count of numbers that an output must hold. */
static int64_t room_needed(const struct nms *call) {
  const int64_t lines = call->batches * call->classes;
  const int64_t most = call->desc.most < call->count ? call->desc.most : call->count;
  switch (call->desc.output_mode) {
    case CNNL_NMS_OUTPUT_TARGET_INDICES:
      return lines * most;
    case CNNL_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1:
      return lines * most * 5;
    case CNNL_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2:
      return 4 * (int64_t)call->desc.most + lines * most;
    default:
      return lines * most * 3;
  }
}

CNNL_EXPORT cnnlStatus_t cnnlNms_v2(cnnlHandle_t handle, const cnnlNmsDescriptor_t desc,
                                    const cnnlTensorDescriptor_t boxes_desc, const void *boxes,
                                    const cnnlTensorDescriptor_t confidence_desc,
                                    const void *confidence, void *workspace, size_t workspace_size,
                                    const cnnlTensorDescriptor_t output_desc, void *output,
                                    void *output_size) {
  (void)workspace;
  (void)workspace_size;
  if (desc == NULL || output_size == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL", __func__);
  }
  struct nms call = {.desc = *desc, .output_size = output_size};
  CNNL_CHECK(cnnl_take(__func__, "boxes", boxes_desc, boxes, &call.boxes));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &call.output));
  CNNL_CHECK(cnnl_need_float(__func__, "boxes", &call.boxes));
  if (confidence_desc == NULL) {
    return cnnl_nms_turned(__func__, handle, desc, &call.boxes, &call.output, output_size);
  }
  CNNL_CHECK(cnnl_take(__func__, "confidence", confidence_desc, confidence, &call.confidence));
  CNNL_CHECK(cnnl_need_float(__func__, "confidence", &call.confidence));
  CNNL_CHECK(take_counts(__func__, &call));
  if (cnnl_count(&call.output.shape) < room_needed(&call)) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the output has no room for all boxes", __func__);
  }
  return cnnl_submit(__func__, handle, run_nms, &call, sizeof(call),
                     cnnl_count(&call.confidence.shape) * (1 + call.desc.most));
}
