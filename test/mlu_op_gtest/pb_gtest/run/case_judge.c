/* SPDX-License-Identifier: MIT */
#include "run/case_judge.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "core/context.h"
#include "data/tensor.h"
#include "judge/bits.h"
#include "judge/diff.h"
#include "run/case_content.h"
#include "run/case_outputs.h"
#include "run/device_compare.h"
#include "run/dump.h"

static bool judge_guards(mluopCaseState *state, const mluopDeviceBuffer *buffer, const char *role,
                         const char *id) {
  const mluopGuardState guards = mluop_device_buffer_check(buffer);
  if (guards.before < 0 || guards.after < 0) {
    mluop_case_fail(state, "bounds: the guards of %s '%s' cannot be read", role, id);
    return false;
  }
  if (guards.before) {
    mluop_case_fail(state,
                    "bounds: %d bytes before %s '%s' were overwritten, the first at byte %td",
                    guards.before, role, id, guards.first);
  }
  if (guards.after) {
    mluop_case_fail(state,
                    "bounds: %d bytes after %s '%s' were overwritten, the first at byte %td of "
                    "%zu",
                    guards.after, role, id, guards.before ? (ptrdiff_t)buffer->size : guards.first,
                    buffer->size);
  }
  return !guards.before && !guards.after;
}

static bool judge_unchanged(mluopCaseState *state, mluopTensorState *tensor) {
  mluopDeviceBuffer *buffer = &tensor->device;
  if (!tensor->image && mluop_device_is_still(buffer, tensor->digest)) {
    return true;
  }
  void *copy = tensor->image ? NULL : mluop_content_copy(state, tensor);
  const void *wanted = copy ? copy : tensor->image;
  if (!wanted) {
    mluop_case_fail(state, "bounds: %s '%s' was modified", tensor->role, tensor->tensor->id);
    return false;
  }
  const mluopDeviceDifference difference = mluop_device_compare(buffer, wanted);
  if (!difference.readable) {
    mluop_case_fail(state, "bounds: %s '%s' cannot be read back", tensor->role, tensor->tensor->id);
  } else if (!difference.equal) {
    mluop_case_fail(state, "bounds: %s '%s' was modified, first at byte %zu (element %zu)",
                    tensor->role, tensor->tensor->id, difference.first,
                    difference.first / mluop_dtype_size(tensor->tensor->info));
  }
  if (copy) { /* the reference reads it in device memory */
    mluop_device_buffer_write(buffer, copy);
    mluop_block_give(&state->session->pool, copy);
  }
  return difference.readable && difference.equal;
}

/* The operator must not change the bytes between the elements of a strided output. */
static bool judge_gaps(mluopCaseState *state, const mluopTensorState *tensor) {
  const mluopTestTensor *t = tensor->tensor;
  const void *before = tensor->shares ? tensor->shares->image : tensor->image;
  if (!t->strides || !tensor->after || !before) {
    return true;
  }
  const size_t size = mluop_test_tensor_bytes(t);
  void *expected = malloc(size);
  void *dense = malloc(t->count * mluop_dtype_size(t->info));
  bool same = false;
  if (expected && dense) {
    memcpy(expected, before, size);
    mluop_test_tensor_gather(t, tensor->after, dense);
    mluop_test_tensor_scatter(t, dense, expected);
    same = mluop_bytes_equal(expected, tensor->after, size);
  }
  free(expected);
  free(dense);
  if (!same) {
    mluop_case_fail(state, "bounds: bytes between the elements of %s '%s' were overwritten",
                    tensor->role, t->id);
  }
  return same;
}

void mluop_case_judge_bounds(mluopCaseState *state) {
  bool good = true;
  for (size_t i = 0; i < state->n_tensors; ++i) {
    mluopTensorState *tensor = &state->tensors[i];
    if (tensor->device.block) {
      good &= judge_guards(state, &tensor->device, tensor->role, tensor->tensor->id);
      if (!tensor->written && !mluop_case_is_sparse(state, tensor)) {
        good &= judge_unchanged(state, tensor);
      }
    }
    if (tensor->is_output) {
      good &= judge_gaps(state, tensor);
    }
  }
  good &= judge_guards(state, &state->workspace, "the workspace", "");
  const bool checked = state->options->overwritten_check;
  state->result->bounds = !good     ? MLUOP_VERDICT_FAIL
                          : checked ? MLUOP_VERDICT_PASS
                                    : MLUOP_VERDICT_NONE;
}

