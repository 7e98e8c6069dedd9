/* SPDX-License-Identifier: MIT */
#include "unions.h"

int rt_union_clusters(cnrtFunctionType_t type) {
  if (type == cnrtFuncTypeBlock) {
    return 0;
  }
  return type > 0 && type % cnrtFuncTypeUnion1 == 0 ? (int)type / cnrtFuncTypeUnion1 : -1;
}

bool rt_union_has_name(int clusters) {
  return clusters <= RT_MAX_UNION && (clusters & (clusters - 1)) == 0;
}

int rt_largest_union(unsigned clusters) {
  int n = 1;
  while (n < RT_MAX_UNION && (unsigned)n * 2 <= clusters) {
    n *= 2;
  }
  return n;
}
