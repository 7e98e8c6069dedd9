/* SPDX-License-Identifier: MIT
 *
 * Files that a run writes. Data that does not reach the disk is an error of the run: it is
 * reported once per file, and the program's exit status shows it. */
#ifndef MLUOP_TEST_RUN_OUTPUT_FILE_H_
#define MLUOP_TEST_RUN_OUTPUT_FILE_H_

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* fopen that reports a failure. */
FILE *mluop_output_open(const char *name, const char *mode);
/* fclose that reports lost data. NULL is allowed. */
void mluop_output_close(FILE *file, const char *name);
/* Whether a file can be opened for writing; its contents stay. */
bool mluop_output_is_writable(const char *name);
/* Reports a file that does not end with `end`, white space aside, because its writer does not
 * check for errors. */
void mluop_output_expect_end(const char *name, const char *end);
/* Reports that output on stdout was lost. */
void mluop_output_check_stdout(void);

/* Whether anything was reported. */
bool mluop_output_failed(void);

#ifdef __cplusplus
}
#endif

#endif /* MLUOP_TEST_RUN_OUTPUT_FILE_H_ */
