/* SPDX-License-Identifier: MIT
 *
 * The report as JSON, for programs. Times are in microseconds.
 */
#include "report/json.h"

#include <inttypes.h>

#include "clock/estimate.h"
#include "report/text.h"

static const char *key_of(enum card_spent spent) {
  static const char *const keys[CARD_SPENT_COUNT] = {"scalar", "vector",  "tensor", "copy",
                                                     "move",   "latency", "atomic", "barrier",
                                                     "start",  "idle"};
  return keys[spent];
}

/* Writes an object with "name": us for every pipe or reason. */
static void write_pipes(FILE *file, const char *name, const int64_t *times) {
  fprintf(file, ",\"%s\":{", name);
  for (int i = 0; i < CARD_PIPE_COUNT; ++i) {
    fprintf(file, "%s\"%s\":", i > 0 ? "," : "", card_pipe_name((enum card_pipe)i));
    text_us(file, times[i]);
  }
  fputc('}', file);
}

static void write_spent(FILE *file, const int64_t *times) {
  fputs(",\"spent_us\":{", file);
  for (int i = 0; i < CARD_SPENT_COUNT; ++i) {
    fprintf(file, "%s\"%s\":", i > 0 ? "," : "", key_of((enum card_spent)i));
    text_us(file, times[i]);
  }
  fputc('}', file);
}

static void write_line(FILE *file, const struct report_line *line) {
  fputs("{\"file\":", file);
  text_json(file, line->file);
  fprintf(file, ",\"line\":%" PRIu32 ",\"us\":", line->line);
  text_us(file, line->total);
  fprintf(file, ",\"calls\":%" PRId64 ",\"loads\":%" PRIu64 ",\"stores\":%" PRIu64, line->calls,
          line->loads, line->stores);
  fprintf(file, ",\"gdram_reads\":%" PRIu64 ",\"gdram_writes\":%" PRIu64, line->gdram_reads,
          line->gdram_writes);
  write_spent(file, line->spent);
  fputc('}', file);
}

static void write_bins(FILE *file, const struct report_kernel *kernel) {
  fputs(",\"bin_us\":", file);
  text_us(file, kernel->bin_width);
  fputs(",\"dram_bytes_per_bin\":[", file);
  for (int i = 0; i < REPORT_BINS; ++i) {
    fprintf(file, "%s%" PRId64, i > 0 ? "," : "", kernel->dram[i] / 1000000);
  }
  fputc(']', file);
}

static void write_kernel(FILE *file, const struct report *report,
                         const struct report_kernel *kernel) {
  const struct card_timing *timing = &kernel->timing;
  char class[128];
  card_estimate_class(class, sizeof class, report->board, timing->bound);
  fputs("{\"kernel\":", file);
  text_json(file, kernel->name);
  fprintf(file, ",\"dim\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],\"union\":%" PRIu32, kernel->dim[0],
          kernel->dim[1], kernel->dim[2], kernel->union_clusters);
  fprintf(file, ",\"tasks\":%zu,\"launches\":%zu,\"total_us\":", kernel->task_count,
          kernel->launches);
  text_us(file, kernel->total);
  fputs(",\"us\":", file);
  text_us(file, timing->duration);
  fprintf(file, ",\"bound\":\"%s\",\"error_percent\":%" PRId64 ",\"class\":",
          card_bound_name(timing->bound), card_bound_error(report->board, timing->bound));
  text_json(file, class);
  fprintf(file, ",\"cores\":%" PRIu32 ",\"waves\":%" PRIu32, timing->cores, timing->waves);
  fprintf(file, ",\"dram_read\":%" PRId64 ",\"dram_written\":%" PRId64, timing->dram_read,
          timing->dram_written);
  fprintf(file, ",\"copies\":%" PRId64 ",\"waits_for_copies\":%" PRId64, timing->transfers,
          timing->syncs);
  write_pipes(file, "busy_us", timing->busy);
  write_pipes(file, "without_us", kernel->without);
  write_spent(file, timing->spent);
  write_bins(file, kernel);
  fputs(",\"hints\":[", file);
  for (size_t i = 0; i < kernel->hint_count; ++i) {
    if (i > 0) fputc(',', file);
    text_json(file, kernel->hints[i].text);
  }
  fputs("],\"lines\":[", file);
  for (size_t i = 0; i < kernel->line_count; ++i) {
    fputs(i > 0 ? ",\n" : "\n", file);
    write_line(file, &kernel->lines[i]);
  }
  fputs("]}", file);
}

static void write_operation(FILE *file, const struct report *report,
                            const struct report_operation *operation) {
  static const char *const kinds[] = {"launch", "copy", "memset", "host"};
  fprintf(file, "{\"kind\":\"%s\",\"device\":%u,\"queue\":%" PRIu64, kinds[operation->kind],
          operation->device, operation->queue);
  if (operation->kind == CARD_OP_LAUNCH) {
    fprintf(file, ",\"kernel\":%zu,\"bound\":\"%s\",\"error_percent\":%" PRId64, operation->kernel,
            card_bound_name(operation->bound), card_bound_error(report->board, operation->bound));
  } else {
    fprintf(file, ",\"bytes\":%" PRIu64, operation->bytes);
  }
  fputs(",\"start_us\":", file);
  text_us(file, operation->start);
  fputs(",\"us\":", file);
  text_us(file, operation->duration);
  fputc('}', file);
}

static void write_constants(FILE *file, const struct card_board *board) {
  struct card_constant constant;
  for (size_t i = 0; card_board_constant(board, i, &constant); ++i) {
    fprintf(file, "%s\n{\"name\":\"%s\",\"value\":%" PRId64 ",\"unit\":\"%s\",\"source\":\"%s\"}",
            i > 0 ? "," : "", constant.name, constant.value, constant.unit,
            card_source_name(constant.source));
  }
}

void report_write_json(FILE *file, const struct report *report) {
  fputs("{\"board\":", file);
  text_json(file, report->board->name);
  fprintf(file, ",\"extrapolated\":%s,\"kernels\":[",
          report->board->extrapolated ? "true" : "false");
  for (size_t i = 0; i < report->kernel_count; ++i) {
    fputs(i > 0 ? ",\n" : "\n", file);
    write_kernel(file, report, report->kernels[i]);
  }
  fprintf(file, "],\"operations_left_out\":%zu,\"operations\":[", report->left_out);
  for (size_t i = 0; i < report->operation_count; ++i) {
    fputs(i > 0 ? ",\n" : "\n", file);
    write_operation(file, report, &report->operations[i]);
  }
  fputs("],\"constants\":[", file);
  write_constants(file, report->board);
  fputs("]}\n", file);
}
