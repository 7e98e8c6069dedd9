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

/* True if the name at `index` is declared there and is not a constant. */
static bool declares_variable(const Source *s, int begin, int index) {
  if (!token_kind(s, index - 1, TOKEN_IDENTIFIER) || token_is(s, index - 1, "return")) return false;
  for (int i = index - 1; i >= begin; --i) {
    if (token_is(s, i, "constexpr")) return false;
    if (token_op(s, i, ';') || token_op(s, i, '{') || token_op(s, i, '}')) break;
  }
  return true;
}

/* True for a parameter or a variable of the surrounding function. */
static bool is_local(const Lowering *lw, int index) {
  const Source *s = lw->source;
  int outer = 1;
  while (outer < lw->scopes->depth && lw->scopes->items[outer].kind != SCOPE_FUNCTION) ++outer;
  int begin = lw->scopes->items[outer - 1].start;
  while (token_is(s, begin, "template") && skip_angles(s, begin + 1) > 0) {
    begin = skip_angles(s, begin + 1); /* its parameters are constants */
  }
  for (int i = begin; i < index; ++i) {
    const Token *a = &s->tokens[i], *b = &s->tokens[index];
    bool same = a->kind == TOKEN_IDENTIFIER && a->length == b->length &&
                memcmp(s->text + a->offset, s->text + b->offset, a->length) == 0;
    if (same && declares_variable(s, begin, i)) return true;
  }
  return false;
}

/* True if the generated code may test whether an expression is a constant; the test does not
 * compile for variables. */
static bool may_be_constant(const Lowering *lw, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    if (lw->source->tokens[i].kind == TOKEN_IDENTIFIER && is_local(lw, i)) return false;
  }
  return begin < end;
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
      if (operand++ == wanted && may_be_constant(lw, begin, i)) {
        strbuf_printf(out, "::__bang_survey::length<%d, (__builtin_constant_p(", place);
        append_tokens(out, s, begin, i);
        strbuf_puts(out, ") ? (");
        append_tokens(out, s, begin, i);
        strbuf_puts(out, ") == 0 : false)>::note(), ");
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
