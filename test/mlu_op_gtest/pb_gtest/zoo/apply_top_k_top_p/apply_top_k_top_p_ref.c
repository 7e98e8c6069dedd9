/* SPDX-License-Identifier: MIT */
#include "apply_top_k_top_p_ref.h"

#include "test/common/sample_ref.h"

static float element(mluOpDataType_t dtype, const void *data, int64_t i) {
  if (dtype == MLUOP_DTYPE_FLOAT) return ((const float *)data)[i];
  uint16_t bits = ((const uint16_t *)data)[i];
  return dtype == MLUOP_DTYPE_HALF ? ref_half_to_float(bits) : ref_bfloat16_to_float(bits);
}

/* The output is -inf except for kept tokens, whose bits are copied. */
static void write_row(const ApplyTopKTopPCall *call, int64_t b, const SampleRefToken *tokens,
                      int64_t kept) {
  int64_t first = b * call->vocab;
  if (call->dtype == MLUOP_DTYPE_FLOAT) {
    const float *in = (const float *)call->logits + first;
    float *out = (float *)call->output + first;
    for (int64_t v = 0; v < call->vocab; ++v) out[v] = -INFINITY;
    for (int64_t i = 0; i < kept; ++i) out[tokens[i].id] = in[tokens[i].id];
    return;
  }
  const uint16_t *in = (const uint16_t *)call->logits + first;
  uint16_t *out = (uint16_t *)call->output + first;
  uint16_t minus_inf = call->dtype == MLUOP_DTYPE_HALF ? 0xfc00 : 0xff80;
  for (int64_t v = 0; v < call->vocab; ++v) out[v] = minus_inf;
  for (int64_t i = 0; i < kept; ++i) out[tokens[i].id] = in[tokens[i].id];
}

int apply_top_k_top_p_ref(const ApplyTopKTopPCall *call) {
  float *logits = malloc((size_t)call->vocab * sizeof *logits);
  SampleRefToken *tokens = malloc((size_t)call->vocab * sizeof *tokens);
  int status = logits && tokens ? 0 : -1;
  for (int64_t b = 0; status == 0 && b < call->batch; ++b) {
    for (int64_t v = 0; v < call->vocab; ++v)
      logits[v] = element(call->dtype, call->logits, b * call->vocab + v);
    SampleRefRow row = {.logits = logits,
                        .vocab = call->vocab,
                        .top_k = call->top_k[b],
                        .top_p = element(call->dtype, call->top_p, b)};
    write_row(call, b, tokens, sample_ref_row(&row, tokens).kept);
  }
  free(logits);
  free(tokens);
  return status;
}

int64_t apply_top_k_top_p_theory_bytes(const ApplyTopKTopPCall *call) {
  int64_t element_bytes = call->dtype == MLUOP_DTYPE_FLOAT ? 4 : 2;
  return call->batch * (2 * call->vocab * element_bytes + element_bytes + 4);
}
