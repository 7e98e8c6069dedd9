/* SPDX-License-Identifier: MIT
 *
 * On-chip variables lie in the arenas of the core that runs the task, or of its cluster, and the
 * units of a program lie over each other there.
 *
 *   at file scope     counted places; the name is a reference per thread, for code of any kind, and
 *                     plain device functions begin with a reference that costs an addition
 *   in functions      NRAM and LDRAM are taken when a task first comes by, until it ends
 *   everything else   shared RAM and WRAM of functions, static members, what jumps or lambdas pass:
 *                     places that are reserved when the unit is loaded
 *   __mlu_device__, __mlu_const__  known to the runtime by their addresses
 */
#include "cpu_onchip.h"

#include <stdlib.h>
#include <string.h>

#include "lower_extern_array.h"
#include "onchip_places.h"
#include "variable_text.h"

/* ---- Initialisers ---- */

/* Names that a constant initialiser may contain. */
static bool is_literal_word(const Source *s, int index) {
  static const char *const words[] = {"true",  "false",      "nullptr", "half",   "float",
                                      "char",  "bfloat16_t", "int",     "double", "unsigned",
                                      "short", "long",       "signed",  "bool"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (token_is(s, index, words[i])) return true;
  }
  return false;
}

/* Only literals: the value does not depend on anything that changes while a task runs. */
static bool is_literal_list(const Source *s, const Declarator *v) {
  for (int i = v->init_begin; i < v->init_end; ++i) {
    if (s->tokens[i].kind == TOKEN_IDENTIFIER && !is_literal_word(s, i)) return false;
  }
  return true;
}

/* A number that cannot change may be a C++ constant, usable as the size of an array. */
static bool is_plain_constant(const Source *s, const Declaration *d) {
  for (int k = 0; k < d->declarator_count; ++k) {
    const Declarator *v = &d->declarators[k];
    if (v->is_array || v->is_pointer || !has_initialiser(v) || !is_literal_list(s, v)) return false;
  }
  return (d->words & (WORD_CONST | WORD_CONSTEXPR)) != 0;
}

/* ---- Shared parts ---- */

static int capacity_kb(const Arch *arch, int space) {
  return space == ONCHIP_NRAM   ? arch->nram_kb
         : space == ONCHIP_WRAM ? arch->wram_kb
         : space == ONCHIP_SRAM ? arch->sram_kb
                                : 0;
}

static void append_capacity_check(StrBuf *text, const Lowering *lw, const char *type,
                                  const char *name, int space) {
  int limit_kb = capacity_kb(lw->options->arch, space);
  if (limit_kb == 0) return;
  append_size_check(text, type, name, onchip_spaces[space].keyword, limit_kb, lw->options->arch);
}

/* Kernels fill WRAM and shared RAM by copies. */
static void refuse_initialiser(const Lowering *lw, const Declaration *d, const Declarator *v) {
  int space = onchip_space_of(d);
  if ((space != ONCHIP_WRAM && space != ONCHIP_SRAM) || !has_initialiser(v)) return;
  char *name = declarator_name(lw->source, v);
  source_error(lw->source, v->init_begin, "%s variable '%s' cannot have an initialiser",
               onchip_spaces[space].keyword, name);
  free(name);
}

/* True if an extern declaration must define its array, because nothing else in the unit does. */
static bool defines_by_extern(const Source *s, const Declaration *d) {
  for (int k = 0; k < d->declarator_count; ++k) {
    const Declarator *v = &d->declarators[k];
    if (v->unknown_bound && array_definition(s, d, v) < 0) return true;
  }
  return false;
}

/* ---- File scope ---- */

/* WRAM and shared RAM have no initial values. */
static bool begins_with_task(const Onchip *item) {
  return item->space == ONCHIP_NRAM || item->space == ONCHIP_LDRAM;
}

/* A function that initialises the variable for a task. */
static void append_beginning(StrBuf *text, const Lowering *lw, const Declarator *v,
                             const Onchip *item, bool has_image) {
  strbuf_printf(text, "static inline void __bang_begin_%d() { ", item->id);
  if (!has_initialiser(v)) {
    strbuf_puts(text, "::__bang_construct(");
    append_onchip_variable(text, item);
    strbuf_puts(text, "); }");
    return;
  }
  if (!has_image) { /* an initialiser that is no literal may use other variables of the core */
    strbuf_printf(text, "__bang_type_%d __bang_image_%d ", item->id, item->id);
    append_tokens(text, lw->source, v->init_begin, v->init_end);
    strbuf_puts(text, "; ");
  }
  strbuf_puts(text, "::__bang_store(");
  append_onchip_variable(text, item);
  strbuf_printf(text, ", __bang_image_%d); }", item->id);
}

