/* SPDX-License-Identifier: MIT
 *
 * State of device memory and shared RAM: which bytes were written, and which tasks accessed them
 * last.
 */
#ifndef CARD_CHECKS_DEVICE_H_
#define CARD_CHECKS_DEVICE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "race.h"

/* Marks bytes as not written and forgets who accessed them. */
void card_device_forget(uintptr_t start, size_t bytes);
void card_device_set_written(uintptr_t start, size_t bytes);
/* Offset of the first byte that was not written; `bytes` if all were. */
size_t card_device_find_unwritten(uintptr_t start, size_t bytes);

/* Calls touch for each granule in the range, with its address and a mask of its bytes, while the
 * granule is locked. Stops once touch returns true. */
bool card_device_touch(uintptr_t start, size_t bytes,
                       bool (*touch)(struct card_cell *cell, uintptr_t address, uint32_t mask,
                                     void *argument),
                       void *argument);

#endif /* CARD_CHECKS_DEVICE_H_ */
