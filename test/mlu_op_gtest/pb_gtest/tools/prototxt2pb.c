/* SPDX-License-Identifier: MIT
 *
 * Text case to binary. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "schema/text_format.h"
#include "tools/convert.h"

static int convert(const char *source, const char *target, mluopTestText *errors) {
  size_t size = 0;
  char *text = mluop_file_read_all(source, &size, errors);
  if (!text) {
    return -1;
  }
  mluopWire wire;
  mluopTestText warnings = {0};
  int failed = mluop_node_text_to_wire(source, text, size, &wire, errors, &warnings);
  fprintf(stderr, "%s", mluop_text_get(&warnings));
  if (!failed) {
    failed = mluop_file_write_all(target, (const char *)wire.data, wire.size, errors);
    mluop_wire_free(&wire);
  }
  mluop_text_free(&warnings);
  free(text);
  return failed;
}

int main(int argc, char **argv) {
  const mluopConverter converter = {"prototxt2pb", ".prototxt", ".pb", convert};
  return mluop_convert_main(&converter, argc, argv);
}
