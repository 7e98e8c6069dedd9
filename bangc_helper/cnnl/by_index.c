/* SPDX-License-Identifier: MIT
 *
 * Slices of a tensor by their places: gathering them, and putting them there.
 */
#include "element.h"
#include "handle.h"
#include "move.h"
#include "walk.h"

/* A tensor whose first `depth` dimensions are indexed and whose rest is a slice; the indices; and
 * the tensor with one slice per index. */
struct slices {
  struct cnnl_tensor whole;
  struct cnnl_tensor indices;
  struct cnnl_tensor rows;
  int depth;
};

static cnnlStatus_t take_slices(const char *function, const char *whole, const char *rows,
                                struct slices *s) {
  const struct cnnlTensorStruct *indices = &s->indices.shape;
  if (indices->type != CNNL_DTYPE_INT32 && indices->type != CNNL_DTYPE_INT64) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: indices are of type %d, not int32 or int64",
                       function, (int)indices->type);
  }
  CNNL_CHECK(cnnl_need_same_type(function, &s->whole, &s->rows));
  const int outer = indices->rank - 1;
  s->depth = (int)indices->dims[outer];
  const int inner = s->whole.shape.rank - s->depth;
  bool fits = s->depth >= 1 && inner >= 0 && s->rows.shape.rank == outer + inner;
  for (int i = 0; fits && i < outer; ++i) {
    fits = indices->dims[i] == s->rows.shape.dims[i];
  }
  for (int i = 0; fits && i < inner; ++i) {
    fits = s->whole.shape.dims[s->depth + i] == s->rows.shape.dims[outer + i];
  }
  if (!fits) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the dimensions of %s, indices and %s do not fit",
                       function, whole, rows);
  }
  return CNNL_STATUS_SUCCESS;
}

/* The slice of `whole` that an index selects, or NULL. */
static char *slice_at(const struct slices *s, const char *index) {
  const struct cnnlTensorStruct *indices = &s->indices.shape;
  const int64_t step = indices->strides[indices->rank - 1] * (int64_t)cnnl_size(indices->type);
  int64_t offset = 0;
  for (int i = 0; i < s->depth; ++i) {
    const int64_t place = cnnl_get_integer(indices->type, index + i * step);
    if (place < 0 || place >= s->whole.shape.dims[i]) {
      return NULL;
    }
    offset += place * s->whole.shape.strides[i];
  }
  return s->whole.data + offset * (int64_t)cnnl_size(s->whole.shape.type);
}

/* A walk over the indices: walker 0 for the rows, walker 1 for the indices. */
static struct cnnl_walk walk_places(const struct slices *s) {
  struct cnnl_tensor places = s->indices;
  struct cnnl_tensor firsts = s->rows;
  const int outer = places.shape.rank - 1;
  if (outer == 0) { /* a single place */
    places.shape.dims[0] = 1;
  }
  places.shape.rank = outer == 0 ? 1 : outer;
  firsts.shape.rank = places.shape.rank;
  if (outer == 0) {
    firsts.shape.dims[0] = 1;
  }
  struct cnnl_walk walk = cnnl_walk_over(&places.shape);
  cnnl_walk_add(&walk, 0, &firsts);
  cnnl_walk_add(&walk, 1, &places);
  return walk;
}

/* One slice; `to` has the strides of a row. */
static struct cnnl_box slice_box(const struct slices *s) {
  struct cnnl_box box = {.rank = s->whole.shape.rank - s->depth};
  const int outer = s->indices.shape.rank - 1;
  for (int i = 0; i < box.rank; ++i) {
    box.dims[i] = s->whole.shape.dims[s->depth + i];
    box.to[i] = s->rows.shape.strides[outer + i];
    box.from[i] = s->whole.shape.strides[s->depth + i];
  }
  return box;
}

/* ---- Gather ---- */

static cnrtRet_t run_gather(void *arguments) {
  const struct slices *s = arguments;
  const size_t size = cnnl_size(s->whole.shape.type);
  const struct cnnl_box box = slice_box(s);
  struct cnnl_box nothing = box;
  for (int i = 0; i < box.rank; ++i) {
    nothing.from[i] = 0;
  }
  static const char zero[sizeof(double)];
  struct cnnl_walk walk = walk_places(s);
  for (cnnl_walk_begin(&walk); !walk.over; cnnl_walk_next(&walk)) {
    const char *slice = slice_at(s, walk.at[1]);
    cnnl_move(slice != NULL ? &box : &nothing, walk.at[0], slice != NULL ? slice : zero, size);
  }
  return cnrtSuccess;
}

CNNL_EXPORT cnnlStatus_t cnnlGatherNd_v2(cnnlHandle_t handle, int batch_dims,
                                         const cnnlTensorDescriptor_t params_desc,
                                         const void *params,
                                         const cnnlTensorDescriptor_t indices_desc,
                                         const void *indices,
                                         const cnnlTensorDescriptor_t output_desc, void *output) {
  struct slices s;
  CNNL_CHECK(cnnl_take(__func__, "params", params_desc, params, &s.whole));
  CNNL_CHECK(cnnl_take(__func__, "indices", indices_desc, indices, &s.indices));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &s.rows));
  if (batch_dims != 0) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: batch_dims is %d, not 0", __func__,
                       batch_dims);
  }
  CNNL_CHECK(take_slices(__func__, "params", "output", &s));
  return cnnl_submit(__func__, handle, run_gather, &s, sizeof(s), cnnl_count(&s.rows.shape));
}

