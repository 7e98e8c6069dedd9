/* SPDX-License-Identifier: MIT
 *
 * The report as an HTML page.
 */
#include "report/html.h"

#include <inttypes.h>
#include <string.h>

#include "clock/estimate.h"
#include "report/charts.h"
#include "report/source.h"
#include "report/text.h"

enum { TOP_LINES = 10, CONTEXT_LINES = 4 };

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;color:#222;max-width:1080px;margin:2em auto;"
    "padding:0 1em}"
    "h1{font-size:1.6em;margin-bottom:.2em}h2{font-size:1.25em;border-top:2px solid #ccc;"
    "padding-top:.8em;margin-top:2em}h3{font-size:1em;margin:1.4em 0 .4em}"
    "table{border-collapse:collapse;font-size:.92em}th,td{padding:.25em .7em;text-align:right;"
    "border-bottom:1px solid #e4e4e4}th{color:#555;font-weight:600}"
    "td.t,th.t{text-align:left}code,.code td{font-family:ui-monospace,monospace;font-size:.86em}"
    ".code{width:100%;table-layout:fixed}.code td{border:0;padding:0 .5em;white-space:pre;"
    "overflow:hidden;text-overflow:ellipsis;text-align:left}.code td.n{color:#999;width:3.5em;"
    "text-align:right}"
    ".code td.u{width:6.5em;text-align:right}.code td.b{width:8em}.code tr.g td{color:#bbb}"
    ".code i{display:inline-block;height:.75em;vertical-align:baseline}"
    "svg{display:block;width:100%;height:auto;margin:.4em 0}svg text{font:12px "
    "system-ui,sans-serif;"
    "fill:#333}"
    "svg .l{text-anchor:end}svg .a{text-anchor:middle;fill:#777}svg .a0{fill:#777}svg .a5{"
    "text-anchor:end;fill:#777}"
    "svg .f{fill:#f6f6f6;stroke:#ddd}svg .d{stroke:#333;stroke-dasharray:4 3}svg .s{stroke:#fff;"
    "stroke-width:.4}"
    ".legend{font-size:.86em;color:#444;margin:.2em 0}.legend span{margin-right:1em;white-space:"
    "nowrap}.legend i{display:inline-block;width:.8em;height:.8em;margin-right:.35em;"
    "border-radius:2px}"
    ".class{display:inline-block;background:#fff4d6;border:1px solid #e6c870;border-radius:4px;"
    "padding:.05em .6em}"
    "ul.hints li{margin:.3em 0}.facts{color:#444}.dim{color:#777}";

static int64_t per_core(const struct report_kernel *kernel, int64_t ps) {
  return ps / (kernel->timing.cores > 0 ? kernel->timing.cores : 1);
}

static const char *short_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

static void write_shape(FILE *file, const struct report_kernel *kernel) {
  fprintf(file, "%" PRIu32 " x %" PRIu32 " x %" PRIu32 " ", kernel->dim[0], kernel->dim[1],
          kernel->dim[2]);
  if (kernel->union_clusters > 0) {
    fprintf(file, "Union%" PRIu32, kernel->union_clusters);
  } else {
    fputs("Block", file);
  }
}

/* ---- The list of kernels ---- */

static void write_summary(FILE *file, const struct report *report) {
  fputs(
      "<table><tr><th class=\"t\">kernel</th><th class=\"t\">launch</th><th>launches</th><th>us "
      "each</th><th>us in total</th><th class=\"t\">bound by</th><th>memory, GB/s</th><th>of the "
      "peak</th></tr>\n",
      file);
  for (size_t i = 0; i < report->kernel_count; ++i) {
    const struct report_kernel *kernel = report->kernels[i];
    const int64_t bytes = kernel->timing.dram_read + kernel->timing.dram_written;
    fprintf(file, "<tr><td class=\"t\"><a href=\"#k%zu\">", i);
    text_html(file, kernel->name);
    fputs("</a></td><td class=\"t\">", file);
    write_shape(file, kernel);
    fprintf(file, "</td><td>%zu</td><td>", kernel->launches);
    text_us_short(file, kernel->timing.duration);
    fputs("</td><td>", file);
    text_us_short(file, kernel->total);
    fprintf(file, "</td><td class=\"t\">%s &plusmn;%" PRId64 " %%</td><td>",
            card_bound_name(kernel->timing.bound),
            card_bound_error(report->board, kernel->timing.bound));
    text_tenths(file, bytes * 1000, kernel->timing.duration);
    fputs("</td><td>", file);
    text_tenths(file, bytes * 1000 / (kernel->timing.duration / 1000 + 1) * 100,
                report->board->peak_dram_mb_per_s);
    fputs(" %</td></tr>\n", file);
  }
  fputs("</table>\n", file);
}

/* ---- Lines ---- */

