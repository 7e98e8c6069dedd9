/* SPDX-License-Identifier: MIT */
#include "onchip_places.h"

#include <stdlib.h>

#include "lower_extern_array.h"
#include "variable_text.h"

const OnchipSpace onchip_spaces[ONCHIP_SPACES] = {
    {QUALIFIER_NRAM, "__nram__", "::BANG_SPACE_NRAM"},
    {QUALIFIER_WRAM, "__wram__", "::BANG_SPACE_WRAM"},
    {QUALIFIER_SHARED, "__mlu_shared__", "::BANG_SPACE_SRAM"},
    {QUALIFIER_LDRAM, "__ldram__", "::BANG_SPACE_LDRAM"},
};

int onchip_space_of(const Declaration *d) {
  for (int i = 0; i < ONCHIP_SPACES; ++i) {
    if (d->qualifiers & onchip_spaces[i].qualifier) return i;
  }
  return ONCHIP_NRAM;
}

void onchip_begin_unit(Lowering *lw) {
  lw->state = xcalloc(1, sizeof(OnchipList));
}

OnchipList *onchip_of(const Lowering *lw) {
  return lw->state;
}

void onchip_end_unit(Lowering *lw) {
  OnchipList *list = onchip_of(lw);
  for (int i = 0; i < list->count; ++i) {
    free(list->items[i].name);
    free(list->items[i].path);
  }
  free(list->items);
  free(list);
  lw->state = NULL;
}

char *namespace_path(const Lowering *lw) {
  const Source *s = lw->source;
  StrBuf path = {0};
  strbuf_puts(&path, "::");
  for (int k = 1; k < lw->scopes->depth; ++k) {
    int open = lw->scopes->items[k].open;
    if (lw->scopes->items[k].kind != SCOPE_NAMESPACE || open < 0) continue;
    int word = open - 1;
    while (word > 0 && (token_kind(s, word, TOKEN_IDENTIFIER) || token_op(s, word, OP_SCOPE)) &&
           !token_is(s, word, "namespace")) {
      --word;
    }
    if (!token_is(s, word, "namespace") || word + 1 == open) continue;
    append_tokens(&path, s, word + 1, open);
    strbuf_puts(&path, "::");
  }
  return path.data;
}

bool has_initialiser(const Declarator *v) {
  return v->init_end > v->init_begin;
}

/* ---- Describing a variable ---- */

static bool defines_type(const Source *s, const Declaration *d) {
  for (int i = d->specifiers; i < d->declarators[0].begin; ++i) {
    if (token_op(s, i, '{')) return true;
  }
  return false;
}

/* The type of all variables of the declaration. A type that is defined there gets its name with the
 * first variable, since it cannot be defined twice. */
static void append_base_type(StrBuf *text, const Lowering *lw, const Declaration *d) {
  if (defines_type(lw->source, d)) {
    strbuf_printf(text, "__bang_base_%d ", d->start);
  } else {
    append_variable_type(text, lw->source, d);
  }
}

/* The declarator under another name, with the size of its array. */
static void append_bounded(StrBuf *text, Lowering *lw, const Declaration *d, const Declarator *v,
                           const char *name) {
  const Source *s = lw->source;
  if (v->unknown_bound && !has_initialiser(v)) {
    append_tokens(text, s, v->begin, v->name);
    strbuf_printf(text, " %s[", name);
    append_array_size(text, lw, d, v);
    strbuf_puts(text, "]");
    append_tokens(text, s, v->name + 3, v->end);
  } else {
    append_renamed(text, s, v, name);
  }
}

void append_onchip_description(StrBuf *text, Lowering *lw, const Declaration *d,
                               const Declarator *v, int id, const char *image_storage) {
  const Source *s = lw->source;
  char *image = xasprintf("__bang_image_%d", id);
  char *type = xasprintf("__bang_type_%d", id);
  bool has_image = image_storage && has_initialiser(v);
  if (v == d->declarators && defines_type(s, d)) {
    strbuf_puts(text, "typedef ");
    append_variable_type(text, s, d);
    strbuf_printf(text, "__bang_base_%d; ", d->start);
  }
  if (has_image) {
    strbuf_puts(text, image_storage);
    append_base_type(text, lw, d);
    append_renamed(text, s, v, image);
    append_tokens(text, s, v->init_begin, v->init_end);
    strbuf_puts(text, "; ");
  }
  if (has_image && v->unknown_bound) { /* taken from the size of the image */
    strbuf_printf(text, "typedef decltype(%s) %s; ", image, type);
  } else {
    strbuf_puts(text, "typedef ");
    append_base_type(text, lw, d);
    append_bounded(text, lw, d, v, type);
    strbuf_puts(text, "; ");
  }
  strbuf_puts(text, "struct ");
  append_onchip_alignment(text, s, d);
  strbuf_printf(text, "__bang_slot_%d {}; ", id);
  free(type);
  free(image);
}

