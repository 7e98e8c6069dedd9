/* SPDX-License-Identifier: MIT */
#include "job.h"

#include <string.h>

#include "process.h"
#include "temps.h"

int job_execute(const Job *job, StrList *command) {
  if (job->options->verbose) print_command(command);
  int status = job->options->dry_run ? 0
               : job->messages       ? capture_messages(command, job->messages)
                                     : run_command(command);
  strlist_free(command);
  return status;
}

/* Once the command starts, the output belongs to it and is deleted on failure. Before that it may
 * be the user's file. A command that did not start (127) has not touched it. */
int job_execute_writing(const Job *job, StrList *command, const char *output) {
  bool writes = output && !job->options->dry_run;
  if (writes) temps_guard_output(output);
  int status = job_execute(job, command);
  if (writes && (status == 0 || status == 127)) temps_keep_output(output);
  return status;
}

int job_execute_quietly(const Job *job, StrList *command, const char *output) {
  StrBuf ignored = {0};
  Job quiet = *job;
  quiet.messages = &ignored;
  int status = job_execute_writing(&quiet, command, output);
  strbuf_free(&ignored);
  return status;
}

char *input_stem(const Input *input) {
  const char *slash = strrchr(input->text, '/');
  const char *base = slash ? slash + 1 : input->text;
  const char *dot = strrchr(base, '.');
  if (strcmp(base, "-") == 0) return xstrdup("stdin");
  return dot && dot != base ? xstrndup(base, (size_t)(dot - base)) : xstrdup(base);
}

char *job_intermediate(const Job *job, const char *stem, const char *suffix) {
  return job->options->save_temps ? xasprintf("%s%s", stem, suffix) : temps_path(stem, suffix);
}
