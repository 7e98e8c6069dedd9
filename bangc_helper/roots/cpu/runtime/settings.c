/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cnrt_external.h"
#include "played.h"
#include "root.h"
#include "threads.h"

enum { MB = 1 << 20 };

static struct rt_settings settings;

/* Present in a process that runs with that sanitizer. */
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

static bool parse_unsigned(const char *text, uint64_t low, uint64_t high, uint64_t *value) {
  if (*text < '0' || *text > '9') {
    return false;
  }
  char *end = NULL;
  errno = 0;
  const unsigned long long parsed = strtoull(text, &end, 10);
  if (errno != 0 || *end != '\0' || parsed < low || parsed > high) {
    return false;
  }
  *value = parsed;
  return true;
}

static bool parse_into(const char *text, uint64_t low, uint64_t high, unsigned *target) {
  uint64_t value = 0;
  if (!parse_unsigned(text, low, high, &value)) {
    return false;
  }
  *target = (unsigned)value;
  return true;
}

static bool parse_switch(const char *text, bool *target) {
  if (strcmp(text, "1") == 0 || strcmp(text, "on") == 0) {
    *target = true;
    return true;
  }
  if (strcmp(text, "0") == 0 || strcmp(text, "off") == 0) {
    *target = false;
    return true;
  }
  return false;
}

static bool set_devices(const char *text) {
  return parse_into(text, 1, RT_MAX_DEVICES, &settings.devices);
}

static bool set_default_device(const char *text) {
  return parse_into(text, 0, settings.devices - 1, &settings.default_device);
}

static bool set_topology(const char *text) {
  char clusters[8];
  const char *cross = strchr(text, 'x');
  if (cross == NULL || (size_t)(cross - text) >= sizeof(clusters)) {
    return false;
  }
  memcpy(clusters, text, (size_t)(cross - text));
  clusters[cross - text] = '\0';
  uint64_t cluster_count = 0;
  uint64_t core_count = 0;
  if (!parse_unsigned(clusters, 1, RT_MAX_CLUSTERS, &cluster_count) ||
      !parse_unsigned(cross + 1, 1, RT_MAX_CORES, &core_count)) {
    return false;
  }
  settings.clusters = (unsigned)cluster_count;
  settings.cores = (unsigned)core_count;
  return true;
}

static bool set_threads(const char *text) {
  return parse_into(text, 1, RT_MAX_THREADS, &settings.threads);
}

static bool set_memory(const char *text) {
  uint64_t megabytes = 0;
  if (!parse_unsigned(text, 1, (uint64_t)1 << 26, &megabytes)) {
    return false;
  }
  settings.memory_bytes = megabytes * MB;
  return true;
}

static bool set_stack(const char *text) {
  uint64_t kilobytes = 0;
  if (!parse_unsigned(text, 256, (uint64_t)4 << 20, &kilobytes)) {
    return false;
  }
  settings.stack_bytes = (size_t)kilobytes * 1024;
  return true;
}

static bool set_task_limit(const char *text) {
  uint64_t milliseconds = 0;
  if (!parse_unsigned(text, 0, UINT32_MAX, &milliseconds)) {
    return false;
  }
  settings.task_limit_ns = milliseconds * 1000000;
  return true;
}

static bool set_order(const char *text) {
  static const char random_prefix[] = "random:";
  if (strcmp(text, "parallel") == 0) {
    settings.order = RT_ORDER_PARALLEL;
  } else if (strcmp(text, "sequential") == 0) {
    settings.order = RT_ORDER_SEQUENTIAL;
  } else if (strcmp(text, "reversed") == 0) {
    settings.order = RT_ORDER_REVERSED;
  } else if (strncmp(text, random_prefix, sizeof(random_prefix) - 1) == 0 &&
             parse_unsigned(text + sizeof(random_prefix) - 1, 0, UINT64_MAX,
                            &settings.order_seed)) {
    settings.order = RT_ORDER_RANDOM;
  } else {
    return false;
  }
  return true;
}

static bool set_poison(const char *text) {
  return parse_switch(text, &settings.poison);
}

static bool set_host_access(const char *text) {
  return parse_switch(text, &settings.host_access);
}

