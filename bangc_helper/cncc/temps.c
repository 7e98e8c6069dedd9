/* SPDX-License-Identifier: MIT */
#include "temps.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"
#include "util.h"

/* Read by a signal handler: an entry is complete before it is linked in, and entries are never
 * freed. */
typedef struct Entry {
  char *path;
  bool temporary; /* always removed */
  volatile sig_atomic_t doomed;
  struct Entry *next;
} Entry;

static Entry *volatile g_entries;
static char *volatile g_folder;

static void remember(char *path, bool temporary) {
  Entry *entry = xmalloc(sizeof *entry);
  *entry = (Entry){.path = path, .temporary = temporary, .doomed = 1, .next = g_entries};
  g_entries = entry;
}

/* Only regular files are removed: "-o /dev/null" must survive. unlink, stat and rmdir are async-
 * signal-safe. */
static void unlink_doomed(void) {
  for (Entry *e = g_entries; e; e = e->next) {
    struct stat info;
    if (e->doomed && lstat(e->path, &info) == 0 &&
        (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode))) {
      unlink(e->path);
    }
  }
  if (g_folder) rmdir(g_folder);
}

static void on_signal(int number) {
  stop_running_command();
  unlink_doomed();
  signal(number, SIG_DFL);
  raise(number);
}

void temps_init(void) {
  before_fatal(temps_remove_all);
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    struct sigaction old;
    if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
      sigaction(signals[i], &action, NULL);
    }
  }
}

char *temps_path(const char *stem, const char *suffix) {
  static unsigned counter;
  if (!g_folder) {
    const char *base = getenv("TMPDIR");
    if (!base || !*base) base = "/tmp";
    char *folder = xasprintf("%s/cncc-XXXXXX", base);
    if (!mkdtemp(folder)) {
      int reason = errno;
      fatal("cannot create a temporary folder in '%s': %s", base, strerror(reason));
    }
    g_folder = folder;
  }
  char *path = xasprintf("%s/%s-%u%s", g_folder, stem, ++counter, suffix);
  remember(xstrdup(path), true);
  return path;
}

void temps_guard_output(const char *path) {
  remember(xstrdup(path), false);
}

void temps_keep_output(const char *path) {
  for (Entry *e = g_entries; e; e = e->next) {
    if (!e->temporary && strcmp(e->path, path) == 0) e->doomed = 0;
  }
}

void temps_remove_all(void) {
  unlink_doomed();
  Entry *entry = g_entries;
  char *folder = g_folder;
  g_entries = NULL;
  g_folder = NULL;
  while (entry) {
    Entry *next = entry->next;
    free(entry->path);
    free(entry);
    entry = next;
  }
  free(folder);
}
