/* SPDX-License-Identifier: MIT */
#include "lower_survey.h"

#include <string.h>

#include "evidence.h"

/* Name token of the function around the construct being lowered; -1: unknown. */
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

/* Unevaluated expressions may not contain a closure. */
static bool has_closure(const Source *s, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    if (token_op(s, i, '[') && (token_op(s, i - 1, '(') || token_op(s, i - 1, ','))) return true;
  }
  return false;
}

static bool same_name(const Source *s, int a, int b) {
  const Token *x = &s->tokens[a], *y = &s->tokens[b];
  return x->kind == TOKEN_IDENTIFIER && x->length == y->length &&
         memcmp(s->text + x->offset, s->text + y->offset, x->length) == 0;
}

/* True if a condition before the call has a name of the length: "if (rest > 0)". */
static bool is_asked_about(const Lowering *lw, int call, int begin, int end) {
  const Source *s = lw->source;
  int outer = 1;
  while (outer < lw->scopes->depth && lw->scopes->items[outer].kind != SCOPE_FUNCTION) ++outer;
  for (int i = lw->scopes->items[outer].open; i < call; ++i) {
    if (!token_is(s, i, "if") && !token_is(s, i, "while") && !token_is(s, i, "for")) continue;
    int open = i + 1 + token_is(s, i + 1, "constexpr");
    for (int k = open; token_op(s, open, '(') && k < s->tokens[open].partner; ++k) {
      for (int name = begin; name < end; ++name) {
        if (same_name(s, k, name)) return true;
      }
    }
  }
  return false;
}

/* Generates the test whether a call has zero elements. */
static void append_length(StrBuf *out, const Lowering *lw, int index, int place) {
  const Source *s = lw->source;
  const Token *t = &s->tokens[index];
  int wanted = count_operand(s->text + t->offset, t->length);
  int close = s->tokens[index + 1].partner, begin = index + 2, operand = 0;
  for (int i = begin; wanted >= 0 && i <= close; ++i) {
    if (i < close && s->tokens[i].partner > i) {
      i = s->tokens[i].partner;
    } else if (i == close || token_op(s, i, ',')) {
      if (operand++ == wanted && begin < i && !is_asked_about(lw, index, begin, i)) {
        StrBuf is_zero = {0};
        strbuf_puts(&is_zero, "!(");
        append_tokens(&is_zero, s, begin, i);
        strbuf_puts(&is_zero, ")");
        survey_append_mark(out, SURVEY_EMPTY, place, is_zero.data);
        strbuf_free(&is_zero);
      }
      begin = i + 1;
    }
  }
}

void lower_surveyed_variable(Lowering *lw, const Declaration *d) {
  const int onchip = QUALIFIER_NRAM | QUALIFIER_WRAM | QUALIFIER_SHARED;
  if (!(d->qualifiers & onchip) || (d->words & WORD_EXTERN)) return;
  if (lw->source->files[lw->source->tokens[d->start].file].system) return;
  StrBuf text = {0};
  for (int i = 0; i < d->declarator_count; ++i) {
    int name = d->declarators[i].name;
    if (name < 0) continue;
    strbuf_puts(&text, " typedef decltype(::__bang_survey::size<");
    strbuf_printf(&text, "%d, sizeof(", name);
    append_tokens(&text, lw->source, name, name + 1);
    strbuf_printf(&text, ")>::note()) __bang_size_%d;", name);
  }
  if (text.size) rewrite_after(lw->rewrite, d->end, text.data);
  strbuf_free(&text);
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
  append_length(&text, lw, index, place);
  rewrite_before(lw->rewrite, first, text.data);
  rewrite_after(lw->rewrite, close, ")");
  strbuf_free(&text);
}
