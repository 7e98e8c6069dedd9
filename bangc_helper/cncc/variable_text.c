/* SPDX-License-Identifier: MIT */
#include "variable_text.h"

bool is_storage_word(const Source *s, int i) {
  return token_is(s, i, "static") || token_is(s, i, "extern") || token_is(s, i, "inline") ||
         token_is(s, i, "thread_local") || token_is(s, i, "__thread");
}

void append_variable_type(StrBuf *out, const Source *s, const Declaration *d) {
  for (int i = d->specifiers; i < d->declarators[0].begin; ++i) {
    if (qualifier_of(s, i) || is_storage_word(s, i)) continue;
    if (token_is(s, i, "alignas") && token_op(s, i + 1, '(') && s->tokens[i + 1].partner > 0) {
      i = s->tokens[i + 1].partner;
    } else if (token_is(s, i, "constexpr")) {
      strbuf_puts(out, "const ");
    } else {
      append_tokens(out, s, i, i + 1);
      strbuf_puts(out, " ");
    }
  }
}

void append_renamed(StrBuf *out, const Source *s, const Declarator *v, const char *name) {
  append_tokens(out, s, v->begin, v->name);
  strbuf_printf(out, " %s ", name);
  append_tokens(out, s, v->name + 1, v->end);
}

char *declarator_name(const Source *s, const Declarator *v) {
  return xstrndup(s->text + s->tokens[v->name].offset, s->tokens[v->name].length);
}

void append_onchip_alignment(StrBuf *out, const Source *s, const Declaration *d) {
  strbuf_puts(out, "alignas(64) ");
  for (int i = d->specifiers; i < d->end; ++i) {
    bool attribute =
        token_is(s, i, "aligned") || token_is(s, i, "__aligned__") || token_is(s, i, "alignas");
    if (attribute && token_op(s, i + 1, '(') && s->tokens[i + 1].partner > 0) {
      strbuf_puts(out, "alignas");
      append_tokens(out, s, i + 1, s->tokens[i + 1].partner + 1);
      strbuf_puts(out, " ");
    }
  }
}

void append_size_check(StrBuf *out, const char *type, const char *name, const char *qualifier,
                       int limit_kb, const Arch *arch) {
  strbuf_printf(
      out,
      " static_assert(sizeof(%s) <= %dul * 1024, \"%s variable '%s' is larger than the %d "
      "KB that %s has\");",
      type, limit_kb, qualifier, name, limit_kb, arch->name);
}
