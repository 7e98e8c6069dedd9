/* SPDX-License-Identifier: MIT
 *
 * Escapes strings for JSON and HTML. Numbers are written without printf's %f, which may print a
 * comma in some locales.
 */
#ifndef CARD_REPORT_TEXT_H_
#define CARD_REPORT_TEXT_H_

#include <stdint.h>
#include <stdio.h>

/* Writes the text in quotation marks. */
void text_json(FILE *file, const char *text);
void text_html(FILE *file, const char *text);
/* Picoseconds as microseconds with three digits after the point. */
void text_us(FILE *file, int64_t ps);
/* The same, rounded to the digits that a reader needs. */
void text_us_short(FILE *file, int64_t ps);
/* value / unit with one digit after the point, rounded down. */
void text_tenths(FILE *file, int64_t value, int64_t unit);

#endif /* CARD_REPORT_TEXT_H_ */
