/* SPDX-License-Identifier: MIT
 *
 * usage: card_calibrate table|plot|check|fit FOLDER
 *        card_calibrate same FOLDER OTHER
 * Plays the logs of the rows (FOLDER/ROW.log) on their boards and compares with published times: as
 * a table, as a plot, against limits, or to search for better constants of the MLU370-X4. `same`:
 * checks that the logs of another folder take the same time within 3 %.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock/recording.h"
#include "plot.h"

enum kind { COPY, COPY_SEGMENTS, TENSOR, VECTOR, SCALAR, LATENCY };
enum use { FITTED, PREDICTED };

struct row {
  const char *log, *board, *operator_name, *variant;
  int64_t least, most; /* published, ns */
  enum kind kind;
  enum use use;
  struct card_logged_launch *launches;
  size_t launch_count;
  double estimate; /* ns */
};

static struct row rows[] = {
#define MEASURED(log, board, op, variant, least, most, kind, use) \
  {#log, board, op, variant, least, most, kind, use, NULL, 0, 0},
#include "rows.def"
#undef MEASURED
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The constants that the search may change, with their ranges. */
static const struct {
  const char *name;
  int64_t least, most;
} unknowns[] = {
    {"dram_mb_per_s", 240000, 300000}, {"core_dram_mb_per_s", 8000, 24000},
    {"dram_run_bytes", 0, 600},        {"read_latency_ns", 200, 900},
    {"write_latency_ns", 200, 900},    {"read_segment_ns", 10, 80},
    {"scalar_read_ns", 100, 300},      {"atomic_ns", 1, 100},
    {"move_start_cycles", 10, 100},    {"activate_cycles_x16", 16, 256},
    {"transpose_cycles_x16", 8, 256},  {"tensor_start_cycles", 10, 1000},
    {"union_barrier_ns", 100, 3000},   {"task_dispatch_ns", 5, 100},
    {"next_task_ns", 100, 4000},
};
enum { UNKNOWNS = sizeof unknowns / sizeof *unknowns };

/* ---- Rows ---- */

static bool read_row(struct row *row, const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.log", folder, row->log);
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    fprintf(stderr, "%s cannot be read\n", path);
    return false;
  }
  enum card_log_result result = CARD_LOG_READ;
  while (result == CARD_LOG_READ) {
    struct card_logged_launch *more =
        realloc(row->launches, (row->launch_count + 1) * sizeof *more);
    if (more == NULL) break;
    row->launches = more;
    result = card_log_read(file, &row->launches[row->launch_count]);
    if (result == CARD_LOG_READ) ++row->launch_count;
  }
  fclose(file);
  if (result != CARD_LOG_END) fprintf(stderr, "%s is broken\n", path);
  return result == CARD_LOG_END;
}

/* The time of a row is the sum of its launches. */
static bool play_row(struct row *row, const struct card_board *board) {
  int64_t ps = 0;
  for (size_t i = 0; i < row->launch_count; ++i) {
    struct card_timing timing;
    if (!card_play_launch(board, &row->launches[i].launch, 0, NULL, &timing)) return false;
    ps += timing.duration;
  }
  row->estimate = (double)ps / 1000;
  return true;
}

static double published(const struct row *row) {
  return 0.5 * (double)(row->least + row->most);
}

/* The relative error of the estimate. */
static double error_of(const struct row *row) {
  return row->estimate / published(row) - 1;
}

/* ---- Search ---- */

static size_t rows_of_operator(const struct row *row) {
  size_t count = 0;
  for (size_t i = 0; i < ROWS; ++i) {
    count += strcmp(rows[i].operator_name, row->operator_name) == 0;
  }
  return count;
}

/* The cost function of the search. Each fitted operator has the same weight; the logarithm limits
 * the influence of outliers. */
static double badness(const struct card_board *board) {
  double sum = 0;
  for (size_t i = 0; i < ROWS; ++i) {
    if (rows[i].use != FITTED || strcmp(rows[i].board, "MLU370-X4") != 0) continue;
    if (!play_row(&rows[i], board)) return 1e30;
    const double off = log(rows[i].estimate / published(&rows[i]));
    sum += log1p(off * off * 25) / (double)rows_of_operator(&rows[i]);
  }
  return sum;
}

/* Coordinate descent: changes one constant at a time, with decreasing steps. */
static void fit(void) {
  struct card_board board = *card_board_find("MLU370-X4");
  double best = badness(&board);
  printf("badness %.4f\n", best);
  for (double step = 0.25; step > 0.01; step *= 0.6) {
    for (size_t i = 0; i < UNKNOWNS; ++i) {
      int64_t *value = card_board_value(&board, unknowns[i].name);
      for (int direction = -1; direction <= 1; direction += 2) {
        for (;;) {
          const int64_t before = *value;
          int64_t change = (int64_t)((double)before * step + 0.5);
          if (change < 1) change = 1;
          *value = before + direction * change;
          if (*value >= unknowns[i].least && *value <= unknowns[i].most) {
            const double now = badness(&board);
            if (now < best - 1e-9) {
              best = now;
              continue;
            }
          }
          *value = before;
          break;
        }
      }
    }
    printf("step %.3f: badness %.4f\n", step, best);
  }
  for (size_t i = 0; i < UNKNOWNS; ++i) {
    printf("%s %" PRId64 "\n", unknowns[i].name, *card_board_value(&board, unknowns[i].name));
  }
}

/* ---- Table and limits ---- */

static void print_time(double ns) {
  if (ns < 100e3) {
    printf("%.1f", ns / 1e3);
  } else {
    printf("%.0f", ns / 1e3);
  }
}

static void table(void) {
  puts("| operator | variant | board | published, us | estimated, us | error | |");
  puts("|---|---|---|---|---|---|---|");
  for (size_t i = 0; i < ROWS; ++i) {
    const struct row *row = &rows[i];
    printf("| %s | %s | %s | ", row->operator_name, row->variant, row->board);
    print_time((double)row->least);
    if (row->most != row->least) {
      fputs(" to ", stdout);
      print_time((double)row->most);
    }
    fputs(" | ", stdout);
    print_time(row->estimate);
    printf(" | %+.0f %% | %s |\n", 100 * error_of(row),
           row->use == FITTED ? "fitted" : "predicted");
  }
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

struct summary {
  size_t count;
  double median, nine_of_ten, worst;
};

static struct summary summarize(bool (*counts)(const struct row *)) {
  double errors[ROWS];
  struct summary summary = {0};
  for (size_t i = 0; i < ROWS; ++i) {
    if (counts(&rows[i])) errors[summary.count++] = fabs(error_of(&rows[i]));
  }
  if (summary.count == 0) return summary;
  qsort(errors, summary.count, sizeof *errors, compare);
  summary.median = errors[summary.count / 2];
  summary.nine_of_ten = errors[(summary.count * 9 + 9) / 10 - 1];
  summary.worst = errors[summary.count - 1];
  return summary;
}

static bool is_any(const struct row *row) {
  return row->log != NULL;
}
static bool is_fitted(const struct row *row) {
  return row->use == FITTED;
}
static bool is_predicted(const struct row *row) {
  return row->use == PREDICTED;
}
static bool is_copy(const struct row *row) {
  return row->kind == COPY;
}

static const struct {
  const char *name;
  bool (*counts)(const struct row *);
} parts[] = {
    {"all", is_any}, {"fitted", is_fitted}, {"predicted", is_predicted}, {"copies", is_copy}};

static void print_summary(void) {
  puts("| rows | number | median error | nine of ten within | worst |\n|---|---|---|---|---|");
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    const struct summary part = summarize(parts[i].counts);
    printf("| %s | %zu | %.0f %% | %.0f %% | %.0f %% |\n", parts[i].name, part.count,
           100 * part.median, 100 * part.nine_of_ten, 100 * part.worst);
  }
}

static int check(void) {
  const struct summary all = summarize(is_any), copies = summarize(is_copy);
  const size_t predicted = summarize(is_predicted).count;
  const bool holds = all.median <= 0.15 && all.nine_of_ten <= 0.40 && copies.worst <= 0.12 &&
                     3 * predicted >= all.count;
  print_summary();
  if (!holds) {
    fputs("wanted: median 15 %, nine of ten 40 %, copies 12 %, a third predicted\n", stderr);
  }
  return !holds;
}

static int plot(void) {
  struct plot_point points[ROWS];
  for (size_t i = 0; i < ROWS; ++i) {
    points[i] = (struct plot_point){.x = published(&rows[i]) / 1e3,
                                    .y = rows[i].estimate / 1e3,
                                    .is_filled = rows[i].use == FITTED};
  }
  plot_scatter(stdout, points, ROWS);
  return 0;
}

static bool read_all(const char *folder) {
  bool is_complete = true;
  for (size_t i = 0; i < ROWS; ++i) {
    const struct card_board *board = card_board_find(rows[i].board);
    is_complete =
        board != NULL && read_row(&rows[i], folder) && play_row(&rows[i], board) && is_complete;
  }
  return is_complete;
}

static void discard(void) {
  for (size_t i = 0; i < ROWS; ++i) {
    for (size_t k = 0; k < rows[i].launch_count; ++k) card_log_free(&rows[i].launches[k]);
    free(rows[i].launches);
    rows[i].launches = NULL;
    rows[i].launch_count = 0;
  }
}

static int same(const char *other) {
  double estimates[ROWS];
  int differing = 0;
  for (size_t i = 0; i < ROWS; ++i) estimates[i] = rows[i].estimate;
  discard();
  if (!read_all(other)) return 1;
  for (size_t i = 0; i < ROWS; ++i) {
    const double off = rows[i].estimate / estimates[i] - 1;
    if (fabs(off) < 0.03) continue;
    ++differing;
    fprintf(stderr, "%s: %.1f us, not %.1f\n", rows[i].log, rows[i].estimate / 1e3,
            estimates[i] / 1e3);
  }
  return differing > 0;
}

int main(int argc, char **argv) {
  const char *mode = argc > 2 ? argv[1] : "";
  int status = 2;
  if (argc > 2 && !read_all(argv[2])) {
    status = 1;
  } else if (strcmp(mode, "table") == 0) {
    table();
    puts("");
    print_summary();
    status = 0;
  } else if (strcmp(mode, "plot") == 0) {
    status = plot();
  } else if (strcmp(mode, "check") == 0) {
    status = check();
  } else if (strcmp(mode, "fit") == 0) {
    fit();
    status = 0;
  } else if (strcmp(mode, "same") == 0 && argc == 4) {
    status = same(argv[3]);
  } else {
    fprintf(stderr, "usage: %s table|plot|check|fit FOLDER | same FOLDER OTHER\n", argv[0]);
  }
  discard();
  return status;
}
