/* SPDX-License-Identifier: MIT */
#ifndef CARD_REPORT_HTML_H_
#define CARD_REPORT_HTML_H_

#include <stdio.h>

#include "report/collect.h"

/* Writes the report as one self-contained page. */
void report_write_html(FILE *file, const struct report *report);

#endif /* CARD_REPORT_HTML_H_ */
