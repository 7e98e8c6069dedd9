/* SPDX-License-Identifier: MIT */
#include "batch_norm.h"

#include <stdlib.h>

#include "values.h"

struct cnnl_norm_arrays cnnl_norm_read(const struct cnnl_norm *call) {
  struct cnnl_norm_arrays arrays = {.complete = true};
  for (int i = 0; i < CNNL_NORM_TENSORS; ++i) {
    if (call->tensors[i].data != NULL) {
      arrays.values[i] = cnnl_read(&call->tensors[i]);
      arrays.complete = arrays.complete && arrays.values[i] != NULL;
    }
  }
  return arrays;
}

void cnnl_norm_free(struct cnnl_norm_arrays *arrays) {
  for (int i = 0; i < CNNL_NORM_TENSORS; ++i) {
    free(arrays->values[i]);
  }
}

void cnnl_norm_write(const struct cnnl_norm *call, const struct cnnl_norm_arrays *arrays,
                     int first) {
  for (int i = first; i < CNNL_NORM_TENSORS; ++i) {
    if (call->tensors[i].data != NULL) {
      cnnl_write(&call->tensors[i], arrays->values[i]);
    }
  }
}

int64_t cnnl_norm_channels(const struct cnnl_tensor *tensor) {
  return tensor->shape.dims[tensor->shape.rank - 1];
}

int64_t cnnl_norm_rows(const struct cnnl_tensor *tensor) {
  const int64_t channels = cnnl_norm_channels(tensor);
  return channels > 0 ? cnnl_count(&tensor->shape) / channels : 0;
}

/* Images in a layout by channels have them in another dimension. */
static cnnlStatus_t need_channels_last(const char *function, const struct cnnl_tensor *tensor) {
  const cnnlTensorLayout_t layout = tensor->shape.layout;
  if (layout == CNNL_LAYOUT_NCHW || layout == CNNL_LAYOUT_NCDHW || layout == CNNL_LAYOUT_NCL) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: channels are not the last dimension",
                       function);
  }
  return cnnl_need_float(function, "x", tensor);
}

cnnlStatus_t cnnl_norm_take(const char *function, const struct cnnl_norm_argument *arguments,
                            int count, int like_x, struct cnnl_norm *call) {
  for (int i = 0; i < count; ++i) {
    const struct cnnl_norm_argument *a = &arguments[i];
    struct cnnl_tensor *tensor = &call->tensors[i];
    CNNL_CHECK(a->is_optional ? cnnl_take_optional(function, a->name, a->desc, a->data, tensor)
                              : cnnl_take(function, a->name, a->desc, a->data, tensor));
    if (tensor->data == NULL) {
      continue;
    }
    CNNL_CHECK(cnnl_need_float(function, a->name, tensor));
    if (i < like_x) {
      CNNL_CHECK(need_channels_last(function, tensor));
      CNNL_CHECK(cnnl_need_same_dims(function, tensor, &call->tensors[0]));
    } else if (cnnl_count(&tensor->shape) != cnnl_norm_channels(&call->tensors[0])) {
      return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: %s has not a value per channel", function,
                         a->name);
    }
  }
  return CNNL_STATUS_SUCCESS;
}
