/* SPDX-License-Identifier: MIT
 *
 * On-chip arrays that are declared with extern and without a bound. The bound comes from the
 * definition in the same unit; an array without a definition is the whole memory.
 */
#include "lower_extern_array.h"

#include <string.h>

#include "variable_text.h"

static bool same_name(const Source *s, int a, int b) {
  const Token *x = &s->tokens[a], *y = &s->tokens[b];
  return y->kind == TOKEN_IDENTIFIER && x->length == y->length &&
         memcmp(s->text + x->offset, s->text + y->offset, x->length) == 0;
}

/* True if the token is the name of an array defined there with one of these qualifiers. */
static bool defines_array(const Source *s, int index, int qualifiers) {
  if (!token_op(s, index + 1, '[') || s->tokens[index + 1].partner <= index + 2) return false;
  bool qualified = false;
  for (int i = index - 1; i >= 0; --i) {
    int op = s->tokens[i].op;
    if (op == ';' || op == '{' || op == '}' || op == '=') break;
    if (token_is(s, i, "extern")) return false;
    qualified |= (qualifier_of(s, i) & qualifiers) != 0;
  }
  return qualified;
}

int array_definition(const Source *s, const Declaration *d, const Declarator *v) {
  for (int i = 0; i < s->count; ++i) {
    bool elsewhere = i < d->start || i > d->end;
    if (elsewhere && same_name(s, v->name, i) && defines_array(s, i, d->qualifiers)) return i;
  }
  return -1;
}

void append_array_size(StrBuf *out, Lowering *lw, const Declaration *d, const Declarator *v) {
  const Source *s = lw->source;
  const Arch *arch = lw->options->arch;
  int definition = array_definition(s, d, v);
  if (definition >= 0) {
    append_tokens(out, s, definition + 2, s->tokens[definition + 1].partner);
    return;
  }
  int kb = d->qualifiers & QUALIFIER_SHARED ? arch->sram_kb
           : d->qualifiers & QUALIFIER_WRAM ? arch->wram_kb
                                            : arch->nram_kb;
  strbuf_printf(out, "%dul * 1024 / sizeof(", kb);
  append_variable_type(out, s, d);
  append_tokens(out, s, v->begin, v->name);
  append_tokens(out, s, v->name + 3, v->end);
  strbuf_puts(out, ")");
}
