/* SPDX-License-Identifier: MIT
 *
 * Device functions. The device code of a translation unit is private: the same name may mean
 * something else in the next unit. So functions get internal linkage, and class members, which
 * cannot have it, get names with a tag of the unit.
 */
#include "lower_function.h"

static void wrap_body(Lowering *lw, const Declaration *d) {
  StrBuf open = {0}, close = {0};
  lw->options->target->wrap_body(lw, d, &open, &close);
  if (open.size) rewrite_after(lw->rewrite, d->body, open.data);
  if (close.size) rewrite_before(lw->rewrite, d->end, close.data);
  strbuf_free(&open);
  strbuf_free(&close);
}

void lower_exits(Lowering *lw, const Declaration *d) {
  const Source *s = lw->source;
  for (int i = d->body; d->body >= 0 && i < d->end; ++i) {
    bool is_exit = token_is(s, i, "exit");
    if ((!is_exit && !token_is(s, i, "abort")) || !token_op(s, i + 1, '(')) continue;
    bool member = token_op(s, i - 1, '.') || token_op(s, i - 1, OP_ARROW);
    bool scoped = token_op(s, i - 1, OP_SCOPE) && token_kind(s, i - 2, TOKEN_IDENTIFIER) &&
                  !token_is(s, i - 2, "std");
    if (!member && !scoped)
      rewrite_replace(lw->rewrite, i, is_exit ? "__bang_exit" : "__bang_abort");
  }
}

/* Whether a declaration says noinline. gcc always warns about noinline together with inline. Other
 * compilers take inline from the definition, so the attribute is dropped for them. */
static bool lower_noinline(Lowering *lw, const Declaration *d) {
  const Source *s = lw->source;
  const char *word = lw->options->target->noinline_word;
  bool found = false;
  for (int i = d->specifiers; d->body < 0 && i < d->end; ++i) {
    if (!token_is(s, i, "noinline") && !token_is(s, i, "__noinline__")) continue;
    if (word) rewrite_replace(lw->rewrite, i, word);
    found = true;
  }
  return found;
}

void lower_function(Lowering *lw, const Declaration *d, ScopeKind scope) {
  const Source *s = lw->source;
  /* The headers declare it with another linkage; kernels declare it for builds without assert(). */
  if (d->body < 0 && d->name >= 0 && token_is(s, d->name, "__bang_assert_fail")) {
    for (int i = d->start; i < d->end; ++i) rewrite_drop(lw->rewrite, i);
    return;
  }
  const Target *target = lw->options->target;
  int place = -1;
  for (int i = d->specifiers; i < d->params; ++i) {
    if (!qualifier_of(s, i)) continue;
    if (place < 0 && (qualifier_of(s, i) & (QUALIFIER_FUNCTION | QUALIFIER_DEVICE))) {
      place = i;
    } else if (target->host_word && qualifier_of(s, i) == QUALIFIER_HOST) {
      rewrite_replace(lw->rewrite, i, target->host_word);
    } else {
      rewrite_drop(lw->rewrite, i);
    }
  }
  if (place < 0) return;
  bool keep_as_is =
      d->is_instantiation || scope == SCOPE_FUNCTION || ((d->words & WORD_FRIEND) && d->body < 0);
  if (keep_as_is) {
    rewrite_replace(lw->rewrite, place, *target->device_word ? target->device_word : " ");
    return;
  }
  if (target->wrap_body && d->body >= 0) wrap_body(lw, d);
  lower_exits(lw, d);

  StrBuf text = {0};
  strbuf_puts(&text, target->device_word);
  bool member = scope == SCOPE_CLASS;
  bool may_be_static = !member && !d->is_qualified && !d->is_specialisation &&
                       !(d->words & (WORD_STATIC | WORD_EXTERN_C | WORD_FRIEND));
  if (may_be_static) {
    strbuf_puts(&text, "static ");
    for (int i = d->specifiers; i < d->params; ++i) {
      if (token_is(s, i, "extern")) rewrite_drop(lw->rewrite, i);
    }
  }
  if (!(d->words & WORD_INLINE) && !lower_noinline(lw, d)) strbuf_puts(&text, "inline ");
  target->append_attributes(&text, lw, d, member);
  rewrite_replace(lw->rewrite, place, text.size ? text.data : " ");
  strbuf_free(&text);
}
