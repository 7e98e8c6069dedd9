/* SPDX-License-Identifier: MIT
 *
 * The folder that CNCC_PCH_DIR names. Compilers that run at the same time share it: a file is
 * written beside its place, and a rename follows.
 */
#ifndef CNCC_KEPT_FOLDER_H_
#define CNCC_KEPT_FOLDER_H_

#include "job.h"

/* Its path; NULL: the variable is not set. */
const char *kept_folder(void);

/* May the job keep files there? */
bool kept_is_wanted(const Job *job);

/* The folder in it for what `key` identifies, which the caller frees. NULL when it was not there
 * before: a single file would not repay the work. */
char *kept_place(uint64_t key);

/* Runs a command, which is freed, with -o for its output. An ordinary compilation repeats its
 * messages. */
bool kept_make(const Job *job, StrList *command, const char *path);

bool kept_write(const char *path, const StrBuf *content);

#endif /* CNCC_KEPT_FOLDER_H_ */
