/* SPDX-License-Identifier: MIT */
#include "run/filter.h"

#include <stdint.h>
#include <string.h>

/* Matches text against pattern[0..n) with * and ?. */
static bool glob(const char *pattern, size_t n, const char *text) {
  size_t p = 0, star = SIZE_MAX;
  const char *resume = NULL;
  while (*text) {
    if (p < n && (pattern[p] == '?' || pattern[p] == *text) && pattern[p] != '*') {
      ++p;
      ++text;
    } else if (p < n && pattern[p] == '*') {
      star = p++;
      resume = text;
    } else if (star != SIZE_MAX) {
      p = star + 1;
      text = ++resume;
    } else {
      return false;
    }
  }
  while (p < n && pattern[p] == '*') {
    ++p;
  }
  return p == n;
}

static bool any_glob_matches(const char *patterns, size_t n, const char *text) {
  for (size_t begin = 0; begin <= n;) {
    size_t end = begin;
    while (end < n && patterns[end] != ':') {
      ++end;
    }
    if (end > begin && glob(patterns + begin, end - begin, text)) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

static bool any_name_matches(const char *patterns, size_t n, const char *const *names,
                             size_t n_names) {
  for (size_t i = 0; i < n_names; ++i) {
    if (any_glob_matches(patterns, n, names[i])) {
      return true;
    }
  }
  return false;
}

bool mluop_filter_matches(const char *filter, const char *const *names, size_t n_names) {
  const char *minus = strchr(filter, '-');
  const size_t n_wanted = minus ? (size_t)(minus - filter) : strlen(filter);
  if (n_wanted && !any_name_matches(filter, n_wanted, names, n_names)) {
    return false;
  }
  return !minus || !any_name_matches(minus + 1, strlen(minus + 1), names, n_names);
}
