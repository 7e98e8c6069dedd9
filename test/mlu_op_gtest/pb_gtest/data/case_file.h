/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_DATA_CASE_FILE_H_
#define MLUOP_TEST_DATA_CASE_FILE_H_

#include "base/text.h"
#include "mlu_op_test.pb-c.h"
#include "schema/sweep.h"

/* The file of a case's path, which may be "file.prototxt#member"; `member` is in `path`, NULL when
 * it names a file. Release with free. NULL when memory is short. */
char *mluop_case_path_file(const char *path, const char **member);

/* The cases in a file with a sweep, none when the file is one case. */
int mluop_case_file_members(const char *file, mluopSweepMembers *members, mluopTestText *errors);

/* Reads a .prototxt (text) or .pb (binary) case, or a member of a text with a sweep. NULL with
 * "file:line:column: reason" lines in `errors` when it is not one; warnings name fields that were
 * skipped. Release with mluoptest__node__free_unpacked(node, NULL). */
Mluoptest__Node *mluop_case_file_load(const char *path, mluopTestText *errors,
                                      mluopTestText *warnings);

/* The same from memory; `name` stands for the path in messages. */
Mluoptest__Node *mluop_case_text_load(const char *name, const char *text, size_t size,
                                      mluopTestText *errors, mluopTestText *warnings);
Mluoptest__Node *mluop_case_binary_load(const char *name, const void *data, size_t size,
                                        mluopTestText *errors);

#endif /* MLUOP_TEST_DATA_CASE_FILE_H_ */
