/* SPDX-License-Identifier: MIT
 *
 * Settings from the environment: which checks run, and which places they ignore.
 */
#include "checks/settings.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

unsigned card_checks_on;

static const char *const names[CARD_CHECK_COUNT] = {
    [CARD_CHECK_MEMORY] = "memory", [CARD_CHECK_INIT] = "init",       [CARD_CHECK_SYNC] = "sync",
    [CARD_CHECK_RACE] = "race",     [CARD_CHECK_BARRIER] = "barrier", [CARD_CHECK_RULES] = "rules",
};

const char *card_check_name(enum card_check check) {
  return names[check];
}

/* ---- Checks ---- */

static unsigned mask_of(const char *name, size_t length) {
  if (length == 3 && strncmp(name, "all", 3) == 0) {
    return (1u << CARD_CHECK_COUNT) - 1;
  }
  for (unsigned i = 0; i < CARD_CHECK_COUNT; ++i) {
    if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0) {
      return 1u << i;
    }
  }
  return 0;
}

static unsigned read_checks(const char *text) {
  unsigned mask = 0;
  while (*text != 0) {
    const size_t length = strcspn(text, ",");
    const unsigned one = mask_of(text, length);
    if (one == 0 && length != 0) {
      rt_warn(
          "MLUOP_CHECK: no check '%.*s'; there are memory, init, sync, race, barrier, rules, all",
          (int)length, text);
    }
    mask |= one;
    text += length;
    text += *text == ',';
  }
  return mask;
}

/* ---- Suppressions ---- */

struct suppression {
  char check[16];
  char file[256];
  char function[256];
  struct suppression *next;
};

static struct suppression *suppressions;

static void read_suppressions(const char *path) {
  char line[600];
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    rt_warn("MLUOP_CHECK_SUPPRESS: cannot read '%s'", path);
    return;
  }
  while (fgets(line, sizeof(line), file) != NULL) {
    line[strcspn(line, "#\r\n")] = 0;
    struct suppression one = {.next = suppressions};
    const int fields =
        sscanf(line, " %15[^: ] : %255[^: ] : %255[^: ]", one.check, one.file, one.function);
    if (fields <= 0) {
      continue;
    }
    if (fields != 3) {
      rt_warn("MLUOP_CHECK_SUPPRESS: '%s' is not check:file:function", line);
      continue;
    }
    struct suppression *added = malloc(sizeof(*added));
    if (added != NULL) {
      *added = one;
      suppressions = added;
    }
  }
  fclose(file);
}

/* A pattern without a folder matches the file's base name. */
static bool file_matches(const char *pattern, const char *file) {
  const char *slash = strrchr(file, '/');
  return fnmatch(pattern, file, 0) == 0 || (slash != NULL && fnmatch(pattern, slash + 1, 0) == 0);
}

bool card_is_suppressed(const struct card_finding *finding) {
  for (const struct suppression *s = suppressions; s != NULL; s = s->next) {
    if (fnmatch(s->check, names[finding->check], 0) == 0 &&
        file_matches(s->file, finding->site.file) &&
        fnmatch(s->function, finding->site.function, 0) == 0) {
      return true;
    }
  }
  return false;
}

/* ---- Once ---- */

static void read_environment(void) {
  const char *checks = getenv("MLUOP_CHECK");
  const char *path = getenv("MLUOP_CHECK_SUPPRESS");
  card_checks_on = checks != NULL ? read_checks(checks) : 0;
  if (card_checks_on != 0 && path != NULL && *path != 0) {
    read_suppressions(path);
  }
}

void card_checks_begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_environment);
}
