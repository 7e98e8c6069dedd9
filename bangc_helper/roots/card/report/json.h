/* SPDX-License-Identifier: MIT */
#ifndef CARD_REPORT_JSON_H_
#define CARD_REPORT_JSON_H_

#include <stdio.h>

#include "report/collect.h"

void report_write_json(FILE *file, const struct report *report);

#endif /* CARD_REPORT_JSON_H_ */
