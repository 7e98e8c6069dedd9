/* SPDX-License-Identifier: MIT
 *
 * What a performance acceptance knows: cases with the times of all contenders, and the machine.
 * Everything that is written (JSON, CSV, HTML, Markdown) is made from this. */
#ifndef MLUOP_TEST_PERF_MODEL_H_
#define MLUOP_TEST_PERF_MODEL_H_

#include <stdbool.h>
#include <stddef.h>

#include "perf_report.pb-c.h"
#include "run/case_list.h"

/* A median with the 10th and 90th percentile; samples 0: not measured. */
typedef struct mluopPerfTime {
  double median_us, p10_us, p90_us;
  double cpu_us; /* median of the CPU time of all threads */
  int samples;
} mluopPerfTime;

/* Who was timed on a case besides rivals. */
typedef enum mluopPerfContender {
  MLUOP_PERF_OURS,      /* nothing in the caches */
  MLUOP_PERF_OURS_WARM, /* right after another call */
  MLUOP_PERF_REFERENCE, /* the plain C reference, on all cores where it can be split */
  MLUOP_PERF_COPY,      /* copying as many bytes as the operator must move */
  MLUOP_PERF_READ,      /* reading as many bytes */
  MLUOP_PERF_CONTENDERS,
} mluopPerfContender;

typedef enum mluopPerfVerdict {
  MLUOP_PERF_NONE, /* not judged, or not decided: see mluop_perf_judge */
  MLUOP_PERF_PASS,
  MLUOP_PERF_WAIVED, /* below the line, with a written reason in the case */
  MLUOP_PERF_FAIL,
} mluopPerfVerdict;

/* The efficiency as one measurement saw it, with the 95 % range of its median. */
typedef struct mluopPerfLook {
  double efficiency, low, high;
  double waited; /* share of the time threads waited for a CPU that others had, where that was too
                    much; else 0 */
} mluopPerfLook;

enum { MLUOP_PERF_LOOKS_MAX = 3 };

typedef struct mluopPerfRival {
  char *name;
  mluopPerfTime time;
} mluopPerfRival;

typedef struct mluopPerfCase {
  char *op_name, *case_set, *name; /* name: the file without its suffix */
  char *data_type, *shape;
  bool refused_by_device; /* the device lacks the data type; the case is not measured */
  char *time_class;       /* how exact an estimated time is, NULL: measured */
  double theory_bytes, theory_ops;
  mluopPerfTime times[MLUOP_PERF_CONTENDERS];
  int threads_of_reference;
  double hardware_us, interface_us, workspace_size;
  double limit_gbps; /* of the bottleneck's rate in this case's rounds */
  double io_efficiency, compute_efficiency;
  double efficiency, efficiency_p10, efficiency_p90; /* of the bottleneck */
  char *bottleneck;                                  /* "copy rate", "read rate", "vector math" */
  /* Where the efficiency lies: the range of a single look, the extremes of several. */
  double efficiency_low, efficiency_high;
  mluopPerfLook looks[MLUOP_PERF_LOOKS_MAX];
  int n_looks;
  double waited; /* as of a look: 0 where one of the looks was undisturbed */
  double threshold;
  mluopPerfVerdict verdict;
  char *reason;               /* of anything but a clear pass, "" otherwise */
  char *waiver;               /* as the case says, NULL: none */
  double floor;               /* what a waived case still has to reach */
  double baseline_efficiency; /* 0: none */
  char *series;               /* scaling: "size", "tasks" or "cores", NULL: none */
  double series_x;
  mluopPerfRival *rivals;
  size_t n_rivals;
  const mluopCaseEntry *entry; /* what was measured, NULL: read from a report */
} mluopPerfCase;

typedef struct mluopPerfReport {
  Mluoptest__PerfContext *context;
  mluopPerfCase *cases;
  size_t n;
  Mluoptest__PerfRun **past; /* earlier runs on the same machine, oldest first */
  size_t n_past;
} mluopPerfReport;

int mluop_perf_report_init(mluopPerfReport *report);
void mluop_perf_report_free(mluopPerfReport *report);

/* A new case at the end, NULL when memory is short. */
mluopPerfCase *mluop_perf_report_add(mluopPerfReport *report, const char *op_name, const char *set,
                                     const char *name);
void mluop_perf_report_drop_last(mluopPerfReport *report);
mluopPerfCase *mluop_perf_report_find(const mluopPerfReport *report, const char *op_name,
                                      const char *set, const char *name);
void mluop_perf_case_add_rival(mluopPerfCase *item, const char *name, mluopPerfTime time);

/* Groups cases by operator, in the order in which operators first appear. */
void mluop_perf_report_group(mluopPerfReport *report);

/* Whether case i is the first of its operator among those a page shows. */
bool mluop_perf_starts_operator(const mluopPerfReport *report, size_t i,
                                bool (*is_shown)(const mluopPerfCase *item));

/* Whether a case belongs to a series of scaling. */
bool mluop_perf_case_is_of(const mluopPerfCase *item, const char *series);

/* Whether a case is a point of scaling that another process measured: pictures have it, and lists
 * do not. */
bool mluop_perf_case_is_point(const mluopPerfCase *item);

/* Number of cases with a verdict. */
size_t mluop_perf_report_count(const mluopPerfReport *report, mluopPerfVerdict verdict);
/* Number of cases that were measured and are undecided. */
size_t mluop_perf_report_undecided(const mluopPerfReport *report);

/* Whether the machine was too busy for the efficiency to be worth keeping as a baseline: threads
 * had to wait, the range of the efficiency is wider than `band` of it, or the limit beside the
 * operator varied by more than a factor of two. */
bool mluop_perf_case_is_disturbed(const mluopPerfCase *item, double band);

/* Sets a string and frees the old one. */
void mluop_perf_set_text(char **field, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

const char *mluop_perf_contender_name(mluopPerfContender contender);
const char *mluop_perf_verdict_name(mluopPerfVerdict verdict);
mluopPerfVerdict mluop_perf_verdict_of(const char *name);

#endif /* MLUOP_TEST_PERF_MODEL_H_ */
