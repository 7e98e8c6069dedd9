/* SPDX-License-Identifier: MIT */
#include "report/charts.h"

#include <inttypes.h>
#include <string.h>

#include "report/text.h"

/* Widths in pixels: labels at the left, the plot, values at the right. */
enum { LABEL = 110, PLOT = 760, VALUE = 130, WIDTH = LABEL + PLOT + VALUE };

const char *chart_spent_colour(enum card_spent spent) {
  static const char *const colours[CARD_SPENT_COUNT] = {"#c44e52", "#4c72b0", "#8172b3", "#55a868",
                                                        "#b5a642", "#dd8452", "#937860", "#da8bc3",
                                                        "#7f7f7f", "#d4d4d4"};
  return colours[spent];
}

static const char *pipe_colour(enum card_pipe pipe) {
  static const enum card_spent alike[CARD_PIPE_COUNT] = {
      CARD_SPENT_SCALAR, CARD_SPENT_VECTOR, CARD_SPENT_TENSOR, CARD_SPENT_COPY, CARD_SPENT_MOVE};
  return chart_spent_colour(alike[pipe]);
}

static void begin(FILE *file, int height, const char *title) {
  fprintf(file, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", WIDTH, height,
          title);
}

/* Writes an attribute in pixels with two decimals. */
static void pixels(FILE *file, const char *attribute, int64_t hundredths) {
  fprintf(file, " %s=\"%" PRId64 ".%02" PRId64 "\"", attribute, hundredths / 100, hundredths % 100);
}

static void label(FILE *file, int y, const char *text) {
  fprintf(file, "<text x=\"%d\" y=\"%d\" class=\"l\">%s</text>\n", LABEL - 10, y, text);
}

static int64_t core_time(const struct report_kernel *kernel) {
  return kernel->timing.cores * kernel->timing.duration;
}

/* ---- What time is spent on ---- */

void chart_spent(FILE *file, const struct report_kernel *kernel) {
  const int64_t whole = core_time(kernel);
  begin(file, 40, "what the cores spend their time with");
  label(file, 25, "time of cores");
  int64_t before = 0;
  for (int i = 0; i < CARD_SPENT_COUNT; ++i) {
    const int64_t spent = kernel->timing.spent[i];
    if (spent == 0) continue;
    fputs("<rect y=\"6\" height=\"28\"", file);
    pixels(file, "x", LABEL * 100 + before / 1000 * PLOT * 100 / (whole / 1000 + 1));
    pixels(file, "width", spent / 1000 * PLOT * 100 / (whole / 1000 + 1));
    fprintf(file, " fill=\"%s\"><title>%s, ", chart_spent_colour((enum card_spent)i),
            card_spent_name((enum card_spent)i));
    text_us_short(file, spent / kernel->timing.cores);
    fputs(" us</title></rect>\n", file);
    before += spent;
  }
  fputs("</svg>\n<p class=\"legend\">", file);
  for (int i = 0; i < CARD_SPENT_COUNT; ++i) {
    const int64_t spent = kernel->timing.spent[i];
    if (spent == 0) continue;
    fprintf(file, "<span><i style=\"background:%s\"></i>%s <b>",
            chart_spent_colour((enum card_spent)i), card_spent_name((enum card_spent)i));
    text_us_short(file, spent / kernel->timing.cores);
    fputs(" us</b> ", file);
    text_tenths(file, spent / 1000 * 100, whole / 1000 + 1);
    fputs(" %</span> ", file);
  }
  fputs("</p>\n", file);
}

/* ---- Over time ---- */

/* A filled step chart; values are thousandths of its height. */
static void area(FILE *file, int top, int height, const int64_t thousandths[REPORT_BINS],
                 const char *colour) {
  fprintf(file, "<path fill=\"%s\" d=\"M%d %d", colour, LABEL, top + height);
  for (int i = 0; i < REPORT_BINS; ++i) {
    const int64_t y = (top + height) * 100 - thousandths[i] * height / 10;
    const int64_t x = LABEL * 100 + (int64_t)i * PLOT * 100 / REPORT_BINS;
    const int64_t next = LABEL * 100 + (int64_t)(i + 1) * PLOT * 100 / REPORT_BINS;
    fprintf(file, "L%" PRId64 ".%02" PRId64 " %" PRId64 ".%02" PRId64, x / 100, x % 100, y / 100,
            y % 100);
    fprintf(file, "L%" PRId64 ".%02" PRId64 " %" PRId64 ".%02" PRId64, next / 100, next % 100,
            y / 100, y % 100);
  }
  fprintf(file, "L%d %dZ\"/>\n", LABEL + PLOT, top + height);
}

