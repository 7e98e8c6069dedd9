/* SPDX-License-Identifier: MIT
 *
 * cnrtInvokeKernel launches kernels by address, so their addresses must be registered. A plain
 * function is registered next to its definition. Templates and members cannot be: their bodies
 * refer to an object that registers them when the unit is loaded.
 */
#include "lower_registration.h"

#include <stdlib.h>

#include "parameters.h"

void append_parameters(StrBuf *out, const Source *s, int open) {
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

void append_signature(StrBuf *out, const Lowering *lw, const Declaration *d) {
  strbuf_puts(out, "void (*)(");
  append_parameters(out, lw->source, d->params);
  strbuf_puts(out, ")");
}

void register_kernel(Lowering *lw, const Declaration *d, const char *stub) {
  const Source *s = lw->source;
  StrBuf text = {0};
  strbuf_puts(&text, " static const ::__bang_kernel_registrar<");
  append_signature(&text, lw, d);
  strbuf_puts(&text, ", &");
  append_tokens(&text, s, d->name_begin, d->params);
  strbuf_printf(&text, "> __bang_kernel_%d(\"", ++lw->counter);
  append_tokens(&text, s, d->name, d->name + 1);
  strbuf_printf(&text, "\"%s%s);", stub ? ", (const void *)&" : "", stub ? stub : "");
  rewrite_after(lw->rewrite, d->end, text.data);
  strbuf_free(&text);
}

/* The '<' of the template head that belongs to the function; -1 if it has none. With a qualified
 * name, the first heads belong to the classes. */
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

/* A parameter as used in an expression; an unnamed one gets a name. */
static void append_parameter_name(StrBuf *out, Lowering *lw, const Parameter *p) {
  if (p->name >= 0) {
    append_tokens(out, lw->source, p->name, p->name + 1);
  } else {
    char *given = xasprintf(" __bang_parameter_%d ", ++lw->counter);
    rewrite_after(lw->rewrite, p->place, given);
    strbuf_puts(out, given);
    free(given);
  }
  if (p->is_pack) strbuf_puts(out, "...");
}

/* The kernel's template arguments, as its body can write them. */
static void append_template_arguments(StrBuf *out, Lowering *lw, const Declaration *d) {
  const Source *s = lw->source;
  int head = own_head(s, d);
  if (head < 0) return;
  int close = skip_angles(s, head) - 1;
  const char *separator = "<";
  for (int begin = head + 1; begin < close;) {
    Parameter p;
    begin = read_parameter(s, TEMPLATE_PARAMETER, begin, close, &p) + 1;
    strbuf_puts(out, separator);
    append_parameter_name(out, lw, &p);
    separator = ", ";
  }
  strbuf_puts(out, ">");
}

void append_parameter_values(StrBuf *out, Lowering *lw, const Declaration *d) {
  const Source *s = lw->source;
  int close = s->tokens[d->params].partner;
  bool is_void = close == d->params + 2 && token_is(s, d->params + 1, "void");
  for (int begin = d->params + 1; begin < close && !is_void;) {
    Parameter p;
    begin = read_parameter(s, FUNCTION_PARAMETER, begin, close, &p) + 1;
    strbuf_puts(out, ", ");
    append_parameter_name(out, lw, &p);
  }
}

bool append_kernel_itself(StrBuf *out, Lowering *lw, const Declaration *d) {
  if (d->words & WORD_FRIEND) return false;
  append_signature(out, lw, d);
  strbuf_puts(out, ", &");
  append_tokens(out, lw->source, d->name, d->params); /* a specialisation may state its arguments */
  if (!d->is_specialisation) append_template_arguments(out, lw, d);
  return true;
}

void register_from_body(Lowering *lw, const Declaration *d, const char *itself) {
  char *text = xasprintf(" (void)&::__bang_kernel_registration<%s>::registrar;", itself);
  rewrite_after(lw->rewrite, d->body, text);
  free(text);
}
