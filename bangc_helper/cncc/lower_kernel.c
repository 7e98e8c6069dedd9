/* SPDX-License-Identifier: MIT
 *
 * Kernels. When the host calls one, it passes itself and its arguments to the launcher. Templates
 * and inline kernels may mean something else in the next unit, so they become private to the unit
 * unless it instantiates them for others.
 */
#include "lower_kernel.h"

#include <stdlib.h>
#include <ctype.h>
#include <string.h>

#include "lower_function.h"
#include "lower_memory_core.h"
#include "lower_registration.h"

/* A unit without launches is for programs of another compiler, as with --bang-device-only. */
static bool launches_kernels(const Source *s) {
  for (int i = 0; i < s->count; ++i) {
    if (token_op(s, i, OP_LAUNCH)) return true;
  }
  return false;
}

static bool is_part_of_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* True if the text has the name and a parenthesis after it. */
static bool has_function(const char *text, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
    const char *after = at + length + strspn(at + length, " ");
    if (*after == '(' && !(at > text && is_part_of_name(at[-1]))) return true;
  }
  return false;
}

/* True if a system header declares a function of this name, which the program may mean. */
static bool is_name_of_system(const Lowering *lw, const char *name) {
  const Source *s = lw->source;
  if (lw->options->header && has_function(lw->options->header, name)) return true;
  for (int i = 0; i + 1 < s->count; ++i) {
    bool of_system = s->files[s->tokens[i].file].system;
    if (of_system && token_is(s, i, name) && token_op(s, i + 1, '(')) return true;
  }
  return false;
}

/* True if the unit has C linkage, or the kernel has its C name already. */
static bool has_plain_name(const Lowering *lw, const char *name) {
  const Source *s = lw->source;
  for (int i = 0; i + 1 < s->count; ++i) {
    bool own = !s->files[s->tokens[i].file].system;
    if (own && token_is(s, i, "extern") && token_kind(s, i + 1, TOKEN_STRING)) return true;
  }
  for (size_t i = 0; i < lw->plain_names.count; ++i) {
    if (strcmp(lw->plain_names.items[i], name) == 0) return true;
  }
  return false;
}

/* A symbol with the kernel's C name: a host program of another compiler passes its address to
 * cnrtInvokeKernel. It is weak, so that a real function of that name wins. */
static void export_plain_name(Lowering *lw, const Declaration *d) {
  const Token *t = &lw->source->tokens[d->name];
  char *name = xstrndup(lw->source->text + t->offset, t->length);
  bool asked_for = lw->options->plain_names;
  if (!has_plain_name(lw, name) && (asked_for || !is_name_of_system(lw, name))) {
    char *stub = xasprintf("__bang_plain_%d", ++lw->counter);
    char *text = xasprintf(
        " extern \"C\" __attribute__((weak, used)) void %s() __asm__(\"%s\"); void %s() {}", stub,
        name, stub);
    rewrite_after(lw->rewrite, d->end, text);
    register_kernel(lw, d, stub);
    strlist_add(&lw->plain_names, name);
    free(text);
    free(stub);
  }
  free(name);
}

/* True if the unit names the kernel in an explicit instantiation. */
static bool is_instantiated(const Source *s, const char *name) {
  for (int i = 0; i + 1 < s->count; ++i) {
    if (!token_is(s, i, "template") || token_op(s, i + 1, '<')) continue;
    bool in_expression =
        token_op(s, i - 1, '.') || token_op(s, i - 1, OP_ARROW) || token_op(s, i - 1, OP_SCOPE);
    for (int k = i + 1; !in_expression && k < s->count && !token_op(s, k, ';'); ++k) {
      if (token_op(s, k, '(')) break;
      if (token_is(s, k, name)) return true;
    }
  }
  return false;
}

/* True if the unit defines a function of this name. */
static bool is_defined(const Source *s, const char *name) {
  for (int i = 0; i + 1 < s->count; ++i) {
    if (!token_is(s, i, name) || !token_op(s, i + 1, '(')) continue;
    if (token_op(s, s->tokens[i + 1].partner + 1, '{')) return true;
  }
  return false;
}

static char *token_text(const Source *s, int index) {
  return xstrndup(s->text + s->tokens[index].offset, s->tokens[index].length);
}

