/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_DATA_CASE_FILE_H_
#define MLUOP_TEST_DATA_CASE_FILE_H_

#include "base/text.h"
#include "mlu_op_test.pb-c.h"
#include "schema/sweep.h"

/* Returns the file of a case path, which may be "file.prototxt#member". `member` points into
 * `path`, or is NULL for a plain file. Release with free. NULL if out of memory. */
char *mluop_case_path_file(const char *path, const char **member);

/* The members of a file with a sweep; none if the file is a single case. */
int mluop_case_file_members(const char *file, mluopSweepMembers *members, mluopTestText *errors);

/* Reads a .prototxt (text) or .pb (binary) case, or a member of a text with a sweep. On error
 * returns NULL with "file:line:column: reason" lines in `errors`; warnings name skipped fields.
 * Release with mluoptest__node__free_unpacked(node, NULL). */
Mluoptest__Node *mluop_case_file_load(const char *path, mluopTestText *errors,
                                      mluopTestText *warnings);

/* The same from memory; messages use `name` as the path. */
Mluoptest__Node *mluop_case_text_load(const char *name, const char *text, size_t size,
                                      mluopTestText *errors, mluopTestText *warnings);
Mluoptest__Node *mluop_case_binary_load(const char *name, const void *data, size_t size,
                                        mluopTestText *errors);

#endif /* MLUOP_TEST_DATA_CASE_FILE_H_ */
