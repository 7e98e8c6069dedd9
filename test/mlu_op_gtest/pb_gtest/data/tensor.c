/* SPDX-License-Identifier: MIT */
#include "data/tensor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"
#include "data/distribution.h"
#include "data/tensor_values.h"

enum { TENSOR_RANK_MAX = 64 };

/* Larger tensors than memory cannot be filled; an error message is better than being killed
 * halfway. */
static uint64_t tensor_bytes_limit(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_C(1) << 40;
}

static int describe_shape(const char *role, mluopTestTensor *tensor, mluopTestText *errors) {
  const Mluoptest__Shape *shape = tensor->spec->shape;
  if (shape->n_dims > TENSOR_RANK_MAX) {
    mluop_text_add(errors, "%s '%s': %zu dims, at most %d are possible", role, tensor->id,
                   shape->n_dims, TENSOR_RANK_MAX);
    return -1;
  }
  if (shape->n_dim_stride && shape->n_dim_stride != shape->n_dims) {
    mluop_text_add(errors, "%s '%s': shape has %zu dims but %zu dim_stride", role, tensor->id,
                   shape->n_dims, shape->n_dim_stride);
    return -1;
  }
  tensor->rank = (int)shape->n_dims;
  tensor->dims = shape->dims;
  tensor->strides = shape->n_dim_stride ? shape->dim_stride : NULL;
  uint64_t count = 1, span = 0;
  bool too_large = false;
  for (size_t i = 0; i < shape->n_dims; ++i) {
    const int64_t dim = shape->dims[i];
    if (dim < 0) {
      mluop_text_add(errors, "%s '%s': shape.dims[%zu] is %lld", role, tensor->id, i,
                     (long long)dim);
      return -1;
    }
    too_large |= __builtin_mul_overflow(count, (uint64_t)dim, &count);
    if (tensor->strides && dim > 0) {
      uint64_t reach = 0;
      if (tensor->strides[i] < 0) {
        mluop_text_add(errors, "%s '%s': shape.dim_stride[%zu] is %lld", role, tensor->id, i,
                       (long long)tensor->strides[i]);
        return -1;
      }
      too_large |=
          __builtin_mul_overflow((uint64_t)(dim - 1), (uint64_t)tensor->strides[i], &reach);
      too_large |= __builtin_add_overflow(span, reach, &span);
    }
  }
  const uint64_t extent = count == 0 ? 0 : (tensor->strides ? span + 1 : count);
  const uint64_t limit = tensor_bytes_limit() / mluop_dtype_size(tensor->info);
  if (too_large || count > limit || extent > limit) {
    mluop_text_add(errors, "%s '%s': the shape needs more memory than this machine has", role,
                   tensor->id);
    return -1;
  }
  tensor->count = (size_t)count;
  tensor->extent = (size_t)extent;
  return 0;
}

int mluop_test_tensor_describe(const Mluoptest__Tensor *spec, const char *role,
                               mluopTestTensor *tensor, mluopTestText *errors) {
  *tensor = (mluopTestTensor){.id = spec->id, .spec = spec};
  if (strstr(spec->id, "NULL")) {
    tensor->is_null = true;
    return 0;
  }
  tensor->info = mluop_dtype_info(spec->dtype);
  if (!tensor->info) {
    mluop_text_add(errors, "%s '%s': dtype %s cannot be tested", role, spec->id,
                   mluop_dtype_name(spec->dtype));
    return -1;
  }
  if (describe_shape(role, tensor, errors)) {
    return -1;
  }
  tensor->is_host_scalar =
      spec->is_cpu_scalar ||
      (spec->has_pointer_mode && spec->pointer_mode == MLUOPTEST__POINTER_MODE__POINTER_MODE_HOST);
  if (tensor->is_host_scalar && tensor->rank) {
    mluop_text_add(errors, "%s '%s': a host scalar has no dims, this one has %d", role, spec->id,
                   tensor->rank);
    return -1;
  }
  return 0;
}

size_t mluop_test_tensor_bytes(const mluopTestTensor *tensor) {
  return tensor->is_null ? 0 : tensor->extent * mluop_dtype_size(tensor->info);
}

