/* SPDX-License-Identifier: MIT
 *
 * Text case to binary. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "schema/sweep.h"
#include "schema/text_format.h"
#include "tools/convert.h"

static int convert_text(const char *source, const char *text, size_t size, const char *target,
                        mluopTestText *errors) {
  mluopWire wire;
  mluopTestText warnings = {0};
  int failed = mluop_node_text_to_wire(source, text, size, &wire, errors, &warnings);
  fprintf(stderr, "%s", mluop_text_get(&warnings));
  if (!failed) {
    failed = mluop_file_write_all(target, (const char *)wire.data, wire.size, errors);
    mluop_wire_free(&wire);
  }
  mluop_text_free(&warnings);
  return failed;
}

/* target.pb becomes target.member.pb. */
static int convert_member(const char *source, const char *text, size_t size, const char *member,
                          const char *target, mluopTestText *errors) {
  const size_t stem = strlen(target) - (mluop_path_ends_with(target, ".pb") ? strlen(".pb") : 0);
  char *path = mluop_text_format("%.*s.%s.pb", (int)stem, target, member), *expanded = NULL;
  int failed = -1;
  if (path && mluop_sweep_expand(source, text, size, member, &expanded, &size, errors) ==
                  MLUOP_SWEEP_EXPANDED) {
    failed = convert_text(source, expanded, size, path, errors);
  }
  free(expanded);
  free(path);
  return failed;
}

/* A file with a sweep becomes a file for each member. */
static int convert(const char *source, const char *target, mluopTestText *errors) {
  size_t size = 0;
  char *text = mluop_file_read_all(source, &size, errors);
  mluopSweepMembers members = {0};
  int failed = text ? mluop_sweep_members(source, text, size, &members, errors) : -1;
  if (!failed && !members.n) {
    failed = convert_text(source, text, size, target, errors);
  }
  for (size_t i = 0; i < members.n && !failed; ++i) {
    failed = convert_member(source, text, size, members.names[i], target, errors);
  }
  mluop_sweep_members_free(&members);
  free(text);
  return failed;
}

int main(int argc, char **argv) {
  const mluopConverter converter = {"prototxt2pb", ".prototxt", ".pb", convert};
  return mluop_convert_main(&converter, argc, argv);
}
