/* SPDX-License-Identifier: MIT
 *
 * Allocations of device memory for reports, freed ones included.
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
/* The nearest one to an address; false when there is none within a megabyte. */
bool card_allocations_near(uintptr_t address, struct card_allocation *found);

#endif /* CARD_CHECKS_ALLOCATIONS_H_ */
