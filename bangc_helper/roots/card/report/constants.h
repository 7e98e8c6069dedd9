/* SPDX-License-Identifier: MIT
 *
 * What a kernel's author can tune near a line: constants in capitals with their values, and device
 * facts that the kernel's file uses.
 */
#ifndef CARD_REPORT_CONSTANTS_H_
#define CARD_REPORT_CONSTANTS_H_

#include <stddef.h>
#include <stdint.h>

/* Writes "; constants there: ROWS = 2 (tile.h:7), COLUMNS; facts of the device there: ..." for a
 * line, or "". `kernel_file`: the file of the kernel; NULL: unknown. */
void constants_text(char *text, size_t size, const char *file, uint32_t line,
                    const char *kernel_file);

#endif /* CARD_REPORT_CONSTANTS_H_ */
