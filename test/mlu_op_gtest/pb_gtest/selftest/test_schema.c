/* SPDX-License-Identifier: MIT
 *
 * Case text: what parses, what is refused, and where the messages point. */
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "data/case_file.h"
#include "data/tensor.h"
#include "schema/text_format.h"
#include "selftest/check.h"
#include "test/common/scratch.h"

static Mluoptest__Node *load(const char *text, mluopTestText *errors, mluopTestText *warnings) {
  return mluop_case_text_load("case.prototxt", text, strlen(text), errors, warnings);
}

/* The text is refused with a message that contains `message`. */
static void expect_refused(const char *text, const char *message) {
  mluopTestText errors = {0}, warnings = {0};
  Mluoptest__Node *node = load(text, &errors, &warnings);
  CHECK(!node);
  CHECK_CONTAINS(mluop_text_get(&errors), message);
  if (node) {
    mluoptest__node__free_unpacked(node, NULL);
  }
  mluop_text_free(&errors);
  mluop_text_free(&warnings);
}

static void expect_read(const char *text, const char *warning) {
  mluopTestText errors = {0}, warnings = {0};
  Mluoptest__Node *node = load(text, &errors, &warnings);
  CHECK(node && !errors.length);
  CHECK_CONTAINS(mluop_text_get(&warnings), warning);
  if (node) {
    CHECK(!strcmp(node->op_name, "abs"));
    mluoptest__node__free_unpacked(node, NULL);
  }
  mluop_text_free(&errors);
  mluop_text_free(&warnings);
}

static void test_text(void) {
  expect_read("op_name: \"abs\"", "");
  expect_read("op_name: \"abs\" nms_param { iou_threshold: 0.5 box_mode: 1 }",
              "has no field named \"nms_param\"");
  expect_read("op_name: \"abs\"\n768 { 1: 5 }", "case.prototxt:2");
  expect_read("op_name: \"abs\" op_type: AN_OPERATOR_WE_DO_NOT_KNOW", "op_type");
  expect_read("# comment\nop_name: \"abs\" [some.extension] { a: 1 }", "");
  expect_refused("op_name: \"abs\"\ninput {", "case.prototxt:2:");
  expect_refused("op_name: abs", "case.prototxt:1:10:");
  expect_refused("op_name: \"abs\"\ninput { dtype: DTYPE_FLOTE }", "case.prototxt:2:");
  expect_refused("", "missing required field 'op_name'");
  expect_refused("op_name: \"abs\" input { id: \"x\" layout: LAYOUT_ARRAY dtype: DTYPE_FLOAT }",
                 "missing required field 'input[0].shape'");
}

static void test_deep_nesting(void) {
  mluopTestText text = {0};
  mluop_text_add(&text, "op_name: \"abs\" unknown ");
  for (int i = 0; i < 100000; ++i) {
    mluop_text_add(&text, "{ a ");
  }
  expect_refused(text.data, "case.prototxt:1:");
  mluop_text_free(&text);
}

static void test_binary(void) {
  const char *text = "op_name: \"abs\" 4242 { 7: \"kept\" }";
  mluopTestText errors = {0}, warnings = {0}, back = {0};
  mluopWire wire = {0};
  CHECK(!mluop_node_text_to_wire("x", text, strlen(text), &wire, &errors, &warnings));
  CHECK(!mluop_node_wire_to_text("x", wire.data, wire.size, &back, &errors));
  CHECK_CONTAINS(mluop_text_get(&back), "op_name: \"abs\"");
  mluop_wire_free(&wire);
  mluop_text_free(&back);
  static const uint8_t unknown[] = {0x2a, 3, 'a', 'b', 's', 0x92, 0x89, 2, 2, 8, 1};
  Mluoptest__Node *node = mluop_case_binary_load("x.pb", unknown, sizeof(unknown), &errors);
  CHECK(node != NULL);
  if (node) {
    CHECK(node->base.n_unknown_fields == 1);
    mluoptest__node__free_unpacked(node, NULL);
  }
  static const uint8_t broken[] = {0x2a, 200, 1, 'a'};
  CHECK(!mluop_case_binary_load("x.pb", broken, sizeof(broken), &errors));
  CHECK_CONTAINS(mluop_text_get(&errors), "x.pb: not a serialised mluoptest.Node");
  mluop_text_free(&errors);
  CHECK(!mluop_case_binary_load("x.pb", "", 0, &errors));
  CHECK_CONTAINS(mluop_text_get(&errors), "x.pb: missing required field 'op_name'");
  mluop_text_free(&errors);
  /* an input without its required id */
  static const uint8_t incomplete[] = {0x2a, 3, 'a', 'b', 's', 0x32, 2, 0x20, 2};
  CHECK(!mluop_case_binary_load("x.pb", incomplete, sizeof(incomplete), &errors));
  CHECK_CONTAINS(mluop_text_get(&errors), "missing required field 'input[0].id'");
  mluop_text_free(&errors);
  mluop_text_free(&warnings);
}