static void place_variable(Lowering *lw, const Declaration *d, const Declarator *v, StrBuf *text) {
  const Source *s = lw->source;
  int id = ++lw->counter;
  bool is_literal = is_literal_list(s, v);
  /* The array's size may follow from the initialiser. */
  bool has_image = is_literal || v->unknown_bound;
  append_onchip_description(text, lw, d, v, id, has_image ? "static " : NULL);
  char *type = xasprintf("__bang_type_%d", id);
  char *bytes = xasprintf("sizeof(%s)%s", type,
                          lw->options->has_redzones ? " + ::BANG_RAM_REDZONE_BYTES" : "");
  const Onchip *item = append_onchip_place(text, lw, d, v, id, bytes);
  append_capacity_check(text, lw, type, item->name, item->space);
  strbuf_printf(text, " namespace { thread_local %s &%s __attribute__((unused)) = ", type,
                item->name);
  append_onchip_variable(text, item);
  strbuf_puts(text, "; } ");
  if (begins_with_task(item)) append_beginning(text, lw, v, item, has_image);
  free(bytes);
  free(type);
}

/* Refers to the variable that the file defines later. */
static void announce_variable(Lowering *lw, const Declaration *d, const Declarator *v,
                              StrBuf *text) {
  int id = ++lw->counter;
  char *name = declarator_name(lw->source, v);
  append_onchip_description(text, lw, d, v, id, NULL);
  strbuf_printf(text, "namespace { extern thread_local __bang_type_%d &%s; } ", id, name);
  free(name);
}

/* ---- Reserved when the unit is loaded ---- */

static void append_slot(StrBuf *text, const char *slot, const char *type, int space) {
  strbuf_printf(text, "::__bang_space_slot<%s, %s, %s, ::__bang_tu_tag>", slot, type,
                onchip_spaces[space].space);
}

/* A static member: in the class a reference, with names that its definition can use. */
static void declare_member(Lowering *lw, const Declaration *d, const Declarator *v, StrBuf *text) {
  const Source *s = lw->source;
  char *name = declarator_name(s, v);
  char *type = xasprintf("__bang_type_of_%s", name);
  strbuf_puts(text, "typedef ");
  append_variable_type(text, s, d);
  append_renamed(text, s, v, type);
  strbuf_puts(text, "; struct ");
  append_onchip_alignment(text, s, d);
  strbuf_printf(text, "__bang_slot_of_%s {}; static %sthread_local %s &%s ", name,
                (d->words & WORD_INLINE) ? "inline " : "", type, name);
  strbuf_printf(text, "__attribute__((abi_tag(\"%s\")))", lw->options->unit_tag);
  if (d->words & WORD_INLINE) {
    char *slot = xasprintf("__bang_slot_of_%s", name);
    strbuf_puts(text, " = ");
    append_slot(text, slot, type, onchip_space_of(d));
    strbuf_puts(text, "::variable()");
    free(slot);
  }
  strbuf_puts(text, ";");
  if (has_initialiser(v)) {
    source_error(s, v->init_begin, "a static member on the chip cannot have an initialiser");
  }
  free(type);
  free(name);
}

static void define_member(Lowering *lw, const Declaration *d, const Declarator *v, StrBuf *text) {
  const Source *s = lw->source;
  char *name = declarator_name(s, v);
  /* "S<T>::" before the name. */
  int begin = v->begin;
  while (begin < v->name && (token_op(s, begin, '*') || token_op(s, begin, '&'))) ++begin;
  StrBuf owner = {0}, slot = {0}, type = {0};
  append_tokens(&owner, s, begin, v->name);
  strbuf_printf(&slot, "typename %s __bang_slot_of_%s", owner.data, name);
  strbuf_printf(&type, "typename %s __bang_type_of_%s", owner.data, name);
  append_tokens(text, s, d->start, d->specifiers); /* template heads */
  strbuf_printf(text, " thread_local %s &%s %s = ", type.data, owner.data, name);
  append_slot(text, slot.data, type.data, onchip_space_of(d));
  strbuf_puts(text, "::variable();");
  if (has_initialiser(v)) {
    source_error(s, v->init_begin, "a static member on the chip cannot have an initialiser");
  }
  strbuf_free(&owner);
  strbuf_free(&slot);
  strbuf_free(&type);
  free(name);
}

/* ---- Functions ---- */

/* The function around the construct being lowered: the braces of its outermost block. */
static void find_function(const Lowering *lw, int *open, int *close) {
  *open = *close = -1;
  for (int i = 0; i < lw->scopes->depth && *open < 0; ++i) {
    if (lw->scopes->items[i].kind == SCOPE_FUNCTION) *open = lw->scopes->items[i].open;
  }
  if (*open >= 0) *close = lw->source->tokens[*open].partner;
}

