/* SPDX-License-Identifier: MIT
 *
 * Memory allocation that ends the program if it fails.
 */
#ifndef CARD_INSTRUMENT_SUPPORT_H_
#define CARD_INSTRUMENT_SUPPORT_H_

#include <stddef.h>

/* Ends the program with a message. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Zeroed memory. */
void *allocate(size_t count, size_t size);
/* A copy of a text. */
char *copy_text(const char *text);
/* Makes room for one more element of an array. */
void *grow(void *array, size_t count, size_t *room, size_t size);

#endif /* CARD_INSTRUMENT_SUPPORT_H_ */