/* The class around the construct being lowered; NULL if there is none or it has no name. */
static char *class_name(const Lowering *lw) {
  const Source *s = lw->source;
  const Scope *scope = scope_top(lw->scopes);
  int open = scope->kind == SCOPE_CLASS ? scope->open : -1;
  int key = open;
  while (key > 0 && !token_is(s, key, "struct") && !token_is(s, key, "class") &&
         !token_op(s, key, ';') && !token_op(s, key, '}')) {
    --key;
  }
  return token_kind(s, key + 1, TOKEN_IDENTIFIER) && key < open ? token_text(s, key + 1) : NULL;
}

/* Several units may each have a function of this name, of which the linker would keep one. */
static bool belongs_to_unit(const Lowering *lw, const Declaration *d, ScopeKind scope) {
  const Source *s = lw->source;
  if (d->is_qualified || d->is_specialisation || d->is_instantiation ||
      (d->words & (WORD_FRIEND | WORD_EXTERN_C)) || scope == SCOPE_FUNCTION) {
    return false;
  }
  bool member = scope == SCOPE_CLASS;
  if (!member && !d->is_template && !(d->words & WORD_INLINE)) return false;
  char *name = token_text(s, d->name);
  char *of_class = member ? class_name(lw) : NULL;
  bool own = (d->body >= 0 || (!member && is_defined(s, name))) && !is_instantiated(s, name) &&
             !(of_class && is_instantiated(s, of_class));
  free(of_class);
  free(name);
  return own;
}

/* Internal linkage; members, which cannot have it, get a name that is unique to the unit. */
static void make_own(Lowering *lw, const Declaration *d, ScopeKind scope) {
  bool member = scope == SCOPE_CLASS;
  StrBuf text = {0};
  strbuf_puts(&text, member || (d->words & WORD_STATIC) ? "" : "static ");
  lw->options->target->append_attributes(&text, lw, d, member);
  strbuf_puts(&text, " ");
  rewrite_before(lw->rewrite, d->specifiers, text.data);
  strbuf_free(&text);
}

/* In the closure, __func__ would be the name of its call operator. */
static void name_function(Lowering *lw, const Declaration *d) {
  StrBuf quoted = {0};
  strbuf_puts(&quoted, "\"");
  append_tokens(&quoted, lw->source, d->name, d->name + 1);
  strbuf_puts(&quoted, "\"");
  for (int i = d->body; i < d->end; ++i) {
    if (token_is(lw->source, i, "__func__") || token_is(lw->source, i, "__FUNCTION__")) {
      rewrite_replace(lw->rewrite, i, quoted.data);
    }
  }
  strbuf_free(&quoted);
}

/* Code at the start and the end of the body. */
static void wrap_body(Lowering *lw, const Declaration *d, bool concrete) {
  StrBuf itself = {0}, open = {0}, close = {0};
  bool is_nameable = append_kernel_itself(&itself, lw, d);
  if (!concrete && is_nameable) register_from_body(lw, d, itself.data);
  lw->options->target->wrap_kernel(lw, d, is_nameable ? itself.data : NULL, &open, &close);
  rewrite_after(lw->rewrite, d->body, open.data);
  rewrite_before(lw->rewrite, d->end, close.data);
  strbuf_free(&itself);
  strbuf_free(&open);
  strbuf_free(&close);
}

void lower_kernel(Lowering *lw, const Declaration *d, ScopeKind scope) {
  if (d->name < 0) {
    source_error(lw->source, d->start, "an operator cannot be a kernel");
    return;
  }
  if (belongs_to_unit(lw, d, scope)) make_own(lw, d, scope);
  drop_qualifiers(lw, d->specifiers, d->params);
  bool concrete = !d->is_template && !d->is_qualified && scope == SCOPE_NAMESPACE;
  if (d->body >= 0) {
    wrap_body(lw, d, concrete);
    name_function(lw, d);
    lower_exits(lw, d);
    if (memory_core_is_idle(lw)) rewrite_after(lw->rewrite, d->body, " if (::__is_mpu()) return;");
  }
  if (concrete && d->body >= 0) register_kernel(lw, d, NULL);
  bool at_file_scope = concrete && d->body >= 0 && lw->scopes->depth == 1;
  if (at_file_scope && lw->options->target->exports_kernel_names &&
      (lw->options->plain_names || !launches_kernels(lw->source))) {
    export_plain_name(lw, d);
  }
}
