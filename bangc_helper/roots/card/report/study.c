/* SPDX-License-Identifier: MIT
 *
 * Simulates a launch again to collect all details, then once per pipe with that pipe taking no
 * time.
 */
#include <stdlib.h>
#include <string.h>

#include "clock/cost.h"
#include "report/collect.h"
#include "report/trace.h"

struct study {
  const struct card_board *board;
  struct report_kernel *kernel;
  struct trace *trace;
};

bool report_same_shape(const struct report_kernel *kernel, const struct card_launch *launch) {
  return strcmp(kernel->name, launch->kernel) == 0 &&
         memcmp(kernel->dim, launch->dim, sizeof kernel->dim) == 0 &&
         kernel->union_clusters == launch->union_clusters;
}

/* ---- Copies of names: those of the launch are gone when it ends ---- */

static const char *keep_name(struct report_kernel *kernel, const char *name) {
  for (size_t i = 0; i < kernel->file_count; ++i) {
    if (strcmp(kernel->files[i], name) == 0) return kernel->files[i];
  }
  char **files = realloc(kernel->files, (kernel->file_count + 1) * sizeof *files);
  if (files == NULL) return NULL;
  kernel->files = files;
  char *copy = strdup(name);
  if (copy != NULL) kernel->files[kernel->file_count++] = copy;
  return copy;
}

static bool keep_sites(struct report_kernel *kernel, const struct card_launch *launch) {
  kernel->site_count = launch->site_count > 0 ? launch->site_count : 1;
  kernel->sites = calloc(kernel->site_count, sizeof *kernel->sites);
  kernel->site_times = calloc(kernel->site_count, sizeof *kernel->site_times);
  kernel->copies = calloc(kernel->site_count, sizeof *kernel->copies);
  kernel->vectors = calloc(kernel->site_count, sizeof *kernel->vectors);
  kernel->tasks = calloc(REPORT_TASKS, sizeof *kernel->tasks);
  if (kernel->tasks == NULL || kernel->sites == NULL || kernel->site_times == NULL ||
      kernel->copies == NULL || kernel->vectors == NULL) {
    return false;
  }
  for (size_t i = 0; i < launch->site_count; ++i) {
    kernel->sites[i].line = launch->sites[i].line;
    kernel->sites[i].file = keep_name(kernel, launch->sites[i].file);
    kernel->sites[i].function = keep_name(kernel, launch->sites[i].function);
    if (kernel->sites[i].file == NULL || kernel->sites[i].function == NULL) return false;
  }
  if (launch->site_count == 0) kernel->sites[0].file = kernel->sites[0].function = "";
  return true;
}

/* ---- Charts over time ---- */

/* Distributes a span over bins: adds `rate` times its time in a bin, divided by `unit`. */
static void add_to_bins(int64_t *bins, int64_t width, int64_t start, int64_t end, int64_t rate,
                        int64_t unit) {
  while (start < end) {
    int64_t bin = start / width;
    if (bin >= REPORT_BINS) bin = REPORT_BINS - 1;
    int64_t until = bin == REPORT_BINS - 1 ? end : (bin + 1) * width;
    if (until > end) until = end;
    bins[bin] += (until - start) / unit * rate;
    start = until;
  }
}

static void note_dram(void *context, int64_t start, int64_t end, int64_t rate) {
  const struct study *study = context;
  trace_rate(study->trace, start, rate);
  /* 1 byte/ms times 1 ns is 1e-6 bytes. */
  add_to_bins(study->kernel->dram, study->kernel->bin_width, start, end, rate, 1000);
}

static void note_window(struct report_kernel *kernel, uint32_t core, enum card_pipe pipe,
                        int64_t start, int64_t end, uint32_t site) {
  if (core != kernel->span_core || end <= kernel->window_start || start >= kernel->window_end) {
    return;
  }
  if ((kernel->span_count & (kernel->span_count - 1)) == 0) {
    const size_t size = kernel->span_count > 0 ? 2 * kernel->span_count : 1;
    struct report_span *spans = realloc(kernel->spans, size * sizeof *spans);
    if (spans == NULL) return;
    kernel->spans = spans;
  }
  kernel->spans[kernel->span_count++] =
      (struct report_span){.pipe = pipe, .start = start, .end = end, .site = site};
}

static void note_copy(struct report_copies *copies, const struct card_copy *copy, int64_t busy) {
  const uint32_t runs =
      copy->source_runs > copy->destination_runs ? copy->source_runs : copy->destination_runs;
  ++copies->count;
  copies->bytes += (int64_t)copy->bytes;
  copies->runs += runs;
  copies->partial += copy->partial_granules;
  copies->is_strided = copies->is_strided || runs > 1;
  copies->busy += busy;
}

