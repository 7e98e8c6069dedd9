/* SPDX-License-Identifier: MIT
 *
 * Kernels: the body becomes a closure handed to the launcher.
 */
#include <stdlib.h>
#include <string.h>

#include "lower_internal.h"

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

/* The parameter that is a pack: its first token, and in *name that of its name. -1: there is none,
 * or the body cannot name it. */
static int find_pack(const Source *s, int params, int *name) {
  int begin = params + 1;
  for (int i = begin; i < s->tokens[params].partner; ++i) {
    int partner = s->tokens[i].partner;
    if (token_op(s, i, '<')) {
      int past = skip_angles(s, i);
      if (past > 0) i = past - 1;
    } else if (partner > i) {
      i = partner;
    } else if (token_op(s, i, ',')) {
      begin = i + 1;
    } else if (token_is(s, i, "...") && token_kind(s, i + 1, TOKEN_IDENTIFIER)) {
      *name = i + 1;
      return begin;
    }
  }
  return -1;
}

/* No device lambda can capture a parameter pack: it takes it as its own parameters. */
static void take_pack(Lowering *lw, const Declaration *d, StrBuf *pack, StrBuf *close) {
  int name = -1;
  const int begin = find_pack(lw->source, d->params, &name);
  if (begin < 0) return;
  append_tokens(pack, lw->source, begin, name + 1);
  strbuf_puts(close, ", ");
  append_tokens(close, lw->source, name, name + 1);
  strbuf_puts(close, "...)");
}

/* Words that come before the name of a type, and those that are one. */
static const char *const words_before_types[] = {"const", "volatile", "struct", "class",
                                                 "enum",  "typename", NULL};
static const char *const words_of_types[] = {"bool",   "char",     "short",   "int",
                                             "long",   "float",    "double",  "half",
                                             "signed", "unsigned", "wchar_t", NULL};

static bool is_among(const Source *s, int index, const char *const *words) {
  while (*words && !token_is(s, index, *words)) ++words;
  return *words != NULL;
}

bool is_parameter_name(const Source *s, int begin, int index) {
  if (!token_kind(s, index, TOKEN_IDENTIFIER) || is_among(s, index, words_before_types) ||
      is_among(s, index, words_of_types) || token_op(s, index - 1, OP_SCOPE)) {
    return false;
  }
  bool has_type = false;
  for (int i = begin; i < index; ++i) {
    has_type |= !is_among(s, i, words_before_types) && !qualifier_of(s, i);
  }
  return has_type;
}

static bool has_constexpr_if(const Source *s, const Declaration *d) {
  for (int i = d->body; i < d->end; ++i) {
    if (token_is(s, i, "if") && token_is(s, i + 1, "constexpr")) return true;
  }
  return false;
}

/* A device lambda must not name a parameter first in an `if constexpr`: its body names all of them
 * before. A pack is not captured. */
static void name_parameters(const Source *s, const Declaration *d, StrBuf *body) {
  const int close = s->tokens[d->params].partner;
  if (!has_constexpr_if(s, d)) return;
  int begin = d->params + 1;
  bool of_pack = false, in_default = false;
  for (int i = begin; i < close; ++i) {
    const int partner = s->tokens[i].partner;
    if (token_op(s, i, '<') && !in_default) {
      int past = skip_angles(s, i);
      if (past > 0) i = past - 1;
    } else if (partner > i) {
      i = partner;
    }
    of_pack |= token_is(s, i, "...");
    in_default |= token_op(s, i, '=');
    const int next = i + 1;
    bool at_end =
        next == close || token_op(s, next, ',') || token_op(s, next, '=') || token_op(s, next, '[');
    if (at_end && !of_pack && !in_default && is_parameter_name(s, begin, i)) {
      strbuf_puts(body, "(void)");
      append_tokens(body, s, i, i + 1);
      strbuf_puts(body, "; ");
    }
    if (token_op(s, i, ',')) {
      begin = i + 1;
      of_pack = in_default = false;
    }
  }
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
    StrBuf open = {0}, close = {0}, body = {0}, pack = {0};
    bool gpu = lw->options->for_gpu;
    if (gpu) open_device_body(lw, d, &body, &close);
    strbuf_puts(&close, "}");
    if (gpu) {
      take_pack(lw, d, &pack, &close);
      name_parameters(lw->source, d, &body);
    }
    strbuf_puts(&open, "::__bang_kernel_entry(\"");
    append_tokens(&open, lw->source, d->name, d->name + 1);
    strbuf_printf(&open, "\", %s, %s[=]%s(%s) mutable -> void {%s",
                  gpu ? "::__bang_unit()" : "::__bang_tu_ram()",
                  pack.size ? "::__bang_with_pack(" : "", gpu ? " __device__ " : "",
                  pack.size ? pack.data : "", body.size ? body.data : "");
    strbuf_puts(&close, ");");
    rewrite_after(lw->rewrite, d->body, open.data);
    rewrite_before(lw->rewrite, d->end, close.data);
    strbuf_free(&pack);
    strbuf_free(&body);
    strbuf_free(&open);
    strbuf_free(&close);
    name_function(lw, d);
    lower_exits(lw, d);
    if (memory_core_is_idle(lw)) rewrite_after(lw->rewrite, d->body, " if (::__is_mpu()) return;");
  }
  if (concrete && d->body >= 0) register_kernel(lw, d, NULL);
  bool at_file_scope = concrete && d->body >= 0 && lw->scopes->depth == 1;
  if (at_file_scope && !lw->options->for_gpu &&
      (lw->options->plain_names || !launches_kernels(lw->source))) {
    export_plain_name(lw, d);
  }
}
