/* SPDX-License-Identifier: MIT
 *
 * The status command of the SDK, with the output formats that programs parse.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cnrt.h"
#include "json.h"
#include "state.h"

enum { USAGE = 2 };

static const char json_name[] = "cnmon_info.json";

static int usage(void) {
  fputs(
      "usage: cnmon                    a table of the devices and of what runs on them\n"
      "       cnmon info [-c CARD] [-j] [-e] [-m] [-u] [-t]\n"
      "                                a device after the other; -j: into cnmon_info.json "
      "instead,\n"
      "                                the other letters, which select parts, change nothing\n"
      "       cnmon topo               how devices are connected\n"
      "       cnmon version            the versions of driver and runtime\n",
      stderr);
  return USAGE;
}

static void print_percent(bool known, int value) {
  if (known) {
    printf("%4d%%", value);
  } else {
    fputs("  N/A", stdout);
  }
}

static void print_table(const char *driver, const struct cnmon_device *devices, int count) {
  printf("CNMON %s, %d %s\n\n", driver, count, count == 1 ? "device" : "devices");
  puts("Card  Name                      Bus address   Health      Memory used / total MiB   MLU");
  for (int i = 0; i < count; ++i) {
    const struct cnmon_device *d = &devices[i];
    printf("%4d  %-24s  %04x:%02x:%02x.%x  %-10s  %11lld / %-9lld ", d->number, d->name, d->domain,
           d->bus, d->slot, d->function, d->is_healthy ? "Good" : "In problem",
           (long long)d->memory_used, (long long)d->memory_total);
    print_percent(d->knows_utilization, d->utilization);
    fputc('\n', stdout);
  }
  puts("\nProcesses:\nCard       PID   Memory used KiB");
  for (int i = 0; i < count; ++i) {
    for (unsigned p = 0; p < devices[i].process_count; ++p) {
      const cndevProcessInfo_t *process = &devices[i].processes[p];
      printf("%4d  %8u  %16llu\n", devices[i].number, process->pid,
             (unsigned long long)process->physicalMemoryUsed);
    }
  }
}

static void print_number(const char *name, bool known, int value, const char *unit) {
  if (known) {
    printf("    %-20s: %d %s\n", name, value, unit);
  } else {
    printf("    %-20s: N/A\n", name);
  }
}

static void print_info(const char *driver, const struct cnmon_device *d) {
  printf("Card %d\n", d->number);
  printf("    %-20s: %s\n", "Product Name", d->name);
  printf("    %-20s: %s\n", "UUID", d->uuid);
  printf("    %-20s: v%s\n", "Driver", driver);
  printf("    %-20s: %04x:%02x:%02x.%x\n", "Bus ID", d->domain, d->bus, d->slot, d->function);
  printf("    %-20s: %s\n", "Health", d->is_healthy ? "Good" : "In problem");
  printf("    %-20s: %d\n", "Clusters", d->clusters);
  printf("    %-20s: %d\n", "Cores", d->cores);
  printf("    %-20s: %lld MiB\n", "Memory Total", (long long)d->memory_total);
  printf("    %-20s: %lld MiB\n", "Memory Used", (long long)d->memory_used);
  print_number("MLU Average", d->knows_utilization, d->utilization, "%");
  print_number("Chip Temperature", d->knows_temperature, d->temperature, "C");
  print_number("Power", d->knows_power, d->power, "W");
  printf("    %-20s: %d\n", "NUMA Node", d->numa_node);
}

static int write_json(const char *driver, const struct cnmon_device *devices, int count) {
  FILE *file = fopen(json_name, "we");
  if (file == NULL) {
    fprintf(stderr, "cnmon: %s cannot be written: %s\n", json_name, strerror(errno));
    return EXIT_FAILURE;
  }
  cnmon_write_json(file, driver, devices, count);
  return fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int info(int argc, char **argv, const char *driver, const struct cnmon_device *devices,
                int count) {
  bool json = false;
  int first = 0;
  int end = count;
  int letter;
  while ((letter = getopt(argc, argv, "c:jemut")) != -1) {
    if (letter == 'j') {
      json = true;
    } else if (letter == 'c') {
      char *rest;
      const long card = strtol(optarg, &rest, 10);
      if (*rest != 0 || rest == optarg || card < 0 || card >= count) {
        fprintf(stderr, "cnmon: there is no card %s\n", optarg);
        return EXIT_FAILURE;
      }
      first = (int)card;
      end = first + 1;
    } else if (letter == '?') {
      return usage();
    }
  }
  if (optind != argc) {
    return usage();
  }
  if (json) {
    return write_json(driver, devices + first, end - first);
  }
  for (int i = first; i < end; ++i) {
    print_info(driver, &devices[i]);
  }
  return EXIT_SUCCESS;
}

/* Prints which devices can access each other's memory; there are no links between cards. */
static void print_topology(int count) {
  fputs("       ", stdout);
  for (int j = 0; j < count; ++j) {
    printf("  Card%-2d", j);
  }
  fputc('\n', stdout);
  for (int i = 0; i < count; ++i) {
    printf("Card%-3d", i);
    for (int j = 0; j < count; ++j) {
      unsigned reaches = 0;
      cnrtGetPeerAccessibility(&reaches, i, j);
      printf("  %-6s", i == j ? "SELF" : reaches != 0 ? "PEER" : "HOST");
    }
    fputc('\n', stdout);
  }
}

static int run(int argc, char **argv, struct cnmon_device *devices, int count) {
  char driver[32];
  cnmon_driver_version(driver, sizeof(driver));
  const char *command = argc > 1 ? argv[1] : "";
  if (strcmp(command, "info") == 0) {
    return info(argc - 1, argv + 1, driver, devices, count);
  }
  if (argc > 2) {
    return usage();
  }
  if (*command == 0) {
    print_table(driver, devices, count);
  } else if (strcmp(command, "topo") == 0) {
    print_topology(count);
  } else if (strcmp(command, "version") == 0) {
    printf("Driver version:%s\nCNRT version:%d.%d.%d\n", driver, CNRT_MAJOR_VERSION,
           CNRT_MINOR_VERSION, CNRT_PATCH_VERSION);
  } else {
    return usage();
  }
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  cndevCardInfo_t cards = {.version = CNDEV_VERSION_5};
  if (cndevInit(0) != CNDEV_SUCCESS || cndevGetDeviceCount(&cards) != CNDEV_SUCCESS) {
    fputs("cnmon: devices cannot be asked\n", stderr);
    return EXIT_FAILURE;
  }
  struct cnmon_device *devices = calloc(cards.number + 1, sizeof(*devices));
  int count = 0;
  for (unsigned i = 0; devices != NULL && i < cards.number; ++i) {
    if (cnmon_ask((int)i, &devices[count])) {
      ++count;
    }
  }
  const int result = devices != NULL ? run(argc, argv, devices, count) : EXIT_FAILURE;
  free(devices);
  cndevRelease();
  return result;
}
