/* SPDX-License-Identifier: MIT
 *
 * Collects the operations of a process, and writes the report when it ends.
 */
#include "report/report.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/html.h"
#include "report/json.h"
#include "report/trace.h"

enum { MAX_OPERATIONS = 100000, MAX_KERNELS = 64, MAX_PATH = 4096 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *folder; /* NULL: no report is wanted */
static struct report report;
static struct trace *trace;

static void complain(const char *path) {
  fprintf(stderr, "MLUOP_CARD_REPORT: cannot write %s: %s\n", path, strerror(errno));
}

static bool path_of(char path[MAX_PATH], const char *name) {
  return snprintf(path, MAX_PATH, "%s/%s", folder, name) < MAX_PATH;
}

static void write_one(const char *name, void (*write)(FILE *, const struct report *)) {
  char path[MAX_PATH];
  FILE *file = path_of(path, name) ? fopen(path, "w") : NULL;
  if (file == NULL) {
    complain(path);
    return;
  }
  write(file, &report);
  const bool failed = ferror(file) != 0;
  if (fclose(file) != 0 || failed) complain(path);
}

static void finish(void) {
  pthread_mutex_lock(&lock);
  if (report.board != NULL) {
    write_one("report.html", report_write_html);
    write_one("report.json", report_write_json);
    trace_close(trace);
    trace = NULL;
    for (size_t i = 0; i < report.kernel_count; ++i) report_kernel_free(report.kernels[i]);
    free(report.kernels);
    free(report.operations);
    report = (struct report){0};
  }
  free(folder);
  folder = NULL;
  pthread_mutex_unlock(&lock);
}

static void begin(void) {
  const char *wanted = getenv("MLUOP_CARD_REPORT");
  if (wanted == NULL || *wanted == '\0') return;
  if (mkdir(wanted, 0777) != 0 && errno != EEXIST) {
    complain(wanted);
    return;
  }
  folder = strdup(wanted);
  if (folder != NULL) atexit(finish);
}

bool card_report_is_wanted(void) {
  pthread_once(&once, begin);
  return folder != NULL;
}

/* ---- Operations ---- */

static size_t find_kernel(const struct card_launch *launch) {
  size_t index = 0;
  while (index < report.kernel_count && !report_same_shape(report.kernels[index], launch)) ++index;
  return index;
}

/* The kernel's index; kernel_count if there is no room for it. */
static size_t add_launch(const struct card_operation *operation, const struct card_timing *timing) {
  const size_t index = find_kernel(operation->launch);
  if (index == report.kernel_count) {
    struct report_kernel **kernels = realloc(report.kernels, (index + 1) * sizeof *report.kernels);
    if (kernels != NULL) report.kernels = kernels;
    if (kernels == NULL || index == MAX_KERNELS) return index;
    trace_begin(trace, operation->device, (int64_t)operation->start);
    kernels[index] = report_study(report.board, operation->launch, timing, trace);
    if (kernels[index] == NULL) return index;
    ++report.kernel_count;
  }
  ++report.kernels[index]->launches;
  report.kernels[index]->total += timing->duration;
  return index;
}

static void add_operation(const struct report_operation *operation) {
  if (report.operation_count == MAX_OPERATIONS) {
    ++report.left_out;
    return;
  }
  if ((report.operation_count & (report.operation_count - 1)) == 0) {
    const size_t size = report.operation_count > 0 ? 2 * report.operation_count : 1;
    struct report_operation *operations = realloc(report.operations, size * sizeof *operations);
    if (operations == NULL) {
      ++report.left_out;
      return;
    }
    report.operations = operations;
  }
  report.operations[report.operation_count++] = *operation;
}

static const char *name_of(const struct card_operation *operation) {
  switch (operation->kind) {
    case CARD_OP_LAUNCH:
      return operation->launch->kernel;
    case CARD_OP_COPY:
      return "copy by the host";
    case CARD_OP_MEMSET:
      return "memset by the host";
    default:
      return "host function";
  }
}

static void note(const struct card_board *board, const struct card_operation *operation,
                 int64_t duration, const struct card_timing *timing) {
  if (report.board == NULL) {
    char path[MAX_PATH];
    report.board = board;
    trace = path_of(path, "trace.json") ? trace_open(path, board) : NULL;
    if (trace == NULL) complain(path);
  }
  struct report_operation noted = {.kind = operation->kind,
                                   .device = operation->device,
                                   .queue = operation->queue,
                                   .start = (int64_t)operation->start,
                                   .duration = duration};
  if (operation->kind == CARD_OP_LAUNCH) {
    noted.kernel = add_launch(operation, timing);
    noted.bound = timing->bound;
  } else if (operation->kind == CARD_OP_COPY) {
    noted.bytes = operation->copy.bytes;
  } else if (operation->kind == CARD_OP_MEMSET) {
    noted.bytes = operation->memset_bytes;
  }
  trace_operation(trace, operation->device, operation->queue, name_of(operation), noted.start,
                  duration);
  add_operation(&noted);
}

void card_report_note(const struct card_board *board, const struct card_operation *operation,
                      int64_t duration, const struct card_timing *timing) {
  pthread_mutex_lock(&lock);
  if (folder != NULL && (operation->kind != CARD_OP_LAUNCH || timing != NULL)) {
    note(board, operation, duration, timing);
  }
  pthread_mutex_unlock(&lock);
}
