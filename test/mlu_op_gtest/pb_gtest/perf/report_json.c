/* SPDX-License-Identifier: MIT */
#include "perf/report_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "schema/text_format.h"

typedef Mluoptest__PerfBenchmark Entry;

/* ---- writing: the strings of an entry belong to the case, but for its names ---- */

static void set_number(double *field, protobuf_c_boolean *has, double value) {
  *field = value;
  *has = isfinite(value); /* JSON knows no others */
}

#define SET(entry, field, value) set_number(&(entry)->field, &(entry)->has_##field, value)

static int add_entry(Mluoptest__PerfReport *message, Entry **added) {
  Entry **entries =
      realloc(message->benchmarks, (message->n_benchmarks + 1) * sizeof(*message->benchmarks));
  Entry *entry = malloc(sizeof(*entry));
  message->benchmarks = entries ? entries : message->benchmarks;
  if (!entries || !entry) {
    free(entry);
    return -1;
  }
  mluoptest__perf_benchmark__init(entry);
  entries[message->n_benchmarks++] = entry;
  *added = entry;
  return 0;
}

static int add_time(Mluoptest__PerfReport *message, const mluopPerfCase *item,
                    const char *contender, const mluopPerfTime *time, int threads, Entry **added) {
  if (add_entry(message, added)) {
    return -1;
  }
  Entry *entry = *added;
  mluop_perf_set_text(&entry->run_name, "%s/%s/%s", item->op_name, item->case_set, item->name);
  mluop_perf_set_text(&entry->name, "%s/%s", entry->run_name, contender);
  entry->run_type = "iteration";
  entry->time_unit = "us";
  entry->contender = (char *)contender;
  entry->has_repetitions = entry->has_threads = entry->has_iterations = 1;
  entry->repetitions = 1;
  entry->threads = threads;
  entry->iterations = time->samples;
  SET(entry, real_time, time->median_us);
  SET(entry, cpu_time, time->cpu_us);
  SET(entry, p10, time->p10_us);
  SET(entry, p90, time->p90_us);
  SET(entry, gb_per_second, item->theory_bytes / time->median_us * 1e-3);
  return 0;
}

static void add_judgement(Entry *entry, const mluopPerfCase *item) {
  entry->op_name = item->op_name;
  entry->case_set = item->case_set;
  entry->data_type = item->data_type;
  entry->shape = item->shape;
  entry->bottleneck = item->bottleneck;
  entry->verdict = (char *)mluop_perf_verdict_name(item->verdict);
  entry->reason = item->reason;
  entry->waiver = item->waiver;
  entry->series = item->series;
  entry->time_class = item->time_class;
  if (item->waiver) {
    SET(entry, floor, item->floor);
  }
  SET(entry, theory_bytes, item->theory_bytes);
  SET(entry, theory_ops, item->theory_ops);
  SET(entry, io_efficiency, item->io_efficiency);
  SET(entry, compute_efficiency, item->compute_efficiency);
  SET(entry, efficiency, item->efficiency);
  SET(entry, efficiency_p10, item->efficiency_p10);
  SET(entry, efficiency_p90, item->efficiency_p90);
  SET(entry, efficiency_low, item->efficiency_low);
  SET(entry, efficiency_high, item->efficiency_high);
  if (item->waited > 0) {
    SET(entry, waited, item->waited);
  }
  entry->has_looks = item->n_looks > 0;
  entry->looks = item->n_looks;
  SET(entry, threshold, item->threshold);
  SET(entry, hardware_time, item->hardware_us);
  SET(entry, interface_time, item->interface_us);
  SET(entry, workspace_size, item->workspace_size);
  SET(entry, limit_gbps, item->limit_gbps);
  if (item->baseline_efficiency > 0) {
    SET(entry, baseline_efficiency, item->baseline_efficiency);
  }
  if (item->series) {
    SET(entry, series_x, item->series_x);
  }
}

