/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "strict_rules.h"

typedef struct Memory {
  const char *name;
  int qualifier;
  int kilobytes;
} Memory;

/* True if one of the reached functions uses or contains the variable. */
static bool is_used(const Unit *unit, const UnitVariable *v, const bool *reached) {
  if (v->function >= 0) return reached[v->function];
  const Source *s = unit->source;
  for (int f = 0; f < unit->function_count; ++f) {
    if (!reached[f]) continue;
    for (int i = unit->functions[f].body; i < unit->functions[f].end; ++i) {
      if (s->tokens[i].kind == TOKEN_IDENTIFIER && same_text(s, i, v->name)) return true;
    }
  }
  return false;
}

static int check_memory(const Unit *unit, const UnitFunction *kernel, const bool *reached,
                        const Survey *survey, const Memory *memory, const Arch *arch) {
  const Source *s = unit->source;
  StrBuf parts = {0};
  long long total = 0;
  for (int i = 0; i < unit->variable_count; ++i) {
    const UnitVariable *v = &unit->variables[i];
    if (!(v->qualifier & memory->qualifier) || v->is_pointer || !is_used(unit, v, reached))
      continue;
    long long bytes = survey_size_of(survey, v->name);
    const Token *t = &s->tokens[v->name];
    total += bytes;
    strbuf_printf(&parts, "%s%.*s %lld", parts.size ? ", " : "", (int)t->length,
                  s->text + t->offset, bytes);
  }
  bool too_much = total > memory->kilobytes * 1024LL;
  if (too_much) {
    const Token *t = &s->tokens[kernel->name];
    strict_error(s, kernel->name, "kernel '%.*s' takes %lld bytes of %s (%s), %s has %d KB",
                 (int)t->length, s->text + t->offset, total, memory->name, parts.data, arch->name,
                 memory->kilobytes);
  }
  strbuf_free(&parts);
  return too_much;
}

int check_sizes(const Unit *unit, const Survey *survey, const Arch *arch) {
  const Memory memories[] = {{"NRAM", QUALIFIER_NRAM, arch->nram_kb},
                             {"WRAM", QUALIFIER_WRAM, arch->wram_kb},
                             {"SRAM", QUALIFIER_SHARED, arch->sram_kb}};
  int errors = 0;
  for (int f = 0; f < unit->function_count; ++f) {
    if (!unit->functions[f].is_kernel) continue;
    bool *reached = xcalloc((size_t)unit->function_count, sizeof *reached);
    unit_reach(unit, f, reached);
    for (size_t m = 0; m < sizeof memories / sizeof *memories; ++m) {
      errors += check_memory(unit, &unit->functions[f], reached, survey, &memories[m], arch);
    }
    free(reached);
  }
  return errors;
}