/* "element 7 (1, 3): got 1.5 [3fc00000], wanted 2 [40000000]" */
static void describe_element(const mluopTestTensor *t, const void *wanted, const void *got,
                             size_t part, mluopTestText *text) {
  const size_t element = part / t->info->parts;
  const int digits = 2 * t->info->part_size;
  mluop_text_add(text, "element %zu", element);
  if (t->rank > 1) {
    size_t rest = element;
    int64_t index[64];
    for (int d = t->rank - 1; d >= 0; --d) {
      index[d] = (int64_t)(rest % (size_t)t->dims[d]);
      rest /= (size_t)t->dims[d];
    }
    for (int d = 0; d < t->rank; ++d) {
      mluop_text_add(text, "%s%" PRId64, d ? ", " : " (", index[d]);
    }
    mluop_text_add(text, ")");
  }
  mluop_text_add(text, ": got %.9g [%0*" PRIx64 "], wanted %.9g [%0*" PRIx64 "]",
                 mluop_part_load(t->info, got, part), digits, mluop_part_bits(t->info, got, part),
                 mluop_part_load(t->info, wanted, part), digits,
                 mluop_part_bits(t->info, wanted, part));
}

/* What differs between two runs, in words. */
static void describe_repeat(mluopCaseState *state, const mluopTensorState *tensor) {
  const mluopDeviceBuffer *buffer = mluop_case_device_buffer(tensor);
  const mluopDtypeInfo *info = tensor->tensor->info;
  const void *first = mluop_case_output(tensor);
  void *again = mluop_memory_alloc(buffer->size);
  if (again && !mluop_device_buffer_read(buffer, again)) {
    const mluopBitsResult bits =
        mluop_bits_compare(info, first, again, tensor->tensor->extent * info->parts, false);
    mluop_case_fail(state,
                    "repeat: %s '%s' differs between two runs in %zu values, first [%zu]: "
                    "%.9g then %.9g",
                    tensor->role, tensor->tensor->id, bits.n_different, bits.first,
                    mluop_part_load(info, first, bits.first),
                    mluop_part_load(info, again, bits.first));
  } else {
    mluop_case_fail(state, "repeat: %s '%s' differs between two runs", tensor->role,
                    tensor->tensor->id);
  }
  free(again);
}

void mluop_case_judge_repeat(mluopCaseState *state) {
  bool good = true;
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors; ++i) {
    const mluopTensorState *tensor = &state->tensors[i];
    const mluopDeviceBuffer *buffer = mluop_case_device_buffer(tensor);
    const void *first = mluop_case_output(tensor);
    if (!first) {
      continue;
    }
    if (tensor->as_expected && mluop_device_is_still(buffer, tensor->expected_digest)) {
      continue;
    }
    const mluopDeviceDifference difference = mluop_device_compare(buffer, first);
    if (!difference.readable) {
      mluop_case_fail(state, "repeat: %s '%s' cannot be read back", tensor->role,
                      tensor->tensor->id);
    } else if (!difference.equal) {
      describe_repeat(state, tensor);
    }
    good &= difference.readable && difference.equal;
  }
  state->result->repeat = good ? MLUOP_VERDICT_PASS : MLUOP_VERDICT_FAIL;
}

static bool judge_bits(mluopCaseState *state, const mluopTensorState *tensor,
                       const mluopCriteria *criteria, const void *measured) {
  if (criteria->bits == MLUOP_BITS_IGNORED) {
    return true;
  }
  const mluopTestTensor *t = tensor->tensor;
  const size_t n = t->count * t->info->parts;
  const mluopBitsResult bits =
      mluop_bits_compare(t->info, t->host, measured, n, criteria->bits == MLUOP_BITS_EQUAL_BUT_NAN);
  if (!bits.n_different) {
    return true;
  }
  mluopTestText where = {0};
  describe_element(t, t->host, measured, bits.first, &where);
  mluop_case_fail(state, "accuracy: %s '%s': %zu of %zu values have other bits, first %s",
                  tensor->role, t->id, bits.n_different, n, mluop_text_get(&where));
  mluop_text_free(&where);
  return false;
}

/* "DIFF1 is 0.5, at most 0.1 is allowed" */
static void describe_diff(mluopDiffKind kind, double value, double threshold, mluopTestText *text) {
  mluop_text_add(text, "%s is %.6e, ", mluop_diff_name(kind), value);
  if (kind != MLUOP_DIFF4) {
    mluop_text_add(text, "at most %.6e is allowed", threshold);
  } else if (threshold < 0) {
    mluop_text_add(text, "and its threshold %g lets nothing pass", threshold);
  } else {
    mluop_text_add(text, "values that differ must lie on both sides of the wanted ones");
  }
}

/* Formulas of one part of an output; `suffix` tells real and imaginary parts of complex outputs
 * apart. */
