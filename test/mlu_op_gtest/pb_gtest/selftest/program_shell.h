/* SPDX-License-Identifier: MIT
 *
 * Runs mluop_gtest from a test, in a temporary folder. */
#ifndef MLUOP_TEST_SELFTEST_PROGRAM_SHELL_H_
#define MLUOP_TEST_SELFTEST_PROGRAM_SHELL_H_

#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "selftest/check.h"
#include "test/common/scratch.h"

static char folder[SCRATCH_PATH];
static const char *programs;

typedef struct Outcome {
  int code;
  mluopTestText text; /* standard output and error */
} Outcome;

/* Runs a shell command in the test's folder; $GTEST is the program. */
static Outcome shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static Outcome shell(const char *format, ...) {
  Outcome outcome = {.code = -1};
  char command[2048];
  va_list args;
  va_start(args, format);
  vsnprintf(command, sizeof(command), format, args);
  va_end(args);
  /* Passed as a variable, because the folder's name may have spaces. */
  char *line =
      mluop_text_format("cd '%s' && PATH='%s':\"$PATH\" && GTEST=mluop_gtest && { %s ; } 2>&1",
                        folder, programs, command);
  FILE *pipe = line ? popen(line, "re") : NULL;
  if (pipe) {
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) {
      mluop_text_add_bytes(&outcome.text, buffer, n);
    }
    const int status = pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  free(line);
  return outcome;
}

static void expect(Outcome outcome, int code, const char *part, const char *where) {
  if (outcome.code != code || (part && !strstr(mluop_text_get(&outcome.text), part))) {
    ++check_failures;
    fprintf(stderr, "%s: exit code %d (wanted %d), wanted \"%s\" in:\n%s\n", where, outcome.code,
            code, part ? part : "", mluop_text_get(&outcome.text));
  }
  mluop_text_free(&outcome.text);
}

#define STRINGIZE_(x) #x
#define STRINGIZE(x) STRINGIZE_(x)
#define EXPECT(command, code, part) \
  expect(shell("%s", command), code, part, "line " STRINGIZE(__LINE__))

static void write_file(const char *name, const char *text) {
  mluopTestText errors = {0};
  char *path = mluop_path_join(folder, name);
  CHECK(path && !mluop_file_write_all(path, text, strlen(text), &errors));
  free(path);
  mluop_text_free(&errors);
}

static void make_folder(const char *name) {
  char *path = mluop_path_join(folder, name);
  CHECK(path && !mkdir(path, 0777));
  free(path);
}

/* The test's argument is the programs' folder. */
static void open_folder(int argc, char **argv) {
  if (argc != 2 || !mkdtemp(scratch_path(folder, "mluop_program"))) {
    fprintf(stderr, "usage: %s FOLDER_OF_MLUOP_GTEST\n", argv[0]);
    exit(2);
  }
  programs = argv[1];
}

static void remove_folder(void) {
  expect(shell("rm -rf '%s'", folder), 0, NULL, "cleaning up");
}

#endif /* MLUOP_TEST_SELFTEST_PROGRAM_SHELL_H_ */