bool mluop_test_tensor_has_data(const mluopTestTensor *tensor) {
  const Mluoptest__Tensor *spec = tensor->spec;
  return mluop_test_tensor_value_source(spec) != MLUOP_VALUES_NONE || spec->path ||
         spec->random_data;
}

/* Called for each row of the last dimension, with its number of elements and its offsets in the
 * dense and in the strided array. */
typedef void (*RowVisit)(void *arg, size_t dense, size_t strided, size_t n, size_t step);

static void visit_rows(const mluopTestTensor *tensor, RowVisit visit, void *arg) {
  if (!tensor->count) {
    return;
  }
  if (!tensor->rank) {
    visit(arg, 0, 0, 1, 1);
    return;
  }
  int64_t index[TENSOR_RANK_MAX] = {0};
  const int last = tensor->rank - 1;
  const size_t n = (size_t)tensor->dims[last];
  for (size_t dense = 0; dense < tensor->count; dense += n) {
    size_t strided = 0;
    for (int i = 0; i < last; ++i) {
      strided += (size_t)(index[i] * tensor->strides[i]);
    }
    visit(arg, dense, strided, n, (size_t)tensor->strides[last]);
    for (int i = last - 1; i >= 0 && ++index[i] == tensor->dims[i]; --i) {
      index[i] = 0;
    }
  }
}

typedef struct CopyRows {
  const char *from;
  char *to;
  size_t size;
  bool gather;
} CopyRows;

static void copy_row(void *arg, size_t dense, size_t strided, size_t n, size_t step) {
  const CopyRows *copy = arg;
  for (size_t i = 0; i < n; ++i) {
    const size_t at_dense = (dense + i) * copy->size;
    const size_t at_strided = (strided + i * step) * copy->size;
    memcpy(copy->to + (copy->gather ? at_dense : at_strided),
           copy->from + (copy->gather ? at_strided : at_dense), copy->size);
  }
}

static void copy_rows(const mluopTestTensor *tensor, const void *from, void *to, bool gather) {
  CopyRows copy = {
      .from = from, .to = to, .size = mluop_dtype_size(tensor->info), .gather = gather};
  if (!tensor->strides) {
    mluop_memory_copy(to, from, tensor->count * copy.size, false);
    return;
  }
  visit_rows(tensor, copy_row, &copy);
}

void mluop_test_tensor_gather(const mluopTestTensor *tensor, const void *buffer, void *dense) {
  copy_rows(tensor, buffer, dense, true);
}

void mluop_test_tensor_scatter(const mluopTestTensor *tensor, const void *dense, void *buffer) {
  copy_rows(tensor, dense, buffer, false);
}

typedef struct MarkRows {
  unsigned char *seen;
  bool overlap;
} MarkRows;

static void mark_row(void *arg, size_t dense, size_t strided, size_t n, size_t step) {
  MarkRows *mark = arg;
  (void)dense;
  for (size_t i = 0; i < n; ++i) {
    mark->overlap |= mark->seen[strided + i * step];
    mark->seen[strided + i * step] = 1;
  }
}

bool mluop_test_tensor_overlaps_itself(const mluopTestTensor *tensor) {
  if (tensor->is_null || !tensor->strides || !tensor->count) {
    return false;
  }
  MarkRows mark = {.seen = calloc(tensor->extent, 1)};
  if (!mark.seen) {
    return false;
  }
  visit_rows(tensor, mark_row, &mark);
  free(mark.seen);
  return mark.overlap;
}

/* MLUOP_GTEST_FUZZY_SEARCH_DATA_FILE: accepts a compressed or uncompressed version of the file. */
static char *find_data_file(const char *case_folder, const char *name) {
  char *path = mluop_path_join(case_folder, name);
  const char *fuzzy = getenv("MLUOP_GTEST_FUZZY_SEARCH_DATA_FILE");
  if (!path || mluop_path_exists(path) ||
      (fuzzy && (!strcmp(fuzzy, "OFF") || !strcmp(fuzzy, "0")))) {
    return path;
  }
  char *other = mluop_path_ends_with(path, ".zst")
                    ? mluop_text_format("%.*s", (int)strlen(path) - 4, path)
                    : mluop_text_format("%s.zst", path);
  if (other && mluop_path_exists(other)) {
    free(path);
    return other;
  }
  free(other);
  return path;
}

