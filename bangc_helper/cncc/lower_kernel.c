/* SPDX-License-Identifier: MIT
 *
 * Kernels: the body becomes a closure handed to the launcher.
 */
#include "lower_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "lower_function.h"
#include "lower_memory_core.h"
#include "lower_registration.h"

/* A unit that launches no kernel is for programs of another compiler, as with --bang-device-only.
 */
static bool launches_kernels(const Source *s) {
  for (int i = 0; i < s->count; ++i) {
    if (token_op(s, i, OP_LAUNCH)) return true;
  }
  return false;
}

/* Do the system's headers know a function of this name? A program may mean that one. */
static bool is_name_of_system(const Source *s, const char *name) {
  for (int i = 0; i + 1 < s->count; ++i) {
    bool of_system = s->files[s->tokens[i].file].system;
    if (of_system && token_is(s, i, name) && token_op(s, i + 1, '(')) return true;
  }
  return false;
}

/* Has the unit C linkage of its own, or the kernel its C name already? */
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

/* A symbol with the kernel's C name: a host program compiled by another compiler passes its address
 * to cnrtInvokeKernel. Weak, so that it never wins over a function of that name. */
static void export_plain_name(Lowering *lw, const Declaration *d) {
  const Token *t = &lw->source->tokens[d->name];
  char *name = xstrndup(lw->source->text + t->offset, t->length);
  bool asked_for = lw->options->plain_names;
  if (!has_plain_name(lw, name) && (asked_for || !is_name_of_system(lw->source, name))) {
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

/* In the closure __func__ would name its call operator. */
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

void append_kernel_entry(StrBuf *out, const Lowering *lw, const Declaration *d, const char *unit) {
  strbuf_puts(out, "::__bang_kernel_entry(\"");
  append_tokens(out, lw->source, d->name, d->name + 1);
  strbuf_printf(out, "\", %s, ", unit);
}

void lower_kernel(Lowering *lw, const Declaration *d, ScopeKind scope) {
  if (d->name < 0) {
    source_error(lw->source, d->start, "an operator cannot be a kernel");
    return;
  }
  drop_qualifiers(lw, d->specifiers, d->params);
  bool concrete = !d->is_template && !d->is_qualified && scope == SCOPE_NAMESPACE;
  if (d->body >= 0) {
    if (!concrete) register_from_body(lw, d);
    StrBuf open = {0}, close = {0};
    lw->options->target->wrap_kernel(lw, d, &open, &close);
    rewrite_after(lw->rewrite, d->body, open.data);
    rewrite_before(lw->rewrite, d->end, close.data);
    strbuf_free(&open);
    strbuf_free(&close);
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
