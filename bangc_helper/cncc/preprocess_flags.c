/* SPDX-License-Identifier: MIT */
#include "preprocess_flags.h"

#include <string.h>

char *depend_file(const Options *o, const char *target) {
  if (o->depend_file) return xstrdup(o->depend_file);
  const char *slash = strrchr(target, '/');
  const char *dot = strrchr(target, '.');
  size_t keep = dot && (!slash || dot > slash) ? (size_t)(dot - target) : strlen(target);
  return xasprintf("%.*s.d", (int)keep, target);
}

void add_depend_flags(const Job *job, const char *target, StrList *command) {
  const Options *o = job->options;
  if (!o->depend) return;
  strlist_add(command, o->depend_user_only ? "-MMD" : "-MD");
  /* Also lists the files that a precompiled header was made from. gcc crashes if it has no list. */
  if (!job->host->is_clang) strlist_add(command, "-fpch-deps");
  strlist_add(command, "-MF");
  strlist_take(command, depend_file(o, target));
  if (o->depend_targets.count) {
    strlist_add_all(command, &o->depend_targets);
  } else {
    strlist_add2(command, "-MQ", target);
  }
  if (o->depend_phony) strlist_add(command, "-MP");
}

void add_only_depend_flags(const Job *job, StrList *command) {
  const Options *o = job->options;
  strlist_add(command, o->depend_user_only ? "-MM" : "-M");
  if (o->depend_file) strlist_add2(command, "-MF", o->depend_file);
  strlist_add_all(command, &o->depend_targets);
  if (o->depend_phony) strlist_add(command, "-MP");
}

/* -P and -d* change what -E prints; in a compilation they would cost the line numbers. */
static bool changes_print(const char *flag) {
  return strcmp(flag, "-P") == 0 || strcmp(flag, "-dM") == 0 || strcmp(flag, "-dD") == 0;
}

void add_preprocess_flags(const Job *job, bool for_reading, StrList *command, StrList *included) {
  const StrList *flags = &job->options->preprocess;
  for (size_t i = 0; i < flags->count; ++i) {
    const char *flag = flags->items[i];
    if (strcmp(flag, "-include") == 0 && i + 1 < flags->count) {
      strlist_add2(included, flag, flags->items[++i]);
    } else if (for_reading || !changes_print(flag)) {
      strlist_add(command, flag);
    }
  }
}