static int add_case(Mluoptest__PerfReport *message, const mluopPerfCase *item, int cpus) {
  Entry *entry = NULL;
  for (int i = 0; i < MLUOP_PERF_CONTENDERS; ++i) {
    const mluopPerfTime *time = &item->times[i];
    const int threads = i == MLUOP_PERF_REFERENCE ? item->threads_of_reference : cpus;
    /* A case that failed before it was timed is still told of. */
    if (i != MLUOP_PERF_OURS && !time->samples) {
      continue;
    }
    if (add_time(message, item, mluop_perf_contender_name((mluopPerfContender)i), time, threads,
                 &entry)) {
      return -1;
    }
    if (i == MLUOP_PERF_OURS) {
      add_judgement(entry, item);
    }
  }
  for (size_t i = 0; i < item->n_rivals; ++i) {
    if (add_time(message, item, item->rivals[i].name, &item->rivals[i].time, cpus, &entry)) {
      return -1;
    }
  }
  return 0;
}

static int write_message(const Mluoptest__PerfReport *message, const char *path,
                         mluopTestText *errors) {
  const size_t size = mluoptest__perf_report__get_packed_size(message);
  uint8_t *wire = malloc(size ? size : 1);
  mluopTestText json = {0};
  int failed = wire ? 0 : -1;
  if (!failed) {
    mluoptest__perf_report__pack(message, wire);
    failed = mluop_perf_wire_to_json(wire, size, &json);
  }
  if (failed) {
    mluop_text_add(errors, "%s: cannot be made", path);
  } else {
    failed = mluop_file_write_all(path, mluop_text_get(&json), json.length, errors);
  }
  mluop_text_free(&json);
  free(wire);
  return failed;
}

int mluop_perf_json_write(const mluopPerfReport *report, const char *path, mluopTestText *errors) {
  Mluoptest__PerfReport message = MLUOPTEST__PERF_REPORT__INIT;
  message.context = report->context;
  int failed = 0;
  for (size_t i = 0; i < report->n && !failed; ++i) {
    failed = add_case(&message, &report->cases[i], report->context->num_cpus);
  }
  if (failed) {
    mluop_text_add(errors, "%s: out of memory", path);
  } else {
    failed = write_message(&message, path, errors);
  }
  for (size_t i = 0; i < message.n_benchmarks; ++i) {
    free(message.benchmarks[i]->run_name);
    free(message.benchmarks[i]->name);
    free(message.benchmarks[i]);
  }
  free(message.benchmarks);
  return failed;
}

/* ---- reading ---- */

static mluopPerfTime entry_time(const Entry *entry) {
  double unit = 1; /* us */
  if (entry->time_unit && strcmp(entry->time_unit, "us")) {
    unit = !strcmp(entry->time_unit, "ns") ? 1e-3 : !strcmp(entry->time_unit, "ms") ? 1e3 : 1e6;
  }
  return (mluopPerfTime){.median_us = entry->real_time * unit,
                         .p10_us = (entry->has_p10 ? entry->p10 : entry->real_time) * unit,
                         .p90_us = (entry->has_p90 ? entry->p90 : entry->real_time) * unit,
                         .cpu_us = entry->cpu_time * unit,
                         .samples = entry->iterations};
}

/* run_name is operator/set/case. */
static mluopPerfCase *case_of_entry(mluopPerfReport *report, const Entry *entry, bool create) {
  const char *op_end = entry->run_name ? strchr(entry->run_name, '/') : NULL;
  const char *set_end = op_end ? strchr(op_end + 1, '/') : NULL;
  if (!set_end) {
    return NULL;
  }
  char *op = mluop_text_format("%.*s", (int)(op_end - entry->run_name), entry->run_name);
  char *set = mluop_text_format("%.*s", (int)(set_end - op_end - 1), op_end + 1);
  mluopPerfCase *item = NULL;
  if (op && set) {
    item = mluop_perf_report_find(report, op, set, set_end + 1);
    if (!item && create) {
      item = mluop_perf_report_add(report, op, set, set_end + 1);
    }
  }
  free(op);
  free(set);
  return item;
}

