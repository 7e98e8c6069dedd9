/* SPDX-License-Identifier: MIT */
#include "perf/html_tables.h"

#include <string.h>

#include "perf/svg.h"

/* Formats with the significant digits only: "12.3", "1 234". */
static void add_us(mluopTestText *page, double us) {
  mluop_text_add(page, us < 100 ? "%.1f" : "%.0f", us);
}

static void add_time_cell(mluopTestText *page, const mluopPerfTime *time) {
  mluop_text_add(page, "<td class=\"n\">");
  if (time->samples) {
    add_us(page, time->median_us);
    mluop_text_add(page, "<span class=\"sub\">");
    add_us(page, time->p10_us);
    mluop_text_add(page, " – ");
    add_us(page, time->p90_us);
    mluop_text_add(page, "</span>");
  }
  mluop_text_add(page, "</td>");
}

static void add_efficiency_cell(mluopTestText *page, const mluopPerfCase *item) {
  mluop_text_add(page,
                 "<td class=\"w\">%.0f %% of the %s<span class=\"sub\">%.0f – %.0f; %.0f wanted",
                 100 * item->efficiency, item->bottleneck, 100 * item->efficiency_p10,
                 100 * item->efficiency_p90, 100 * item->threshold);
  if (item->baseline_efficiency > 0) {
    mluop_text_add(page, "; %.0f stored", 100 * item->baseline_efficiency);
  }
  mluop_text_add(page, "</span><span class=\"sub\">IO %.0f %%, compute %.0f %%</span></td>",
                 100 * item->io_efficiency, 100 * item->compute_efficiency);
}

static void add_case_row(mluopTestText *page, const mluopPerfCase *item) {
  const char *verdict = mluop_perf_verdict_name(item->verdict);
  mluop_text_add(page, "<tr><td>");
  mluop_html_escape(page, item->name);
  mluop_text_add(page, "<span class=\"sub\">%s, ", item->data_type);
  mluop_html_escape(page, item->shape);
  mluop_text_add(page, ", %.1f MB</span>", item->theory_bytes * 1e-6);
  if (item->time_class) {
    mluop_text_add(page, "<span class=\"sub\">");
    mluop_html_escape(page, item->time_class);
    mluop_text_add(page, "</span>");
  }
  mluop_text_add(page, "</td>");
  mluop_text_add(page, "<td><span class=\"verdict %s\">%s</span></td>", verdict, verdict);
  add_efficiency_cell(page, item);
  add_time_cell(page, &item->times[MLUOP_PERF_OURS]);
  add_time_cell(page, &item->times[MLUOP_PERF_OURS_WARM]);
  add_time_cell(page, &item->times[MLUOP_PERF_COPY]);
  add_time_cell(page, &item->times[MLUOP_PERF_REFERENCE]);
  mluop_text_add(page, "<td class=\"n\">");
  add_us(page, item->hardware_us);
  mluop_text_add(page, "<span class=\"sub\">");
  add_us(page, item->interface_us);
  mluop_text_add(page, "</span><span class=\"sub\">%.0f B</span></td></tr>\n",
                 item->workspace_size);
}

void mluop_perf_html_cases(const mluopPerfReport *report, mluopTestText *page) {
  const char *last = "";
  mluop_text_add(
      page,
      "<div class=\"scroll\"><table><thead><tr><th>case</th><th>verdict</th><th>efficiency</th>"
      "<th class=\"n\">ours, cold<br>us</th><th class=\"n\">ours, warm<br>us</th>"
      "<th class=\"n\">copy<br>us</th><th class=\"n\">reference<br>us</th>"
      "<th class=\"n\">hardware, interface<br>us; workspace</th></tr></thead><tbody>\n");
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    if (mluop_perf_case_is_point(item)) {
      continue; /* they are in the plots and in report.csv */
    }
    if (strcmp(item->op_name, last)) {
      last = item->op_name;
      mluop_text_add(page, "<tr class=\"op\"><td colspan=\"8\">%s</td></tr>\n", last);
    }
    add_case_row(page, item);
  }
  mluop_text_add(page, "</tbody></table></div>\n");
}

static void add_row(mluopTestText *page, const char *name, const char *value) {
  if (value && *value) {
    mluop_text_add(page, "<tr><td>%s</td><td>", name);
    mluop_html_escape(page, value);
    mluop_text_add(page, "</td></tr>\n");
  }
}

void mluop_perf_html_environment(const mluopPerfReport *report, mluopTestText *page) {
  const Mluoptest__PerfContext *context = report->context;
  mluopTestText caches = {0}, memory = {0}, loads = {0};
  for (size_t i = 0; i < context->n_caches; ++i) {
    const Mluoptest__PerfCache *cache = context->caches[i];
    char size[32];
    mluop_svg_short_number(cache->size / 1024.0 * 1000, size, sizeof(size));
    mluop_text_add(&caches, "%sL%d %s %sB", i ? ", " : "", cache->level, cache->type, size);
  }
  mluop_text_add(&memory, "%.1f GiB", context->memory_gib);
  for (size_t i = 0; i < context->n_load_avg; ++i) {
    mluop_text_add(&loads, "%s%.2f", i ? ", " : "", context->load_avg[i]);
  }
  mluop_text_add(page, "<table class=\"environment\"><tbody>\n");
  add_row(page, "command", context->command);
  add_row(page, "date", context->date);
  add_row(page, "CPU", context->cpu_model);
  add_row(page, "vectors", context->vector_isa);
  add_row(page, "caches", mluop_text_get(&caches));
  add_row(page, "memory", mluop_text_get(&memory));
  add_row(page, "load when it began", mluop_text_get(&loads));
  add_row(page, "system", context->system);
  add_row(page, "compiler", context->compiler);
  add_row(page, "build", context->library_build_type);
  add_row(page, "library", context->mluop_version);
  add_row(page, "commit", context->commit);
  add_row(page, "device", context->device);
  add_row(page, "settings", context->settings);
  add_row(page, "baseline", context->baseline);
  add_row(page, "rivals", context->rivals);
  mluop_text_add(page, "</tbody></table>\n");
  mluop_text_free(&caches);
  mluop_text_free(&memory);
  mluop_text_free(&loads);
}
