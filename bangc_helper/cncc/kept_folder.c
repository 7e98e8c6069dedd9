/* SPDX-License-Identifier: MIT */
#include "kept_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

const char *kept_folder(void) {
  const char *folder = getenv("CNCC_PCH_DIR");
  return folder && *folder ? folder : NULL;
}

bool kept_is_wanted(const Job *job) {
  /* A launcher such as ccache finds its own results again by the whole text. */
  const bool has_launcher = job->host->cxx.count > 1;
  return kept_folder() && !has_launcher && !job->options->save_temps && !job->options->dry_run;
}

char *kept_place(uint64_t key) {
  char *place = xasprintf("%s/%016llx", kept_folder(), (unsigned long long)key);
  mkdir(kept_folder(), 0777);
  if (mkdir(place, 0777) != 0 && errno == EEXIST) return place;
  free(place);
  return NULL;
}

static char *beside(const char *path) {
  return xasprintf("%s.%ld", path, (long)getpid());
}

bool kept_make(const Job *job, StrList *command, const char *path) {
  char *part = beside(path);
  strlist_add2(command, "-o", part);
  bool ok = job_execute_quietly(job, command, part) == 0 && rename(part, path) == 0;
  free(part);
  return ok;
}

bool kept_write(const char *path, const StrBuf *content) {
  char *part = beside(path);
  bool ok = write_file(part, content) && rename(part, path) == 0;
  free(part);
  return ok;
}
