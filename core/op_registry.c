/* SPDX-License-Identifier: MIT */
#include "core/op_registry.h"

#include <stddef.h>
#include <string.h>

static const char *const names[MLUOP_OP_COUNT] = {
#define MLUOP_OP(name, folder) #name,
#include "core/op_list.inc"
#undef MLUOP_OP
};

const char *mluop_op_name(int op) {
  return op >= 0 && op < MLUOP_OP_COUNT ? names[op] : NULL;
}

int mluop_op_find(const char *name) {
  for (int op = 0; op < MLUOP_OP_COUNT; ++op) {
    if (strcmp(names[op], name) == 0) return op;
  }
  return -1;
}
