/* SPDX-License-Identifier: MIT */
#include "strict_unit.h"

#include <stdlib.h>
#include <string.h>

#include "scope.h"

enum {
  ANY_MEMORY = QUALIFIER_NRAM | QUALIFIER_WRAM | QUALIFIER_SHARED | QUALIFIER_LDRAM |
               QUALIFIER_DEVICE | QUALIFIER_CONST,
};

bool same_text(const Source *s, int a, int b) {
  const Token *x = &s->tokens[a], *y = &s->tokens[b];
  return x->length == y->length && memcmp(s->text + x->offset, s->text + y->offset, x->length) == 0;
}

static int find_function(const Unit *unit, int token) {
  for (int i = unit->function_count - 1; i >= 0; --i) {
    if (token > unit->functions[i].params && token < unit->functions[i].end) return i;
  }
  return -1;
}

static void add_function(Unit *unit, const Declaration *d) {
  if (d->body < 0 || d->name < 0) return;
  unit->functions =
      xrealloc(unit->functions, (size_t)(unit->function_count + 1) * sizeof *unit->functions);
  unit->functions[unit->function_count++] =
      (UnitFunction){.name = d->name,
                     .params = d->params,
                     .body = d->body,
                     .end = d->end,
                     .is_kernel = (d->qualifiers & QUALIFIER_KERNEL) != 0};
}

static void add_variables(Unit *unit, const Declaration *d) {
  int function = find_function(unit, d->start);
  for (int i = 0; i < d->declarator_count; ++i) {
    const Declarator *v = &d->declarators[i];
    if (v->name < 0) continue;
    unit->variables =
        xrealloc(unit->variables, (size_t)(unit->variable_count + 1) * sizeof *unit->variables);
    unit->variables[unit->variable_count++] =
        (UnitVariable){.name = v->name,
                       .qualifier = d->qualifiers & ANY_MEMORY,
                       .function = function,
                       .is_pointer = v->is_pointer && !v->is_array};
  }
}

/* The declaration around the qualifier at `index`; returns the first token after its specifiers. */
static int add_declaration(Unit *unit, const Scope *scope, int index) {
  int next = index + 1;
  if (scope->kind == SCOPE_PARENTHESES || scope->kind == SCOPE_INITIALISER) return next;
  Declaration decl;
  bool known = declaration_parse(unit->source, scope->start, &decl);
  int specifiers_end = !known ? 0 : decl.is_function ? decl.params : decl.declarators[0].name;
  if (known && index < specifiers_end && !(decl.words & WORD_TYPEDEF)) {
    next = specifiers_end;
    if (decl.is_function) {
      add_function(unit, &decl);
    } else if (decl.qualifiers & ANY_MEMORY) {
      add_variables(unit, &decl);
    }
  }
  declaration_free(&decl);
  return next;
}

static void find_calls(Unit *unit) {
  const Source *s = unit->source;
  for (int f = 0; f < unit->function_count; ++f) {
    for (int i = unit->functions[f].body; i < unit->functions[f].end; ++i) {
      if (s->tokens[i].kind != TOKEN_IDENTIFIER) continue;
      for (int k = 0; k < unit->function_count; ++k) {
        if (!same_text(s, i, unit->functions[k].name)) continue;
        unit->calls = xrealloc(unit->calls, (size_t)(unit->call_count + 1) * sizeof *unit->calls);
        unit->calls[unit->call_count++] = (UnitCall){.token = i, .function = k};
      }
    }
  }
}

void unit_init(Unit *unit, const Source *s) {
  *unit = (Unit){.source = s};
  ScopeStack scopes;
  scope_init(&scopes);
  int done = 0;
  for (int i = 0; i < s->count; ++i) {
    bool own = !s->files[s->tokens[i].file].system;
    if (own && i >= done && s->tokens[i].kind == TOKEN_IDENTIFIER && qualifier_of(s, i)) {
      done = add_declaration(unit, scope_top(&scopes), i);
    }
    scope_advance(&scopes, s, i);
  }
  scope_free(&scopes);
  find_calls(unit);
}

void unit_free(Unit *unit) {
  free(unit->calls);
  free(unit->functions);
  free(unit->variables);
  *unit = (Unit){0};
}

const UnitFunction *unit_function_at(const Unit *unit, int token) {
  int found = find_function(unit, token);
  return found < 0 ? NULL : &unit->functions[found];
}

const UnitFunction *unit_function_at_line(const Unit *unit, const char *file, int line) {
  const Source *s = unit->source;
  for (int i = 0; i < unit->function_count; ++i) {
    const Token *first = &s->tokens[unit->functions[i].params];
    const Token *last = &s->tokens[unit->functions[i].end];
    if (line >= first->line && line <= last->line && strcmp(s->files[first->file].name, file) == 0)
      return &unit->functions[i];
  }
  return NULL;
}

void unit_reach(const Unit *unit, int function, bool *reached) {
  if (reached[function]) return;
  reached[function] = true;
  const UnitFunction *f = &unit->functions[function];
  for (int i = 0; i < unit->call_count; ++i) {
    const UnitCall *call = &unit->calls[i];
    if (call->token > f->body && call->token < f->end) unit_reach(unit, call->function, reached);
  }
}
