/* SPDX-License-Identifier: MIT
 *
 * Two rectangles at any angle overlap in what is left of one after the other's four edges have cut
 * it.
 */
#include "nms_turned.h"

#include <math.h>
#include <stdlib.h>

#include "element.h"
#include "handle.h"
#include "values.h"

/* A box has NUMBERS numbers; a rectangle has CORNERS, and each cut may add one. */
enum { NUMBERS = 7, CORNERS = 4, MAX_CORNERS = 2 * CORNERS };

struct point {
  double x;
  double y;
};

struct polygon {
  int count;
  struct point corners[MAX_CORNERS];
};

static struct polygon rectangle(const float box[NUMBERS]) {
  struct polygon polygon = {.count = CORNERS};
  const double cosine = cos((double)box[6]);
  const double sine = sin((double)box[6]);
  for (int i = 0; i < CORNERS; ++i) { /* counter-clockwise */
    const double along = (i == 0 || i == 3 ? -0.5 : 0.5) * (double)box[3];
    const double across = (i < 2 ? -0.5 : 0.5) * (double)box[4];
    polygon.corners[i] = (struct point){(double)box[0] + along * cosine - across * sine,
                                        (double)box[1] + along * sine + across * cosine};
  }
  return polygon;
}

/* Signed distance of the point to the left of the line from a to b, times the line's length. */
static double side(struct point a, struct point b, struct point p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/* The part of the polygon to the left of the line. */
static struct polygon cut(const struct polygon *polygon, struct point a, struct point b) {
  struct polygon rest = {.count = 0};
  for (int i = 0; i < polygon->count; ++i) {
    const struct point from = polygon->corners[i];
    const struct point to = polygon->corners[(i + 1) % polygon->count];
    const double before = side(a, b, from);
    const double after = side(a, b, to);
    if (before >= 0 && rest.count < MAX_CORNERS) {
      rest.corners[rest.count++] = from;
    }
    if ((before > 0 && after < 0) || (before < 0 && after > 0)) {
      const double share = before / (before - after);
      if (rest.count < MAX_CORNERS) {
        rest.corners[rest.count++] =
            (struct point){from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
      }
    }
  }
  return rest;
}

static double area(const struct polygon *polygon) {
  double twice = 0;
  for (int i = 1; i + 1 < polygon->count; ++i) {
    twice += side(polygon->corners[0], polygon->corners[i], polygon->corners[i + 1]);
  }
  return twice / 2;
}

static double overlap(const float a[NUMBERS], const float b[NUMBERS]) {
  struct polygon shared = rectangle(a);
  const struct polygon knife = rectangle(b);
  for (int i = 0; i < CORNERS && shared.count > 0; ++i) {
    shared = cut(&shared, knife.corners[i], knife.corners[(i + 1) % CORNERS]);
  }
  const double common = area(&shared);
  const double both = (double)a[3] * (double)a[4] + (double)b[3] * (double)b[4] - common;
  return both > 0 ? common / both : 0;
}

/* ---- The operation ---- */

struct turned {
  struct cnnlNmsStruct desc;
  struct cnnl_tensor boxes;
  struct cnnl_tensor output;
  int *output_size;
  int64_t count;
};

static void box_at(const struct turned *call, const float *numbers, int64_t index,
                   float box[NUMBERS]) {
  for (int i = 0; i < NUMBERS; ++i) {
    box[i] = call->desc.input_layout == 0 ? numbers[index * NUMBERS + i]
                                          : numbers[i * call->count + index];
  }
}

static void search(const struct turned *call, const float *numbers, bool *gone) {
  const cnnlDataType_t type = call->output.shape.type;
  int64_t taken = 0;
  for (int64_t i = 0; i < call->count && taken < call->desc.most; ++i) {
    if (gone[i]) {
      continue;
    }
    float best[NUMBERS];
    box_at(call, numbers, i, best);
    cnnl_put_integer(type, call->output.data + taken * (int64_t)cnnl_size(type), i);
    ++taken;
    for (int64_t j = i + 1; j < call->count; ++j) {
      float other[NUMBERS];
      box_at(call, numbers, j, other);
      gone[j] = gone[j] || overlap(best, other) > (double)call->desc.iou_threshold;
    }
  }
  *call->output_size = (int)taken;
}

static cnrtRet_t run_turned(void *arguments) {
  const struct turned *call = arguments;
  float *numbers = cnnl_read(&call->boxes);
  bool *gone = calloc((size_t)call->count + 1, sizeof(*gone));
  const bool complete = numbers != NULL && gone != NULL;
  if (complete) {
    search(call, numbers, gone);
  }
  free(numbers);
  free(gone);
  return complete ? cnrtSuccess : cnrtErrorNoMem;
}

cnnlStatus_t cnnl_nms_turned(const char *function, cnnlHandle_t handle,
                             const struct cnnlNmsStruct *desc, const struct cnnl_tensor *boxes,
                             const struct cnnl_tensor *output, int *output_size) {
  const bool rows = desc->input_layout == 0;
  CNNL_CHECK(cnnl_need_rank(function, "boxes", boxes, 2));
  if (boxes->shape.dims[rows ? 1 : 0] != NUMBERS) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED,
                       "%s: a box without a confidence has %d numbers, not %lld", function, NUMBERS,
                       (long long)boxes->shape.dims[rows ? 1 : 0]);
  }
  if (desc->output_mode != CNNL_NMS_OUTPUT_TARGET_INDICES || desc->pads ||
      cnnl_kind(output->shape.type) != CNNL_KIND_INTEGER) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED,
                       "%s: of turned boxes there are numbers only, not padded", function);
  }
  const struct turned call = {*desc, *boxes, *output, output_size, boxes->shape.dims[rows ? 0 : 1]};
  const int64_t most = call.count < desc->most ? call.count : desc->most;
  if (cnnl_count(&output->shape) < most) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the output has no room for all boxes", function);
  }
  return cnnl_submit(function, handle, run_turned, &call, sizeof(call), call.count * call.count);
}
