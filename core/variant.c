/* SPDX-License-Identifier: MIT */
#include "core/variant.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/env.h"
#include "core/logging.h"

enum { LINE_SIZE = 1024 };

/* Index of the form that "name" or "op:name" selects, or -1. */
static int place_of_item(const mluopVariantTable *table, const char *item, size_t length) {
  const char *colon = memchr(item, ':', length);
  if (colon != NULL) {
    const size_t op_length = (size_t)(colon - item);
    if (strlen(table->op) != op_length || memcmp(table->op, item, op_length) != 0) return -1;
    length -= op_length + 1;
    item = colon + 1;
  }
  for (int i = 0; i < table->count; ++i) {
    const char *name = table->variants[i].name;
    if (strlen(name) == length && memcmp(name, item, length) == 0) return i;
  }
  return -1;
}

/* Warns once about a name that is not a form of this operator: it may be misspelt. */
static void warn_unknown(const mluopVariantTable *table, const char *item, size_t length) {
  static atomic_bool is_warned;
  const size_t prefix = strlen(table->op) + 1;
  if (length < prefix || item[prefix - 1] != ':' || memcmp(item, table->op, prefix - 1) != 0 ||
      atomic_exchange(&is_warned, true)) {
    return;
  }
  char names[LINE_SIZE] = "";
  for (int i = 0; i < table->count; ++i) {
    const size_t used = strlen(names);
    snprintf(names + used, sizeof(names) - used, "%s%s", i > 0 ? ", " : "",
             table->variants[i].name);
  }
  LOG_WARNING("environment variable MLUOP_VARIANT: %s has no variant \"%.*s\"; it has %s.",
              table->op, (int)(length - prefix), item + prefix, names);
}

/* Index of the form that the handle or the environment forces, or -1. */
static int forced_place(const mluopVariantTable *table, mluOpHandle_t handle) {
  if (handle->variant.forced > 0 && handle->variant.forced <= table->count) {
    return handle->variant.forced - 1;
  }
  const char *list = mluop_env_string(MLUOP_ENV_VARIANT);
  while (*list != '\0') {
    const size_t length = strcspn(list, ",;");
    const int place = place_of_item(table, list, length);
    if (place >= 0) return place;
    warn_unknown(table, list, length);
    list += length;
    list += *list != '\0';
  }
  return -1;
}

static const char *ask(mluopVariantRefusal refusal, mluOpHandle_t handle, const void *call) {
  return refusal != NULL ? refusal(handle, call) : NULL;
}

static const char *refused_by(const mluopVariant *variant, mluOpHandle_t handle, const void *call) {
  const char *reason = ask(variant->cannot, handle, call);
  return reason != NULL ? reason : ask(variant->does_not_pay, handle, call);
}

static int choose(const mluopVariantTable *table, mluOpHandle_t handle, const void *call) {
  const int forced = forced_place(table, handle);
  if (forced >= 0 && ask(table->variants[forced].cannot, handle, call) == NULL) return forced;
  int place = 0;
  while (place < table->count - 1 && refused_by(&table->variants[place], handle, call) != NULL) {
    ++place;
  }
  return place;
}

/* Appends "; name: reason". */
static void add_reason(char line[LINE_SIZE], const char *name, const char *reason) {
  const size_t used = strlen(line);
  snprintf(line + used, LINE_SIZE - used, "; %s: %s", name, reason);
}

static void explain(const mluopVariantTable *table, mluOpHandle_t handle, const void *call,
                    int chosen) {
  char line[LINE_SIZE];
  const int forced = forced_place(table, handle);
  snprintf(line, sizeof(line), "[%s] variant %s%s", table->op, table->variants[chosen].name,
           forced == chosen ? " (forced)" : "");
  for (int i = 0; i < table->count; ++i) {
    const mluopVariant *variant = &table->variants[i];
    const char *reason = i == chosen ? NULL : refused_by(variant, handle, call);
    if (reason != NULL) add_reason(line, variant->name, reason);
  }
  mluop_log(MLUOP_LOG_VLOG, __FILE__, __LINE__, "%s.", line);
}

const char *mluop_small_tasks_do_not_pay(mluOpHandle_t handle, const void *call) {
  (void)call;
  return mluop_small_tasks_overlap(&handle->facts) ? NULL : "a core runs one task at a time";
}

const char *mluop_scalar_tables_do_not_pay(mluOpHandle_t handle, const void *call) {
  (void)call;
  return mluop_scalar_is_fast(&handle->facts) ? NULL : "scalar access to on-chip memory is slow";
}

const char *mluop_scalar_rows_of_type_do_not_pay(mluOpHandle_t handle, mluOpDataType_t dtype) {
  if (!mluop_scalar_gdram_is_fast(&handle->facts)) return "scalar access to device memory is slow";
  const bool is_slow = dtype == MLUOP_DTYPE_HALF && !handle->facts.loops_convert_half;
  return is_slow ? "scalar loops convert half slowly" : NULL;
}

const mluopVariant *mluop_variant_choose(const mluopVariantTable *table, mluOpHandle_t handle,
                                         const void *call) {
  return &table->variants[choose(table, handle, call)];
}

mluOpStatus_t mluop_variant_launch(const mluopVariantTable *table, mluOpHandle_t handle,
                                   const void *call) {
  const int place = choose(table, handle, call);
  handle->variant.table = table;
  handle->variant.ran = place;
  if (mluop_verbose("dispatch")) explain(table, handle, call, place);
  return table->variants[place].launch(handle, call);
}
