/* SPDX-License-Identifier: MIT */
#include "lower.h"

#include <stdlib.h>
#include <string.h>

#include "lower_arithmetic.h"
#include "lower_asm.h"
#include "lower_function.h"
#include "lower_kernel.h"
#include "lower_launch.h"
#include "lower_memory_core.h"
#include "lower_survey.h"
#include "lower_variable.h"

/* True if the declaration around a token has an unclosed bracket, which the host compiler reports
 * better. */
static bool is_unbalanced(const Source *s, int index) {
  for (int i = index; i < s->count && !token_op(s, i, ';'); ++i) {
    int op = s->tokens[i].op;
    if (op != '(' && op != '[' && op != '{') continue;
    if (s->tokens[i].partner < 0) return true;
    if (op == '{') return false;
    i = s->tokens[i].partner;
  }
  return false;
}

static void lower_declaration(Lowering *lw, const Declaration *d, ScopeKind scope) {
  if (!d->is_function) {
    lower_variable(lw, d, scope);
    if (lw->options->survey) lower_surveyed_variable(lw, d);
  } else if (d->qualifiers & QUALIFIER_KERNEL) {
    lower_kernel(lw, d, scope);
  } else {
    lower_function(lw, d, scope);
  }
  if (d->is_function && lw->options->marks_arithmetic) lower_surveyed_arithmetic(lw, d);
}

/* Lowers the declaration around a qualifier. Returns the first token that may still have
 * qualifiers. */
static int lower_qualifier(Lowering *lw, const Scope *scope, int index) {
  const Source *s = lw->source;
  /* On a parameter or in a cast the qualifier has no effect. */
  if (scope->kind == SCOPE_PARENTHESES || scope->kind == SCOPE_INITIALISER) {
    rewrite_drop(lw->rewrite, index);
    return index + 1;
  }
  Declaration decl;
  bool known = declaration_parse(s, scope->start, &decl);
  int specifiers_end = !known ? 0 : decl.is_function ? decl.params : decl.declarators[0].name;
  bool applies = known && index < specifiers_end && !(decl.words & WORD_TYPEDEF);
  if (applies) {
    lower_declaration(lw, &decl, scope->kind);
  } else {
    rewrite_drop(lw->rewrite, index);
    /* Left unchanged, a kernel would run on the host. */
    if (!known && qualifier_of(s, index) == QUALIFIER_KERNEL && !is_unbalanced(s, index)) {
      source_error(s, index, "a kernel declaration is expected here");
    }
  }
  declaration_free(&decl);
  return applies ? specifiers_end : index + 1;
}

/* "0.5h" is a half, which only the vendor's compiler reads; "0.5_h" is a literal of the program. */
static void lower_half_literal(Lowering *lw, int index) {
  const Token *t = &lw->source->tokens[index];
  const char *text = lw->source->text + t->offset;
  if (t->length < 2 || !strchr("hH", text[t->length - 1]) || !memchr(text, '.', t->length)) return;
  if (!strchr("0123456789.", text[t->length - 2])) return;
  char *literal = xasprintf("((half)%.*s)", (int)t->length - 1, text);
  rewrite_replace(lw->rewrite, index, literal);
  free(literal);
}

bool lower_unit(const char *text, size_t size, const LowerOptions *options, Lowered *out) {
  Source source;
  source_init(&source, text, size, options->system_root);
  ScopeStack scopes;
  scope_init(&scopes);
  Lowering lw = {
      .source = &source, .rewrite = rewrite_new(&source), .options = options, .scopes = &scopes};
  const Target *target = options->target;
  if (target->begin_unit) target->begin_unit(&lw);
  int errors_before = source_error_count();
  int qualifiers_done = 0, vector_calls = 0, copy_calls = 0;
  for (int i = 0; i < source.count; ++i) {
    const Token *t = &source.tokens[i];
    if (t->kind == TOKEN_IDENTIFIER) {
      vector_calls += starts_with(source.text + t->offset, "__bang_");
      copy_calls += starts_with(source.text + t->offset, "__memcpy");
      if (i >= qualifiers_done && qualifier_of(&source, i)) {
        qualifiers_done = lower_qualifier(&lw, scope_top(&scopes), i);
      } else if (token_is(&source, i, "asm") || token_is(&source, i, "__asm__") ||
                 token_is(&source, i, "__asm")) {
        lower_asm(&lw, i);
      } else if (options->survey) {
        lower_surveyed_call(&lw, i);
      }
    } else if (t->kind == TOKEN_NUMBER) {
      lower_half_literal(&lw, i);
    } else if (t->op == OP_LAUNCH) {
      lower_launch(&lw, i);
    }
    scope_advance(&scopes, &source, i);
  }
  scope_free(&scopes);

  bool ok = source_error_count() == errors_before;
  out->facts.memory_core_is_idle = memory_core_is_idle(&lw);
  out->facts.vector_calls = vector_calls;
  out->facts.copy_calls = copy_calls;
  if (ok) rewrite_render(lw.rewrite, &out->text);
  if (target->end_unit) target->end_unit(&lw, ok ? &out->text : NULL);
  rewrite_free(lw.rewrite);
  strlist_free(&lw.extern_names);
  strlist_free(&lw.plain_names);
  source_free(&source);
  return ok;
}
