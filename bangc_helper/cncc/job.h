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
  StrBuf *messages; /* what commands print on stderr is kept there; NULL: it goes to ours */
};

/* Runs a command and frees it; its exit status. Shows it with -v, and only that with -###. */
int job_execute(const Job *job, StrList *command);

/* The same for a command that writes `output` (NULL: nothing): the file goes when it fails. */
int job_execute_writing(const Job *job, StrList *command, const char *output);

/* Where an intermediate file goes: a temporary folder, or here with -save-temps. The caller frees
 * it. */
char *job_intermediate(const Job *job, const char *stem, const char *suffix);

#endif /* CNCC_JOB_H_ */
