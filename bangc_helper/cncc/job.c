/* SPDX-License-Identifier: MIT */
#include "job.h"

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

char *job_intermediate(const Job *job, const char *stem, const char *suffix) {
  return job->options->save_temps ? xasprintf("%s%s", stem, suffix) : temps_path(stem, suffix);
}
