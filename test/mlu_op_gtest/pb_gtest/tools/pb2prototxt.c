/* SPDX-License-Identifier: MIT
 *
 * Binary case to text. Integers given for a float tensor are its bits and become value_h, which
 * says so. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "data/case_file.h"
#include "data/dtype.h"
#include "data/tensor_values.h"
#include "schema/text_format.h"
#include "tools/convert.h"

static int64_t integer_at(const Mluoptest__Tensor *tensor, mluopValueSource source, size_t i) {
  switch (source) {
    case MLUOP_VALUES_I:
      return tensor->value_i[i];
    case MLUOP_VALUES_L:
      return tensor->value_l[i];
    case MLUOP_VALUES_UI:
      return tensor->value_ui[i];
    default:
      return (int64_t)tensor->value_ul[i];
  }
}

/* The lists' memory stays where it is: the message frees it by pointer. */
static void drop_integers(Mluoptest__Tensor *tensor) {
  tensor->n_value_i = tensor->n_value_l = tensor->n_value_ui = tensor->n_value_ul = 0;
}

static int integers_to_hex(Mluoptest__Tensor *tensor, mluopTestText *errors) {
  const mluopDtypeInfo *info = mluop_dtype_info(tensor->dtype);
  const mluopValueSource source = mluop_test_tensor_value_source(tensor);
  if (!info || !info->is_float || source < MLUOP_VALUES_I) {
    return 0;
  }
  const size_t n = mluop_test_tensor_value_count(tensor);
  char **texts = calloc(n, sizeof(char *));
  const uint64_t mask =
      info->part_size == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * info->part_size)) - 1;
  size_t made = 0;
  for (; texts && made < n; ++made) {
    texts[made] = mluop_text_format("%0*" PRIx64, 2 * info->part_size,
                                    (uint64_t)integer_at(tensor, source, made) & mask);
    if (!texts[made]) {
      break;
    }
  }
  if (made < n) {
    while (made) {
      free(texts[--made]);
    }
    free(texts);
    mluop_text_add(errors, "out of memory");
    return -1;
  }
  drop_integers(tensor);
  free(tensor->value_h);
  tensor->value_h = texts;
  tensor->n_value_h = n;
  return 0;
}

static int convert(const char *source, const char *target, mluopTestText *errors) {
  mluopTestText text = {0};
  size_t size = 0;
  char *bytes = mluop_file_read_all(source, &size, errors);
  Mluoptest__Node *node = bytes ? mluop_case_binary_load(source, bytes, size, errors) : NULL;
  free(bytes);
  int failed = node ? 0 : -1;
  for (size_t i = 0; node && !failed && i < node->n_input + node->n_output; ++i) {
    failed = integers_to_hex(i < node->n_input ? node->input[i] : node->output[i - node->n_input],
                             errors);
  }
  uint8_t *packed = NULL;
  if (!failed) {
    size = mluoptest__node__get_packed_size(node);
    packed = malloc(size + 1);
    failed = packed ? 0 : -1;
  }
  if (!failed) {
    mluoptest__node__pack(node, packed);
    failed = mluop_node_wire_to_text(source, packed, size, &text, errors) ||
             mluop_file_write_all(target, mluop_text_get(&text), text.length, errors);
  }
  free(packed);
  if (node) {
    mluoptest__node__free_unpacked(node, NULL);
  }
  mluop_text_free(&text);
  return failed ? -1 : 0;
}

int main(int argc, char **argv) {
  const mluopConverter converter = {"pb2prototxt", ".pb", ".prototxt", convert};
  return mluop_convert_main(&converter, argc, argv);
}
