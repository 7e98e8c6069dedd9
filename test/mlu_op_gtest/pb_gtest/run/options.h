/* SPDX-License-Identifier: MIT
 *
 * The options of mluop_gtest, from the environment and the command line. */
#ifndef MLUOP_TEST_RUN_OPTIONS_H_
#define MLUOP_TEST_RUN_OPTIONS_H_

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopTestOptions {
#define OPTION_TEXT(field, flag, variable, fallback, help) const char *field;
#define OPTION_TEXT_OPTIONAL(field, flag, bare, help) const char *field;
#define OPTION_NUMBER(field, flag, variable, fallback, minimum, help) int field;
#define OPTION_INTEGER(field, flag, variable, fallback, help) int field;
#define OPTION_MASK(field, variable, help) uint64_t field;
#define OPTION_BOOL(field, flag, variable, help) bool field;
#define OPTION_BOOL_ON(field, flag, variable, help) bool field;
#define OPTION_WITHOUT_EFFECT(flag, variable, help)
#include "run/option_list.inc"
#undef OPTION_TEXT
#undef OPTION_TEXT_OPTIONAL
#undef OPTION_NUMBER
#undef OPTION_INTEGER
#undef OPTION_MASK
#undef OPTION_BOOL
#undef OPTION_BOOL_ON
#undef OPTION_WITHOUT_EFFECT
} mluopTestOptions;

typedef enum mluopOptionsOutcome {
  MLUOP_OPTIONS_RUN,
  MLUOP_OPTIONS_HELP,  /* --help: print it and end with 0 */
  MLUOP_OPTIONS_WRONG, /* end with 2; errors says why */
} mluopOptionsOutcome;

/* Takes its own flags out of argv and leaves those of Google Test. Texts point into argv and the
 * environment. */
mluopOptionsOutcome mluop_options_parse(int *argc, char **argv, mluopTestOptions *options,
                                        mluopTestText *errors);

void mluop_options_help(const char *program);

/* Appends the options that differ from their defaults as they would be typed, without those that
 * choose cases. */
void mluop_options_repeat(const mluopTestOptions *options, mluopTestText *command);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_OPTIONS_H_ */