/* True if the '[' at `index` starts a lambda, or the '{' a class. */
static bool begins_closure(const Source *s, int index) {
  if (token_op(s, index, '[')) {
    bool is_index = token_kind(s, index - 1, TOKEN_IDENTIFIER) || token_op(s, index - 1, ')') ||
                    token_op(s, index - 1, ']') || token_op(s, index - 1, '>');
    bool returns = token_is(s, index - 1, "return");
    return (!is_index || returns) && !token_op(s, index + 1, '[') && !token_op(s, index - 1, '[');
  }
  if (!token_op(s, index, '{')) return false;
  int i = index - 1;
  while (token_kind(s, i, TOKEN_IDENTIFIER) || token_op(s, i, ':') || token_op(s, i, OP_SCOPE) ||
         token_op(s, i, ',') || token_op(s, i, '<') || token_op(s, i, '>')) {
    if (token_is(s, i, "struct") || token_is(s, i, "class") || token_is(s, i, "union")) return true;
    --i;
  }
  return false;
}

/* The end of the body of a lambda or class; -1: it has none. */
static int closure_end(const Source *s, int index, int end) {
  for (int i = index; i < end && !token_op(s, i, ';'); ++i) {
    if (token_op(s, i, '{')) return s->tokens[i].partner;
    if (s->tokens[i].partner > i) i = s->tokens[i].partner;
  }
  return -1;
}

/* True if lambdas or classes in [begin, end) use the name. They would copy the variable instead of
 * the function's reference to it, or could not reach the reference. */
static bool is_used_by_closure(const Source *s, int begin, int end, const char *name) {
  for (int i = begin; i < end; ++i) {
    if (!begins_closure(s, i)) continue;
    int last = closure_end(s, i, end);
    if (last > i && is_named_in(s, i, last, name)) return true;
  }
  return false;
}

/* True if control may jump over a declaration here, which C++ forbids for references. */
static bool is_jumped_over(const Lowering *lw, int open, int close) {
  const Source *s = lw->source;
  int block = scope_top(lw->scopes)->open;
  int condition = token_op(s, block - 1, ')') ? s->tokens[block - 1].partner : -1;
  if (token_is(s, condition - 1, "switch")) return true;
  for (int i = open; i < close; ++i) {
    if (token_is(s, i, "goto")) return true;
  }
  return false;
}

static void local_variable(Lowering *lw, const Declaration *d, const Declarator *v, StrBuf *text) {
  const Source *s = lw->source;
  int space = onchip_space_of(d), open, close;
  int id = ++lw->counter;
  char *name = declarator_name(s, v);
  find_function(lw, &open, &close);
  bool is_static = is_jumped_over(lw, open, close) || is_used_by_closure(s, d->end, close, name);
  bool is_taken = !is_static && (space == ONCHIP_NRAM || space == ONCHIP_LDRAM);
  bool is_literal = is_literal_list(s, v);
  bool counts_elements = v->unknown_bound && has_initialiser(v);
  append_onchip_description(text, lw, d, v, id,
                            !counts_elements ? NULL
                            : is_literal     ? "static "
                                             : "");
  char *type = xasprintf("__bang_type_%d", id), *slot = xasprintf("__bang_slot_%d", id);
  if (is_taken || (is_literal && has_initialiser(v))) {
    strbuf_printf(text, "static __thread ::%s __bang_mark_%d; ",
                  is_taken ? "__bang_place_mark" : "__bang_task_mark", id);
  }
  strbuf_printf(text,
                "%s%s &%s __attribute__((unused)) = ", is_static ? "static thread_local " : "",
                type, name);
  if (is_taken) {
    strbuf_printf(text, "::__bang_local<%s, %s, alignof(%s), %s>(__bang_mark_%d, \"%s\");", type,
                  onchip_spaces[space].space, slot, lw->options->has_redzones ? "true" : "false",
                  id, name);
    onchip_of(lw)->has_local[space] = true;
  } else {
    append_slot(text, slot, type, space);
    strbuf_puts(text, "::variable();");
  }
  if (has_initialiser(v)) {
    if (is_literal) strbuf_printf(text, " if (::__bang_first_in_task(__bang_mark_%d))", id);
    strbuf_puts(text, " {");
    if (!counts_elements) {
      strbuf_printf(text, " %s%s __bang_image_%d ", is_literal ? "static " : "", type, id);
      append_tokens(text, s, v->init_begin, v->init_end);
      strbuf_puts(text, ";");
    }
    strbuf_printf(text, " ::__bang_store(%s, __bang_image_%d); }", name, id);
  } else if (is_taken) {
    strbuf_printf(text, " if (::__bang_first_in_task(__bang_mark_%d)) ::__bang_construct(%s);", id,
                  name);
  }
  append_capacity_check(text, lw, type, name, space);
  free(slot);
  free(type);
  free(name);
}