static void take_judgement(mluopPerfCase *item, const Entry *entry) {
  mluop_perf_set_text(&item->data_type, "%s", entry->data_type ? entry->data_type : "");
  mluop_perf_set_text(&item->shape, "%s", entry->shape ? entry->shape : "");
  mluop_perf_set_text(&item->bottleneck, "%s", entry->bottleneck ? entry->bottleneck : "");
  mluop_perf_set_text(&item->reason, "%s", entry->reason ? entry->reason : "");
  if (entry->time_class) {
    mluop_perf_set_text(&item->time_class, "%s", entry->time_class);
  }
  if (entry->waiver) {
    mluop_perf_set_text(&item->waiver, "%s", entry->waiver);
    item->floor = entry->floor;
  }
  if (entry->series) {
    mluop_perf_set_text(&item->series, "%s", entry->series);
  }
  item->verdict = mluop_perf_verdict_of(entry->verdict);
  item->theory_bytes = entry->theory_bytes;
  item->theory_ops = entry->theory_ops;
  item->io_efficiency = entry->io_efficiency;
  item->compute_efficiency = entry->compute_efficiency;
  item->efficiency = entry->efficiency;
  item->efficiency_p10 = entry->efficiency_p10;
  item->efficiency_p90 = entry->efficiency_p90;
  item->efficiency_low = entry->has_efficiency_low ? entry->efficiency_low : entry->efficiency;
  item->efficiency_high = entry->has_efficiency_high ? entry->efficiency_high : entry->efficiency;
  item->n_looks = entry->looks;
  item->waited = entry->waited;
  item->threshold = entry->threshold;
  item->hardware_us = entry->hardware_time;
  item->interface_us = entry->interface_time;
  item->workspace_size = entry->workspace_size;
  item->limit_gbps = entry->limit_gbps;
  item->baseline_efficiency = entry->baseline_efficiency;
  item->series_x = entry->series_x;
}

static void take_entry(mluopPerfReport *report, const Entry *entry) {
  mluopPerfCase *item = case_of_entry(report, entry, true);
  if (!item || !entry->contender) {
    return;
  }
  for (int i = 0; i < MLUOP_PERF_CONTENDERS; ++i) {
    if (strcmp(entry->contender, mluop_perf_contender_name((mluopPerfContender)i))) {
      continue;
    }
    item->times[i] = entry_time(entry);
    if (i == MLUOP_PERF_OURS) {
      take_judgement(item, entry);
    } else if (i == MLUOP_PERF_REFERENCE) {
      item->threads_of_reference = entry->threads;
    }
    return;
  }
  mluop_perf_case_add_rival(item, entry->contender, entry_time(entry));
}

static Mluoptest__PerfReport *read_message(const char *path, mluopTestText *errors) {
  size_t size = 0;
  char *text = mluop_file_read_all(path, &size, errors);
  if (!text) {
    mluop_text_add(errors, "\n");
    return NULL;
  }
  Mluoptest__PerfReport *message = NULL;
  mluopWire wire;
  if (!mluop_perf_json_to_wire(path, text, size, &wire, errors)) {
    message = mluoptest__perf_report__unpack(NULL, wire.size, wire.data);
    mluop_wire_free(&wire);
  }
  free(text);
  if (message && !message->n_benchmarks) {
    mluop_text_add(errors, "%s: holds no benchmarks\n", path);
    mluoptest__perf_report__free_unpacked(message, NULL);
    message = NULL;
  }
  return message;
}

int mluop_perf_json_read(mluopPerfReport *report, const char *path, mluopTestText *errors) {
  *report = (mluopPerfReport){0};
  Mluoptest__PerfReport *message = read_message(path, errors);
  if (!message) {
    return -1;
  }
  report->context = message->context;
  message->context = NULL;
  for (size_t i = 0; i < message->n_benchmarks; ++i) {
    take_entry(report, message->benchmarks[i]);
  }
  mluoptest__perf_report__free_unpacked(message, NULL);
  if (!report->context || !report->n) {
    mluop_text_add(errors, "%s: is not a report of --perf_acceptance\n", path);
    mluop_perf_report_free(report);
    return -1;
  }
  return 0;
}

int mluop_perf_json_merge_rivals(mluopPerfReport *report, const char *path, size_t *added,
                                 mluopTestText *errors) {
  *added = 0;
  Mluoptest__PerfReport *message = read_message(path, errors);
  if (!message) {
    return -1;
  }
  for (size_t i = 0; i < message->n_benchmarks; ++i) {
    const Entry *entry = message->benchmarks[i];
    mluopPerfCase *item = case_of_entry(report, entry, false);
    if (item && entry->contender) {
      mluop_perf_case_add_rival(item, entry->contender, entry_time(entry));
      ++*added;
    }
  }
  const Mluoptest__PerfContext *theirs = message->context;
  mluop_perf_set_text(&report->context->rivals, "%s, %s",
                      theirs && theirs->executable ? theirs->executable : "other implementations",
                      theirs && theirs->cpu_model ? theirs->cpu_model : "unknown machine");
  mluoptest__perf_report__free_unpacked(message, NULL);
  return 0;
}