static bool set_faults(const char *text) {
  return strcmp(text, "auto") == 0 || parse_switch(text, &settings.catch_faults);
}

static bool set_divisions(const char *text) {
  settings.divisions_go_on = strcmp(text, "continue") == 0;
  return settings.divisions_go_on || strcmp(text, "fault") == 0;
}

static bool set_stores(const char *text) {
  static const char *const names[] = {[RT_STORES_AUTO] = "auto",
                                      [RT_STORES_ORDINARY] = "ordinary",
                                      [RT_STORES_OWNED] = "owned",
                                      [RT_STORES_STREAMING] = "streaming"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    if (strcmp(text, names[i]) == 0) {
      settings.stores = (enum rt_stores)i;
      return true;
    }
  }
  return false;
}

static bool set_helpers(const char *text) {
  return parse_switch(text, &settings.helpers);
}

static bool set_shared_memory(const char *text) {
  bool on = false;
  if (strcmp(text, "auto") == 0) {
    settings.shared_memory = RT_SHARED_MEMORY_AUTO;
    return true;
  }
  if (!parse_switch(text, &on)) {
    return false;
  }
  settings.shared_memory = on ? RT_SHARED_MEMORY_ON : RT_SHARED_MEMORY_OFF;
  return true;
}

static bool set_trace(const char *text) {
  settings.trace_file = text;
  return true;
}

static bool set_trace_launch(const char *text) {
  return parse_unsigned(text, 1, UINT64_MAX, &settings.trace_launch);
}

/* The table of settings and the variables they are read from. The order matters where one setting
 * limits another. */
static const struct {
  cnrtxSetting doc;
  bool (*set)(const char *text);
} table[] = {
    {{"MLUOP_CPU_DEVICES", "8", "number of virtual devices, 1 to 64"}, set_devices},
    {{"CNRT_DEFAULT_DEVICE", "0", "device of a host thread that has not chosen one"},
     set_default_device},
    {{"MLUOP_CPU_TOPOLOGY", "<clusters>x4, covering the host's CPUs",
      "clusters and cores per cluster of every device, such as 8x4 for an MLU590; 1x1 to 64x64"},
     set_topology},
    {{"MLUOP_CPU_THREADS", "CPUs the process may use, at least 2",
      "worker threads that run block tasks and queues"},
     set_threads},
    {{"MLUOP_CPU_MEMORY_MB", "memory of the host", "memory of each device in MB"}, set_memory},
    {{"MLUOP_CPU_STACK_KB", "8192", "stack of a task in KB, 256 to 4194304"}, set_stack},
    {{"MLUOP_CPU_TASK_LIMIT_MS", "0",
      "milliseconds after which a task that has not ended becomes a fault, with the place it was "
      "at; 0: tasks may run for ever. Needs MLUOP_CPU_FAULTS"},
     set_task_limit},
    {{"MLUOP_CPU_TASK_ORDER", "parallel",
      "order of a launch's tasks: parallel, or one after another as sequential, reversed, "
      "random:<seed>"},
     set_order},
    {{"MLUOP_CPU_POISON", "0",
      "1: fill NRAM, WRAM and SRAM with signalling NaNs at the start of every task"},
     set_poison},
    {{"MLUOP_CPU_HOST_ACCESS", "1",
      "0: device memory is out of reach for the host, as on hardware; a program that touches it "
      "gets SIGSEGV (needs a CPU with memory protection keys)"},
     set_host_access},
    {{"MLUOP_CPU_FAULTS", "auto",
      "on: a wild pointer, an integer division by zero or a stack overflow in a kernel becomes the "
      "driver's fault code; off: the process dies as usual; auto: on, except under "
      "AddressSanitizer, which then reports them itself"},
     set_faults},
    {{"MLUOP_CPU_DIVISIONS", "fault",
      "continue: an integer division by zero in a kernel gives all bits set (the remainder: the "
      "dividend), on Arm any number, and one warning, for published kernels that divide so and do "
      "not use the result"},
     set_divisions},
    {{"MLUOP_CPU_STORES", "auto",
      "how the copy engine writes memory on x86-64: streaming, owned (lines are asked for ahead) "
      "or ordinary, to see what it gains; auto: as is fastest on this CPU"},
     set_stores},
    {{"MLUOP_CPU_HELPERS", "1",
      "1: a thread of the program that waits for a queue runs tasks of that queue meanwhile; 0: "
      "threads of the runtime run all tasks"},
     set_helpers},
    {{"MLUOP_CPU_SHARED_MEMORY", "auto",
      "1: device memory lies where other processes can map it (cnrtAcquireMemHandle); 0: nobody "
      "can, and no notifiers are shared; auto: as 1 in a process of an MPI job, elsewhere it moves "
      "there when a handle is asked for"},
     set_shared_memory},
    {{"MLUOP_CPU_TRACE", "none",
      "file that gets a Chrome/Perfetto trace of one launch: loads, stores, computing and waiting "
      "of each task"},
     set_trace},
    {{"MLUOP_CPU_TRACE_LAUNCH", "1", "number of the launch that MLUOP_CPU_TRACE is about"},
     set_trace_launch},
};

