/* SPDX-License-Identifier: MIT
 *
 * What the author of a kernel may change near a line: constants in capitals with their values, and
 * facts of the device that the kernel's file asks for.
 */
#ifndef CARD_REPORT_CONSTANTS_H_
#define CARD_REPORT_CONSTANTS_H_

#include <stddef.h>
#include <stdint.h>

/* Writes "; constants there: ROWS = 2 (tile.h:7), COLUMNS; facts there: ..." about a line, or
 * nothing. `kernel_file`: where the kernel is, NULL: not known. */
void constants_text(char *text, size_t size, const char *file, uint32_t line,
                    const char *kernel_file);

#endif /* CARD_REPORT_CONSTANTS_H_ */
