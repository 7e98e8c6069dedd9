/* SPDX-License-Identifier: MIT
 *
 * A loop is divided if it has the form
 *
 *     for (int i = first; i < end; ++i) out[i] = ...;
 *
 * and nothing but tokens is needed to see that its iterations are independent: it writes variables
 * of its body and elements [i] of parameters that are __restrict__ pointers, which the function
 * uses for nothing else, and it calls functions that only return an expression. What else it reads
 * is then not written by it, since the pointers are not restricted otherwise.
 */
#include "lane_loops.h"

#include <string.h>

#include "harmless.h"
#include "parameters.h"

typedef struct Loop {
  const Source *source;
  const Declaration *function;
  int begin;                  /* token of the `for` */
  int counter;                /* token of its name in the loop's head */
  int first, condition, step; /* tokens where the parts of the head begin */
  int body, end;              /* first and last token of the body */
  const StrList *restricted;  /* names of the parameters */
  StrList locals;             /* names of variables declared in the body */
  StrList stored;             /* restricted parameters that it writes */
} Loop;

static char *name_at(const Source *s, int i) {
  return xstrndup(s->text + s->tokens[i].offset, s->tokens[i].length);
}

static bool has_name(const StrList *names, const Source *s, int i) {
  for (size_t k = 0; k < names->count; ++k) {
    if (token_is(s, i, names->items[k])) return true;
  }
  return false;
}

static bool is_same_name(const Source *s, int a, int b) {
  const Token *x = &s->tokens[a], *y = &s->tokens[b];
  return x->length == y->length && memcmp(s->text + x->offset, s->text + y->offset, x->length) == 0;
}

/* ---- restricted pointers ---- */

/* True if a function uses a name only as in name[...]: then no other pointer comes from it. */
static bool is_only_indexed(const Source *s, const Declaration *d, int name) {
  for (int i = d->body; i < d->end; ++i) {
    if (!token_kind(s, i, TOKEN_IDENTIFIER) || !is_same_name(s, i, name)) continue;
    if (!token_op(s, i + 1, '[') || token_op(s, i - 1, '&')) return false;
  }
  return true;
}

static void find_restricted(const Source *s, const Declaration *d, StrList *names) {
  const int close = s->tokens[d->params].partner;
  for (int begin = d->params + 1; begin < close;) {
    Parameter p;
    begin = read_parameter(s, FUNCTION_PARAMETER, begin, close, &p) + 1;
    int pointers = 0;
    bool is_restricted = false, is_other = p.is_pack || p.name < 0;
    for (int i = p.begin; i < p.end; ++i) {
      pointers += token_op(s, i, '*');
      is_restricted =
          is_restricted || token_is(s, i, "__restrict__") || token_is(s, i, "__restrict");
      is_other = is_other || token_op(s, i, '&') || token_op(s, i, '[') || token_op(s, i, '(');
    }
    if (is_restricted && pointers == 1 && !is_other && is_only_indexed(s, d, p.name)) {
      strlist_take(names, name_at(s, p.name));
    }
  }
}

/* ---- the head ---- */

static bool is_integer_type(const Source *s, int begin, int end) {
  static const char *const words[] = {"int",     "unsigned", "long",     "size_t",  "int32_t",
                                      "int64_t", "uint32_t", "uint64_t", "int16_t", "uint16_t"};
  for (int i = begin; i < end; ++i) {
    if (!TOKEN_IS_ONE_OF(s, i, words)) return false;
  }
  return begin < end;
}

static int end_of_part(const Source *s, int begin, int close) {
  int i = begin;
  while (i < close && !token_op(s, i, ';'))
    i = s->tokens[i].partner > i ? s->tokens[i].partner + 1 : i + 1;
  return i;
}

/* Last token of the statement that begins at a token; -1: unknown. */
static int end_of_statement(const Source *s, int begin, int limit) {
  int i = begin;
  while (i < limit && (token_is(s, i, "for") || token_is(s, i, "while") || token_is(s, i, "if"))) {
    i += token_is(s, i + 1, "constexpr") ? 2 : 1;
    if (!token_op(s, i, '(') || s->tokens[i].partner < 0) return -1;
    i = s->tokens[i].partner + 1;
  }
  if (token_op(s, i, '{'))
    i = s->tokens[i].partner;
  else
    i = end_of_part(s, i, limit);
  return i < 0 || i >= limit || token_is(s, i + 1, "else") ? -1 : i;
}

