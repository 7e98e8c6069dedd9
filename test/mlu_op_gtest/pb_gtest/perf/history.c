/* SPDX-License-Identifier: MIT */
#include "perf/history.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "perf/sample.h"
#include "schema/text_format.h"

/* How many earlier runs are needed to call a value unusual, and how far outside their range it
 * must lie. */
static const size_t enough_runs = 4;
static const double usual_margin = 0.05;

static bool same_text(const char *a, const char *b) {
  return !strcmp(a ? a : "", b ? b : "");
}

static bool same_machine(const Mluoptest__PerfRun *run, const Mluoptest__PerfContext *context) {
  return same_text(run->cpu_model, context->cpu_model) && run->num_cpus == context->num_cpus &&
         same_text(run->settings, context->settings);
}

/* True if the line is of this very report, as when it is rendered again. Date and copy rate
 * identify a run: two may start in the same second, but not with the same rate. */
static bool is_same_run(const Mluoptest__PerfRun *run, const Mluoptest__PerfContext *context) {
  return same_text(run->date, context->date) && same_text(run->commit, context->commit) &&
         fabs(run->copy_gbps - context->copy_gbps) <= 1e-6 * context->copy_gbps;
}

static bool is_past(const Mluoptest__PerfRun *run, const Mluoptest__PerfContext *context) {
  return same_machine(run, context) && !is_same_run(run, context);
}

static Mluoptest__PerfRun *read_line(const char *name, const char *line, size_t size,
                                     mluopTestText *warnings) {
  mluopWire wire;
  if (mluop_perf_run_json_to_wire(name, line, size, &wire, warnings)) {
    return NULL;
  }
  Mluoptest__PerfRun *run = mluoptest__perf_run__unpack(NULL, wire.size, wire.data);
  mluop_wire_free(&wire);
  return run;
}

static void keep_run(mluopPerfReport *report, Mluoptest__PerfRun *run) {
  Mluoptest__PerfRun **past = realloc(report->past, (report->n_past + 1) * sizeof(*past));
  if (past) {
    report->past = past;
    past[report->n_past++] = run;
  } else {
    mluoptest__perf_run__free_unpacked(run, NULL);
  }
}

int mluop_perf_history_read(mluopPerfReport *report, const char *folder, mluopTestText *warnings) {
  char *path = mluop_path_join(folder, MLUOP_PERF_HISTORY_FILE);
  size_t size = 0;
  char *text = NULL;
  if (path && mluop_path_exists(path)) {
    text = mluop_file_read_all(path, &size, warnings);
    if (!text) {
      mluop_text_add(warnings, "\n");
      free(path);
      return -1;
    }
  }
  size_t number = 1;
  for (const char *line = text; line && *line; ++number) {
    const size_t length = strcspn(line, "\n");
    char *name = mluop_text_format("%s:%zu", path, number);
    Mluoptest__PerfRun *run = name && length ? read_line(name, line, length, warnings) : NULL;
    free(name);
    if (run && is_past(run, report->context)) {
      keep_run(report, run);
    } else if (run) {
      mluoptest__perf_run__free_unpacked(run, NULL);
    }
    line += length + (line[length] == '\n');
  }
  free(text);
  free(path);
  return 0;
}

/* The report owns the strings of the message, except the cases' names. */
static int make_run(const mluopPerfReport *report, double band, Mluoptest__PerfRun *run) {
  const Mluoptest__PerfContext *context = report->context;
  mluoptest__perf_run__init(run);
  run->date = context->date;
  run->commit = context->commit;
  run->cpu_model = context->cpu_model;
  run->settings = context->settings;
  run->has_num_cpus = run->has_complete = 1;
  run->num_cpus = context->num_cpus;
  run->complete = context->complete;
  run->has_copy_gbps = run->has_read_gbps = run->has_vector_gflops = 1;
  run->copy_gbps = context->copy_gbps;
  run->read_gbps = context->read_gbps;
  run->vector_gflops = context->vector_gflops;
  run->cases = calloc(report->n + 1, sizeof(*run->cases));
  for (size_t i = 0; run->cases && i < report->n; ++i) {
    const mluopPerfCase *item = &report->cases[i];
    Mluoptest__PerfRunCase *entry = item->n_looks ? malloc(sizeof(*entry)) : NULL;
    if (!entry) {
      continue; /* not measured here */
    }
    mluoptest__perf_run_case__init(entry);
    mluop_perf_set_text(&entry->name, "%s/%s/%s", item->op_name, item->case_set, item->name);
    entry->has_efficiency = entry->has_disturbed = 1;
    entry->efficiency = item->efficiency;
    entry->verdict = (char *)mluop_perf_verdict_name(item->verdict);
    entry->disturbed = mluop_perf_case_is_disturbed(item, band);
    run->cases[run->n_cases++] = entry;
  }
  return run->n_cases ? 0 : -1;
}

