/* SPDX-License-Identifier: MIT
 *
 * How busy the processors are that the devices consist of. All devices share them with everything
 * else on the machine.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "device.h"

/* For shorter times the system's clock ticks are too coarse. */
enum { MIN_INTERVAL_MS = 100 };

/* Time of the processors, in any unit. */
struct sample {
  uint64_t busy;
  uint64_t all;
};

struct meter {
  pthread_mutex_t lock;
  bool (*read)(struct sample *sample);
  bool is_started;
  bool has_answer;
  uint64_t since_ns;
  struct sample since;
  int percent;
};

/* One line of /proc/stat: "cpu3 user nice system idle iowait irq softirq steal ...". */
static bool read_line(FILE *file, unsigned *cpu, struct sample *sample) {
  enum { IDLE = 3, WAITING = 4, STATES = 8 };
  unsigned long long state[STATES] = {0};
  char line[512];
  if (fgets(line, sizeof(line), file) == NULL ||
      sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", cpu, &state[0], &state[1],
             &state[2], &state[3], &state[4], &state[5], &state[6], &state[7]) <= IDLE + 1) {
    return false;
  }
  *sample = (struct sample){0, 0};
  for (int i = 0; i < STATES; ++i) {
    sample->all += state[i];
    sample->busy += i == IDLE || i == WAITING ? 0 : state[i];
  }
  return true;
}

static bool read_processors(struct sample *sum) {
  cpu_set_t allowed;
  unsigned cpu = 0;
  struct sample sample;
  char total[512];
  FILE *file = fopen("/proc/stat", "re");
  *sum = (struct sample){0, 0};
  if (file == NULL) {
    return false;
  }
  /* The first line is the sum of all processors. */
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0 &&
      fgets(total, sizeof(total), file) != NULL) {
    while (read_line(file, &cpu, &sample)) {
      if (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &allowed)) {
        sum->busy += sample.busy;
        sum->all += sample.all;
      }
    }
  }
  fclose(file);
  return sum->all != 0;
}

static bool read_process(struct sample *sample) {
  struct timespec used;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) {
    return false;
  }
  sample->busy = (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
  sample->all = rt_now_ns() * rt_settings()->cpus;
  return true;
}

static struct meter processors = {.lock = PTHREAD_MUTEX_INITIALIZER, .read = read_processors};
static struct meter process = {.lock = PTHREAD_MUTEX_INITIALIZER, .read = read_process};

static void start(struct meter *meter) {
  pthread_mutex_lock(&meter->lock);
  if (!meter->is_started && meter->read(&meter->since)) {
    meter->since_ns = rt_now_ns();
    meter->is_started = true;
  }
  pthread_mutex_unlock(&meter->lock);
}

void rt_usage_start(void) {
  start(&processors);
  start(&process);
}

/* Counters of the system may decrease a little. */
static int percent_between(const struct sample *from, const struct sample *to) {
  const uint64_t all = to->all > from->all ? to->all - from->all : 0;
  const uint64_t busy = to->busy > from->busy ? to->busy - from->busy : 0;
  return all == 0 ? 0 : busy >= all ? 100 : (int)((busy * 100 + all / 2) / all);
}

static bool look(struct meter *meter, int *percent) {
  struct sample now;
  pthread_mutex_lock(&meter->lock);
  const bool can_tell = meter->is_started && meter->read(&now);
  if (can_tell) {
    const uint64_t now_ns = rt_now_ns();
    const bool is_over = now_ns - meter->since_ns >= (uint64_t)MIN_INTERVAL_MS * 1000000;
    if (is_over || !meter->has_answer) {
      meter->percent = percent_between(&meter->since, &now);
    }
    if (is_over) {
      meter->has_answer = true;
      meter->since = now;
      meter->since_ns = now_ns;
    }
    *percent = meter->percent;
  }
  pthread_mutex_unlock(&meter->lock);
  return can_tell;
}

bool rt_device_usage(struct rt_device *device, int *percent) {
  (void)device;
  return look(&processors, percent);
}

bool rt_process_usage(struct rt_device *device, int *percent) {
  (void)device;
  return look(&process, percent);
}

/* The list of nodes is "0" on a machine with one, "0-1" or "0,2" on others. */
bool rt_device_numa_node(const struct rt_device *device, int *node) {
  char more = '\0';
  FILE *file = fopen("/sys/devices/system/node/online", "re");
  (void)device;
  if (file == NULL) {
    return false;
  }
  const int found = fscanf(file, "%d%c", node, &more);
  fclose(file);
  if (found == 2 && more != '\n') {
    *node = -1; /* memory and threads are on all of them */
  }
  return found >= 1;
}