static void note_vector(const struct card_board *board, struct report_vectors *vectors,
                        const struct card_vector *vector, int64_t busy) {
  const int64_t calls = vector->calls > 0 ? vector->calls : 1;
  vectors->calls += calls;
  vectors->bytes +=
      (int64_t)(vector->bytes_in > vector->bytes_out ? vector->bytes_in : vector->bytes_out);
  vectors->start_time += card_cycles(board, calls * board->vector_start_cycles);
  vectors->busy += busy;
}

static void note_span(void *context, uint32_t core, enum card_pipe pipe, int64_t start, int64_t end,
                      uint32_t site, const struct card_record *record) {
  const struct study *study = context;
  struct report_kernel *kernel = study->kernel;
  add_to_bins(kernel->busy[pipe], kernel->bin_width, start, end, 1, 1);
  note_window(kernel, core, pipe, start, end, site);
  trace_span(study->trace, core, pipe, start, end, record, &kernel->sites[site]);
  if (pipe == CARD_PIPE_IO && record->kind == CARD_COPY) {
    note_copy(&kernel->copies[site], &record->copy, end - start);
  } else if (record->kind == CARD_VECTOR) {
    note_vector(study->board, &kernel->vectors[site], &record->vector, end - start);
  }
}

static void note_task(void *context, uint32_t core, const struct card_task *task, int64_t start,
                      int64_t end) {
  struct report_kernel *kernel = ((const struct study *)context)->kernel;
  (void)task;
  if (kernel->shown_tasks < REPORT_TASKS) {
    kernel->tasks[kernel->shown_tasks++] =
        (struct report_task){.core = core, .start = start, .end = end};
  }
}

/* ---- The study ---- */

/* Chooses the first core, and a window in the middle of the launch with about REPORT_WINDOW_SPANS
 * records. */
static void choose_window(struct report_kernel *kernel, size_t records) {
  const size_t per_core = records / (kernel->timing.cores > 0 ? kernel->timing.cores : 1) + 1;
  const int64_t duration = kernel->timing.duration;
  int64_t length = duration;
  if (per_core > REPORT_WINDOW_SPANS) length = duration / (int64_t)per_core * REPORT_WINDOW_SPANS;
  kernel->window_start = (duration - length) / 2;
  kernel->window_end = kernel->window_start + length;
  kernel->span_core = 0;
}

static size_t count_records(const struct card_launch *launch) {
  size_t count = 0;
  for (size_t i = 0; i < launch->task_count; ++i) {
    struct card_reader reader;
    card_reader_init(&reader, &launch->tasks[i].log);
    while (card_reader_next(&reader) != NULL) ++count;
  }
  return count;
}

static bool study(const struct card_board *board, const struct card_launch *launch,
                  struct report_kernel *kernel, struct trace *trace) {
  struct study context = {.board = board, .kernel = kernel, .trace = trace};
  const struct card_sink sink = {.context = &context,
                                 .span = note_span,
                                 .dram = note_dram,
                                 .task = note_task,
                                 .sites = kernel->site_times};
  if (!card_play_launch(board, launch, 0, &sink, &kernel->timing)) return false;
  for (int pipe = 0; pipe < CARD_PIPE_COUNT; ++pipe) {
    struct card_timing timing;
    if (!card_play_launch(board, launch, 1u << pipe, NULL, &timing)) return false;
    kernel->without[pipe] = timing.duration;
  }
  return report_make_lines(board, kernel, launch) && report_make_hints(board, kernel);
}

struct report_kernel *report_study(const struct card_board *board, const struct card_launch *launch,
                                   const struct card_timing *timing, struct trace *trace) {
  struct report_kernel *kernel = calloc(1, sizeof *kernel);
  if (kernel == NULL) return NULL;
  kernel->name = strdup(launch->kernel);
  memcpy(kernel->dim, launch->dim, sizeof kernel->dim);
  kernel->union_clusters = launch->union_clusters;
  kernel->task_count = launch->task_count;
  kernel->timing = *timing;
  kernel->bin_width = timing->duration / REPORT_BINS + 1;
  choose_window(kernel, count_records(launch));
  if (kernel->name == NULL || !keep_sites(kernel, launch) || !study(board, launch, kernel, trace)) {
    report_kernel_free(kernel);
    return NULL;
  }
  return kernel;
}

void report_kernel_free(struct report_kernel *kernel) {
  for (size_t i = 0; i < kernel->file_count; ++i) free(kernel->files[i]);
  for (size_t i = 0; i < kernel->hint_count; ++i) free(kernel->hints[i].text);
  free(kernel->files);
  free(kernel->hints);
  free(kernel->sites);
  free(kernel->site_times);
  free(kernel->copies);
  free(kernel->vectors);
  free(kernel->lines);
  free(kernel->spans);
  free(kernel->tasks);
  free(kernel->name);
  free(kernel);
}
