/* SPDX-License-Identifier: MIT
 *
 * The target decides where a variable lies. A device global becomes a plain variable, private to
 * the unit unless an extern names it. A qualifier on a parameter, on a non-static member or on a
 * local pointer (not an array of pointers) says where the pointer points to and is dropped.
 */
#include "lower_variable.h"

#include <stdlib.h>
#include <string.h>

#include "variable_text.h"

static bool announced(const Lowering *lw, const char *name) {
  for (size_t i = 0; i < lw->extern_names.count; ++i) {
    if (strcmp(lw->extern_names.items[i], name) == 0) return true;
  }
  return false;
}

static void lower_device_global(Lowering *lw, const Declaration *d) {
  const Source *s = lw->source;
  drop_qualifiers(lw, d->specifiers, d->declarators[0].name);
  bool shared = (d->words & (WORD_EXTERN | WORD_STATIC | WORD_EXTERN_C)) || d->is_qualified ||
                d->is_template || d->is_specialisation;
  for (int k = 0; k < d->declarator_count; ++k) {
    char *name = declarator_name(s, &d->declarators[k]);
    if (announced(lw, name)) shared = true;
    if (d->words & WORD_EXTERN) strlist_add(&lw->extern_names, name);
    free(name);
  }
  bool is_definition =
      !(d->words & WORD_EXTERN) && !d->is_qualified && !d->is_template && !d->is_specialisation;
  lw->options->target->lower_global(lw, d, is_definition);
  if (!shared) rewrite_before(lw->rewrite, d->start, "static __attribute__((unused)) ");
}

static bool only_pointers(const Declaration *d) {
  for (int k = 0; k < d->declarator_count; ++k) {
    if (!d->declarators[k].is_pointer || d->declarators[k].is_array) return false;
  }
  return true;
}

void lower_variable(Lowering *lw, const Declaration *d, ScopeKind scope) {
  int on_thread = QUALIFIER_NRAM | QUALIFIER_LDRAM;
  int on_chip = on_thread | QUALIFIER_WRAM | QUALIFIER_SHARED;
  bool member = scope == SCOPE_CLASS;
  bool local = scope == SCOPE_FUNCTION;
  bool kernel_pointer = (d->qualifiers & QUALIFIER_KERNEL) != 0;
  bool of_host = (d->qualifiers & ~(QUALIFIER_HOST | QUALIFIER_IGNORED)) == 0;
  bool only_points = member || kernel_pointer || of_host || (local && only_pointers(d)) ||
                     (local && !(d->qualifiers & on_chip));
  bool is_static_member = member && (d->qualifiers & on_thread) && (d->words & WORD_STATIC);
  if (only_points && !is_static_member) {
    drop_qualifiers(lw, d->specifiers, d->declarators[0].name);
  } else if (d->qualifiers & on_chip) {
    lw->options->target->lower_onchip(lw, d, scope);
  } else {
    lower_device_global(lw, d);
  }
}
