/* SPDX-License-Identifier: MIT */
#include "json.h"

/* Device names may contain any characters. */
static void write_text(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text != 0; ++text) {
    const unsigned char byte = (unsigned char)*text;
    if (byte == '"' || byte == '\\') {
      fprintf(file, "\\%c", byte);
    } else if (byte < 0x20) {
      fprintf(file, "\\u%04x", byte);
    } else {
      fputc(byte, file);
    }
  }
  fputc('"', file);
}

static void write_device(FILE *file, const char *driver, const struct cnmon_device *device) {
  fprintf(file, "    {\n      \"CardNum\": %d,\n      \"ProductName\": ", device->number);
  write_text(file, device->name);
  fputs(",\n      \"UUID\": ", file);
  write_text(file, device->uuid);
  fputs(",\n      \"DriverVersion\": ", file);
  write_text(file, driver);
  fprintf(file, ",\n      \"Health\": \"%s\"", device->is_healthy ? "Good" : "In problem");
  fprintf(file,
          ",\n      \"PCI\": {\"DomainID\": \"%04x\", \"Bus\": \"%02x\", \"Device\": \"%02x\", "
          "\"Function\": \"%x\"}",
          device->domain, device->bus, device->slot, device->function);
  fprintf(file, ",\n      \"PhysicalMemUsage\": {\"Total\": %lld, \"Used\": %lld}",
          (long long)device->memory_total, (long long)device->memory_used);
  fprintf(file, ",\n      \"Cores\": {\"Clusters\": %d, \"Total\": %d}", device->clusters,
          device->cores);
  if (device->knows_utilization) {
    fprintf(file, ",\n      \"Utilization\": {\"MLUAverage\": %d}", device->utilization);
  }
  if (device->knows_temperature) {
    fprintf(file, ",\n      \"Temperature\": {\"Chip\": %d}", device->temperature);
  }
  if (device->knows_power) {
    fprintf(file, ",\n      \"Power\": {\"Usage\": %d}", device->power);
  }
  fputs(",\n      \"Process\": [", file);
  for (unsigned i = 0; i < device->process_count; ++i) {
    fprintf(file, "%s{\"PID\": %u, \"MemoryUsedKiB\": %llu}", i == 0 ? "" : ", ",
            device->processes[i].pid, (unsigned long long)device->processes[i].physicalMemoryUsed);
  }
  fputs("]\n    }", file);
}

void cnmon_write_json(FILE *file, const char *driver, const struct cnmon_device *devices,
                      int count) {
  fputs("{\n  \"CnmonInfo\": [\n", file);
  for (int i = 0; i < count; ++i) {
    write_device(file, driver, &devices[i]);
    fputs(i + 1 < count ? ",\n" : "\n", file);
  }
  fputs("  ]\n}\n", file);
}