/* ---- Scatter ---- */

struct scatter {
  cnnlScatterNdMode_t mode;
  struct slices slices;
  struct cnnl_tensor input; /* if given, it is copied to the output first */
};

static void update_element(cnnlScatterNdMode_t mode, cnnlDataType_t type, char *to,
                           const char *from) {
  if (cnnl_kind(type) == CNNL_KIND_INTEGER) {
    const uint64_t a = (uint64_t)cnnl_get_integer(type, to);
    const uint64_t b = (uint64_t)cnnl_get_integer(type, from);
    const uint64_t value = mode == CNNL_SCATTERND_ADD   ? a + b
                           : mode == CNNL_SCATTERND_SUB ? a - b
                                                        : a * b;
    cnnl_put_integer(type, to, (int64_t)value);
    return;
  }
  const double a = cnnl_get(type, to);
  const double b = cnnl_get(type, from);
  cnnl_put(type, to,
           mode == CNNL_SCATTERND_ADD   ? a + b
           : mode == CNNL_SCATTERND_SUB ? a - b
                                        : a * b);
}

/* Combines a row with a slice. */
static void update_slice(const struct scatter *call, char *slice, const char *row) {
  const struct slices *s = &call->slices;
  const int outer = s->indices.shape.rank - 1;
  struct cnnl_tensor to = {.shape = s->whole.shape, .data = slice};
  struct cnnl_tensor from = {.shape = s->rows.shape, .data = (char *)row};
  to.shape.rank = s->whole.shape.rank - s->depth;
  from.shape.rank = to.shape.rank;
  for (int i = 0; i < to.shape.rank; ++i) {
    to.shape.dims[i] = s->whole.shape.dims[s->depth + i];
    to.shape.strides[i] = s->whole.shape.strides[s->depth + i];
    from.shape.dims[i] = to.shape.dims[i];
    from.shape.strides[i] = s->rows.shape.strides[outer + i];
  }
  if (call->mode == CNNL_SCATTERND_UPDATE) {
    const struct cnnl_box box = cnnl_box_of(&to.shape, &from.shape);
    cnnl_move(&box, slice, row, cnnl_size(to.shape.type));
    return;
  }
  struct cnnl_walk walk = cnnl_walk_over(&to.shape);
  cnnl_walk_add(&walk, 0, &to);
  cnnl_walk_add(&walk, 1, &from);
  for (cnnl_walk_begin(&walk); !walk.over; cnnl_walk_next(&walk)) {
    update_element(call->mode, to.shape.type, walk.at[0], walk.at[1]);
  }
}

static cnrtRet_t run_scatter(void *arguments) {
  const struct scatter *call = arguments;
  const struct slices *s = &call->slices;
  if (call->input.data != NULL && call->input.data != s->whole.data) {
    const struct cnnl_box box = cnnl_box_of(&s->whole.shape, &call->input.shape);
    cnnl_move(&box, s->whole.data, call->input.data, cnnl_size(s->whole.shape.type));
  }
  struct cnnl_walk walk = walk_places(s);
  for (cnnl_walk_begin(&walk); !walk.over; cnnl_walk_next(&walk)) {
    char *slice = slice_at(s, walk.at[1]);
    if (slice != NULL) {
      update_slice(call, slice, walk.at[0]);
    }
  }
  return cnrtSuccess;
}

CNNL_EXPORT cnnlStatus_t cnnlScatterNd_v2(
    cnnlHandle_t handle, cnnlScatterNdMode_t mode, const cnnlTensorDescriptor_t indices_desc,
    const void *indices, const cnnlTensorDescriptor_t updates_desc, const void *updates,
    const cnnlTensorDescriptor_t input_desc, const void *input,
    const cnnlTensorDescriptor_t output_desc, void *output) {
  struct scatter call = {.mode = mode};
  struct slices *s = &call.slices;
  CNNL_CHECK(cnnl_take(__func__, "indices", indices_desc, indices, &s->indices));
  CNNL_CHECK(cnnl_take(__func__, "updates", updates_desc, updates, &s->rows));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &s->whole));
  CNNL_CHECK(cnnl_take_optional(__func__, "input", input_desc, input, &call.input));
  CNNL_CHECK(take_slices(__func__, "output", "updates", s));
  if (call.input.data != NULL) {
    CNNL_CHECK(cnnl_need_same_type(__func__, &call.input, &s->whole));
    CNNL_CHECK(cnnl_need_same_dims(__func__, &call.input, &s->whole));
  }
  if ((int)mode < CNNL_SCATTERND_ADD || mode > CNNL_SCATTERND_UPDATE ||
      (mode != CNNL_SCATTERND_UPDATE && cnnl_kind(s->rows.shape.type) == CNNL_KIND_COMPLEX)) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: no mode %d for type %d", __func__, (int)mode,
                       (int)s->rows.shape.type);
  }
  return cnnl_submit(
      __func__, handle, run_scatter, &call, sizeof(call),
      cnnl_count(&s->rows.shape) + (call.input.data != NULL ? cnnl_count(&s->whole.shape) : 0));
}
