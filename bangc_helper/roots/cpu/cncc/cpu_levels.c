/* SPDX-License-Identifier: MIT */
#include "cpu_levels.h"

#include <string.h>

#include "source.h"

/* bang_lowering.h declares it where the compiler can do this. */
static bool compiler_has_levels(const Lowering *lw) {
  static const char name[] = "__bang_has_levels";
  const char *header = lw->options->header;
  return (header && strstr(header, name)) || strstr(lw->source->text, name);
}

static bool is_inlined(const Source *s, const Declaration *d) {
  for (int i = d->specifiers; i < d->params; ++i) {
    if (token_is(s, i, "noinline") || token_is(s, i, "__noinline__")) return false;
  }
  return true;
}

/* A step of a larger algorithm, which would be compiled again with all that it calls. */
static bool takes_references(const Source *s, const Declaration *d) {
  for (int i = d->params; i < s->tokens[d->params].partner; ++i) {
    if (token_op(s, i, '&')) return true;
  }
  return false;
}

static bool starts_with_one_of(const Source *s, int i, const char *const *words, size_t count) {
  const Token *t = &s->tokens[i];
  for (size_t k = 0; k < count; ++k) {
    const size_t length = strlen(words[k]);
    if (t->length >= length && memcmp(s->text + t->offset, words[k], length) == 0) return true;
  }
  return false;
}

/* What calls vector functions spends its time in these. */
static bool is_scalar_loop(const Source *s, const Declaration *d) {
  static const char *const others[] = {"__bang_", "__memcpy", "__sync"};
  bool has_loop = false;
  for (int i = d->body; i < d->end; ++i) {
    if (!token_kind(s, i, TOKEN_IDENTIFIER)) continue;
    if (starts_with_one_of(s, i, others, sizeof others / sizeof *others)) return false;
    has_loop = has_loop || token_is(s, i, "for") || token_is(s, i, "while");
  }
  return has_loop;
}

const char *cpu_level_attributes(const Lowering *lw, const Declaration *d) {
  const Source *s = lw->source;
  if (d->body < 0 || is_inlined(s, d) || takes_references(s, d) || !is_scalar_loop(s, d) ||
      !compiler_has_levels(lw)) {
    return "";
  }
  return "__attribute__((flatten, target_clones(\"arch=x86-64-v4\", \"arch=x86-64-v3\", "
         "\"default\"))) ";
}
