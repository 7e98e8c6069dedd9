/* SPDX-License-Identifier: MIT
 *
 * usage: checker_test PROGRAM SOURCE WORK [KERNEL]
 * Runs the kernels of a family with and without their defects and compares the reports with the
 * marks in the source: every defect must be found at its line, by its check alone, and twins must
 * be silent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "findings.h"
#include "marks.h"

struct family {
  const char *program, *source, *work;
  struct marks marks;
  unsigned missed, false_alarms, wrong;
};

enum { PATH_BYTES = 1024 };

/* Runs the program with all checks and returns its exit status; output and findings go to files in
 * the work folder. */
static int run(const struct family *family, const char *kernel, const char *defect) {
  char json[PATH_BYTES], output[PATH_BYTES];
  snprintf(json, sizeof(json), "%s/findings.json", family->work);
  snprintf(output, sizeof(output), "%s/output.txt", family->work);
  remove(json);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    setenv("MLUOP_CHECK", "all", 1);
    setenv("MLUOP_CHECK_JSON", json, 1);
    if (freopen(output, "w", stdout) == NULL || dup2(1, 2) < 0) {
      _exit(126);
    }
    execl(family->program, family->program, kernel, defect, (char *)NULL);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int read_findings(const struct family *family, struct finding *list) {
  char json[PATH_BYTES];
  snprintf(json, sizeof(json), "%s/findings.json", family->work);
  const int count = findings_read(list, json);
  return count > MAX_FINDINGS ? MAX_FINDINGS : count;
}

/* True if a line of the program's output contains the text. */
static bool output_has(const struct family *family, const char *text) {
  char path[PATH_BYTES], line[2048];
  bool found = false;
  snprintf(path, sizeof(path), "%s/output.txt", family->work);
  FILE *file = fopen(path, "r");
  while (file != NULL && !found && fgets(line, sizeof(line), file) != NULL) {
    found = strstr(line, text) != NULL;
  }
  if (file != NULL) {
    fclose(file);
  }
  return found;
}

static void show_output(const struct family *family) {
  char path[PATH_BYTES], line[2048];
  snprintf(path, sizeof(path), "%s/output.txt", family->work);
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
    printf("    | %s", line);
  }
  if (file != NULL) {
    fclose(file);
  }
}

static void fail_kernel(struct family *family, unsigned *counter, const char *kernel,
                        const char *defect, const char *what) {
  ++*counter;
  printf("%s: %s\n", kernel, what);
  show_output(family);
  printf("    repeat with: MLUOP_CHECK=all %s %s %s\n", family->program, kernel, defect);
}

/* Reports of races with another launch or the host name no second line. */
static bool names_other(const struct finding *f) {
  return strcmp(f->check, "sync") == 0 ||
         (strcmp(f->check, "race") == 0 && strstr(f->what, "the host") == NULL &&
          strstr(f->what, "another launch") == NULL);
}

/* Returns why a finding does not fit the marks; NULL if it does. */
static const char *judge(const struct family *family, const char *kernel, const struct finding *f) {
  static char why[256];
  const struct marks *marks = &family->marks;
  const char *check = marks_check(marks, kernel);
  const char *name = strrchr(family->source, '/');
  why[0] = 0;
  if (strcmp(f->check, check) != 0) {
    snprintf(why, sizeof(why), "FALSE ALARM: %.15s at line %u, the defect is one of %s", f->check,
             f->line, check);
  } else if (strcmp(f->kernel, kernel) != 0) {
    snprintf(why, sizeof(why), "WRONG: reported for kernel '%.127s'", f->kernel);
  } else if (!marks_allow(marks, kernel, f->line, false)) {
    snprintf(why, sizeof(why), "WRONG LINE: %u", f->line);
  } else if (f->other_line != 0 && !marks_allow(marks, kernel, f->other_line, true)) {
    snprintf(why, sizeof(why), "WRONG OTHER LINE: %u", f->other_line);
  } else if (strstr(f->file, name != NULL ? name + 1 : family->source) == NULL) {
    snprintf(why, sizeof(why), "WRONG FILE: %.200s", f->file);
  } else if (names_other(f) && f->other_line == 0) {
    snprintf(why, sizeof(why), "WRONG: the other access is not named");
  } else if (f->count == 0) {
    snprintf(why, sizeof(why), "WRONG: no count");
  }
  return why[0] != 0 ? why : NULL;
}

