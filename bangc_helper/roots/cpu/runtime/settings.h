/* SPDX-License-Identifier: MIT
 *
 * Settings of the runtime. They come from the environment, are read once, and are listed with
 * default and meaning in the table of settings.c.
 */
#ifndef RUNTIME_SETTINGS_H_
#define RUNTIME_SETTINGS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  RT_MAX_CLUSTERS = 64,
  RT_MAX_CORES = 64, /* per cluster; must stay below the MPU's core id */
  RT_MAX_THREADS = 1024,
};

enum rt_task_order {
  RT_ORDER_PARALLEL,
  RT_ORDER_SEQUENTIAL,
  RT_ORDER_REVERSED,
  RT_ORDER_RANDOM,
};

/* When device memory is placed where other processes can map it. */
enum rt_shared_memory {
  RT_SHARED_MEMORY_AUTO,
  RT_SHARED_MEMORY_ON,
  RT_SHARED_MEMORY_OFF,
};

enum rt_stores {
  RT_STORES_AUTO,
  RT_STORES_ORDINARY,
  RT_STORES_OWNED, /* lines are asked for ahead */
  RT_STORES_STREAMING,
};

struct rt_settings {
  unsigned devices;
  unsigned default_device;
  unsigned clusters;
  unsigned cores;
  unsigned threads;
  unsigned cpus; /* CPUs this process may use; not a setting */
  uint64_t memory_bytes;
  size_t stack_bytes;
  uint64_t task_limit_ns; /* 0: none */
  enum rt_task_order order;
  uint64_t order_seed;
  bool poison;
  bool host_access; /* the host may access device memory */
  bool catch_faults;
  bool divisions_go_on;  /* also by zero */
  enum rt_stores stores; /* to memory, of the copy engine on x86-64 */
  bool helpers;          /* threads of the program run tasks of the queues that they wait for */
  enum rt_shared_memory shared_memory;
  const char *trace_file; /* NULL: none */
  uint64_t trace_launch;
};

/* The current settings. */
const struct rt_settings *rt_settings(void);

#endif /* RUNTIME_SETTINGS_H_ */