enum { SETTING_COUNT = sizeof(table) / sizeof(table[0]) };

static unsigned allowed_cpus(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0) {
    return (unsigned)CPU_COUNT(&set);
  }
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (unsigned)online : 1;
}

static uint64_t host_memory(void) {
  uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  FILE *limit_file = fopen("/sys/fs/cgroup/memory.max", "re");
  if (limit_file != NULL) {
    unsigned long long limit = 0;
    if (fscanf(limit_file, "%llu", &limit) == 1 && limit >= MB && limit < bytes) {
      bytes = limit;
    }
    fclose(limit_file);
  }
  /* On Arm the thread sanitizer leaves 4 GB of addresses for mappings of all devices. */
#if defined(__aarch64__)
  if (__tsan_init != NULL && bytes > 512 * MB) {
    bytes = 512 * MB;
  }
#endif
  return bytes / MB * MB;
}

static void set_defaults(void) {
  settings.cpus = allowed_cpus();
  settings.devices = 8;
  settings.default_device = 0;
  settings.cores = 4;
  settings.clusters = (settings.cpus + settings.cores - 1) / settings.cores;
  if (settings.clusters > RT_MAX_CLUSTERS) {
    settings.clusters = RT_MAX_CLUSTERS;
  }
  /* At least two, so that kernels of two queues can run at the same time. */
  settings.threads = settings.cpus < 2 ? 2 : settings.cpus;
  if (settings.threads > RT_MAX_THREADS) {
    settings.threads = RT_MAX_THREADS;
  }
  settings.memory_bytes = host_memory();
  settings.stack_bytes = (size_t)8 * MB;
  settings.order = RT_ORDER_PARALLEL;
  settings.poison = false;
  settings.host_access = true;
  settings.catch_faults = __asan_init == NULL;
  settings.stores = RT_STORES_AUTO;
  settings.helpers = true;
  settings.trace_launch = 1;
}

static void read_environment(void) {
  set_defaults();
  for (size_t i = 0; i < SETTING_COUNT; ++i) {
    const char *text = getenv(table[i].doc.name);
    if (text != NULL && *text != '\0' && !table[i].set(text)) {
      rt_warn("%s=%s is not valid (%s); using the default: %s", table[i].doc.name, text,
              table[i].doc.meaning, table[i].doc.default_value);
    }
  }
  struct rt_played played = {settings.devices, settings.clusters, settings.cores,
                             settings.memory_bytes};
  rt_played_adjust(&played);
  settings.devices = played.devices;
  settings.clusters = played.clusters;
  settings.cores = played.cores;
  settings.memory_bytes = played.memory_bytes;
}

const struct rt_settings *rt_settings(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_environment);
  return &settings;
}

size_t rt_thread_stack_bytes(void) {
  return rt_settings()->stack_bytes;
}

RT_EXPORT size_t cnrtxSettingCount(void) {
  return SETTING_COUNT;
}

RT_EXPORT const cnrtxSetting *cnrtxGetSetting(size_t index) {
  return index < SETTING_COUNT ? &table[index].doc : NULL;
}
