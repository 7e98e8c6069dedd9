/* SPDX-License-Identifier: MIT
 *
 * Changes to a token stream, and the resulting text. Unchanged tokens keep their file, line and
 * column for the next compiler: a line marker restores the position where inserted text has moved
 * it.
 */
#ifndef CNCC_REWRITE_H_
#define CNCC_REWRITE_H_

#include "source.h"

typedef struct Rewrite Rewrite;

Rewrite *rewrite_new(const Source *source);
void rewrite_free(Rewrite *rewrite);

/* Several texts at one place keep the order in which they were added. */
void rewrite_before(Rewrite *rewrite, int index, const char *text);
void rewrite_after(Rewrite *rewrite, int index, const char *text);
void rewrite_replace(Rewrite *rewrite, int index, const char *text);
void rewrite_drop(Rewrite *rewrite, int index);

/* Replaces tokens [begin, end) by texts and token ranges, added in order. Changes inside those
 * ranges are kept. */
typedef struct Replacement Replacement;
Replacement *rewrite_range(Rewrite *rewrite, int begin, int end);
void replacement_text(Replacement *replacement, const char *text);
void replacement_tokens(Replacement *replacement, int begin, int end);

void rewrite_render(Rewrite *rewrite, StrBuf *out);

#endif /* CNCC_REWRITE_H_ */
