/* SPDX-License-Identifier: MIT
 *
 * cnrtInvokeKernel launches kernels by their addresses and has to know them. A kernel that is one
 * function is announced beside its definition. Templates and members cannot be: their functions
 * announce themselves, because their bodies name an object that does so when the unit is loaded.
 */
#include "lower_registration.h"

#include <stdlib.h>

/* Parameter list without default arguments and qualifiers, fit for a function pointer type. */
static void append_parameters(StrBuf *out, const Source *s, int open) {
  int close = s->tokens[open].partner;
  bool in_default = false;
  for (int i = open + 1; i < close; ++i) {
    int op = s->tokens[i].op;
    if (op == '=') in_default = true;
    if (op == ',') in_default = false;
    bool skip = in_default || qualifier_of(s, i);
    int last = i;
    if ((op == '(' || op == '[' || op == '{') && s->tokens[i].partner > i)
      last = s->tokens[i].partner;
    if (op == '<') {
      int past = skip_angles(s, i);
      if (past > 0) last = past - 1;
    }
    if (!skip) {
      append_tokens(out, s, i, last + 1);
      strbuf_puts(out, " ");
    }
    i = last;
  }
}

void register_kernel(Lowering *lw, const Declaration *d, const char *stub) {
  const Source *s = lw->source;
  StrBuf text = {0};
  strbuf_puts(&text, " static const ::__bang_kernel_registrar<void (*)(");
  append_parameters(&text, s, d->params);
  strbuf_puts(&text, "), &");
  append_tokens(&text, s, d->name_begin, d->params);
  strbuf_printf(&text, "> __bang_kernel_%d(\"", ++lw->counter);
  append_tokens(&text, s, d->name, d->name + 1);
  strbuf_printf(&text, "\"%s%s);", stub ? ", (const void *)&" : "", stub ? stub : "");
  rewrite_after(lw->rewrite, d->end, text.data);
  strbuf_free(&text);
}

/* The '<' of the template head that is the function's own; -1: it has none. With a qualified name
 * the first heads are those of the classes. */
static int own_head(const Source *s, const Declaration *d) {
  int of_classes = 0;
  for (int i = d->name_begin; i < d->name; ++i) {
    int past = token_op(s, i, '<') ? skip_angles(s, i) : -1;
    if (past < 0) continue;
    ++of_classes;
    i = past - 1;
  }
  int head = -1;
  for (int i = d->start; i < d->specifiers; ++i) {
    if (!token_is(s, i, "template") || !token_op(s, i + 1, '<')) continue;
    if (of_classes-- <= 0) head = i + 1;
    i = skip_angles(s, i + 1) - 1;
  }
  return head;
}

static bool is_type_key(const Source *s, int index) {
  return token_is(s, index, "typename") || token_is(s, index, "class");
}

static bool is_pack(const Source *s, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    int past = token_op(s, i, '<') ? skip_angles(s, i) : -1;
    if (past > 0) {
      i = past - 1;
    } else if (token_is(s, i, "...")) {
      return true;
    }
  }
  return false;
}

/* The name of the template parameter in tokens [begin, end), which has no default; -1: none, and
 * one may stand behind *place. */
static int template_parameter_name(const Source *s, int begin, int end, int *place) {
  int last = end - 1;
  for (int i = begin; i < end; ++i) { /* void (*name)(int), int (&name)[3] */
    if (token_op(s, i, '(') && (token_op(s, i + 1, '*') || token_op(s, i + 1, '&'))) last = i + 1;
  }
  if (token_kind(s, last + 1, TOKEN_IDENTIFIER) && last + 1 < end) return last + 1;
  *place = last;
  if (last == begin) return -1;
  bool of_type = is_type_key(s, last - 1) ||
                 (token_is(s, last - 1, "...") && is_type_key(s, last - 2) && last - 2 >= begin);
  if (of_type) return token_kind(s, last, TOKEN_IDENTIFIER) ? last : -1;
  return is_parameter_name(s, begin, last) ? last : -1;
}

/* First token after the template parameter at `begin`: its comma or `close`. *end is the end of the
 * part before its default. */
static int template_parameter_end(const Source *s, int begin, int close, int *end) {
  *end = -1;
  int i = begin;
  for (; i < close && !token_op(s, i, ','); ++i) {
    int past = token_op(s, i, '<') ? skip_angles(s, i) : -1;
    if (past > 0 && past <= close) {
      i = past - 1;
    } else if (s->tokens[i].partner > i) {
      i = s->tokens[i].partner;
    } else if (token_op(s, i, '=') && *end < 0) {
      *end = i;
    }
  }
  if (*end < 0) *end = i;
  return i;
}

/* The kernel's own template arguments, as its body can name them. Parameters without a name get
 * one. */
static void append_template_arguments(StrBuf *out, Lowering *lw, const Declaration *d) {
  const Source *s = lw->source;
  int head = own_head(s, d);
  if (head < 0) return;
  int close = skip_angles(s, head) - 1;
  const char *separator = "<";
  for (int begin = head + 1; begin < close;) {
    int end, place = -1;
    int next = template_parameter_end(s, begin, close, &end);
    int name = template_parameter_name(s, begin, end, &place);
    strbuf_puts(out, separator);
    if (name >= 0) {
      append_tokens(out, s, name, name + 1);
    } else {
      char *given = xasprintf(" __bang_parameter_%d ", ++lw->counter);
      rewrite_after(lw->rewrite, place, given);
      strbuf_puts(out, given);
      free(given);
    }
    if (is_pack(s, begin, end)) strbuf_puts(out, "...");
    separator = ", ";
    begin = next + 1;
  }
  strbuf_puts(out, ">");
}

/* Can the body name its function, and may the function be a template's argument? */
static bool can_name_itself(const Lowering *lw, const Declaration *d) {
  for (int i = 0; i < lw->scopes->depth; ++i) {
    if (lw->scopes->items[i].kind == SCOPE_FUNCTION) return false;
  }
  return !(d->words & WORD_FRIEND);
}

void register_from_body(Lowering *lw, const Declaration *d) {
  if (!can_name_itself(lw, d)) return;
  const Source *s = lw->source;
  StrBuf text = {0};
  strbuf_puts(&text, " (void)&::__bang_kernel_registration<void (*)(");
  append_parameters(&text, s, d->params);
  strbuf_puts(&text, "), &");
  append_tokens(&text, s, d->name, d->params); /* a specialisation may state its arguments */
  if (!d->is_specialisation) append_template_arguments(&text, lw, d);
  strbuf_puts(&text, ">::registrar;");
  rewrite_after(lw->rewrite, d->body, text.data);
  strbuf_free(&text);
}