/* Reads the head of the loop at a `for`. */
static bool read_head(Loop *loop, int at) {
  const Source *s = loop->source;
  const int open = at + 1, close = token_op(s, open, '(') ? s->tokens[open].partner : -1;
  if (close < 0) return false;
  loop->begin = at;
  int i = open + 1;
  while (i < close && !token_op(s, i, '=')) ++i;
  loop->counter = i - 1;
  loop->first = i + 1;
  loop->condition = end_of_part(s, loop->first, close) + 1;
  loop->step = end_of_part(s, loop->condition, close) + 1;
  if (loop->step >= close || !is_integer_type(s, open + 1, loop->counter)) return false;
  const int c = loop->condition, k = loop->step;
  if (!is_same_name(s, c, loop->counter) || !token_op(s, c + 1, '<')) return false;
  const bool is_prefix = token_is(s, k, "++") && is_same_name(s, k + 1, loop->counter);
  const bool is_postfix = is_same_name(s, k, loop->counter) && token_is(s, k + 1, "++");
  if (close != k + 2 || !(is_prefix || is_postfix)) return false;
  loop->body = close + 1;
  loop->end = end_of_statement(s, loop->body, loop->function->end);
  return loop->end > 0;
}

/* ---- the body ---- */

/* The name of the variable that ends before token i, or whose element or member does, as x in
 * x[k].m =; -1: none. */
static int assigned_name(const Source *s, int i) {
  for (--i; token_op(s, i, ']') || token_op(s, i - 1, '.');) {
    i = token_op(s, i, ']') ? s->tokens[i].partner - 1 : i - 2;
  }
  if (!token_kind(s, i, TOKEN_IDENTIFIER)) return -1;
  static const char *const marks[] = {"*", "&", "->", "::"};
  return TOKEN_IS_ONE_OF(s, i - 1, marks) ? -1 : i;
}

/* True if the name of a variable is at i, and its type before it: float x; T x[4]; P<int> x{}. */
static bool declares(const Source *s, int i) {
  static const char *const not_types[] = {"return", "else", "case", "goto", "new", "delete"};
  if (!token_kind(s, i, TOKEN_IDENTIFIER)) return false;
  const bool has_type = token_kind(s, i - 1, TOKEN_IDENTIFIER)
                            ? !TOKEN_IS_ONE_OF(s, i - 1, not_types)
                            : token_op(s, i - 1, '>') && open_angle(s, i - 1) >= 0;
  return has_type && (token_op(s, i + 1, '=') || token_op(s, i + 1, ';') ||
                      token_op(s, i + 1, '[') || token_op(s, i + 1, '{'));
}

/* Writes of a variable of the body, or of element [counter] of a restricted parameter. */
static bool may_write(Loop *loop, int name) {
  const Source *s = loop->source;
  if (name < 0) return false;
  if (has_name(&loop->locals, s, name)) return true;
  if (!has_name(loop->restricted, s, name)) return false;
  if (!has_name(&loop->stored, s, name)) strlist_take(&loop->stored, name_at(s, name));
  return true;
}

/* Looks at the token i of an expression or a statement. */
static bool allows_token(Loop *loop, int i) {
  const Source *s = loop->source;
  if (declares(s, i)) {
    strlist_take(&loop->locals, name_at(s, i));
    return true;
  }
  if (token_is(s, i, "++") || token_is(s, i, "--")) {
    const bool is_prefix = token_kind(s, i + 1, TOKEN_IDENTIFIER);
    return is_prefix ? has_name(&loop->locals, s, i + 1) : may_write(loop, assigned_name(s, i));
  }
  const int operand_end = assignment_operand_end(s, i);
  if (operand_end >= 0) return may_write(loop, assigned_name(s, operand_end));
  return is_harmless_token(s, i);
}

