/* SPDX-License-Identifier: MIT
 *
 *   __nram__, __ldram__            a thread_local variable: a core is a thread
 *   __wram__, __mlu_shared__       a reference into the arena of the core or its cluster
 *   __mlu_device__, __mlu_const__  known to the runtime by their addresses
 */
#include "cpu_onchip.h"

#include <stdlib.h>

#include "cpu_gap.h"
#include "lower_bound.h"
#include "variable_text.h"

/* Rewrites the specifiers in place so that a thread-local declaration results. alignas moves to the
 * front: it may not follow the storage class. */
static void make_thread_local(Lowering *lw, const Declaration *d, const char *opening,
                              const char *storage) {
  const Source *s = lw->source;
  for (int i = d->specifiers; i < d->declarators[0].begin; ++i) {
    if (qualifier_of(s, i) || is_storage_word(s, i)) {
      rewrite_drop(lw->rewrite, i);
    } else if (token_is(s, i, "constexpr")) {
      rewrite_replace(lw->rewrite, i, "const    ");
    } else if (token_is(s, i, "alignas") && token_op(s, i + 1, '(') &&
               s->tokens[i + 1].partner > 0) {
      int close = s->tokens[i + 1].partner;
      for (; i < close; ++i) rewrite_drop(lw->rewrite, i);
      rewrite_drop(lw->rewrite, close);
    }
  }
  StrBuf prefix = {0};
  strbuf_puts(&prefix, opening);
  append_onchip_alignment(&prefix, s, d);
  strbuf_puts(&prefix, storage);
  rewrite_before(lw->rewrite, d->start, prefix.data);
  strbuf_free(&prefix);
}

/* ---- extern arrays without a bound ---- */

/* Does an extern declaration have to define its array, because nothing else in the unit does? */
static bool defines_by_extern(const Source *s, const Declaration *d) {
  for (int k = 0; k < d->declarator_count; ++k) {
    const Declarator *v = &d->declarators[k];
    if (v->unknown_bound && array_definition(s, d, v) < 0) return true;
  }
  return false;
}

/* Writes the bound between the brackets. */
static void give_bounds(Lowering *lw, const Declaration *d) {
  for (int k = 0; k < d->declarator_count; ++k) {
    const Declarator *v = &d->declarators[k];
    if (!v->unknown_bound) continue;
    StrBuf bound = {0};
    append_array_bound(&bound, lw, d, v);
    rewrite_after(lw->rewrite, v->name + 1, bound.data);
    strbuf_free(&bound);
  }
}

/* In a function such a declaration names the array of the file again, or defines one. True when it
 * has been dealt with. */
static bool lower_local_extern(Lowering *lw, const Declaration *d) {
  if (!(d->words & WORD_EXTERN)) return false;
  if (defines_by_extern(lw->source, d)) return false;
  replacement_text(rewrite_range(lw->rewrite, d->start, d->end + 1), ";");
  return true;
}

/* ---- __nram__ and __ldram__ ---- */

/* A note with the variable's name: both memories are thread-local variables here. */
static void append_ldram_note(StrBuf *out, Lowering *lw, const Declaration *d, const char *name) {
  if (d->qualifiers & QUALIFIER_LDRAM) {
    strbuf_printf(out, " static const char __bang_ldram_%d[] __attribute__((used)) = \"%s\";",
                  ++lw->counter, name);
  }
}