/* What a line spends most of its time on. */
static void write_reason(FILE *file, const struct report_line *line) {
  int most = 0;
  for (int i = 1; i < CARD_SPENT_COUNT; ++i) {
    if (line->spent[i] > line->spent[most]) most = i;
  }
  const uint64_t gdram = line->gdram_reads + line->gdram_writes;
  if (most != CARD_SPENT_SCALAR) {
    fputs(card_spent_name((enum card_spent)most), file);
  } else if (gdram > 0) {
    fprintf(file, "scalar accesses to device memory, %" PRIu64, gdram);
  } else if (line->loads + line->stores > 0) {
    fprintf(file, "scalar %s of on-chip memory, %" PRIu64,
            line->loads >= line->stores ? "loads" : "stores", line->loads + line->stores);
  } else {
    fputs("scalar code", file);
  }
}

static void write_top_lines(FILE *file, const struct report_kernel *kernel) {
  fputs(
      "<table><tr><th>us</th><th>of all</th><th class=\"t\">line</th><th class=\"t\">mostly</th>"
      "<th>calls</th></tr>\n",
      file);
  for (size_t i = 0, shown = 0; i < kernel->line_count && shown < TOP_LINES; ++i) {
    const struct report_line *line = &kernel->lines[i];
    if (line->line == 0 || line->total == 0) continue;
    ++shown;
    fputs("<tr><td>", file);
    text_us_short(file, per_core(kernel, line->total));
    fputs("</td><td>", file);
    text_tenths(file, per_core(kernel, line->total) / 1000 * 100,
                kernel->timing.duration / 1000 + 1);
    fputs(" %</td><td class=\"t\"><code>", file);
    text_html(file, short_name(line->file));
    fprintf(file, ":%" PRIu32 "</code></td><td class=\"t\">", line->line);
    write_reason(file, line);
    fprintf(file, "</td><td>%" PRId64 "</td></tr>\n", line->calls);
  }
  fputs("</table>\n", file);
}

static const struct report_line *find_line(const struct report_kernel *kernel, const char *name,
                                           uint32_t number) {
  for (size_t i = 0; i < kernel->line_count; ++i) {
    if (kernel->lines[i].line == number && strcmp(kernel->lines[i].file, name) == 0) {
      return &kernel->lines[i];
    }
  }
  return NULL;
}

static bool is_near_cost(const struct report_kernel *kernel, const char *name, uint32_t number) {
  for (size_t i = 0; i < kernel->line_count; ++i) {
    const struct report_line *line = &kernel->lines[i];
    if (line->total > 0 && line->line != 0 && strcmp(line->file, name) == 0 &&
        number + CONTEXT_LINES >= line->line && number <= line->line + CONTEXT_LINES) {
      return true;
    }
  }
  return false;
}

static void write_source_line(FILE *file, const struct report_kernel *kernel,
                              const struct report_line *cost, uint32_t number, const char *text) {
  fprintf(file, "<tr><td class=\"n\">%" PRIu32 "</td><td class=\"u\">", number);
  if (cost != NULL && cost->total > 0) text_us_short(file, per_core(kernel, cost->total));
  fputs("</td><td class=\"b\">", file);
  for (int i = 0; cost != NULL && i < CARD_SPENT_COUNT; ++i) {
    const int64_t width =
        per_core(kernel, cost->spent[i]) / 1000 * 1000 / (kernel->timing.duration / 1000 + 1);
    if (width == 0) continue;
    fprintf(file, "<i style=\"background:%s;width:%" PRId64 ".%" PRId64 "%%\" title=\"%s, ",
            chart_spent_colour((enum card_spent)i), width / 10, width % 10,
            card_spent_name((enum card_spent)i));
    text_us_short(file, per_core(kernel, cost->spent[i]));
    fputs(" us\"></i>", file);
  }
  fputs("</td><td>", file);
  text_html(file, text);
  fputs("</td></tr>\n", file);
}

static void write_file(FILE *file, const struct report_kernel *kernel, const char *name) {
  struct source source;
  fputs("<p class=\"dim\"><code>", file);
  text_html(file, name);
  if (!source_open(&source, name)) {
    fputs("</code>: cannot be read here</p>\n", file);
    return;
  }
  fputs("</code></p>\n<table class=\"code\">\n", file);
  bool was_shown = true;
  for (uint32_t number = 1; number <= source.line_count; ++number) {
    if (!is_near_cost(kernel, name, number)) {
      if (was_shown)
        fputs(
            "<tr class=\"g\"><td class=\"n\">...</td><td class=\"u\"></td><td "
            "class=\"b\"></td><td></td></tr>\n",
            file);
      was_shown = false;
      continue;
    }
    was_shown = true;
    write_source_line(file, kernel, find_line(kernel, name, number), number,
                      source_line(&source, number));
  }
  fputs("</table>\n", file);
  source_close(&source);
}