/* Elements of what the loop writes are those with its counter. */
static bool has_own_elements(const Loop *loop) {
  const Source *s = loop->source;
  for (int i = loop->first; i <= loop->end; ++i) {
    if (!token_kind(s, i, TOKEN_IDENTIFIER) || !has_name(&loop->stored, s, i)) continue;
    if (i < loop->body || s->tokens[i + 1].partner != i + 3 ||
        !is_same_name(s, i + 2, loop->counter))
      return false;
  }
  return true;
}

/* The head compares the counter with a number that stays the same. */
static bool has_fixed_range(const Loop *loop) {
  static const char *const others[] = {",", "?", "&&", "||", "==", "!=", "++", "--"};
  const Source *s = loop->source;
  for (int i = loop->first; i < loop->step; ++i) {
    if (assignment_operand_end(s, i) >= 0 || TOKEN_IS_ONE_OF(s, i, others) ||
        !is_harmless_token(s, i))
      return false;
    if (i > loop->condition && is_same_name(s, i, loop->counter)) return false;
  }
  return true;
}

static bool is_divisible(Loop *loop) {
  const Source *s = loop->source;
  if (!has_fixed_range(loop)) return false;
  for (int i = loop->body; i <= loop->end; ++i) {
    if (!allows_token(loop, i)) return false;
  }
  return loop->stored.count > 0 && !has_name(&loop->locals, s, loop->counter) &&
         has_own_elements(loop);
}

/* ---- */

/* Lanes begin with iterations of their own, and meet at the end. The step is a constant, so that
 * nvcc knows the number of steps; what is before the loop, such as a pragma, stays there. */
static void divide(Lowering *lw, const Loop *loop, StrBuf *opening) {
  StrBuf stored = {0}, text = {0};
  for (size_t k = 0; k < loop->stored.count; ++k)
    strbuf_printf(&stored, k ? ", %s" : "%s", loop->stored.items[k]);
  strbuf_printf(&text,
                " for (int __bang_pass = ::__bang_first_pass(%s), __bang_end = "
                "::__bang_end_of_passes(%s); __bang_pass < __bang_end; ++__bang_pass) {",
                stored.data, stored.data);
  if (loop->begin - 1 == loop->function->body)
    strbuf_puts(opening, text.data);
  else
    rewrite_after(lw->rewrite, loop->begin - 1, text.data);
  strbuf_free(&text);
  strbuf_free(&stored);
  rewrite_before(lw->rewrite, loop->first, "(");
  rewrite_before(lw->rewrite, loop->condition - 1, ") + __bang_pass");
  Replacement *step = rewrite_range(lw->rewrite, loop->step, loop->step + 2);
  replacement_tokens(step, loop->counter, loop->counter + 1);
  replacement_text(step, " += ::bang_impl::warp_lanes");
  rewrite_after(lw->rewrite, loop->end, " } __syncwarp();");
}

/* True if a statement of a block begins at a token. */
static bool begins_statement(const Source *s, int i) {
  return token_op(s, i - 1, '{') || token_op(s, i - 1, '}') || token_op(s, i - 1, ';');
}

/* Where it is inlined, the compiler knows which memory its pointers are for. */
static void let_inline(Lowering *lw, const Declaration *d) {
  for (int i = d->specifiers; i < d->params; ++i) {
    if (token_is(lw->source, i, "noinline") || token_is(lw->source, i, "__noinline__"))
      rewrite_replace(lw->rewrite, i, "unused");
  }
}

void divide_loops(Lowering *lw, const Declaration *d, StrBuf *opening) {
  const Source *s = lw->source;
  if (d->qualifiers & QUALIFIER_HOST) return;
  StrList restricted = {0};
  bool is_divided = false;
  find_restricted(s, d, &restricted);
  for (int i = d->body + 1; restricted.count > 0 && i < d->end; ++i) {
    if (!token_is(s, i, "for") || !begins_statement(s, i)) continue;
    Loop loop = {.source = s, .function = d, .restricted = &restricted};
    if (read_head(&loop, i) && is_divisible(&loop)) {
      divide(lw, &loop, opening);
      is_divided = true;
      i = loop.end;
    }
    strlist_free(&loop.locals);
    strlist_free(&loop.stored);
  }
  if (is_divided) let_inline(lw, d);
  strlist_free(&restricted);
}