static void lower_file_scope_nram(Lowering *lw, const Declaration *d) {
  const Source *s = lw->source;
  bool is_extern = (d->words & WORD_EXTERN) != 0;
  if (is_extern && defines_by_extern(s, d)) {
    is_extern = false;
    give_bounds(lw, d);
  }
  make_thread_local(lw, d, "namespace { ", is_extern ? "extern thread_local " : "thread_local ");
  StrBuf text = {0};
  int first_gap = is_extern ? 0 : lower_gaps(lw, d, "thread_local ", false, &text);
  strbuf_puts(&text, " }");
  for (int k = 0; !is_extern && k < d->declarator_count; ++k) {
    const Declarator *v = &d->declarators[k];
    char *name = declarator_name(s, v);
    int id = ++lw->counter;
    char *image = NULL;
    if (v->init_end > v->init_begin) {
      image = xasprintf("__bang_image_%d", id);
      strbuf_printf(&text, " static decltype(%s) %s __attribute__((unused)) ", name, image);
      append_tokens(&text, s, v->init_begin, v->init_end);
      strbuf_puts(&text, ";");
    }
    strbuf_printf(
        &text,
        " static ::__bang_ram_registrar __bang_ram_%d(::__bang_tu_ram_head, \"%s\", sizeof(%s), "
        "[]() -> void * { return ::__bang_address(%s); }, %s%s, ",
        id, name, name, name, image ? "&" : "", image ? image : "nullptr");
    if (first_gap) {
      strbuf_printf(&text, "[]() -> void * { return __bang_gap_%d; });", first_gap + k);
    } else {
      strbuf_puts(&text, "nullptr);");
    }
    append_ldram_note(&text, lw, d, name);
    if (d->qualifiers & QUALIFIER_NRAM) {
      append_size_check(&text, name, name, "__nram__", lw->options->arch->nram_kb,
                        lw->options->arch);
    }
    free(image);
    free(name);
  }
  rewrite_after(lw->rewrite, d->end, text.data);
  strbuf_free(&text);
}

/* Names that an initialiser may contain and still be constant. */
static bool is_literal_word(const Source *s, int index) {
  static const char *const words[] = {"true",  "false",      "nullptr", "half",   "float",
                                      "char",  "bfloat16_t", "int",     "double", "unsigned",
                                      "short", "long",       "signed",  "bool"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (token_is(s, index, words[i])) return true;
  }
  return false;
}

/* Only literals: the value cannot depend on anything that changes while a task runs. */
static bool is_literal_list(const Source *s, const Declarator *v) {
  for (int i = v->init_begin; i < v->init_end; ++i) {
    if (s->tokens[i].kind == TOKEN_IDENTIFIER && !is_literal_word(s, i)) return false;
  }
  return true;
}

/* The initial value of a local on-chip variable: literals are set on the first use in a task,
 * anything else whenever the declaration is reached. */
static void append_local_init(StrBuf *out, Lowering *lw, const Declarator *v) {
  const Source *s = lw->source;
  char *name = declarator_name(s, v);
  int id = ++lw->counter;
  bool literal = is_literal_list(s, v);
  if (literal) {
    strbuf_printf(out,
                  " static __thread ::__bang_task_mark __bang_mark_%d; "
                  "if (::__bang_first_in_task(__bang_mark_%d))",
                  id, id);
  }
  strbuf_printf(out, " { %sdecltype(%s) __bang_image_%d ", literal ? "static " : "", name, id);
  append_tokens(out, s, v->init_begin, v->init_end);
  strbuf_printf(out, "; ::__bang_store(%s, __bang_image_%d); }", name, id);
  free(name);
}

/* Constants made of literals need no renewal: nobody can change them. */
static bool keeps_value(const Source *s, const Declaration *d, const Declarator *v) {
  return (d->words & (WORD_CONST | WORD_CONSTEXPR)) && !v->is_pointer && is_literal_list(s, v);
}

static void lower_local_nram(Lowering *lw, const Declaration *d) {
  const Source *s = lw->source;
  if (lower_local_extern(lw, d)) return;
  if (d->words & WORD_EXTERN) give_bounds(lw, d);
  StrBuf text = {0};
  strbuf_add(&text, "", 0);
  lower_gaps(lw, d, "static thread_local ", true, &text);
  bool drops_const = false;
  for (int k = 0; k < d->declarator_count; ++k) {
    const Declarator *v = &d->declarators[k];
    bool has_init = v->init_end > v->init_begin;
    if (has_init && !keeps_value(s, d, v)) {
      /* An unknown bound needs the initialiser to count the elements. */
      for (int i = v->init_begin; !v->unknown_bound && i < v->init_end; ++i)
        rewrite_drop(lw->rewrite, i);
      append_local_init(&text, lw, v);
      drops_const |= !v->is_pointer;
    }
    char *name = declarator_name(s, v);
    append_ldram_note(&text, lw, d, name);
    if (d->qualifiers & QUALIFIER_NRAM) {
      append_size_check(&text, name, name, "__nram__", lw->options->arch->nram_kb,
                        lw->options->arch);
    }
    free(name);
  }
  /* thread_local rather than __thread: elements may be classes, and in templates clang wants it for
   * initialisers. What is initialised by constants costs nothing more. */
  make_thread_local(lw, d, "", "static thread_local ");
  for (int i = d->specifiers; drops_const && i < d->declarators[0].begin; ++i) {
    if (token_is(s, i, "const") || token_is(s, i, "constexpr")) rewrite_drop(lw->rewrite, i);
  }
  rewrite_after(lw->rewrite, d->end, text.data);
  strbuf_free(&text);
}

