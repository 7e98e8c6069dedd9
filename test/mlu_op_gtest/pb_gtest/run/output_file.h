/* SPDX-License-Identifier: MIT
 *
 * Files a run leaves for others. What does not arrive on the disk is an error of the run: it is
 * told once per file, and the program ends with it. */
#ifndef MLUOP_TEST_RUN_OUTPUT_FILE_H_
#define MLUOP_TEST_RUN_OUTPUT_FILE_H_

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* fopen, which tells of a failure. */
FILE *mluop_output_open(const char *name, const char *mode);
/* fclose, which tells when a byte was lost on the way. NULL is fine. */
void mluop_output_close(FILE *file, const char *name);
/* Whether a file can be opened for writing; its contents stay. */
bool mluop_output_is_writable(const char *name);
/* Tells unless the file ends with `end`, white space aside: its writer did not look. */
void mluop_output_expect_end(const char *name, const char *end);
/* Tells when something printed was lost. */
void mluop_output_check_stdout(void);

/* Whether anything was told. */
bool mluop_output_failed(void);

#ifdef __cplusplus
}
#endif

#endif /* MLUOP_TEST_RUN_OUTPUT_FILE_H_ */
