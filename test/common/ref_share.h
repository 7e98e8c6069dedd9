/* SPDX-License-Identifier: MIT
 *
 * Splits a reference over threads. */
#ifndef TEST_COMMON_REF_SHARE_H_
#define TEST_COMMON_REF_SHARE_H_

#include <stdint.h>

/* Part `index` of `count` equal parts; a count of 0 is the whole. */
typedef struct RefShare {
  int index, count;
} RefShare;

/* The share's items [begin, end) of n. */
typedef struct RefRange {
  int64_t begin, end;
} RefRange;

static inline RefRange ref_share_range(RefShare share, int64_t n) {
  if (share.count == 0) return (RefRange){0, n};
  return (RefRange){n * share.index / share.count, n * (share.index + 1) / share.count};
}

static inline int ref_range_holds(RefRange range, int64_t item) {
  return item >= range.begin && item < range.end;
}

#endif /* TEST_COMMON_REF_SHARE_H_ */
