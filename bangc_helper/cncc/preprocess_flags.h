/* SPDX-License-Identifier: MIT
 *
 * The flags of every command that preprocesses: what the user asked for, and lists of dependencies.
 */
#ifndef CNCC_PREPROCESS_FLAGS_H_
#define CNCC_PREPROCESS_FLAGS_H_

#include "job.h"

/* The file for -MD: next to the output with the suffix replaced, unless -MF names one. The caller
 * frees the name. */
char *depend_file(const Options *o, const char *target);

/* For a list of dependencies beside the output. */
void add_depend_flags(const Job *job, const char *target, StrList *command);

/* With -M and -MM the list of dependencies is the output. */
void add_only_depend_flags(const Job *job, StrList *command);

/* The user's flags for the preprocessor; the files of -include go to a list of their own. */
void add_preprocess_flags(const Job *job, bool for_reading, StrList *command, StrList *included);

#endif /* CNCC_PREPROCESS_FLAGS_H_ */
