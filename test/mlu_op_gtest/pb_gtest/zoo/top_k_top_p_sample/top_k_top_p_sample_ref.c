/* SPDX-License-Identifier: MIT */
#include "top_k_top_p_sample_ref.h"

#include "test/common/sample_ref.h"

static float element(mluOpDataType_t dtype, const void *data, int64_t i) {
  switch (dtype) {
    case MLUOP_DTYPE_FLOAT:
      return ((const float *)data)[i];
    case MLUOP_DTYPE_HALF:
      return ref_half_to_float(((const uint16_t *)data)[i]);
    default:
      return ref_bfloat16_to_float(((const uint16_t *)data)[i]);
  }
}

/* Memory for one row. */
typedef struct RowMemory {
  float *logits;
  SampleRefToken *tokens;
} RowMemory;

static int row_memory(RowMemory *memory, int64_t vocab) {
  memory->logits = malloc((size_t)vocab * sizeof *memory->logits);
  memory->tokens = malloc((size_t)vocab * sizeof *memory->tokens);
  return memory->logits && memory->tokens ? 0 : -1;
}

static void free_memory(RowMemory *memory) {
  free(memory->logits);
  free(memory->tokens);
}

static SampleRefResult sample_row(const TopKTopPSampleCall *call, int64_t b, RowMemory *memory) {
  for (int64_t v = 0; v < call->vocab; ++v)
    memory->logits[v] = element(call->dtype, call->logits, b * call->vocab + v);
  float min_p = call->min_p ? element(call->dtype, call->min_p, b) : 0;
  SampleRefRow row = {.logits = memory->logits,
                      .vocab = call->vocab,
                      .top_k = call->top_k[b],
                      .top_p = element(call->dtype, call->top_p, b),
                      .min_p = min_p > 0 ? min_p : 0,
                      .q = call->q ? call->q + b * call->vocab : NULL,
                      .eps = call->eps};
  return sample_ref_row(&row, memory->tokens);
}

int top_k_top_p_sample_ref(const TopKTopPSampleCall *call) {
  RowMemory memory;
  int status = row_memory(&memory, call->vocab);
  for (int64_t b = 0; status == 0 && b < call->batch; ++b) {
    SampleRefResult result = sample_row(call, b, &memory);
    call->index[b] = result.index;
    if (call->kept_plus_one) call->kept_plus_one[b] = result.kept + 1;
    if (call->margins) call->margins[b] = fmin(result.cut_margin, result.score_margin);
    if (!call->filtered) continue;
    float *out = call->filtered + b * call->vocab;
    for (int64_t v = 0; v < call->vocab; ++v) out[v] = -INFINITY;
    for (int64_t i = 0; i < result.kept; ++i) {
      int32_t id = memory.tokens[i].id;
      out[id] = memory.logits[id];
    }
  }
  free_memory(&memory);
  return status;
}

static int64_t kept_tokens(const TopKTopPSampleCall *call, int64_t b, RowMemory *memory) {
  int64_t known = call->kept_plus_one ? call->kept_plus_one[b] : 0;
  return known ? known - 1 : sample_row(call, b, memory).kept;
}

int64_t top_k_top_p_sample_theory_bytes(const TopKTopPSampleCall *call) {
  RowMemory memory;
  if (row_memory(&memory, call->vocab) != 0) {
    free_memory(&memory);
    return -1;
  }
  int64_t element_bytes = call->dtype == MLUOP_DTYPE_FLOAT ? 4 : 2;
  int64_t bytes = 0;
  for (int64_t b = 0; b < call->batch; ++b) {
    bytes += call->vocab * element_bytes + 4 + element_bytes + 8;
    if (call->q) bytes += 4 * kept_tokens(call, b, &memory);
    if (call->filtered) bytes += 4 * call->vocab;
    if (call->min_p) bytes += element_bytes;
  }
  free_memory(&memory);
  return bytes;
}

int64_t top_k_top_p_sample_theory_ops(const TopKTopPSampleCall *call) {
  return call->batch * call->vocab;
}
