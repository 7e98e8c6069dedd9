/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_FILTER_H_
#define MLUOP_TEST_RUN_FILTER_H_

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Google Test's filter language (patterns with * and ?, separated by ':', those after '-' exclude),
 * applied to a test known under two names. */
bool mluop_filter_matches(const char *filter, const char *name, const char *other_name);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_FILTER_H_ */
