/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "executor.h"

/* executors.inc is the part of core/op_list.inc that this build was configured for. */
#define MLUOP_OP(name, folder) extern const mluopTestExecutor mluop_executor_##name;
#include "executors.inc"
#undef MLUOP_OP

#define MLUOP_OP(name, folder) &mluop_executor_##name,
static const mluopTestExecutor *const executors[] = {
#include "executors.inc"
    NULL};
#undef MLUOP_OP

size_t mluop_executor_count(void) {
  return sizeof(executors) / sizeof(executors[0]) - 1;
}

const mluopTestExecutor *mluop_executor_at(size_t index) {
  return executors[index];
}

const mluopTestExecutor *mluop_executor_find(const char *op_name) {
  for (size_t i = 0; i < mluop_executor_count(); ++i) {
    if (!strcmp(executors[i]->name, op_name)) {
      return executors[i];
    }
  }
  return NULL;
}
