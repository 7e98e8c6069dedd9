/* SPDX-License-Identifier: MIT */
#include "perf/model.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char *const contender_names[MLUOP_PERF_CONTENDERS] = {"ours", "ours_warm", "reference",
                                                                   "copy", "read"};
static const char *const verdict_names[] = {"undecided", "pass", "waived", "fail"};
enum { N_VERDICTS = sizeof(verdict_names) / sizeof(verdict_names[0]) };

const char *mluop_perf_contender_name(mluopPerfContender contender) {
  return contender_names[contender];
}

const char *mluop_perf_verdict_name(mluopPerfVerdict verdict) {
  return verdict_names[verdict];
}

mluopPerfVerdict mluop_perf_verdict_of(const char *name) {
  for (int i = 0; name && i < N_VERDICTS; ++i) {
    if (!strcmp(name, verdict_names[i])) {
      return (mluopPerfVerdict)i;
    }
  }
  return MLUOP_PERF_NONE;
}

int mluop_perf_report_init(mluopPerfReport *report) {
  *report = (mluopPerfReport){.context = calloc(1, sizeof(Mluoptest__PerfContext))};
  if (report->context) {
    mluoptest__perf_context__init(report->context);
  }
  return report->context ? 0 : -1;
}

static void free_case(mluopPerfCase *item) {
  for (size_t i = 0; i < item->n_rivals; ++i) {
    free(item->rivals[i].name);
  }
  free(item->rivals);
  char *texts[] = {item->op_name, item->case_set,   item->name,   item->data_type,
                   item->shape,   item->bottleneck, item->reason, item->waiver,
                   item->series,  item->time_class};
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
    free(texts[i]);
  }
}

void mluop_perf_report_free(mluopPerfReport *report) {
  for (size_t i = 0; i < report->n; ++i) {
    free_case(&report->cases[i]);
  }
  free(report->cases);
  for (size_t i = 0; i < report->n_past; ++i) {
    mluoptest__perf_run__free_unpacked(report->past[i], NULL);
  }
  free(report->past);
  if (report->context) {
    mluoptest__perf_context__free_unpacked(report->context, NULL);
  }
  *report = (mluopPerfReport){0};
}

mluopPerfCase *mluop_perf_report_add(mluopPerfReport *report, const char *op_name, const char *set,
                                     const char *name) {
  mluopPerfCase *cases = realloc(report->cases, (report->n + 1) * sizeof(mluopPerfCase));
  if (!cases) {
    return NULL;
  }
  report->cases = cases;
  mluopPerfCase *item = &cases[report->n++];
  *item = (mluopPerfCase){.op_name = mluop_text_format("%s", op_name),
                          .case_set = mluop_text_format("%s", set),
                          .name = mluop_text_format("%s", name),
                          .data_type = mluop_text_format("%s", ""),
                          .shape = mluop_text_format("%s", ""),
                          .bottleneck = mluop_text_format("%s", ""),
                          .reason = mluop_text_format("%s", "")};
  return item;
}

void mluop_perf_report_drop_last(mluopPerfReport *report) {
  free_case(&report->cases[--report->n]);
}

mluopPerfCase *mluop_perf_report_find(const mluopPerfReport *report, const char *op_name,
                                      const char *set, const char *name) {
  for (size_t i = 0; i < report->n; ++i) {
    mluopPerfCase *item = &report->cases[i];
    if (!strcmp(item->op_name, op_name) && !strcmp(item->case_set, set) &&
        !strcmp(item->name, name)) {
      return item;
    }
  }
  return NULL;
}

void mluop_perf_case_add_rival(mluopPerfCase *item, const char *name, mluopPerfTime time) {
  mluopPerfRival *rivals = realloc(item->rivals, (item->n_rivals + 1) * sizeof(mluopPerfRival));
  if (rivals) {
    item->rivals = rivals;
    rivals[item->n_rivals++] = (mluopPerfRival){mluop_text_format("%s", name), time};
  }
}

void mluop_perf_report_group(mluopPerfReport *report) {
  for (size_t i = 1; i < report->n; ++i) {
    /* Insert after the last earlier case of the same operator. */
    size_t to = i;
    for (size_t k = i; k > 0; --k) {
      if (!strcmp(report->cases[k - 1].op_name, report->cases[i].op_name)) {
        to = k;
        break;
      }
    }
    const mluopPerfCase moved = report->cases[i];
    memmove(&report->cases[to + 1], &report->cases[to], (i - to) * sizeof(moved));
    report->cases[to] = moved;
  }
}

bool mluop_perf_starts_operator(const mluopPerfReport *report, size_t i,
                                bool (*is_shown)(const mluopPerfCase *item)) {
  for (size_t k = i; k-- > 0;) {
    if (is_shown(&report->cases[k])) {
      return strcmp(report->cases[k].op_name, report->cases[i].op_name) != 0;
    }
  }
  return true;
}

bool mluop_perf_case_is_of(const mluopPerfCase *item, const char *series) {
  return item->series && !strcmp(item->series, series);
}

bool mluop_perf_case_is_point(const mluopPerfCase *item) {
  return item->series && !mluop_perf_case_is_of(item, "size");
}

size_t mluop_perf_report_count(const mluopPerfReport *report, mluopPerfVerdict verdict) {
  size_t n = 0;
  for (size_t i = 0; i < report->n; ++i) {
    n += report->cases[i].verdict == verdict;
  }
  return n;
}

size_t mluop_perf_report_undecided(const mluopPerfReport *report) {
  size_t n = 0;
  for (size_t i = 0; i < report->n; ++i) {
    n += report->cases[i].verdict == MLUOP_PERF_NONE && *report->cases[i].reason;
  }
  return n;
}

bool mluop_perf_case_is_disturbed(const mluopPerfCase *item, double band) {
  static const double limit_varies = 2;
  const mluopPerfTime *limit =
      &item->times[!strcmp(item->bottleneck, "read rate") ? MLUOP_PERF_READ : MLUOP_PERF_COPY];
  return item->waited > 0 ||
         item->efficiency_high - item->efficiency_low > band * item->efficiency ||
         (limit->samples && limit->p90_us > limit_varies * limit->p10_us);
}

void mluop_perf_set_text(char **field, const char *format, ...) {
  mluopTestText text = {0};
  va_list args;
  va_start(args, format);
  mluop_text_add_v(&text, format, args);
  va_end(args);
  free(*field);
  *field = text.data ? text.data : mluop_text_format("%s", "");
}
