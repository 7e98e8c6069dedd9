/* SPDX-License-Identifier: MIT
 *
 * Lines of source files, if the files can be read.
 */
#ifndef CARD_REPORT_SOURCE_H_
#define CARD_REPORT_SOURCE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source {
  char *text;
  char **lines; /* line 1 is lines[0] */
  size_t line_count;
};

/* False: cannot be read; the source is then empty. */
bool source_open(struct source *source, const char *path);
void source_close(struct source *source);
/* "" if there is no such line. */
const char *source_line(const struct source *source, uint32_t line);

#endif /* CARD_REPORT_SOURCE_H_ */