static bool judge_part(mluopCaseState *state, const mluopTensorState *tensor,
                       const mluopCriteria *criteria, const void *measured, int part,
                       bool *same_bits) {
  const mluopTestTensor *t = tensor->tensor;
  const char *suffix = t->info->parts == 1 ? "" : part ? "_imag" : "_real";
  char *name = mluop_text_format("%s%s", t->id, suffix);
  const mluopDiffs diffs = mluop_diffs_compute(t->info, t->host, measured, t->count, part,
                                               state->options->loose_nan_inf);
  *same_bits = diffs.same_bits;
  bool good = true;
  for (size_t i = 0; i < criteria->n; ++i) {
    const mluopCriterion *item = &criteria->items[i];
    const double threshold = part ? item->threshold_imag : item->threshold;
    const double value = diffs.value[item->kind];
    mluop_result_add_error(state->result, name ? name : t->id, mluop_diff_name(item->kind), value,
                           true);
    if (mluop_diff_passes(item->kind, value, threshold)) {
      continue;
    }
    good = false;
    mluopTestText where = {0}, what = {0};
    describe_diff(item->kind, value, threshold, &what);
    describe_element(t, t->host, measured, diffs.first * t->info->parts + (size_t)part, &where);
    mluop_case_fail(state, "accuracy: %s '%s'%s: %s; %zu of %zu values differ%s, first %s",
                    tensor->role, t->id, suffix, mluop_text_get(&what), diffs.n_different, t->count,
                    diffs.n_nonfinite_wrong ? " (NaN or infinity among them)" : "",
                    mluop_text_get(&where));
    mluop_text_free(&where);
    mluop_text_free(&what);
  }
  for (int kind = 0; state->options->all_criterion && kind < MLUOP_DIFF_KINDS; ++kind) {
    bool judged = false;
    for (size_t i = 0; i < criteria->n; ++i) {
      judged |= (int)criteria->items[i].kind == kind;
    }
    if (!judged) {
      mluop_result_add_error(state->result, name ? name : t->id,
                             mluop_diff_name((mluopDiffKind)kind), diffs.value[kind], false);
    }
  }
  free(name);
  return good;
}

/* The digest depends on the order of the outputs. */
static void add_digest(mluopCaseResult *result, uint64_t digest) {
  result->output_digest = (result->output_digest ^ digest) * UINT64_C(1099511628211) + 1;
}

static bool judge_output(mluopCaseState *state, const mluopTensorState *tensor,
                         const mluopCriteria *criteria) {
  const mluopTestTensor *t = tensor->tensor;
  void *dense = NULL;
  const void *measured = mluop_case_output(tensor);
  if (t->strides) {
    dense = malloc(t->count * mluop_dtype_size(t->info));
    if (!dense) {
      mluop_case_fail(state, "accuracy: %s '%s': no host memory", tensor->role, t->id);
      return false;
    }
    mluop_test_tensor_gather(t, tensor->after, dense);
    measured = dense;
  }
  if (state->options->dump_data) {
    mluop_dump_output(t, t->host, measured);
  }
  if (state->result->accuracy == MLUOP_VERDICT_NONE) { /* of the first call */
    add_digest(state->result, mluop_digest(measured, t->count * mluop_dtype_size(t->info)));
  }
  bool good = true, same_bits = false;
  for (int part = 0; part < t->info->parts; ++part) {
    good &= judge_part(state, tensor, criteria, measured, part, &same_bits);
  }
  /* The formulas cannot see the sign of zero; bits can. */
  good = good && (same_bits || judge_bits(state, tensor, criteria, measured));
  free(dense);
  return good;
}

void mluop_case_judge_accuracy(mluopCaseState *state) {
  bool good = true;
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors; ++i) {
    const mluopTensorState *tensor = &state->tensors[i];
    const mluopCriteria *criteria = &state->criteria[i - state->ctx.n_inputs];
    if (mluop_case_output(tensor) && !criteria->skipped) {
      good &= judge_output(state, tensor, criteria);
    }
  }
  state->result->accuracy = good ? MLUOP_VERDICT_PASS : MLUOP_VERDICT_FAIL;
}

bool mluop_case_is_refused_by_device(const mluopCaseState *state, mluOpStatus_t status) {
  if (status != MLUOP_STATUS_NOT_SUPPORTED || state->session->handle->arch >= MLUOP_MLU590) {
    return false;
  }
  for (size_t i = 0; i < state->n_tensors; ++i) {
    const mluopTestTensor *tensor = state->tensors[i].tensor; /* NULL: an optional one */
    if (tensor && tensor->info && tensor->info->part == MLUOP_PART_BFLOAT16) {
      return true;
    }
  }
  return false;
}

void mluop_case_judge_untouched(mluopCaseState *state) {
  for (size_t i = state->ctx.n_inputs; i < state->n_tensors; ++i) {
    const mluopTensorState *tensor = &state->tensors[i];
    if (!tensor->after) {
      continue;
    }
    void *before = mluop_content_copy(state, tensor->shares ? tensor->shares : tensor);
    if (before &&
        !mluop_bytes_equal(before, tensor->after, mluop_test_tensor_bytes(tensor->tensor))) {
      mluop_case_fail(state, "%s '%s' was written although the call was refused", tensor->role,
                      tensor->tensor->id);
    }
    mluop_block_give(&state->session->pool, before);
  }
}
