/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <pthread.h>
#include <stdlib.h>

#include "bang_sm90.h"
#include "cnrt_external.h"
#include "root.h"
#include "threads.h"

enum {
  MAX_TASKS_PER_SM = 32, /* blocks that a multiprocessor can hold */
  STACK_BYTES = 1 << 20,
};

static struct rt_settings settings = {.tasks_per_sm = BANG_SM90_TASKS_PER_SM, .shared_memory = 1};

static const struct {
  cnrtxSetting doc;
  unsigned *value;
  unsigned least, most;
} table[] = {
    {{"MLUOP_SM90_DEVICES", "as many as there are GPUs",
      "number of devices, 1 to 64; with more than there are GPUs, several devices share one"},
     &settings.devices,
     1,
     RT_MAX_DEVICES},
    {{"CNRT_DEFAULT_DEVICE", "0", "device of a host thread that has not chosen one"},
     &settings.default_device,
     0,
     RT_MAX_DEVICES - 1},
    {{"MLUOP_SM90_TASKS_PER_SM", "2",
      "tasks per multiprocessor that the number of cores promises, 1 to 32"},
     &settings.tasks_per_sm,
     1,
     MAX_TASKS_PER_SM},
    {{"MLUOP_SM90_SHARED_MEMORY", "1",
      "whether other processes can map device memory and share notifiers: 1 or 0"},
     &settings.shared_memory,
     0,
     1},
};

enum { SETTING_COUNT = sizeof(table) / sizeof(table[0]) };

static void read_environment(void) {
  for (size_t i = 0; i < SETTING_COUNT; ++i) {
    const char *text = getenv(table[i].doc.name);
    if (text == NULL || *text == '\0') {
      continue;
    }
    char *end = NULL;
    const unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < table[i].least ||
        value > table[i].most) {
      rt_warn("%s=%s is not valid (%s); using the default: %s", table[i].doc.name, text,
              table[i].doc.meaning, table[i].doc.default_value);
      continue;
    }
    *table[i].value = (unsigned)value;
  }
}

const struct rt_settings *rt_settings(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_environment);
  return &settings;
}

size_t rt_thread_stack_bytes(void) {
  return STACK_BYTES;
}

RT_EXPORT size_t cnrtxSettingCount(void) {
  return SETTING_COUNT;
}

RT_EXPORT const cnrtxSetting *cnrtxGetSetting(size_t index) {
  return index < SETTING_COUNT ? &table[index].doc : NULL;
}