static void free_run(Mluoptest__PerfRun *run) {
  for (size_t i = 0; i < run->n_cases; ++i) {
    free(run->cases[i]->name);
    free(run->cases[i]);
  }
  free(run->cases);
}

static int append_line(const char *path, const mluopTestText *line, mluopTestText *errors) {
  const int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  char last = '\n';
  const off_t size = file >= 0 ? lseek(file, 0, SEEK_END) : 0;
  if (size > 0 && pread(file, &last, 1, size - 1) != 1) {
    last = '\n';
  }
  /* A run that was killed may have left an unfinished line. */
  const bool written = file >= 0 && (last == '\n' || write(file, "\n", 1) == 1) &&
                       write(file, line->data, line->length) == (ssize_t)line->length;
  if (!written) {
    mluop_text_add(errors, "%s: %s\n", path, strerror(errno));
  }
  if (file >= 0) {
    close(file);
  }
  return written ? 0 : -1;
}

int mluop_perf_history_append(const mluopPerfReport *report, const char *folder, double band,
                              mluopTestText *errors) {
  Mluoptest__PerfRun run;
  int failed = 0;
  if (!make_run(report, band, &run)) {
    const size_t size = mluoptest__perf_run__get_packed_size(&run);
    uint8_t *wire = malloc(size ? size : 1);
    char *path = mluop_path_join(folder, MLUOP_PERF_HISTORY_FILE);
    mluopTestText line = {0};
    failed = wire && path ? 0 : -1;
    if (!failed) {
      mluoptest__perf_run__pack(&run, wire);
      failed = mluop_perf_run_wire_to_json(wire, size, &line);
      mluop_text_add(&line, "\n");
    }
    failed = failed || append_line(path, &line, errors);
    mluop_text_free(&line);
    free(wire);
    free(path);
  }
  free_run(&run);
  return failed;
}

const Mluoptest__PerfRunCase *mluop_perf_past_case(const Mluoptest__PerfRun *run,
                                                   const mluopPerfCase *item) {
  char *name = mluop_text_format("%s/%s/%s", item->op_name, item->case_set, item->name);
  const Mluoptest__PerfRunCase *found = NULL;
  for (size_t i = 0; name && i < run->n_cases && !found; ++i) {
    if (same_text(run->cases[i]->name, name)) {
      found = run->cases[i];
    }
  }
  free(name);
  return found;
}

mluopPerfPast mluop_perf_past_of(const mluopPerfReport *report, const mluopPerfCase *item) {
  mluopPerfSamples values = {.n = 0};
  for (size_t i = 0; i < report->n_past; ++i) {
    const Mluoptest__PerfRunCase *entry = mluop_perf_past_case(report->past[i], item);
    if (entry && !entry->disturbed) {
      mluop_perf_samples_add(&values, entry->efficiency);
    }
  }
  return (mluopPerfPast){.n = (size_t)values.n,
                         .median = mluop_perf_quantile(&values, 0.5),
                         .low = mluop_perf_quantile(&values, 0),
                         .high = mluop_perf_quantile(&values, 1)};
}

int mluop_perf_drift(const mluopPerfReport *report, const mluopPerfCase *item) {
  const mluopPerfPast past = mluop_perf_past_of(report, item);
  if (past.n < enough_runs || !item->n_looks || item->waited > 0) {
    return 0;
  }
  return item->efficiency_high < past.low * (1 - usual_margin)   ? -1
         : item->efficiency_low > past.high * (1 + usual_margin) ? 1
                                                                 : 0;
}