/* Describes and reads the first input of a case made of `body`. */
static int read_input(const char *body, void *buffer, size_t size, mluopTestText *errors) {
  mluopTestText warnings = {0};
  char *text =
      mluop_text_format("op_name: \"abs\" input { id: \"x\" layout: LAYOUT_ARRAY %s }", body);
  Mluoptest__Node *node = text ? load(text, errors, &warnings) : NULL;
  CHECK(node != NULL);
  int failed = -1;
  if (node) {
    mluopTestTensor tensor;
    failed = mluop_test_tensor_describe(node->input[0], "input[0]", &tensor, errors);
    if (!failed) {
      CHECK(mluop_test_tensor_bytes(&tensor) <= size);
      failed =
          mluop_test_tensor_read(&tensor, "input[0]", ".", &(mluopWrite){.to = buffer}, errors);
    }
    mluoptest__node__free_unpacked(node, NULL);
  }
  free(text);
  mluop_text_free(&warnings);
  return failed;
}

static void expect_values(const char *body, const void *wanted, size_t size) {
  unsigned char buffer[256];
  mluopTestText errors = {0};
  memset(buffer, 0xEE, sizeof(buffer));
  if (read_input(body, buffer, sizeof(buffer), &errors) || memcmp(buffer, wanted, size)) {
    ++check_failures;
    fprintf(stderr, "wrong values for: %s\n%s\n", body, mluop_text_get(&errors));
  }
  mluop_text_free(&errors);
}

static void expect_no_values(const char *body, const char *message) {
  unsigned char buffer[256];
  mluopTestText errors = {0};
  CHECK(read_input(body, buffer, sizeof(buffer), &errors));
  CHECK_CONTAINS(mluop_text_get(&errors), message);
  mluop_text_free(&errors);
}

static void test_values(void) {
  expect_values("shape { dims: 2 } dtype: DTYPE_FLOAT value_f: [1.5, -2]", (float[]){1.5f, -2}, 8);
  expect_values("shape { dims: 2 } dtype: DTYPE_FLOAT value_h: [\"3fc00000\", \"7FC0DEAD\"]",
                (uint32_t[]){0x3fc00000, 0x7fc0dead}, 8);
  expect_values("shape { dims: 1 } dtype: DTYPE_FLOAT value_i: -4194304", (uint32_t[]){0xffc00000},
                4);
  expect_values("shape { dims: 2 } dtype: DTYPE_HALF value_f: [1, 65520]",
                (uint16_t[]){0x3c00, 0x7c00}, 4);
  expect_values("shape { dims: 1 } dtype: DTYPE_HALF value_i: -1024", (uint16_t[]){0xfc00}, 2);
  expect_values("shape { dims: 1 } dtype: DTYPE_BFLOAT16 value_ui: 16256", (uint16_t[]){0x3f80}, 2);
  expect_values("shape { dims: 2 } dtype: DTYPE_INT8 value_i: [-128, 127]", (int8_t[]){-128, 127},
                2);
  expect_values("shape { dims: 1 } dtype: DTYPE_UINT64 value_ul: 18446744073709551615",
                (uint64_t[]){UINT64_MAX}, 8);
  expect_values("shape { dims: 1 } dtype: DTYPE_COMPLEX_FLOAT value_f: [1, 2]", (float[]){1, 2}, 8);
  /* elements of a strided tensor, and the whole buffer */
  expect_values("shape { dims: 3 dim_stride: 2 } dtype: DTYPE_INT32 value_i: [1, 2, 3]",
                (int32_t[]){1, 0, 2, 0, 3}, 20);
  expect_values("shape { dims: 3 dim_stride: 2 } dtype: DTYPE_INT32 value_i: [1, 9, 2, 8, 3]",
                (int32_t[]){1, 9, 2, 8, 3}, 20);
  expect_values(
      "shape { dims: 2 dims: 2 dim_stride: 3 dim_stride: 1 } dtype: DTYPE_INT32 "
      "value_i: [1, 2, 3, 4]",
      (int32_t[]){1, 2, 0, 3, 4}, 20);
}

