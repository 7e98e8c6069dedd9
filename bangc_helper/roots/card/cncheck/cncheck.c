/* SPDX-License-Identifier: MIT
 *
 * Runs a program with the checks of the card root (docs/checker.md). The exit status is the
 * program's, or 1 if the program succeeded but there were reports.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USAGE = 2, NOT_FOUND = 127, BY_SIGNAL = 128 };

static const char *const names[] = {"memory", "init", "sync", "race", "barrier", "rules", "all"};

static int usage(void) {
  fputs(
      "usage: cncheck [--tool=CHECK,...] [--json=FILE] [--suppressions=FILE] PROGRAM "
      "[ARGUMENT...]\n"
      "checks: memory, init, sync, race, barrier, rules, all (the default)\n",
      stderr);
  return USAGE;
}

static bool is_name(const char *text, size_t length) {
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i) {
    if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0) {
      return true;
    }
  }
  return false;
}

static bool are_names(const char *text) {
  for (;;) {
    const size_t length = strcspn(text, ",");
    if (!is_name(text, length)) {
      fprintf(stderr,
              "cncheck: no check '%.*s'; there are memory, init, sync, race, barrier, rules, all\n",
              (int)length, text);
      return false;
    }
    if (text[length] == 0) {
      return true;
    }
    text += length + 1;
  }
}

/* The value of the option "--name=value"; NULL if the word is another option. */
static const char *value_of(const char *argument, const char *name) {
  const size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

/* Findings are written at the end of each launch, so they exist even if the program crashes later.
 */
static bool has_findings(const char *path) {
  FILE *file = fopen(path, "re");
  int c = EOF;
  while (file != NULL && (c = fgetc(file)) != EOF && c != '{') {
  }
  if (file != NULL) {
    fclose(file);
  }
  return c == '{';
}

static int run(char **command) {
  const pid_t child = fork();
  int status = 0;
  if (child == 0) {
    execvp(command[0], command);
    fprintf(stderr, "cncheck: cannot run '%s': %s\n", command[0], strerror(errno));
    _exit(NOT_FOUND);
  }
  if (child < 0 || waitpid(child, &status, 0) < 0) {
    perror("cncheck");
    return NOT_FOUND;
  }
  return WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv) {
  const char *checks = "all";
  const char *json = NULL;
  const char *suppressions = NULL;
  int first = 1;
  for (; first < argc && strncmp(argv[first], "--", 2) == 0; ++first) {
    const char *value = NULL;
    if ((value = value_of(argv[first], "--tool=")) != NULL) {
      checks = value;
    } else if ((value = value_of(argv[first], "--json=")) != NULL) {
      json = value;
    } else if ((value = value_of(argv[first], "--suppressions=")) != NULL) {
      suppressions = value;
    } else if (strcmp(argv[first], "--") == 0) {
      ++first;
      break;
    } else {
      return usage();
    }
  }
  if (first >= argc) {
    return usage();
  }
  if (!are_names(checks)) {
    return USAGE;
  }
  char own[] = "/tmp/cncheck.XXXXXX";
  if (json == NULL) {
    const int file = mkstemp(own);
    if (file < 0) {
      perror("cncheck");
      return NOT_FOUND;
    }
    close(file);
  } else {
    unlink(json);
  }
  setenv("MLUOP_CHECK", checks, 1);
  setenv("MLUOP_CHECK_JSON", json != NULL ? json : own, 1);
  if (suppressions != NULL) {
    setenv("MLUOP_CHECK_SUPPRESS", suppressions, 1);
  }
  const int status = run(argv + first);
  const bool found = has_findings(json != NULL ? json : own);
  if (json == NULL) {
    unlink(own);
  }
  return status == 0 && found ? 1 : status;
}