static void write_sources(FILE *file, const struct report_kernel *kernel) {
  for (size_t i = 0; i < kernel->file_count; ++i) {
    bool has_cost = false;
    for (size_t k = 0; k < kernel->line_count && !has_cost; ++k) {
      has_cost = kernel->lines[k].line != 0 && kernel->lines[k].total > 0 &&
                 strcmp(kernel->lines[k].file, kernel->files[i]) == 0;
    }
    if (has_cost) write_file(file, kernel, kernel->files[i]);
  }
}

/* ---- A kernel ---- */

static void write_facts(FILE *file, const struct report *report,
                        const struct report_kernel *kernel) {
  const struct card_timing *timing = &kernel->timing;
  char class[128];
  card_estimate_class(class, sizeof class, report->board, timing->bound);
  fputs("<p><b>", file);
  text_us_short(file, timing->duration);
  fputs(" us</b> <span class=\"class\">", file);
  text_html(file, class);
  fputs("</span></p>\n<p class=\"facts\">", file);
  write_shape(file, kernel);
  fprintf(file, ", %zu tasks on %" PRIu32 " cores", kernel->task_count, timing->cores);
  if (timing->waves > 1) fprintf(file, " in %" PRIu32 " waves", timing->waves);
  fputs("; device memory: ", file);
  text_tenths(file, timing->dram_read, 1000000);
  fputs(" MB read, ", file);
  text_tenths(file, timing->dram_written, 1000000);
  fprintf(file, " MB written by %" PRId64 " copies, waited for %" PRId64 " times.</p>\n",
          timing->transfers, timing->syncs);
}

static void write_kernel(FILE *file, const struct report *report, size_t index) {
  const struct report_kernel *kernel = report->kernels[index];
  fprintf(file, "<h2 id=\"k%zu\">", index);
  text_html(file, kernel->name);
  fputs("</h2>\n", file);
  write_facts(file, report, kernel);
  if (kernel->hint_count > 0) {
    fputs("<h3>What to try</h3>\n<ul class=\"hints\">\n", file);
    for (size_t i = 0; i < kernel->hint_count; ++i) {
      fputs("<li>", file);
      text_html(file, kernel->hints[i].text);
      fputs("</li>\n", file);
    }
    fputs("</ul>\n", file);
  }
  fputs("<h3>What the cores spend their time with</h3>\n", file);
  chart_spent(file, kernel);
  fputs("<h3>Pipes and device memory over time, all cores</h3>\n", file);
  chart_pipes(file, report->board, kernel);
  fputs("<h3>Tasks on cores</h3>\n", file);
  chart_tasks(file, report->board, kernel);
  fputs("<h3>One core, a part of the launch</h3>\n", file);
  chart_window(file, kernel);
  fputs("<h3>If a pipe took no time</h3>\n", file);
  chart_without(file, kernel);
  fputs("<h3>The lines that cost most, per core</h3>\n", file);
  write_top_lines(file, kernel);
  fputs("<details open><summary><b>Source, us per core</b></summary>\n", file);
  write_sources(file, kernel);
  fputs("</details>\n", file);
}

/* ---- The page ---- */

static void write_constants(FILE *file, const struct card_board *board) {
  struct card_constant constant;
  fputs(
      "<h2>The board</h2>\n<details><summary>constants</summary><table><tr><th "
      "class=\"t\">constant</th><th>value</th><th class=\"t\">unit</th><th "
      "class=\"t\">source</th><th class=\"t\">meaning</th></tr>\n",
      file);
  for (size_t i = 0; card_board_constant(board, i, &constant); ++i) {
    fprintf(file,
            "<tr><td class=\"t\"><code>%s</code></td><td>%" PRId64
            "</td><td class=\"t\">%s</td><td class=\"t\">%s</td><td class=\"t\">",
            constant.name, constant.value, constant.unit, card_source_name(constant.source));
    text_html(file, constant.meaning);
    fputs("</td></tr>\n", file);
  }
  fputs("</table></details>\n", file);
}

void report_write_html(FILE *file, const struct report *report) {
  const char *kind = report->board->extrapolated ? "extrapolated" : "estimated";
  fprintf(file,
          "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
          "name=\"viewport\" content=\"width=device-width\">\n<title>Launches on an %s</title>\n"
          "<style>%s</style></head><body>\n",
          report->board->name, style);
  fprintf(file,
          "<h1>Launches on an %s</h1>\n<p class=\"dim\">All times are %s: a simulation played what "
          "the kernels did on this board's cores.</p>\n",
          report->board->name, kind);
  write_summary(file, report);
  for (size_t i = 0; i < report->kernel_count; ++i) write_kernel(file, report, i);
  write_constants(file, report->board);
  fputs("</body></html>\n", file);
}
