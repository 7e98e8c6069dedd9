/* SPDX-License-Identifier: MIT */
#include "lower_survey.h"

#include "evidence.h"

/* The name of the function around the construct under way; -1: unknown. */
static int function_name(const Lowering *lw) {
  for (int i = 1; i < lw->scopes->depth; ++i) {
    if (lw->scopes->items[i].kind != SCOPE_FUNCTION) continue;
    Declaration decl;
    bool known = declaration_parse(lw->source, lw->scopes->items[i - 1].start, &decl);
    int name = known && decl.is_function ? decl.name : -1;
    declaration_free(&decl);
    return name;
  }
  return -1;
}

static bool in_function(const Lowering *lw) {
  for (int i = 0; i < lw->scopes->depth; ++i) {
    if (lw->scopes->items[i].kind == SCOPE_FUNCTION) return true;
  }
  return false;
}

/* No closure may stand where an expression is not evaluated. */
static bool has_closure(const Source *s, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    if (token_op(s, i, '[') && (token_op(s, i - 1, '(') || token_op(s, i - 1, ','))) return true;
  }
  return false;
}

void lower_surveyed_call(Lowering *lw, int index) {
  const Source *s = lw->source;
  const Token *t = &s->tokens[index];
  if (!token_op(s, index + 1, '(') || s->files[t->file].system || !in_function(lw)) return;
  if (!is_language_function(s->text + t->offset, t->length)) return;
  int first = index;
  if (token_op(s, index - 1, '.') || token_op(s, index - 1, OP_ARROW)) return;
  if (token_op(s, index - 1, OP_SCOPE)) {
    if (token_kind(s, index - 2, TOKEN_IDENTIFIER)) return;
    first = index - 1;
  }
  int close = s->tokens[index + 1].partner;
  if (close < 0 || has_closure(s, index + 2, close)) return;
  int place = survey_add_place(lw->options->survey, s, index, function_name(lw));
  StrBuf text = {0};
  strbuf_printf(&text, "(::__bang_survey::call<%d, decltype(::__bang_survey::given(", place);
  append_tokens(&text, s, index + 2, close);
  strbuf_puts(&text, "))>::note(), ");
  rewrite_before(lw->rewrite, first, text.data);
  rewrite_after(lw->rewrite, close, ")");
  strbuf_free(&text);
}
