/* SPDX-License-Identifier: MIT */
#include "data/case_file.h"

#include <stdlib.h>

#include "base/file.h"
#include "schema/text_format.h"

Mluoptest__Node *mluop_case_binary_load(const char *name, const void *data, size_t size,
                                        mluopTestText *errors) {
  Mluoptest__Node *node = mluoptest__node__unpack(NULL, size, data);
  const Mluoptest__Node unset = MLUOPTEST__NODE__INIT;
  if (node && node->op_name == unset.op_name) {
    /* protobuf-c lets a required field with a default be absent. */
    mluoptest__node__free_unpacked(node, NULL);
    node = NULL;
  }
  if (!node) {
    mluop_node_wire_explain(name, data, size, errors);
  }
  return node;
}

Mluoptest__Node *mluop_case_text_load(const char *name, const char *text, size_t size,
                                      mluopTestText *errors, mluopTestText *warnings) {
  mluopWire wire;
  if (mluop_node_text_to_wire(name, text, size, &wire, errors, warnings)) {
    return NULL;
  }
  Mluoptest__Node *node = mluop_case_binary_load(name, wire.data, wire.size, errors);
  mluop_wire_free(&wire);
  return node;
}

Mluoptest__Node *mluop_case_file_load(const char *path, mluopTestText *errors,
                                      mluopTestText *warnings) {
  size_t size = 0;
  char *data = mluop_file_read_all(path, &size, errors);
  if (!data) {
    return NULL;
  }
  Mluoptest__Node *node = mluop_path_ends_with(path, ".pb")
                              ? mluop_case_binary_load(path, data, size, errors)
                              : mluop_case_text_load(path, data, size, errors, warnings);
  free(data);
  return node;
}
