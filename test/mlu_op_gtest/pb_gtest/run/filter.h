/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_FILTER_H_
#define MLUOP_TEST_RUN_FILTER_H_

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Google Test's filter language (patterns with * and ?, separated by ':', those after '-' exclude),
 * applied to a test known under several names. */
bool mluop_filter_matches(const char *filter, const char *const *names, size_t n_names);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_RUN_FILTER_H_ */
