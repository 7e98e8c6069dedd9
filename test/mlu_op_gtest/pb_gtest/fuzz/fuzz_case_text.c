/* SPDX-License-Identifier: MIT
 *
 * For libFuzzer (or AFL++ through its libFuzzer interface): arbitrary bytes as a case, in text and
 * in binary, up to the tensors' data. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "data/case_file.h"
#include "data/tensor.h"
#include "data/tensor_values.h"

/* Large enough for every path, small enough for thousands of cases per second. */
enum { MAX_BYTES = 1 << 16, MAX_DRAWS = 1 << 12, MAX_MEMBERS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_tensor(const Mluoptest__Tensor *spec) {
  mluopTestText errors = {0};
  mluopTestTensor tensor;
  if (!mluop_test_tensor_describe(spec, "input[0]", &tensor, &errors)) {
    const size_t bytes = mluop_test_tensor_bytes(&tensor);
    /* A path would read files of this machine. */
    if (bytes <= MAX_BYTES && !spec->path &&
        (!spec->random_data || tensor.is_null || tensor.extent <= MAX_DRAWS)) {
      void *buffer = malloc(bytes ? bytes : 1);
      const mluopWrite write = {.to = buffer};
      if (buffer && !mluop_test_tensor_read(&tensor, "input[0]", ".", &write, &errors) && bytes) {
        void *dense = malloc(tensor.count * mluop_dtype_size(tensor.info));
        if (dense) {
          mluop_test_tensor_gather(&tensor, buffer, dense);
          mluop_test_tensor_scatter(&tensor, dense, buffer);
        }
        free(dense);
      }
      free(buffer);
    }
    if (bytes <= MAX_BYTES) {
      mluop_test_tensor_overlaps_itself(&tensor);
    }
  }
  mluop_text_free(&errors);
}

static void use(Mluoptest__Node *node) {
  if (!node) {
    return;
  }
  for (size_t i = 0; i < node->n_input; ++i) {
    read_tensor(node->input[i]);
  }
  for (size_t i = 0; i < node->n_output; ++i) {
    read_tensor(node->output[i]);
  }
  mluoptest__node__free_unpacked(node, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mluopTestText errors = {0}, warnings = {0};
  mluop_parallel_set_threads(1);
  use(mluop_case_text_load("fuzz", (const char *)data, size, &errors, &warnings));
  mluopSweepMembers members;
  mluop_sweep_members("fuzz", (const char *)data, size, &members, &errors);
  for (size_t i = 0; i < members.n && i < MAX_MEMBERS; ++i) {
    char *text = NULL;
    size_t length = 0;
    if (mluop_sweep_expand("fuzz", (const char *)data, size, members.names[i], &text, &length,
                           &errors) == MLUOP_SWEEP_EXPANDED) {
      use(mluop_case_text_load("fuzz", text, length, &errors, &warnings));
    }
    free(text);
  }
  mluop_sweep_members_free(&members);
  use(mluop_case_binary_load("fuzz", data, size, &errors));
  mluop_text_free(&errors);
  mluop_text_free(&warnings);
  return 0;
}
