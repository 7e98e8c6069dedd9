/* SPDX-License-Identifier: MIT
 *
 * Sweeps: the text of a case file that holds several cases (message Sweep of the schema). */
#ifndef MLUOP_TEST_SCHEMA_SWEEP_H_
#define MLUOP_TEST_SCHEMA_SWEEP_H_

#include <stddef.h>

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopSweepMembers {
  char **names; /* in the order of appearance */
  size_t n;
} mluopSweepMembers;

/* The members of the sweep in `text`; none if there is no sweep. Returns -1 with the reason in
 * `errors` if the sweep is invalid. Release with mluop_sweep_members_free. */
int mluop_sweep_members(const char *name, const char *text, size_t size, mluopSweepMembers *members,
                        mluopTestText *errors);
void mluop_sweep_members_free(mluopSweepMembers *members);

typedef enum mluopSweepResult {
  MLUOP_SWEEP_FAILED = -1, /* the reason is in `errors` */
  MLUOP_SWEEP_EXPANDED,    /* *expanded is the text of one case; release it with free */
  MLUOP_SWEEP_NONE,        /* neither a sweep nor a member: `text` itself is the case */
} mluopSweepResult;

/* The text of one member, with the same number of lines. If `member` is NULL, the text must not
 * have a sweep. */
mluopSweepResult mluop_sweep_expand(const char *name, const char *text, size_t size,
                                    const char *member, char **expanded, size_t *expanded_size,
                                    mluopTestText *errors);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_SCHEMA_SWEEP_H_ */
