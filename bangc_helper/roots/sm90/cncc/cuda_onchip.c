/* SPDX-License-Identifier: MIT
 *
 * On-chip variables, where only a running task can address a core's memory: every device function
 * that uses one starts with a reference to it. Outside of functions the name stays declared for
 * sizeof and decltype. A function's own variable is allocated when the function is entered.
 */
#include "cuda_onchip.h"

#include <stdlib.h>

#include "onchip_places.h"
#include "variable_text.h"

/* NRAM variables may be as large as on the largest card; what does not fit the block's shared
 * memory is placed in global memory. */
enum { MAX_NRAM_KB = 768 };

static int capacity_kb(const Arch *arch, int space) {
  switch (space) {
    case ONCHIP_NRAM:
      return MAX_NRAM_KB;
    case ONCHIP_WRAM:
      return arch->wram_kb;
    case ONCHIP_SRAM:
      return arch->sram_kb;
    default:
      return 0;
  }
}

static void append_space_check(StrBuf *text, const char *name, int id, int space,
                               const Arch *arch) {
  int limit_kb = capacity_kb(arch, space);
  if (limit_kb == 0) return;
  char *type = xasprintf("__bang_type_%d", id);
  append_size_check(text, type, name, onchip_spaces[space].keyword, limit_kb, arch);
  free(type);
}

static void place_variable(Lowering *lw, const Declaration *d, const Declarator *v, StrBuf *text) {
  int id = ++lw->counter;
  append_onchip_description(text, lw, d, v, id, "static __device__ ");
  char *bytes = xasprintf("sizeof(__bang_type_%d)", id);
  const Onchip *item = append_onchip_place(text, lw, d, v, id, bytes);
  append_space_check(text, item->name, id, item->space, lw->options->arch);
  strbuf_printf(text, " extern __bang_type_%d %s;", id, item->name);
  free(bytes);
}

/* Allocated at the declaration, freed at the end of the enclosing block. */
static void local_variable(Lowering *lw, const Declaration *d, const Declarator *v, StrBuf *text) {
  const Source *s = lw->source;
  int space = onchip_space_of(d);
  char *name = declarator_name(s, v);
  int id = ++lw->counter;
  append_onchip_description(text, lw, d, v, id, "const ");
  strbuf_printf(text,
                "::__bang_local<__bang_type_%d, %s, alignof(__bang_slot_%d)> __bang_local_%d; "
                "__bang_type_%d &%s = __bang_local_%d.variable();",
                id, onchip_spaces[space].space, id, id, id, name, id);
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
  for (int k = 0; k < d->declarator_count; ++k) {
    if (scope == SCOPE_FUNCTION) {
      local_variable(lw, d, &d->declarators[k], &text);
    } else {
      place_variable(lw, d, &d->declarators[k], &text);
    }
  }
  replacement_text(rewrite_range(lw->rewrite, d->start, d->end + 1), text.data);
  strbuf_free(&text);
}

void cuda_wrap_body(Lowering *lw, const Declaration *d, StrBuf *open, StrBuf *close) {
  StrBuf references = {0};
  append_onchip_references(&references, lw, d, NULL);
  if (references.size) {
    strbuf_printf(open, "{ %s { ", references.data);
    strbuf_puts(close, "} }");
  }
  strbuf_free(&references);
}

void cuda_begin_unit(Lowering *lw) {
  onchip_begin_unit(lw);
}

void cuda_end_unit(Lowering *lw, StrBuf *out) {
  if (out) {
    strbuf_puts(out, "\n__device__ void __bang_unit_begin() {");
    for (int i = 0; i < onchip_of(lw)->count; ++i) {
      const Onchip *item = &onchip_of(lw)->items[i];
      if (!item->has_image) continue;
      strbuf_puts(out, " ::__bang_store(");
      append_onchip_variable(out, item);
      strbuf_printf(out, ", %s__bang_image_%d);", item->path, item->id);
    }
    strbuf_puts(out, " }\n");
    append_unit_sizes(out, lw);
  }
  onchip_end_unit(lw);
}
