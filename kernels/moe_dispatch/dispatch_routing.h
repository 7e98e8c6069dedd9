/* SPDX-License-Identifier: MIT
 *
 * The routing of samples to rows of `dispatch`, for host and device code. */
#ifndef KERNELS_MOE_DISPATCH_DISPATCH_ROUTING_H_
#define KERNELS_MOE_DISPATCH_DISPATCH_ROUTING_H_

#include <stdint.h>

typedef struct DispatchRouting {
  const int32_t *indices, *locations;
  int capacity, num_experts;
} DispatchRouting;

static inline int64_t dispatch_rows(const DispatchRouting *routing) {
  return (int64_t)routing->num_experts * routing->capacity;
}

#endif /* KERNELS_MOE_DISPATCH_DISPATCH_ROUTING_H_ */
