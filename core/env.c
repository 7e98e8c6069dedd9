/* SPDX-License-Identifier: MIT */
#include "core/env.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const mluopEnvInfo env_table[MLUOP_ENV_COUNT] = {
#define MLUOP_ENV(id, type, default_text, help) \
  {"MLUOP_" #id, MLUOP_ENV_TYPE_##type, default_text, help},
#include "core/env_list.inc"
#undef MLUOP_ENV
};

typedef struct EnvValue {
  int number;
  char *text;         /* a copy: the program may change its environment later */
  char *refused_text; /* what could not be read, for the warning */
} EnvValue;

static EnvValue env_values[MLUOP_ENV_COUNT];
static pthread_once_t env_once = PTHREAD_ONCE_INIT;
/* The log reads this table, so warnings about it are delayed until it is complete. */
static atomic_bool env_has_refused;
static mluopEnvReport env_report;

static bool parse_bool(const char *text, int *number) {
  static const char *const words[2][4] = {{"0", "OFF", "NO", "FALSE"}, {"1", "ON", "YES", "TRUE"}};
  for (int value = 0; value < 2; ++value) {
    for (int i = 0; i < 4; ++i) {
      if (strcasecmp(text, words[value][i]) == 0) {
        *number = value;
        return true;
      }
    }
  }
  return false;
}

static bool parse_int(const char *text, int *number) {
  char *end = NULL;
  errno = 0;
  const long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || value < INT_MIN || value > INT_MAX) return false;
  *number = (int)value;
  return true;
}

static bool parse_level(const char *text, int *number) {
  static const char *const names[] = {"INFO", "WARNING", "ERROR", "FATAL"};
  enum { LEVELS = sizeof(names) / sizeof(names[0]) };
  for (int i = 0; i < LEVELS; ++i) {
    if (strcasecmp(text, names[i]) == 0) {
      *number = i;
      return true;
    }
  }
  return parse_int(text, number) && *number >= 0 && *number < LEVELS;
}

static bool parse(mluopEnvType type, const char *text, EnvValue *value) {
  switch (type) {
    case MLUOP_ENV_TYPE_BOOL:
      return parse_bool(text, &value->number);
    case MLUOP_ENV_TYPE_INT:
      return parse_int(text, &value->number);
    case MLUOP_ENV_TYPE_LEVEL:
      return parse_level(text, &value->number);
    case MLUOP_ENV_TYPE_STRING:
      value->text = strdup(text);
      return value->text != NULL;
  }
  return false;
}

static void read_all(void) {
  for (int i = 0; i < MLUOP_ENV_COUNT; ++i) {
    const char *text = getenv(env_table[i].name);
    if (text != NULL && *text != '\0') {
      if (parse(env_table[i].type, text, &env_values[i])) continue;
      env_values[i].refused_text = strdup(text);
      atomic_store(&env_has_refused, true);
    }
    (void)parse(env_table[i].type, env_table[i].default_text, &env_values[i]);
  }
}

static const char *wanted(mluopEnvType type) {
  switch (type) {
    case MLUOP_ENV_TYPE_BOOL:
      return "ON or OFF";
    case MLUOP_ENV_TYPE_LEVEL:
      return "a level from 0 to 3 or its name";
    default:
      return "a number";
  }
}

static void report_refused(void) {
  for (int i = 0; i < MLUOP_ENV_COUNT; ++i) {
    if (env_values[i].refused_text == NULL) continue;
    env_report(&env_table[i], wanted(env_table[i].type), env_values[i].refused_text);
  }
}

void mluop_env_set_report(mluopEnvReport report) {
  env_report = report;
}

static const EnvValue *value_of(mluopEnv which) {
  pthread_once(&env_once, read_all);
  /* The exchange lets only one thread report, and ends the recursion through the log. */
  if (atomic_load_explicit(&env_has_refused, memory_order_relaxed) &&
      atomic_exchange(&env_has_refused, false)) {
    if (env_report != NULL) report_refused();
  }
  return &env_values[which];
}

const mluopEnvInfo *mluop_env_info(mluopEnv which) {
  return &env_table[which];
}

int mluop_env_int(mluopEnv which) {
  return value_of(which)->number;
}

const char *mluop_env_string(mluopEnv which) {
  const char *text = value_of(which)->text;
  return text != NULL ? text : "";
}
