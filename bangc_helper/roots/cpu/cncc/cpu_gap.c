/* SPDX-License-Identifier: MIT
 *
 * Gaps for the address sanitizer. Compilers surround ordinary variables with memory that nobody may
 * touch, but not thread-local ones, which on-chip variables are. So a variable of its own follows
 * each of them, and the runtime tells the sanitizer that it is out of bounds. Whoever lays out the
 * variables may put something else between the two; then an overrun is missed, and nothing else is
 * wrong.
 */
#include "cpu_gap.h"

#include "variable_text.h"

/* A type that is defined in the declaration cannot be named a second time. */
static bool defines_type(const Source *s, const Declaration *d) {
  for (int i = d->specifiers; i < d->declarators[0].begin; ++i) {
    if (token_op(s, i, '{')) return true;
  }
  return false;
}

static void append_gap(StrBuf *out, const Declarator *v, const char *storage, bool in_function,
                       int id) {
  bool has_init = v->init_end > v->init_begin;
  /* With a value or without one, as the variable: the two kinds lie apart. */
  strbuf_printf(out, " alignas(64) %schar __bang_gap_%d[::BANG_RAM_GAP_BYTES]%s;", storage, id,
                has_init ? " = {1}" : "");
  if (in_function) strbuf_printf(out, " ::__bang_ram_guard(__bang_gap_%d);", id);
}

int lower_gaps(Lowering *lw, const Declaration *d, const char *storage, bool in_function,
               StrBuf *after) {
  const Source *s = lw->source;
  if (!lw->options->has_gaps || (d->words & (WORD_CONST | WORD_CONSTEXPR)) || defines_type(s, d)) {
    return 0;
  }
  int first = lw->counter + 1;
  lw->counter += d->declarator_count;
  int last = d->declarator_count - 1;
  for (int k = 0; k < last; ++k) { /* the rest becomes a declaration of its own */
    StrBuf text = {0};
    strbuf_puts(&text, ";");
    append_gap(&text, &d->declarators[k], storage, in_function, first + k);
    strbuf_puts(&text, " ");
    append_onchip_alignment(&text, s, d);
    strbuf_puts(&text, storage);
    append_variable_type(&text, s, d);
    rewrite_replace(lw->rewrite, d->declarators[k + 1].begin - 1, text.data);
    strbuf_free(&text);
  }
  append_gap(after, &d->declarators[last], storage, in_function, first + last);
  return first;
}
