/* SPDX-License-Identifier: MIT
 *
 * On-chip variables where a core's memory is an arena that only a running task can address. A
 * file-scope variable gets a place in its arena, counted at compile time from variable to variable;
 * every device function that names it begins with a reference to that place, so names, shadowing
 * and types follow the rules of C++. Outside of functions the name stays known for sizeof and
 * decltype. A variable of a function takes its place when the function is entered.
 */
#include "cuda_onchip.h"

#include <stdlib.h>
#include <string.h>

#include "variable_text.h"

/* A file-scope variable in an arena; names with its id lie in the namespace `path`. */
typedef struct Onchip {
  char *name;
  char *path;
  int id;
  int space;
  bool has_image;
} Onchip;

/* What the unit has on the chip so far. */
typedef struct OnchipList {
  Onchip *items;
  int count;
  bool has_local[4]; /* functions have variables in NRAM, WRAM, shared RAM, LDRAM */
} OnchipList;

static OnchipList *onchip_of(const Lowering *lw) {
  return lw->state;
}

typedef struct SpaceWords {
  int qualifier;
  const char *keyword; /* in messages */
  const char *space;   /* bangSpace */
} SpaceWords;

static const SpaceWords spaces[] = {
    {QUALIFIER_NRAM, "__nram__", "::BANG_SPACE_NRAM"},
    {QUALIFIER_WRAM, "__wram__", "::BANG_SPACE_WRAM"},
    {QUALIFIER_SHARED, "__mlu_shared__", "::BANG_SPACE_SRAM"},
    {QUALIFIER_LDRAM, "__ldram__", "::BANG_SPACE_LDRAM"},
};
enum { SPACE_COUNT = sizeof spaces / sizeof *spaces };

static int space_of(const Declaration *d) {
  for (int i = 0; i < SPACE_COUNT; ++i) {
    if (d->qualifiers & spaces[i].qualifier) return i;
  }
  return 0;
}

/* NRAM variables may take what the largest card has; what a block's own memory does not hold lies
 * elsewhere. */
enum { MAX_NRAM_KB = 768 };

static int capacity_kb(const Arch *arch, int space) {
  switch (spaces[space].qualifier) {
    case QUALIFIER_NRAM:
      return MAX_NRAM_KB;
    case QUALIFIER_WRAM:
      return arch->wram_kb;
    case QUALIFIER_SHARED:
      return arch->sram_kb;
    default:
      return 0;
  }
}

static Onchip *onchip_add(OnchipList *list) {
  list->items = xrealloc(list->items, (size_t)(list->count + 1) * sizeof *list->items);
  Onchip *item = &list->items[list->count++];
  *item = (Onchip){0};
  return item;
}

