/* SPDX-License-Identifier: MIT */
#include "core/call_log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/tensor.h"
#include "core/tensor_rules.h"

enum { LINE_SIZE = 2048, VALUE_SIZE = 64 };

static void add(char line[LINE_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(char line[LINE_SIZE], const char *format, ...) {
  const size_t used = strlen(line);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + used, LINE_SIZE - used, format, arguments);
  va_end(arguments);
}

static void add_tensor(char line[LINE_SIZE], const char *name, mluOpTensorDescriptor_t desc) {
  add(line, "%s %s [", name, mluOpGetNameOfDataType(desc->dtype));
  for (int i = 0; i < desc->dim; ++i) add(line, "%s%" PRId64, i > 0 ? ", " : "", desc->dims[i]);
  add(line, "] %s", mluOpGetNameOfTensorLayout(desc->layout));
}

void mluop_log_call(const char *file, int line_number, const mluopTensors *tensors,
                    const mluopScalar *scalars) {
  char line[LINE_SIZE], value[VALUE_SIZE];
  snprintf(line, sizeof(line), "%s ", tensors->api);
  for (int i = 0; i < tensors->table->count; ++i) {
    if (i > 0) add(line, ", ");
    add_tensor(line, tensors->table->rules[i].desc_name, tensors->tensor[i].desc);
  }
  for (int i = 0; scalars[i].name != NULL; ++i) {
    mluop_print_value(value, sizeof(value), scalars[i].value);
    add(line, "%s %s %s", i > 0 ? "," : ";", scalars[i].name, value);
  }
  mluop_log(MLUOP_LOG_VLOG, file, line_number, "%s", line);
}
