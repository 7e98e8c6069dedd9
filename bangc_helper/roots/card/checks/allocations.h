/* SPDX-License-Identifier: MIT
 *
 * Allocations of device memory, which reports name; freed ones too.
 */
#ifndef CARD_CHECKS_ALLOCATIONS_H_
#define CARD_CHECKS_ALLOCATIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct card_allocation {
  uintptr_t start;
  size_t bytes;
  bool is_freed;
};

void card_allocations_add(uintptr_t start, size_t bytes);
void card_allocations_free(uintptr_t start, size_t bytes);
/* Finds the allocation nearest to an address; false if none is within a megabyte. */
bool card_allocations_near(uintptr_t address, struct card_allocation *found);

#endif /* CARD_CHECKS_ALLOCATIONS_H_ */