/* ---- Places ---- */

static const Onchip *last_of_space(const OnchipList *list, int space) {
  for (int i = list->count - 1; i >= 0; --i) {
    if (list->items[i].space == space) return &list->items[i];
  }
  return NULL;
}

Onchip *append_onchip_place(StrBuf *text, Lowering *lw, const Declaration *d, const Declarator *v,
                            int id, const char *bytes) {
  OnchipList *list = onchip_of(lw);
  int space = onchip_space_of(d);
  const Onchip *before = last_of_space(list, space);
  /* Its place, and the end of the variables of its memory so far. */
  strbuf_printf(text, "constexpr ::__bang_reach __bang_reach_%d = ", id);
  if (before) {
    strbuf_printf(text, "%s__bang_reach_%d", before->path, before->id);
  } else {
    strbuf_puts(text, "::__bang_reach()");
  }
  strbuf_printf(text, ".next(%s, %s, alignof(__bang_slot_%d));", onchip_spaces[space].space, bytes,
                id);
  list->items = xrealloc(list->items, (size_t)(list->count + 1) * sizeof *list->items);
  Onchip *item = &list->items[list->count++];
  *item = (Onchip){.name = declarator_name(lw->source, v),
                   .path = namespace_path(lw),
                   .id = id,
                   .space = space,
                   .has_image = has_initialiser(v)};
  return item;
}

void append_onchip_variable(StrBuf *text, const Onchip *item) {
  strbuf_printf(text, "::__bang_onchip<%s__bang_type_%d, %s>(%s__bang_reach_%d.at)", item->path,
                item->id, onchip_spaces[item->space].space, item->path, item->id);
}

/* ---- Uses ---- */

static bool names_token(const Source *s, int index, const char *name) {
  return token_kind(s, index, TOKEN_IDENTIFIER) && token_is(s, index, name) &&
         !token_op(s, index - 1, '.') && !token_op(s, index - 1, OP_ARROW);
}

bool is_named_in(const Source *s, int begin, int end, const char *name) {
  for (int i = begin; i < end; ++i) {
    if (names_token(s, i, name)) return true;
  }
  return false;
}

/* "::name" refers to the variable too, but the reference is local. */
static void drop_global_scope(Lowering *lw, const Declaration *d, const char *name) {
  const Source *s = lw->source;
  for (int i = d->body; i < d->end; ++i) {
    bool is_global = names_token(s, i, name) && token_op(s, i - 1, OP_SCOPE) &&
                     !token_kind(s, i - 2, TOKEN_IDENTIFIER) && !token_op(s, i - 2, '>');
    if (is_global) rewrite_drop(lw->rewrite, i - 1);
  }
}

void append_onchip_references(StrBuf *text, Lowering *lw, const Declaration *d,
                              bool (*wants)(const Lowering *lw, const Declaration *d,
                                            const Onchip *item)) {
  const Source *s = lw->source;
  for (int i = 0; i < onchip_of(lw)->count; ++i) {
    const Onchip *item = &onchip_of(lw)->items[i];
    bool is_parameter = is_named_in(s, d->params, s->tokens[d->params].partner, item->name);
    if (is_parameter || !is_named_in(s, d->body, d->end, item->name)) continue;
    if (wants && !wants(lw, d, item)) continue;
    drop_global_scope(lw, d, item->name);
    strbuf_printf(text, "%s__bang_type_%d &%s __attribute__((unused)) = ", item->path, item->id,
                  item->name);
    append_onchip_variable(text, item);
    strbuf_puts(text, "; ");
  }
}

void append_unit_sizes(StrBuf *out, const Lowering *lw) {
  strbuf_puts(out, "__bang_unit_sizes __bang_unit() { return {");
  for (int space = 0; space < ONCHIP_SPACES; ++space) {
    const Onchip *last = last_of_space(onchip_of(lw), space);
    if (last) {
      strbuf_printf(out, "%s__bang_reach_%d, ", last->path, last->id);
    } else {
      strbuf_puts(out, "::__bang_reach(), ");
    }
  }
  strbuf_puts(out, "{");
  for (int space = 0; space < ONCHIP_SPACES; ++space) {
    strbuf_printf(out, "%s%s", space > 0 ? ", " : "",
                  onchip_of(lw)->has_local[space] ? "true" : "false");
  }
  strbuf_puts(out, "}}; }\n");
}
