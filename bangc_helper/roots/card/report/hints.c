/* SPDX-License-Identifier: MIT
 *
 * Hints what to try, with the source place and the constants near it.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/collect.h"
#include "report/constants.h"

/* WORTH_PERCENT: share of the launch's time from which a hint is given. */
enum { WORTH_PERCENT = 5, MAX_HINTS = 10 };

struct hints {
  const struct card_board *board;
  struct report_kernel *kernel;
  bool failed;
};

static int64_t per_core(const struct report_kernel *kernel, int64_t ps) {
  return ps / (kernel->timing.cores > 0 ? kernel->timing.cores : 1);
}

static bool is_worth(const struct report_kernel *kernel, int64_t ps) {
  return 100 * per_core(kernel, ps) >= WORTH_PERCENT * kernel->timing.duration;
}

static double us(int64_t ps) {
  return (double)ps / 1e6;
}

static void add(struct hints *hints, int64_t weight, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* `weight`: ps per core that the hint concerns. */
static void add(struct hints *hints, int64_t weight, const char *format, ...) {
  struct report_kernel *kernel = hints->kernel;
  if (hints->failed) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  char *copy = strdup(text);
  if (copy == NULL) {
    hints->failed = true;
    return;
  }
  size_t at = kernel->hint_count < MAX_HINTS ? kernel->hint_count++ : MAX_HINTS;
  while (at > 0 && kernel->hints[at - 1].weight < weight) {
    kernel->hints[at] = kernel->hints[at - 1];
    --at;
  }
  kernel->hints[at] = (struct report_hint){.weight = weight, .text = copy};
  if (kernel->hint_count == MAX_HINTS) { /* the extra element holds the hint to drop */
    free(kernel->hints[MAX_HINTS].text);
    kernel->hints[MAX_HINTS].text = NULL;
  }
}

/* Writes "file:line", without folders. */
static void place_text(char *text, size_t size, const struct card_site *site) {
  const char *slash = strrchr(site->file, '/');
  snprintf(text, size, "%s:%" PRIu32, slash != NULL ? slash + 1 : site->file, site->line);
}

/* The .mlu file of the kernel; all others are included files. */
static const char *kernel_file(const struct report_kernel *kernel) {
  for (size_t i = 0; i < kernel->file_count; ++i) {
    const char *dot = strrchr(kernel->files[i], '.');
    if (dot != NULL && strcmp(dot, ".mlu") == 0) return kernel->files[i];
  }
  return NULL;
}

static void near_text(char *text, size_t size, const struct report_kernel *kernel, uint32_t site) {
  const struct card_site *place = &kernel->sites[site];
  constants_text(text, size, place->file, place->line, kernel_file(kernel));
}

/* ---- One place ---- */

static void hint_latency(struct hints *hints, uint32_t site) {
  const struct report_kernel *kernel = hints->kernel;
  const struct card_site_time *time = &kernel->site_times[site];
  const int64_t waited = time->spent[CARD_SPENT_LATENCY];
  if (!is_worth(kernel, waited) || time->calls == 0) return;
  char place[128], constants[512];
  place_text(place, sizeof place, &kernel->sites[site]);
  near_text(constants, sizeof constants, kernel, site);
  const int64_t moved = kernel->timing.dram_read + kernel->timing.dram_written;
  const int64_t copies = kernel->timing.transfers > 0 ? kernel->timing.transfers : 1;
  const int64_t waits = kernel->timing.syncs > 0 ? kernel->timing.syncs : 1;
  add(hints, per_core(kernel, waited),
      "%s: the latency of copies is waited for %" PRId64
      " times, %.1f us of %.1f: copies of %" PRId64 " bytes, %" PRId64
      " to a wait. Copy more at a time, or start the next copy before this wait%s.",
      place, time->calls, us(per_core(kernel, waited)), us(kernel->timing.duration), moved / copies,
      copies / waits, constants);
}

static void hint_segments(struct hints *hints, uint32_t site) {
  const struct report_kernel *kernel = hints->kernel;
  const struct report_copies *copies = &kernel->copies[site];
  if (!copies->is_strided || !is_worth(kernel, copies->busy)) return;
  const int64_t run = copies->bytes / copies->runs;
  const int64_t whole = copies->bytes * 1000000 / hints->board->core_dram_mb_per_s;
  if (2 * whole >= copies->busy) return;
  char place[128], constants[512];
  place_text(place, sizeof place, &kernel->sites[site]);
  near_text(constants, sizeof constants, kernel, site);
  add(hints, per_core(kernel, copies->busy),
      "%s: segments of %" PRId64
      " bytes keep the IO pipe busy for %.1f us; the same bytes in one "
      "piece would take %.1f%s%s.",
      place, run, us(per_core(kernel, copies->busy)), us(per_core(kernel, whole)),
      copies->partial > 0 ? "; parts of 64-byte granules are read, merged and written" : "",
      constants);
}

static void hint_short_vectors(struct hints *hints, uint32_t site) {
  const struct report_kernel *kernel = hints->kernel;
  const struct report_vectors *vectors = &kernel->vectors[site];
  if (!is_worth(kernel, vectors->start_time) || 2 * vectors->start_time < vectors->busy) return;
  char place[128], constants[512];
  place_text(place, sizeof place, &kernel->sites[site]);
  near_text(constants, sizeof constants, kernel, site);
  add(hints, per_core(kernel, vectors->start_time),
      "%s: %" PRId64 " vector instructions of %" PRId64
      " bytes; their starts take %.1f of %.1f "
      "us. Longer vectors cost little more%s.",
      place, vectors->calls, vectors->bytes / vectors->calls,
      us(per_core(kernel, vectors->start_time)), us(per_core(kernel, vectors->busy)), constants);
}

static void hint_scalar_line(struct hints *hints, const struct report_line *line) {
  const struct report_kernel *kernel = hints->kernel;
  const int64_t spent = line->spent[CARD_SPENT_SCALAR];
  if (!is_worth(kernel, spent) || line->line == 0) return;
  char place[128];
  const struct card_site site = {.file = line->file, .line = line->line};
  place_text(place, sizeof place, &site);
  const uint64_t gdram = line->gdram_reads + line->gdram_writes;
  if (gdram > 0) {
    add(hints, per_core(kernel, spent),
        "%s: %" PRIu64
        " scalar accesses to device memory, %.1f us of %.1f. Copy what is needed to "
        "NRAM first.",
        place, gdram, us(per_core(kernel, spent)), us(kernel->timing.duration));
  } else if (line->loads + line->stores > 0) {
    add(hints, per_core(kernel, spent),
        "%s: scalar %s of on-chip memory (%" PRIu64
        "), %.1f us of %.1f. A vector instruction does "
        "128 bytes in a cycle.",
        place, line->loads >= line->stores ? "loads" : "stores", line->loads + line->stores,
        us(per_core(kernel, spent)), us(kernel->timing.duration));
  } else {
    add(hints, per_core(kernel, spent), "%s: scalar code, %.1f us of %.1f.", place,
        us(per_core(kernel, spent)), us(kernel->timing.duration));
  }
}

/* ---- The launch ---- */

/* Idle time of memory cores, which is no waste if they end early. */
static int64_t idle_of_memory_cores(const struct hints *hints) {
  const struct report_kernel *kernel = hints->kernel;
  const int64_t in_cluster = hints->board->cores_per_cluster + 1;
  int64_t idle = 0;
  for (size_t i = 0; i < kernel->shown_tasks && kernel->timing.waves == 1; ++i) {
    const struct report_task *task = &kernel->tasks[i];
    if (task->core % in_cluster == in_cluster - 1) idle += kernel->timing.duration - task->end;
  }
  return idle;
}

static void hint_waves(struct hints *hints) {
  const struct report_kernel *kernel = hints->kernel;
  const int64_t cores = hints->board->clusters * hints->board->cores_per_cluster;
  const int64_t idle = kernel->timing.spent[CARD_SPENT_IDLE] - idle_of_memory_cores(hints);
  /* Tasks start one after another, so some end later even if all are equal. */
  const int64_t dispatch = 1000 * hints->board->task_dispatch_ns * kernel->timing.cores;
  if (kernel->union_clusters == 0 && (int64_t)kernel->task_count < cores &&
      kernel->timing.duration > 4000 * hints->board->launch_ns) {
    add(hints, kernel->timing.duration / 2, "%zu tasks use %zu of %" PRId64 " cores.",
        kernel->task_count, kernel->task_count, cores);
  } else if (kernel->timing.waves > 1 && is_worth(kernel, idle)) {
    add(hints, per_core(kernel, idle),
        "%zu tasks are %" PRIu32 " waves on %" PRIu32
        " cores; cores have nothing to do for %.1f us "
        "of %.1f at the end. A number of tasks that the cores divide, or tasks of equal length.",
        kernel->task_count, kernel->timing.waves, kernel->timing.cores, us(per_core(kernel, idle)),
        us(kernel->timing.duration));
  } else if (is_worth(kernel, idle) && per_core(kernel, idle) > dispatch) {
    add(hints, per_core(kernel, idle),
        "Tasks of unequal length: cores have nothing to do for %.1f us of %.1f.",
        us(per_core(kernel, idle)), us(kernel->timing.duration));
  }
}

static void hint_memory(struct hints *hints) {
  const struct report_kernel *kernel = hints->kernel;
  const int64_t bytes = kernel->timing.dram_read + kernel->timing.dram_written;
  const int64_t least = bytes * 1000000 / hints->board->dram_mb_per_s;
  if (100 * least >= 85 * kernel->timing.duration) {
    add(hints, least,
        "Device memory is busy: %.1f MB take %.1f us of %.1f at the %" PRId64
        " MB/s it reaches. "
        "Only fewer bytes help.",
        (double)bytes / 1e6, us(least), us(kernel->timing.duration), hints->board->dram_mb_per_s);
  }
}

static void hint_others(struct hints *hints) {
  const struct report_kernel *kernel = hints->kernel;
  const int64_t barrier = kernel->timing.spent[CARD_SPENT_BARRIER];
  const int64_t start = kernel->timing.spent[CARD_SPENT_START];
  if (is_worth(kernel, barrier)) {
    add(hints, per_core(kernel, barrier),
        "Barriers and locks: cores wait for each other for %.1f us of %.1f.",
        us(per_core(kernel, barrier)), us(kernel->timing.duration));
  }
  if (2 * per_core(kernel, start) >= kernel->timing.duration) {
    add(hints, per_core(kernel, start),
        "The start of the launch and of its tasks takes %.1f us of %.1f: fewer tasks or "
        "fewer launches.",
        us(per_core(kernel, start)), us(kernel->timing.duration));
  }
  if (kernel->timing.stuck)
    add(hints, kernel->timing.duration, "Cores waited for a barrier or a lock that none opens.");
}

bool report_make_hints(const struct card_board *board, struct report_kernel *kernel) {
  struct hints hints = {.board = board, .kernel = kernel};
  kernel->hints = calloc(MAX_HINTS + 1, sizeof *kernel->hints);
  if (kernel->hints == NULL) return false;
  hint_memory(&hints);
  for (size_t i = 0; i < kernel->line_count && i < 3; ++i) {
    hint_scalar_line(&hints, &kernel->lines[i]);
  }
  for (uint32_t site = 0; site < kernel->site_count; ++site) {
    hint_latency(&hints, site);
    hint_segments(&hints, site);
    hint_short_vectors(&hints, site);
  }
  hint_waves(&hints);
  hint_others(&hints);
  return !hints.failed;
}