/* ---- All of them ---- */

void cpu_lower_onchip(Lowering *lw, const Declaration *d, ScopeKind scope) {
  const Source *s = lw->source;
  if (is_plain_constant(s, d) && !d->is_qualified) {
    drop_qualifiers(lw, d->specifiers, d->declarators[0].name);
    return;
  }
  bool defines = !(d->words & WORD_EXTERN) || defines_by_extern(s, d);
  if (d->is_template && !d->is_qualified) {
    source_error(s, d->start, "a template of on-chip variables is not supported");
    return;
  }
  StrBuf text = {0};
  strbuf_add(&text, "", 0);
  for (int k = 0; k < d->declarator_count; ++k) {
    const Declarator *v = &d->declarators[k];
    refuse_initialiser(lw, d, v);
    if (scope == SCOPE_CLASS) {
      declare_member(lw, d, v, &text);
    } else if (d->is_qualified) {
      define_member(lw, d, v, &text);
    } else if (scope == SCOPE_FUNCTION) {
      if (defines)
        local_variable(lw, d, v, &text); /* otherwise the variable of the file is meant */
    } else if (defines) {
      place_variable(lw, d, v, &text);
    } else {
      announce_variable(lw, d, v, &text);
    }
  }
  if (text.size == 0) strbuf_puts(&text, ";");
  /* Replaces the last token by itself, so that text added after the declaration stays. */
  replacement_text(rewrite_range(lw->rewrite, d->start, d->end), text.data);
  rewrite_replace(lw->rewrite, d->end, "");
  strbuf_free(&text);
}

/* In a function that is not a member and may contain statements, a name certainly means the
 * variable of its own namespace. All other uses go through the reference at file scope. */
static bool is_plain_use(const Lowering *lw, const Declaration *d, const Onchip *item) {
  if (d->is_qualified || (d->words & (WORD_CONSTEXPR | WORD_FRIEND)) ||
      scope_top(lw->scopes)->kind != SCOPE_NAMESPACE ||
      is_used_by_closure(lw->source, d->body, d->end, item->name)) {
    return false;
  }
  char *path = namespace_path(lw);
  bool is_near = strcmp(path, item->path) == 0;
  free(path);
  return is_near;
}

void cpu_wrap_body(Lowering *lw, const Declaration *d, StrBuf *open, StrBuf *close) {
  StrBuf references = {0};
  append_onchip_references(&references, lw, d, is_plain_use);
  if (references.size) {
    strbuf_printf(open, " %s {", references.data);
    strbuf_puts(close, "}");
  }
  strbuf_free(&references);
}

void cpu_begin_unit(Lowering *lw) {
  onchip_begin_unit(lw);
}

/* The places of the file-scope variables, for checks of overruns. */
static void append_variable_list(StrBuf *out, const Lowering *lw) {
  strbuf_puts(out, "\nstatic const ::bangVariable __bang_variables[] = {");
  for (int i = 0; i < onchip_of(lw)->count; ++i) {
    const Onchip *item = &onchip_of(lw)->items[i];
    strbuf_printf(out, "{\"%s\", %s, %s__bang_reach_%d.at, sizeof(%s__bang_type_%d), ", item->name,
                  onchip_spaces[item->space].space, item->path, item->id, item->path, item->id);
    strbuf_printf(out, "%s::__bang_is_constructed<%s__bang_type_%d>()}, ",
                  item->has_image ? "true || " : "", item->path, item->id);
  }
  strbuf_puts(out, "{}};");
}

void cpu_end_unit(Lowering *lw, StrBuf *out) {
  if (out) {
    if (lw->options->has_redzones) append_variable_list(out, lw);
    strbuf_puts(out, "\nvoid __bang_unit_begin() {");
    if (lw->options->has_redzones) {
      strbuf_printf(out, " ::__bang_ram_watch(__bang_variables, %d);", onchip_of(lw)->count);
    }
    for (int i = 0; i < onchip_of(lw)->count; ++i) {
      const Onchip *item = &onchip_of(lw)->items[i];
      if (begins_with_task(item)) {
        strbuf_printf(out, " %s__bang_begin_%d();", item->path, item->id);
      }
    }
    strbuf_puts(out, " }\n");
    append_unit_sizes(out, lw);
  }
  onchip_end_unit(lw);
}

/* ---- Device globals ---- */

/* Programs may ask the runtime for their addresses. */
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
