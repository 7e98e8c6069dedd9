/* SPDX-License-Identifier: MIT */
#include "perf/run_delay.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* schedstat: time on a CPU, time waiting for one, number of slices; nanoseconds. */
static double thread_delay_ns(const char *task) {
  char path[320], text[128];
  snprintf(path, sizeof(path), "/proc/self/task/%s/schedstat", task);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return 0;
  }
  const ssize_t n = read(file, text, sizeof(text) - 1);
  close(file);
  double running = 0, waiting = 0;
  text[n > 0 ? n : 0] = '\0';
  return sscanf(text, "%lf %lf", &running, &waiting) == 2 ? waiting : 0;
}

double mluop_perf_run_delay_us(void) {
  double total = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *item; tasks && (item = readdir(tasks));) {
    if (item->d_name[0] != '.') {
      total += thread_delay_ns(item->d_name);
    }
  }
  if (tasks) {
    closedir(tasks);
  }
  return total * 1e-3;
}
