/* SPDX-License-Identifier: MIT
 *
 * What all steps of one command line share, and how they run other programs.
 */
#ifndef CNCC_JOB_H_
#define CNCC_JOB_H_

#include "host.h"
#include "options.h"
#include "target.h"

struct Job {
  const Options *options;
  const Host *host;
  const Target *target;
  const char *root;
  char *include;    /* <root>/include */
  StrBuf *messages; /* collects what commands print on stderr; NULL: it goes to ours */
};

/* Runs a command, frees it and returns its exit status. -v prints it, -### only prints it. */
int job_execute(const Job *job, StrList *command);

/* The same for a command that writes `output` (NULL: nothing), which is deleted if the command
 * fails. */
int job_execute_writing(const Job *job, StrList *command, const char *output);

/* The same without what the command prints: another one prints it, too. */
int job_execute_quietly(const Job *job, StrList *command, const char *output);

/* "dir/name.suffix" -> "name", after which intermediate files are named. The caller frees it. */
char *input_stem(const Input *input);

/* Path of an intermediate file: in a temporary folder, or in the working folder with -save-temps.
 * The caller frees it. */
char *job_intermediate(const Job *job, const char *stem, const char *suffix);

#endif /* CNCC_JOB_H_ */
