/* SPDX-License-Identifier: MIT */
#include "perf/report_csv.h"

#include <string.h>

/* A field; quoted where it must be. */
static void add_field(mluopTestText *csv, const char *text) {
  if (!strpbrk(text, ",\"\n")) {
    mluop_text_add(csv, "%s,", text);
    return;
  }
  mluop_text_add(csv, "\"");
  for (; *text; ++text) {
    mluop_text_add(csv, "%s%c", *text == '"' ? "\"" : "", *text);
  }
  mluop_text_add(csv, "\",");
}

static void add_time(mluopTestText *csv, const mluopPerfTime *time) {
  if (time->samples) {
    mluop_text_add(csv, "%.3f,%.3f,%.3f,", time->median_us, time->p10_us, time->p90_us);
  } else {
    mluop_text_add(csv, ",,,");
  }
}

void mluop_perf_csv(const mluopPerfReport *report, mluopTestText *csv) {
  mluop_text_add(csv, "operator,set,case,data_type,shape,theory_bytes,theory_ops,");
  for (int i = 0; i < MLUOP_PERF_CONTENDERS; ++i) {
    const char *name = mluop_perf_contender_name((mluopPerfContender)i);
    mluop_text_add(csv, "%s_us,%s_p10_us,%s_p90_us,", name, name, name);
  }
  mluop_text_add(csv,
                 "hardware_us,interface_us,workspace_bytes,bottleneck,limit_gbps,io_efficiency,"
                 "compute_efficiency,efficiency,efficiency_p10,efficiency_p90,threshold,"
                 "baseline_efficiency,series,series_x,verdict,reason,waiver,rivals\n");
  for (size_t i = 0; i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    const char *const names[] = {item->op_name, item->case_set, item->name, item->data_type,
                                 item->shape};
    for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); ++k) {
      add_field(csv, names[k]);
    }
    mluop_text_add(csv, "%.0f,%.0f,", item->theory_bytes, item->theory_ops);
    for (int k = 0; k < MLUOP_PERF_CONTENDERS; ++k) {
      add_time(csv, &item->times[k]);
    }
    mluop_text_add(csv, "%.3f,%.3f,%.0f,%s,%.3f,%.4f,%.4f,%.4f,%.4f,%.4f,%.2f,%.4f,%s,%.0f,%s,",
                   item->hardware_us, item->interface_us, item->workspace_size, item->bottleneck,
                   item->limit_gbps, item->io_efficiency, item->compute_efficiency,
                   item->efficiency, item->efficiency_p10, item->efficiency_p90, item->threshold,
                   item->baseline_efficiency, item->series ? item->series : "", item->series_x,
                   mluop_perf_verdict_name(item->verdict));
    add_field(csv, item->reason);
    add_field(csv, item->waiver ? item->waiver : "");
    mluopTestText rivals = {0};
    for (size_t k = 0; k < item->n_rivals; ++k) {
      mluop_text_add(&rivals, "%s%s %.3f us", k ? "; " : "", item->rivals[k].name,
                     item->rivals[k].time.median_us);
    }
    add_field(csv, mluop_text_get(&rivals));
    mluop_text_free(&rivals);
    --csv->length; /* the last comma */
    mluop_text_add(csv, "\n");
  }
}