static void frame(FILE *file, int top, int height) {
  fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"f\"/>\n", LABEL, top,
          PLOT, height);
}

static void time_axis(FILE *file, int y, int64_t start, int64_t end) {
  for (int i = 0; i <= 5; ++i) {
    fprintf(file, "<text x=\"%d\" y=\"%d\" class=\"%s\">", LABEL + PLOT * i / 5, y,
            i == 0   ? "a0"
            : i == 5 ? "a5"
                     : "a");
    text_us_short(file, start + (end - start) / 5 * i);
    fputs(i == 5 ? " us</text>\n" : "</text>\n", file);
  }
}

/* How busy a pipe is over time, with the average at the right. */
static void pipe_row(FILE *file, const struct report_kernel *kernel, enum card_pipe pipe, int top) {
  int64_t parts[REPORT_BINS];
  const int64_t full = kernel->bin_width * (kernel->timing.cores > 0 ? kernel->timing.cores : 1);
  for (int i = 0; i < REPORT_BINS; ++i) {
    parts[i] = kernel->busy[pipe][i] * 1000 / full;
    if (parts[i] > 1000) parts[i] = 1000;
  }
  frame(file, top, 36);
  area(file, top, 36, parts, pipe_colour(pipe));
  label(file, top + 23, card_pipe_name(pipe));
  fprintf(file, "<text x=\"%d\" y=\"%d\" class=\"v\">", LABEL + PLOT + 10, top + 23);
  text_tenths(file, kernel->timing.busy[pipe] / 1000 * 100, core_time(kernel) / 1000 + 1);
  fputs(" % busy</text>\n", file);
}

static void dram_row(FILE *file, const struct card_board *board, const struct report_kernel *kernel,
                     int top, int height) {
  int64_t parts[REPORT_BINS];
  /* dram[] has units of 1e-6 bytes, so dividing by ps gives MB/s. */
  for (int i = 0; i < REPORT_BINS; ++i) {
    parts[i] = kernel->dram[i] / kernel->bin_width * 1000 / board->peak_dram_mb_per_s;
    if (parts[i] > 1000) parts[i] = 1000;
  }
  frame(file, top, height);
  area(file, top, height, parts, "#4f9e9e");
  const int64_t reached =
      (top + height) * 100 - board->dram_mb_per_s * height * 100 / board->peak_dram_mb_per_s;
  fprintf(file, "<line x1=\"%d\" x2=\"%d\" class=\"d\"", LABEL, LABEL + PLOT);
  pixels(file, "y1", reached);
  pixels(file, "y2", reached);
  fprintf(file, "><title>what all cores reach together</title></line>\n");
  label(file, top + height / 2 + 4, "memory");
  const int64_t bytes = kernel->timing.dram_read + kernel->timing.dram_written;
  fprintf(file, "<text x=\"%d\" y=\"%d\" class=\"v\">", LABEL + PLOT + 10, top + height / 2 - 4);
  text_tenths(file, bytes * 1000, kernel->timing.duration);
  fprintf(file, " GB/s</text>\n<text x=\"%d\" y=\"%d\" class=\"v\">of ", LABEL + PLOT + 10,
          top + height / 2 + 14);
  text_tenths(file, board->peak_dram_mb_per_s, 1000);
  fputs("</text>\n", file);
}

void chart_pipes(FILE *file, const struct card_board *board, const struct report_kernel *kernel) {
  const int row = 42, memory = 72;
  begin(file, CARD_PIPE_COUNT * row + memory + 34, "how busy the pipes are over time");
  for (int i = 0; i < CARD_PIPE_COUNT; ++i) pipe_row(file, kernel, (enum card_pipe)i, i * row + 4);
  dram_row(file, board, kernel, CARD_PIPE_COUNT * row + 4, memory);
  time_axis(file, CARD_PIPE_COUNT * row + memory + 22, 0, kernel->bin_width * REPORT_BINS);
  fputs("</svg>\n", file);
}

/* ---- Tasks ---- */

