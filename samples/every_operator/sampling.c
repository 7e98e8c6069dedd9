/* SPDX-License-Identifier: MIT
 *
 * Six logits: top-k keeps three of them, top-p two, and the noise selects one of these. */
#include <math.h>

#include "sample.h"

enum { BATCH = 1, VOCAB = 6 };

int show_sampling(mluOpHandle_t handle) {
  size_t size;
  Tensor logits = FLOATS(((float[]){0.5f, 2, 1, 2, -1, 0}), BATCH, VOCAB);
  Tensor noise = FLOATS(((float[]){1.2f, 0.4f, 0.9f, 0.3f, 2, 0.7f}), BATCH, VOCAB);
  Tensor top_k = INTS(((int[]){3}), BATCH), top_p = FLOATS(((float[]){0.7f}), BATCH);
  Tensor token = tensor(MLUOP_DTYPE_INT64, NULL, (int[]){BATCH, 0});
  CHECK(mluOpGetTopKTopPSampleWorkspaceSize(handle, logits.desc, &size));
  Tensor extra = workspace(size);
  CHECK(mluOpTopKTopPSample(handle, logits.desc, logits.data, top_k.desc, top_k.data, top_p.desc,
                            top_p.data, noise.desc, noise.data, 1e-8f, false, 32, extra.data, size,
                            token.desc, token.data, NULL, NULL));
  int wrong = !is_right("top_k_top_p_sample", handle, &token, (int64_t[]){3});
  FREE(extra);

  Tensor kept = FLOATS(NULL, BATCH, VOCAB);
  CHECK(mluOpGetApplyTopKTopPWorkspaceSize(handle, logits.desc, &size));
  extra = workspace(size);
  CHECK(mluOpApplyTopKTopP(handle, logits.desc, logits.data, top_k.desc, top_k.data, top_p.desc,
                           top_p.data, extra.data, size, kept.desc, kept.data));
  const float none = -INFINITY;
  wrong += !is_right("apply_top_k_top_p", handle, &kept, (float[]){none, 2, none, 2, none, none});
  FREE(logits, noise, top_k, top_p, token, extra, kept);
  return wrong;
}