/* ---- __wram__ and __mlu_shared__ ---- */

static void lower_arena_variable(Lowering *lw, const Declaration *d, ScopeKind scope) {
  const Source *s = lw->source;
  bool wram = (d->qualifiers & QUALIFIER_WRAM) != 0;
  const Arch *arch = lw->options->arch;
  bool local = scope == SCOPE_FUNCTION;
  if (local && lower_local_extern(lw, d)) return;
  bool is_extern = (d->words & WORD_EXTERN) && !defines_by_extern(s, d);
  StrBuf text = {0};
  strbuf_add(&text, "", 0);
  for (int k = 0; k < d->declarator_count; ++k) {
    const Declarator *v = &d->declarators[k];
    char *name = declarator_name(s, v);
    if (v->init_end > v->init_begin) {
      source_error(s, v->init_begin, "%s variable '%s' cannot have an initialiser",
                   wram ? "__wram__" : "__mlu_shared__", name);
    }
    int id = ++lw->counter;
    char *type = xasprintf("__bang_type_%d", id);
    strbuf_puts(&text, "typedef ");
    append_variable_type(&text, s, d);
    if (v->unknown_bound) {
      append_tokens(&text, s, v->begin, v->name);
      strbuf_printf(&text, " %s[", type);
      append_array_bound(&text, lw, d, v);
      strbuf_puts(&text, "]");
      append_tokens(&text, s, v->name + 3, v->end);
    } else {
      append_renamed(&text, s, v, type);
    }
    strbuf_puts(&text, "; ");
    if (is_extern) {
      strbuf_printf(&text, "namespace { extern thread_local %s &%s; } ", type, name);
    } else {
      strbuf_puts(&text, "struct ");
      append_onchip_alignment(&text, s, d);
      strbuf_printf(&text, "__bang_slot_%d {}; ", id);
      if (!local) strbuf_puts(&text, "namespace { ");
      strbuf_printf(&text, "%sthread_local %s &%s = ::__bang_space_slot<__bang_slot_%d, %s, %s, ",
                    local ? "static " : "", type, name, id, type,
                    wram ? "::BANG_SPACE_WRAM" : "::BANG_SPACE_SRAM");
      strbuf_printf(&text, "::__bang_tu_tag>::variable();%s", local ? "" : " }");
      append_size_check(&text, type, name, wram ? "__wram__" : "__mlu_shared__",
                        wram ? arch->wram_kb : arch->sram_kb, arch);
    }
    free(type);
    free(name);
  }
  replacement_text(rewrite_range(lw->rewrite, d->start, d->end + 1), text.data);
  strbuf_free(&text);
}

/* ---- Device globals ---- */

/* Programs may ask the runtime for them by address. */
void cpu_lower_global(Lowering *lw, const Declaration *d, bool is_definition) {
  if (!is_definition) return;
  StrBuf text = {0};
  for (int k = 0; k < d->declarator_count; ++k) {
    char *name = declarator_name(lw->source, &d->declarators[k]);
    strbuf_printf(&text, " static ::__bang_symbol_registrar __bang_symbol_%d(&%s, sizeof(%s));",
                  ++lw->counter, name, name);
    free(name);
  }
  rewrite_after(lw->rewrite, d->end, text.data);
  strbuf_free(&text);
}

void cpu_lower_onchip(Lowering *lw, const Declaration *d, ScopeKind scope) {
  if (!(d->qualifiers & (QUALIFIER_NRAM | QUALIFIER_LDRAM))) {
    lower_arena_variable(lw, d, scope);
  } else if (scope == SCOPE_FUNCTION) {
    lower_local_nram(lw, d);
  } else if (scope == SCOPE_CLASS) {
    make_thread_local(lw, d, "", "static thread_local ");
  } else if (d->is_qualified) {
    make_thread_local(lw, d, "", "thread_local ");
  } else {
    lower_file_scope_nram(lw, d);
  }
}