static void test_wrong_values(void) {
  expect_no_values("shape { dims: 3 } dtype: DTYPE_FLOAT value_f: [1, 2]",
                   "input[0] 'x': value_f has 2 values, the shape needs 3");
  expect_no_values("shape { dims: 0 } dtype: DTYPE_FLOAT value_f: 1", "without elements");
  expect_no_values("shape { dims: 1 } dtype: DTYPE_INT8 value_i: 128", "does not fit");
  expect_no_values("shape { dims: 1 } dtype: DTYPE_UINT8 value_i: -1", "does not fit");
  expect_no_values("shape { dims: 1 } dtype: DTYPE_INT32 value_f: 0.5",
                   "is not a number of DTYPE_INT32");
  expect_no_values("shape { dims: 1 } dtype: DTYPE_HALF value_h: \"12345\"", "more than 16 bits");
  expect_no_values("shape { dims: 1 } dtype: DTYPE_FLOAT value_h: \"xyz\"", "not a hex number");
  expect_no_values("shape { dims: -1 } dtype: DTYPE_FLOAT", "shape.dims[0] is -1");
  expect_no_values("shape { dims: 2 dim_stride: 1 dim_stride: 1 } dtype: DTYPE_FLOAT",
                   "2 dim_stride");
  expect_no_values("shape { dims: 4611686018427387904 dims: 4 } dtype: DTYPE_FLOAT", "more memory");
  expect_no_values("shape { dims: 1 } dtype: DTYPE_INT4X2", "DTYPE_INT4X2 cannot be tested");
  expect_no_values("shape { dims: 1 } dtype: DTYPE_FLOAT is_cpu_scalar: true", "host scalar");
  expect_no_values("shape { dims: 1 } dtype: DTYPE_FLOAT path: \"no_such_file\"", "No such file");
  expect_no_values("shape { dims: 1 } dtype: DTYPE_FLOAT path: \"/dev/null\"",
                   "not a regular file");
}

/* Data files: raw and packed, of the right and of the wrong length. */
static void test_files(void) {
  char folder[SCRATCH_PATH];
  if (!mkdtemp(scratch_path(folder, "mluop_schema"))) {
    ++check_failures;
    return;
  }
  const float values[] = {1, 2, 3, 4};
  const char *names[] = {"raw", "packed.zst", "cut.zst", "noise.zst"};
  char packed[256];
  const size_t packed_size = ZSTD_compress(packed, sizeof(packed), values, sizeof(values), 1);
  CHECK(!ZSTD_isError(packed_size));
  const struct {
    const void *data;
    size_t size;
  } contents[] = {
      {values, sizeof(values)}, {packed, packed_size}, {packed, packed_size - 3}, {"abc", 3}};
  mluopTestText errors = {0};
  for (size_t i = 0; i < 4; ++i) {
    char *path = mluop_path_join(folder, names[i]);
    CHECK(path && !mluop_file_write_all(path, contents[i].data, contents[i].size, &errors));
    free(path);
  }
  const struct {
    const char *file;
    int dims;
    const char *message; /* NULL: it is read */
  } wanted[] = {{"raw", 4, NULL},
                {"raw.zst", 4, NULL}, /* the uncompressed file is there */
                {"packed.zst", 4, NULL},
                {"packed", 4, NULL},
                {"raw", 3, "has 16 bytes, the tensor needs 12"},
                {"raw", 5, "has 16 bytes, the tensor needs 20"},
                {"packed.zst", 3, "unpacks to more than 12 bytes"},
                {"packed.zst", 5, "unpacks to 16 bytes"},
                {"cut.zst", 4, "cut.zst"},
                {"noise.zst", 4, "noise.zst"}};
  for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); ++i) {
    char *body = mluop_text_format("shape { dims: %d } dtype: DTYPE_FLOAT path: \"%s/%s\"",
                                   wanted[i].dims, folder, wanted[i].file);
    if (wanted[i].message) {
      expect_no_values(body, wanted[i].message);
    } else {
      expect_values(body, values, sizeof(values));
    }
    free(body);
  }
  for (size_t i = 0; i < 4; ++i) {
    char *path = mluop_path_join(folder, names[i]);
    unlink(path);
    free(path);
  }
  rmdir(folder);
  mluop_text_free(&errors);
}

int main(void) {
  test_text();
  test_deep_nesting();
  test_binary();
  test_values();
  test_wrong_values();
  test_files();
  return check_result("schema");
}