void chart_tasks(FILE *file, const struct card_board *board, const struct report_kernel *kernel) {
  const int in_cluster = (int)board->cores_per_cluster + 1;
  const int lane = 4, cluster = in_cluster * lane + 3;
  const int height = (int)board->clusters * cluster;
  const int64_t length = kernel->timing.duration;
  begin(file, height + 28, "which core runs a task when");
  for (int i = 0; i < board->clusters; ++i) {
    char name[32];
    snprintf(name, sizeof name, "cluster %d", i);
    label(file, i * cluster + cluster / 2 + 6, name);
    frame(file, i * cluster + 4, cluster - 3);
  }
  for (size_t i = 0; i < kernel->shown_tasks; ++i) {
    const struct report_task *task = &kernel->tasks[i];
    const int row = (int)task->core / in_cluster * cluster + (int)task->core % in_cluster * lane;
    fprintf(file, "<rect y=\"%d\" height=\"%d\" class=\"s\" fill=\"%s\"", row + 4, lane,
            (int)task->core % in_cluster == in_cluster - 1 ? "#b5a642" : "#4c72b0");
    pixels(file, "x", LABEL * 100 + task->start * PLOT / (length / 100 + 1));
    pixels(file, "width", (task->end - task->start) * PLOT / (length / 100 + 1));
    fputs("><title>", file);
    text_us_short(file, task->end - task->start);
    fputs(" us</title></rect>\n", file);
  }
  time_axis(file, height + 20, 0, length);
  fputs("</svg>\n", file);
}

/* ---- One core ---- */

void chart_window(FILE *file, const struct report_kernel *kernel) {
  const int row = 28;
  const int64_t length = kernel->window_end - kernel->window_start;
  begin(file, CARD_PIPE_COUNT * row + 30, "the pipes of one core");
  for (int i = 0; i < CARD_PIPE_COUNT; ++i) {
    frame(file, i * row + 4, row - 6);
    label(file, i * row + 20, card_pipe_name((enum card_pipe)i));
  }
  for (size_t i = 0; i < kernel->span_count; ++i) {
    const struct report_span *span = &kernel->spans[i];
    int64_t start = span->start - kernel->window_start, end = span->end - kernel->window_start;
    if (start < 0) start = 0;
    if (end > length) end = length;
    int64_t width = (end - start) * PLOT / (length / 100 + 1);
    if (width < 40) width = 40;
    fprintf(file, "<rect y=\"%d\" height=\"%d\" class=\"s\" fill=\"%s\"", span->pipe * row + 6,
            row - 10, pipe_colour(span->pipe));
    pixels(file, "x", LABEL * 100 + start * PLOT / (length / 100 + 1));
    pixels(file, "width", width);
    const char *name = kernel->sites[span->site].file;
    const char *slash = strrchr(name, '/');
    fputs("><title>", file);
    text_html(file, slash != NULL ? slash + 1 : name);
    fprintf(file, ":%" PRIu32 ", ", kernel->sites[span->site].line);
    text_us_short(file, span->end - span->start);
    fputs(" us</title></rect>\n", file);
  }
  time_axis(file, CARD_PIPE_COUNT * row + 20, kernel->window_start, kernel->window_end);
  fputs("</svg>\n", file);
}

/* ---- Durations without a pipe ---- */

static void bar(FILE *file, int index, const char *name, int64_t value, int64_t whole,
                const char *colour) {
  const int row = 24;
  label(file, index * row + 18, name);
  fprintf(file, "<rect x=\"%d\" y=\"%d\" height=\"%d\" fill=\"%s\"", LABEL, index * row + 4,
          row - 6, colour);
  pixels(file, "width", value / 1000 * PLOT * 100 / (whole / 1000 + 1));
  fprintf(file, "/>\n<text x=\"%d\" y=\"%d\" class=\"v\">", LABEL + PLOT + 10, index * row + 18);
  text_us_short(file, value);
  fputs(" us</text>\n", file);
}

void chart_without(FILE *file, const struct report_kernel *kernel) {
  const int64_t whole = kernel->timing.duration;
  begin(file, (CARD_PIPE_COUNT + 1) * 24 + 8, "duration without a pipe");
  bar(file, 0, "as it is", whole, whole, "#555");
  for (int i = 0; i < CARD_PIPE_COUNT; ++i) {
    char name[32];
    snprintf(name, sizeof name, "no %s time", card_pipe_name((enum card_pipe)i));
    bar(file, i + 1, name, kernel->without[i], whole, pipe_colour((enum card_pipe)i));
  }
  fputs("</svg>\n", file);
}