/* "::a::b::" for a declaration inside namespaces a and b; unnamed ones need no name. */
static char *namespace_path(const Source *s, const ScopeStack *scopes) {
  StrBuf path = {0};
  strbuf_puts(&path, "::");
  for (int k = 1; k < scopes->depth; ++k) {
    int open = scopes->items[k].open;
    if (scopes->items[k].kind != SCOPE_NAMESPACE || open < 0) continue;
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

static const Onchip *last_of_space(const OnchipList *list, int space) {
  for (int i = list->count - 1; i >= 0; --i) {
    if (list->items[i].space == space) return &list->items[i];
  }
  return NULL;
}

static bool has_initialiser(const Declarator *v) {
  return v->init_end > v->init_begin;
}

/* A variable that holds the initial value, if there is one. */
static void append_image(StrBuf *text, const Source *s, const Declaration *d, const Declarator *v,
                         int id, const char *storage) {
  if (!has_initialiser(v)) return;
  char *image = xasprintf("__bang_image_%d", id);
  strbuf_puts(text, storage);
  append_variable_type(text, s, d);
  append_renamed(text, s, v, image);
  append_tokens(text, s, v->init_begin, v->init_end);
  strbuf_puts(text, "; ");
  free(image);
}

/* typedef of the variable's type; an unknown bound is counted from the image. */
static void append_typedef(StrBuf *text, const Source *s, const Declaration *d, const Declarator *v,
                           int id) {
  char *type = xasprintf("__bang_type_%d", id);
  if (v->unknown_bound && has_initialiser(v)) {
    strbuf_printf(text, "typedef decltype(__bang_image_%d) %s; ", id, type);
  } else {
    strbuf_puts(text, "typedef ");
    append_variable_type(text, s, d);
    append_renamed(text, s, v, type);
    strbuf_puts(text, "; ");
  }
  free(type);
}

/* What tells the variable's place about it: its type, and a class with its alignment. `storage` is
 * that of the image. */
static void append_description(StrBuf *text, const Source *s, const Declaration *d,
                               const Declarator *v, int id, const char *storage) {
  append_image(text, s, d, v, id, storage);
  append_typedef(text, s, d, v, id);
  strbuf_puts(text, "struct ");
  append_onchip_alignment(text, s, d);
  strbuf_printf(text, "__bang_slot_%d {}; ", id);
}

static void append_space_check(StrBuf *text, const char *name, int id, int space,
                               const Arch *arch) {
  int limit_kb = capacity_kb(arch, space);
  if (limit_kb == 0) return;
  char *type = xasprintf("__bang_type_%d", id);
  append_size_check(text, type, name, spaces[space].keyword, limit_kb, arch);
  free(type);
}

static void place_variable(Lowering *lw, const Declaration *d, const Declarator *v, StrBuf *text,
                           const char *path) {
  const Source *s = lw->source;
  int space = space_of(d);
  char *name = declarator_name(s, v);
  int id = ++lw->counter;
  append_description(text, s, d, v, id, "static __device__ ");
  const Onchip *before = last_of_space(onchip_of(lw), space);
  /* Where it lies, and how far the variables of its memory reach so far. */
  strbuf_printf(text, "constexpr ::__bang_reach __bang_reach_%d = ", id);
  if (before) {
    strbuf_printf(text, "%s__bang_reach_%d", before->path, before->id);
  } else {
    strbuf_puts(text, "::__bang_reach()");
  }
  strbuf_printf(text, ".next(%s, sizeof(__bang_type_%d), alignof(__bang_slot_%d));",
                spaces[space].space, id, id);
  append_space_check(text, name, id, space, lw->options->arch);
  strbuf_printf(text, " extern __bang_type_%d %s;", id, name);
  Onchip *item = onchip_add(onchip_of(lw));
  item->name = name;
  item->path = xstrdup(path);
  item->id = id;
  item->space = space;
  item->has_image = has_initialiser(v);
}

/* Taken when the declaration is reached, given back at the end of the block. */
static void local_variable(Lowering *lw, const Declaration *d, const Declarator *v, StrBuf *text) {
  const Source *s = lw->source;
  int space = space_of(d);
  char *name = declarator_name(s, v);
  int id = ++lw->counter;
  append_description(text, s, d, v, id, "const ");
  strbuf_printf(text,
                "::__bang_local<__bang_type_%d, %s, alignof(__bang_slot_%d)> __bang_local_%d; "
                "__bang_type_%d &%s = __bang_local_%d.variable();",
                id, spaces[space].space, id, id, id, name, id);
  if (has_initialiser(v)) strbuf_printf(text, " ::__bang_store(%s, __bang_image_%d);", name, id);
  append_space_check(text, name, id, space, lw->options->arch);
  free(name);
  onchip_of(lw)->has_local[space] = true;
}

void cuda_lower_onchip(Lowering *lw, const Declaration *d, ScopeKind scope) {
  const Source *s = lw->source;
  if (scope == SCOPE_CLASS || d->is_qualified || d->is_template || (d->words & WORD_EXTERN)) {
    source_error(s, d->start,
                 "on-chip variables that are static members, templates or extern are not supported "
                 "by this root");
    return;
  }
  StrBuf text = {0};
  char *path = namespace_path(s, lw->scopes);
  for (int k = 0; k < d->declarator_count; ++k) {
    if (scope == SCOPE_FUNCTION) {
      local_variable(lw, d, &d->declarators[k], &text);
    } else {
      place_variable(lw, d, &d->declarators[k], &text, path);
    }
  }
  replacement_text(rewrite_range(lw->rewrite, d->start, d->end + 1), text.data);
  free(path);
  strbuf_free(&text);
}

static bool names_token(const Source *s, int index, const char *name) {
  return token_kind(s, index, TOKEN_IDENTIFIER) && token_is(s, index, name) &&
         !token_op(s, index - 1, '.') && !token_op(s, index - 1, OP_ARROW);
}

static bool is_named_in(const Source *s, int begin, int end, const char *name) {
  for (int i = begin; i < end; ++i) {
    if (names_token(s, i, name)) return true;
  }
  return false;
}

/* "::name" means the variable too, but the reference is local. */
static void drop_global_scope(Lowering *lw, const Declaration *d, const char *name) {
  const Source *s = lw->source;
  for (int i = d->body; i < d->end; ++i) {
    bool is_global = names_token(s, i, name) && token_op(s, i - 1, OP_SCOPE) &&
                     !token_kind(s, i - 2, TOKEN_IDENTIFIER) && !token_op(s, i - 2, '>');
    if (is_global) rewrite_drop(lw->rewrite, i - 1);
  }
}

void cuda_wrap_body(Lowering *lw, const Declaration *d, StrBuf *open, StrBuf *close) {
  const Source *s = lw->source;
  for (int i = 0; i < onchip_of(lw)->count; ++i) {
    const Onchip *item = &onchip_of(lw)->items[i];
    bool is_parameter = is_named_in(s, d->params, s->tokens[d->params].partner, item->name);
    if (is_parameter || !is_named_in(s, d->body, d->end, item->name)) continue;
    drop_global_scope(lw, d, item->name);
    strbuf_printf(
        open,
        "%s__bang_type_%d &%s = ::__bang_onchip<%s__bang_type_%d, %s>(%s__bang_reach_%d.at); ",
        item->path, item->id, item->name, item->path, item->id, spaces[item->space].space,
        item->path, item->id);
  }
  if (open->size == 0) return;
  StrBuf whole = {0};
  strbuf_printf(&whole, "{ %s { ", open->data);
  strbuf_free(open);
  *open = whole;
  strbuf_puts(close, "} }");
}

void cuda_begin_unit(Lowering *lw) {
  lw->state = xcalloc(1, sizeof(OnchipList));
}

static void free_onchip(OnchipList *list) {
  for (int i = 0; i < list->count; ++i) {
    free(list->items[i].name);
    free(list->items[i].path);
  }
  free(list->items);
  free(list);
}

/* Functions of the unit that its kernels call: initial values, and how much it has on the chip. */
static void append_unit_functions(Lowering *lw, StrBuf *out) {
  strbuf_puts(out, "\n");
  strbuf_puts(out, "__device__ void __bang_unit_begin() {");
  for (int i = 0; i < onchip_of(lw)->count; ++i) {
    const Onchip *item = &onchip_of(lw)->items[i];
    if (!item->has_image) continue;
    strbuf_printf(out,
                  " ::__bang_store(::__bang_onchip<%s__bang_type_%d, %s>(%s__bang_reach_%d.at), ",
                  item->path, item->id, spaces[item->space].space, item->path, item->id);
    strbuf_printf(out, "%s__bang_image_%d);", item->path, item->id);
  }
  strbuf_puts(out, " }\n");
  strbuf_puts(out, "__bang_unit_sizes __bang_unit() { return {");
  for (int space = 0; space < SPACE_COUNT; ++space) {
    const Onchip *last = last_of_space(onchip_of(lw), space);
    if (last) {
      strbuf_printf(out, "%s__bang_reach_%d, ", last->path, last->id);
    } else {
      strbuf_puts(out, "::__bang_reach(), ");
    }
  }
  strbuf_puts(out, "{");
  for (int space = 0; space < SPACE_COUNT; ++space) {
    strbuf_printf(out, "%s%s", space > 0 ? ", " : "",
                  onchip_of(lw)->has_local[space] ? "true" : "false");
  }
  strbuf_puts(out, "}}; }\n");
}

void cuda_end_unit(Lowering *lw, StrBuf *out) {
  if (out) append_unit_functions(lw, out);
  free_onchip(onchip_of(lw));
  lw->state = NULL;
}
