/* SPDX-License-Identifier: MIT
 *
 * Draws random cases of an operator: valid ones, and ones it must refuse. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "executor.h"
#include "tools/case_draw.h"

typedef struct GenOptions {
  const char *op_name, *folder;
  long seed, count, refused_percent;
} GenOptions;

static void print_usage(FILE *file) {
  fprintf(file,
          "Draws random cases of an operator from a seed.\n"
          "Usage: mluop_case_gen --op=NAME --out=FOLDER [--count=20] [--seed=N] [--refused=25]\n"
          "  --op       operator; one of:");
  for (size_t i = 0; i < mluop_executor_count(); ++i) {
    if (mluop_executor_at(i)->draw_case) {
      fprintf(file, " %s", mluop_executor_at(i)->name);
    }
  }
  fprintf(file,
          "\n  --out      folder that gets <operator>/<case>.prototxt; give it to mluop_gtest as "
          "--cases_dir\n"
          "  --count    number of cases\n"
          "  --seed     the same seed gives the same cases; default: the time, printed\n"
          "  --refused  percentage of cases the operator must refuse\n");
}

static int parse_number(const char *text, long low, long high, long *value) {
  char *end = NULL;
  errno = 0;
  const long parsed = strtol(text, &end, 10);
  if (end == text || *end || errno || parsed < low || parsed > high) {
    return -1;
  }
  *value = parsed;
  return 0;
}

static int parse(int argc, char **argv, GenOptions *options) {
  for (int i = 1; i < argc; ++i) {
    const char *value = strchr(argv[i], '=');
    const size_t length = value ? (size_t)(value++ - argv[i]) : 0;
    int wrong = 0;
    if (value && length == 4 && !strncmp(argv[i], "--op", length)) {
      options->op_name = value;
    } else if (value && length == 5 && !strncmp(argv[i], "--out", length)) {
      options->folder = value;
    } else if (value && length == 6 && !strncmp(argv[i], "--seed", length)) {
      wrong = parse_number(value, 1, 2147483646, &options->seed);
    } else if (value && length == 7 && !strncmp(argv[i], "--count", length)) {
      wrong = parse_number(value, 1, 1000000, &options->count);
    } else if (value && length == 9 && !strncmp(argv[i], "--refused", length)) {
      wrong = parse_number(value, 0, 100, &options->refused_percent);
    } else {
      wrong = -1;
    }
    if (wrong) {
      fprintf(stderr, "wrong argument '%s'\n", argv[i]);
      return -1;
    }
  }
  return options->op_name && options->folder ? 0 : -1;
}

static int make_folder(const char *path) {
  if (mkdir(path, 0777) && errno != EEXIST) {
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return -1;
  }
  return 0;
}

static int write_case(const mluopTestExecutor *executor, const char *folder, long seed, long i,
                      long refused_percent) {
  /* Each case has its own seed, so that it stays the same when the count changes. */
  mluopCaseDraw draw = {.random = mluop_random_seed((int32_t)seed)};
  mluop_random_skip(&draw.random, (uint64_t)i * 1000003);
  const bool valid = !mluop_draw_chance(&draw, (int)refused_percent);
  executor->draw_case(&draw, valid);
  char *path =
      mluop_text_format("%s/seed_%ld_%04ld%s.prototxt", folder, seed, i, valid ? "" : "_refused");
  mluopTestText errors = {0};
  const int failed =
      path ? mluop_file_write_all(path, mluop_text_get(&draw.text), draw.text.length, &errors) : -1;
  if (failed) {
    fprintf(stderr, "%s\n", mluop_text_get(&errors));
  }
  mluop_text_free(&errors);
  mluop_text_free(&draw.text);
  free(path);
  return failed;
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "--help")) {
    print_usage(stdout);
    return 0;
  }
  GenOptions options = {
      .count = 20, .refused_percent = 25, .seed = (long)(time(NULL) % 2000000000) + 1};
  if (parse(argc, argv, &options)) {
    print_usage(stderr);
    return 2;
  }
  const mluopTestExecutor *executor = mluop_executor_find(options.op_name);
  if (!executor || !executor->draw_case) {
    fprintf(stderr, "no generator for operator '%s'\n", options.op_name);
    return 2;
  }
  char *folder = mluop_path_join(options.folder, executor->name);
  int failed = !folder || make_folder(options.folder) || make_folder(folder);
  for (long i = 0; i < options.count && !failed; ++i) {
    failed = write_case(executor, folder, options.seed, i, options.refused_percent);
  }
  if (!failed) {
    printf("%ld cases of %s from seed %ld in %s\n", options.count, executor->name, options.seed,
           folder);
  }
  free(folder);
  return failed ? 1 : 0;
}