static int read_file(const mluopTestTensor *tensor, const char *case_folder, void *buffer,
                     size_t count, mluopTestText *errors) {
  char *path = find_data_file(case_folder, tensor->spec->path);
  if (!path) {
    mluop_text_add(errors, "out of memory");
    return -1;
  }
  const size_t size = count * mluop_dtype_size(tensor->info);
  const int failed = mluop_path_ends_with(path, ".zst")
                         ? mluop_file_read_zst_into(path, buffer, size, errors)
                         : mluop_file_read_into(path, buffer, size, errors);
  free(path);
  return failed;
}

/* True if the elements are neither listed nor in a file. */
static bool is_drawn(const Mluoptest__Tensor *spec) {
  return mluop_test_tensor_value_source(spec) == MLUOP_VALUES_NONE && !spec->path &&
         spec->random_data;
}

bool mluop_test_tensor_is_quick(const mluopTestTensor *tensor) {
  return is_drawn(tensor->spec) && mluop_random_is_quick(tensor->spec->random_data, tensor->info);
}

/* Reads `count` elements from the source that the case names. */
static int read_elements(const mluopTestTensor *tensor, const char *case_folder,
                         const mluopWrite *write, size_t count, mluopTestText *errors) {
  const Mluoptest__Tensor *spec = tensor->spec;
  if (is_drawn(spec)) {
    return mluop_random_fill(spec->random_data, tensor->info, write, count, errors);
  }
  return spec->path && mluop_test_tensor_value_source(spec) == MLUOP_VALUES_NONE
             ? read_file(tensor, case_folder, write->to, count, errors)
             : mluop_test_tensor_values(spec, tensor->info, write->to, count, errors);
}

/* Reads listed elements of a strided tensor; the gaps become zero. */
static int read_dense(const mluopTestTensor *tensor, const char *case_folder, void *buffer,
                      mluopTestText *errors) {
  const mluopWrite dense = {.to = malloc(tensor->count * mluop_dtype_size(tensor->info))};
  const int failed =
      dense.to ? read_elements(tensor, case_folder, &dense, tensor->count, errors) : -1;
  if (!failed) {
    memset(buffer, 0, mluop_test_tensor_bytes(tensor));
    mluop_test_tensor_scatter(tensor, dense.to, buffer);
  }
  free(dense.to);
  return failed;
}

/* A strided tensor may list only its elements, or the whole buffer. */
static bool lists_elements_only(const mluopTestTensor *tensor) {
  const size_t given = mluop_test_tensor_value_count(tensor->spec) / tensor->info->parts;
  return tensor->strides && given == tensor->count && tensor->count != tensor->extent;
}

int mluop_test_tensor_read(const mluopTestTensor *tensor, const char *role, const char *case_folder,
                           const mluopWrite *write, mluopTestText *errors) {
  const size_t size = mluop_test_tensor_bytes(tensor);
  if (!size) {
    const size_t given = tensor->is_null ? 0 : mluop_test_tensor_value_count(tensor->spec);
    if (given) {
      mluop_text_add(errors, "%s '%s': %zu values for a tensor without elements", role, tensor->id,
                     given);
      return -1;
    }
    return 0;
  }
  mluopTestText why = {0};
  int failed = 0;
  if (!mluop_test_tensor_has_data(tensor)) {
    memset(write->to, 0, size);
  } else if (lists_elements_only(tensor)) {
    failed = read_dense(tensor, case_folder, write->to, &why);
  } else {
    failed = read_elements(tensor, case_folder, write, tensor->extent, &why);
  }
  if (failed) {
    mluop_text_add(errors, "%s '%s': %s", role, tensor->id,
                   why.length ? mluop_text_get(&why) : "out of memory");
  } else if (write->digest && !is_drawn(tensor->spec)) {
    *write->digest = mluop_digest(write->to, size);
  }
  mluop_text_free(&why);
  return failed;
}
