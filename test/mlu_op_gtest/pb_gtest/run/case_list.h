/* SPDX-License-Identifier: MIT
 *
 * Which case files to run, and for which operator. */
#ifndef MLUOP_TEST_RUN_CASE_LIST_H_
#define MLUOP_TEST_RUN_CASE_LIST_H_

#include "executor.h"
#include "run/options.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopCaseEntry {
  const mluopTestExecutor
      *executor; /* NULL: no operator of this build; running the case says why */
  char *path;    /* absolute */
  size_t number; /* among the cases found for its operator: the one in its test's name */
} mluopCaseEntry;

typedef struct mluopCaseList {
  mluopCaseEntry *entries; /* by operator in registry order, then by path */
  size_t n;
  size_t n_unreadable; /* listed paths that do not exist; they stay in the list and fail */
  char *why_empty;     /* a line for the user when n is 0 */
} mluopCaseList;

/* `default_dir` is used when no option says where cases are. Returns 0, or -1 when nothing could be
 * searched. */
int mluop_case_list_build(const mluopTestOptions *options, const char *default_dir,
                          mluopCaseList *list, mluopTestText *errors);
void mluop_case_list_free(mluopCaseList *list);

/* The part of an entry's path a filter is matched with: from the operator's folder on. */
const char *mluop_case_entry_file(const mluopCaseEntry *entry);

/* Leaves the entries that Google Test's `filter` matches, by the name of their test or by their
 * file, and of those as many per operator as --rand_n says. Returns -1 when memory is short. */
int mluop_case_list_select(const mluopTestOptions *options, const char *filter,
                           mluopCaseList *list);

/* Name of the operator an entry belongs to, for its test suite. */
const char *mluop_case_entry_op(const mluopCaseEntry *entry);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_CASE_LIST_H_ */
