/* SPDX-License-Identifier: MIT
 *
 * State of memory that tasks share: which bytes somebody has written, and who touched them last.
 */
#ifndef CARD_CHECKS_DEVICE_H_
#define CARD_CHECKS_DEVICE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "race.h"

/* Forgets what is known of these bytes: nobody has written them. */
void card_device_forget(uintptr_t start, size_t bytes);
void card_device_set_written(uintptr_t start, size_t bytes);
/* The first of these bytes that nobody has written; `bytes` when there is none. */
size_t card_device_find_unwritten(uintptr_t start, size_t bytes);

/* Calls touch for every granule of the bytes, which is locked meanwhile: with its address and a
 * mask of its bytes. Ends when touch returns true. */
bool card_device_touch(uintptr_t start, size_t bytes,
                       bool (*touch)(struct card_cell *cell, uintptr_t address, uint32_t mask,
                                     void *argument),
                       void *argument);

#endif /* CARD_CHECKS_DEVICE_H_ */