/* The runtime reports a launch that it refuses, whether or not anything is checked. */
static void check_refusal(struct family *family, const char *kernel) {
  char line[MARK_NAME_BYTES + 32];
  snprintf(line, sizeof(line), "kernel %s not started: ", kernel);
  if (run(family, kernel, "1") != 0 || !output_has(family, line)) {
    fail_kernel(family, &family->missed, kernel, "1", "MISSED");
  }
}

static void check_defect(struct family *family, const char *kernel) {
  static struct finding list[MAX_FINDINGS];
  if (strcmp(marks_check(&family->marks, kernel), "nothing") == 0) {
    return; /* it has no defect */
  }
  if (strcmp(marks_check(&family->marks, kernel), "refusal") == 0) {
    check_refusal(family, kernel);
    return;
  }
  const int status = run(family, kernel, "1");
  const int count = read_findings(family, list);
  char headline[64];
  snprintf(headline, sizeof(headline), "cncheck: %s: ", marks_check(&family->marks, kernel));
  if (count < 0) {
    fail_kernel(family, &family->wrong, kernel, "1", "WRONG: the findings cannot be read");
  } else if (count == 0) {
    fail_kernel(family, &family->missed, kernel, "1", "MISSED");
  } else if (status != 0) {
    fail_kernel(family, &family->wrong, kernel, "1",
                "WRONG: the launch has no error, or the next one fails");
  } else if (!output_has(family, headline) || !output_has(family, "  repeat with: MLUOP_CHECK=")) {
    fail_kernel(family, &family->wrong, kernel, "1", "WRONG: no report on the standard error");
  }
  for (int i = 0; i < count; ++i) {
    const char *why = judge(family, kernel, &list[i]);
    if (why != NULL) {
      fail_kernel(family, strncmp(why, "FALSE", 5) == 0 ? &family->false_alarms : &family->wrong,
                  kernel, "1", why);
    }
  }
}

static void check_twin(struct family *family, const char *kernel) {
  static struct finding list[MAX_FINDINGS];
  const int status = run(family, kernel, kernel != NULL ? "0" : NULL);
  const int count = read_findings(family, list);
  if (count == 0 && status == 0) {
    return;
  }
  if (kernel != NULL) {
    fail_kernel(family, &family->false_alarms, kernel, "0",
                count != 0 ? "FALSE ALARM in the twin" : "the twin fails");
    return;
  }
  /* All ran in one process: run them one by one to find the culprit. */
  const unsigned before = family->false_alarms;
  for (size_t i = 0; i < family->marks.kernel_count; ++i) {
    check_twin(family, family->marks.kernels[i]);
  }
  if (family->false_alarms == before) {
    run(family, NULL, NULL);
    fail_kernel(family, &family->wrong, "(all)", "", "twins fail together and not alone");
  }
}

int main(int argc, char **argv) {
  static struct family family;
  if (argc < 4) {
    fputs("usage: checker_test PROGRAM SOURCE WORK [KERNEL]\n", stderr);
    return 2;
  }
  family.program = argv[1];
  family.source = argv[2];
  family.work = argv[3];
  if (!marks_read(&family.marks, family.source)) {
    return 2;
  }
  const char *only = argc > 4 ? argv[4] : NULL;
  size_t checked = 0;
  for (size_t i = 0; i < family.marks.kernel_count; ++i) {
    const char *kernel = family.marks.kernels[i];
    if (only == NULL || strcmp(only, kernel) == 0) {
      check_defect(&family, kernel);
      ++checked;
    }
  }
  check_twin(&family, only);
  printf("%s: %zu kernels, %u missed, %u false alarms, %u otherwise wrong\n", family.source,
         checked, family.missed, family.false_alarms, family.wrong);
  return checked > 0 && family.missed + family.false_alarms + family.wrong == 0 ? 0 : 1;
}
