/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cncl_external.h"

enum { MAX_MILLISECONDS = 24 * 3600 * 1000 };

static struct cncl_settings settings = {
    .timeout_ns = (uint64_t)30000 * 1000000u,
    .processes = CNCL_PROCESSES_AUTO,
};

static bool set_timeout(const char *text) {
  char *end = NULL;
  errno = 0;
  const unsigned long long value = strtoull(text, &end, 10);
  if (errno != 0 || *text < '0' || *text > '9' || *end != '\0' || value < 1 ||
      value > MAX_MILLISECONDS) {
    return false;
  }
  settings.timeout_ns = value * 1000000u;
  return true;
}

static bool set_transport(const char *text) {
  static const char *const names[] = {"auto", "mpi", "local"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    if (strcmp(text, names[i]) == 0) {
      settings.processes = (enum cncl_processes)i;
      return true;
    }
  }
  return false;
}

static const struct {
  cnrtxSetting doc;
  bool (*set)(const char *text);
} table[] = {
    {{"MLUOP_CNCL_TIMEOUT_MS", "30000",
      "how long a rank waits for the others before it gives up, in milliseconds"},
     set_timeout},
    {{"MLUOP_CNCL_TRANSPORT", "auto",
      "how ranks that are not in one call of cnclInitComms find each other: mpi, local (threads of "
      "this process), auto (mpi in an MPI job of several processes, else local)"},
     set_transport},
};

enum { SETTING_COUNT = sizeof(table) / sizeof(table[0]) };

static void read_environment(void) {
  for (size_t i = 0; i < SETTING_COUNT; ++i) {
    const char *text = getenv(table[i].doc.name);
    if (text != NULL && *text != '\0' && !table[i].set(text)) {
      cncl_log("%s=%s is not valid (%s); using the default: %s", table[i].doc.name, text,
               table[i].doc.meaning, table[i].doc.default_value);
    }
  }
}

const struct cncl_settings *cncl_settings(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_environment);
  return &settings;
}

CNCL_EXPORT size_t cnclxSettingCount(void) {
  return SETTING_COUNT;
}

CNCL_EXPORT const cnrtxSetting *cnclxGetSetting(size_t index) {
  return index < SETTING_COUNT ? &table[index].doc : NULL;
}
