/* SPDX-License-Identifier: MIT
 *
 * What cnmon knows about the devices.
 */
#ifndef CNMON_STATE_H_
#define CNMON_STATE_H_

#include <stdbool.h>
#include <stdint.h>

#include "cndev.h"

enum { CNMON_PROCESSES = 64 };

struct cnmon_device {
  int number;
  const char *name;
  char uuid[CNDEV_UUID_SIZE];
  /* Bus address; programs identify devices by it even if they are not cards. */
  unsigned domain;
  unsigned bus;
  unsigned slot;
  unsigned function;
  int clusters;
  int cores;
  int64_t memory_total; /* MB */
  int64_t memory_used;
  bool knows_utilization;
  int utilization; /* percent */
  bool knows_temperature;
  int temperature;
  bool knows_power;
  int power;
  int numa_node;
  bool is_healthy;
  unsigned process_count;
  cndevProcessInfo_t processes[CNMON_PROCESSES];
};

/* The driver's version as text, such as "6.0.3". */
void cnmon_driver_version(char *text, int size);

/* Queries device `number`; false if it does not respond. */
bool cnmon_ask(int number, struct cnmon_device *device);

#endif /* CNMON_STATE_H_ */
