/* SPDX-License-Identifier: MIT */
#include "data/case_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "schema/text_format.h"

Mluoptest__Node *mluop_case_binary_load(const char *name, const void *data, size_t size,
                                        mluopTestText *errors) {
  Mluoptest__Node *node = mluoptest__node__unpack(NULL, size, data);
  const Mluoptest__Node unset = MLUOPTEST__NODE__INIT;
  if (node && node->op_name == unset.op_name) {
    /* protobuf-c accepts a missing required field if it has a default. */
    mluoptest__node__free_unpacked(node, NULL);
    node = NULL;
  }
  if (!node) {
    mluop_node_wire_explain(name, data, size, errors);
  }
  return node;
}

/* A case in text form: the whole text, or one member of its sweep. */
static Mluoptest__Node *load_text(const char *name, const char *text, size_t size,
                                  const char *member, mluopTestText *errors,
                                  mluopTestText *warnings) {
  char *expanded = NULL;
  switch (mluop_sweep_expand(name, text, size, member, &expanded, &size, errors)) {
    case MLUOP_SWEEP_FAILED:
      return NULL;
    case MLUOP_SWEEP_EXPANDED:
      text = expanded;
      break;
    case MLUOP_SWEEP_NONE:
      break;
  }
  mluopWire wire;
  Mluoptest__Node *node = NULL;
  if (!mluop_node_text_to_wire(name, text, size, &wire, errors, warnings)) {
    node = mluop_case_binary_load(name, wire.data, wire.size, errors);
    mluop_wire_free(&wire);
  }
  free(expanded);
  return node;
}

Mluoptest__Node *mluop_case_text_load(const char *name, const char *text, size_t size,
                                      mluopTestText *errors, mluopTestText *warnings) {
  return load_text(name, text, size, NULL, errors, warnings);
}

char *mluop_case_path_file(const char *path, const char **member) {
  const char *mark = mluop_path_exists(path) ? NULL : strrchr(mluop_path_base(path), '#');
  *member = mark ? mark + 1 : NULL;
  return mluop_text_format("%.*s", (int)(mark ? (size_t)(mark - path) : strlen(path)), path);
}

int mluop_case_file_members(const char *file, mluopSweepMembers *members, mluopTestText *errors) {
  *members = (mluopSweepMembers){0};
  if (!mluop_path_ends_with(file, ".prototxt")) {
    return 0;
  }
  size_t size = 0;
  char *text = mluop_file_read_all(file, &size, errors);
  const int failed = text ? mluop_sweep_members(file, text, size, members, errors) : -1;
  free(text);
  return failed;
}

Mluoptest__Node *mluop_case_file_load(const char *path, mluopTestText *errors,
                                      mluopTestText *warnings) {
  const char *member;
  char *file = mluop_case_path_file(path, &member);
  size_t size = 0;
  char *data = file ? mluop_file_read_all(file, &size, errors) : NULL;
  Mluoptest__Node *node = NULL;
  if (data) {
    node = mluop_path_ends_with(file, ".pb")
               ? mluop_case_binary_load(path, data, size, errors)
               : load_text(file, data, size, member, errors, warnings);
  }
  free(file);
  free(data);
  return node;
}
