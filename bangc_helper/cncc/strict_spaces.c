/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "scope.h"
#include "strict_call.h"
#include "strict_rules.h"

typedef enum Space { SPACE_UNKNOWN, GDRAM, LDRAM, NRAM, WRAM, SRAM } Space;
static const char *const space_names[] = {"", "GDRAM", "LDRAM", "NRAM", "WRAM", "SRAM"};

static Space space_of_qualifier(int qualifier) {
  return qualifier & QUALIFIER_NRAM     ? NRAM
         : qualifier & QUALIFIER_WRAM   ? WRAM
         : qualifier & QUALIFIER_SHARED ? SRAM
         : qualifier & QUALIFIER_LDRAM  ? LDRAM
                                        : GDRAM;
}

/* ---- What a name means ---- */

/* Number of the parameter with the name; -1: none. A pointer has '*' before the name or '[' after
 * it. */
static int find_parameter(const Source *s, const UnitFunction *f, int name, bool *is_pointer) {
  Call parameters;
  read_call(s, f->params, &parameters);
  for (int p = 0; p < parameters.count; ++p) {
    bool pointer = false;
    for (int i = parameters.begin[p]; i < parameters.end[p]; ++i) {
      pointer |= token_op(s, i, '*');
      bool ends = i + 1 == parameters.end[p] || token_op(s, i + 1, '[') || token_op(s, i + 1, '=');
      if (!ends || s->tokens[i].kind != TOKEN_IDENTIFIER || !same_text(s, i, name)) continue;
      *is_pointer = pointer || token_op(s, i + 1, '[');
      return p;
    }
  }
  return -1;
}

static Space space_of_expression(const Unit *unit, const UnitFunction *f, int begin, int end,
                                 int depth);

/* The token after the initialiser that begins at `begin`. */
static int end_of_initialiser(const Source *s, int begin, int limit) {
  int end = begin;
  while (end < limit && !token_op(s, end, ';') && !token_op(s, end, ',')) {
    end = s->tokens[end].partner > end ? s->tokens[end].partner + 1 : end + 1;
  }
  return end;
}

/* A local pointer that is set once: it points where that value does. */
static Space space_of_local(const Unit *unit, const UnitFunction *f, int name, int depth,
                            bool *found) {
  const Source *s = unit->source;
  Space space = SPACE_UNKNOWN;
  bool is_set = false;
  for (int i = f->body + 1; i < f->end; ++i) {
    if (s->tokens[i].kind != TOKEN_IDENTIFIER || !same_text(s, i, name)) continue;
    bool reference = token_op(s, i - 1, '&');
    bool pointer = token_op(s, i - 1 - reference, '*') || token_is(s, i - 1 - reference, "auto");
    bool declares = pointer || reference || token_kind(s, i - 1, TOKEN_IDENTIFIER);
    bool sets =
        token_op(s, i + 1, '=') && !token_op(s, i - 1, '.') && !token_op(s, i - 1, OP_ARROW);
    bool bare = token_op(s, i + 1, ';') || token_op(s, i + 1, ',');
    if (declares && pointer && (sets || bare) && !*found) {
      *found = true;
    } else if (declares && (sets || token_op(s, i + 1, ';') || token_op(s, i + 1, '['))) {
      bool expression = token_is(s, i - 1, "return");
      if (!expression && !reference) {
        *found = true;
        return SPACE_UNKNOWN; /* another variable of that name, or not a pointer */
      }
      continue;
    } else if ((sets && (is_set || !*found)) ||
               (s->tokens[i + 1].op == OP_OTHER && token_op(s, i + 2, '='))) {
      *found = true;
      return SPACE_UNKNOWN; /* set again */
    }
    if (!sets) continue;
    is_set = true;
    space = space_of_expression(unit, f, i + 2, end_of_initialiser(s, i + 2, f->end), depth + 1);
  }
  return space;
}

/* Where the calls of a device function have a parameter point, if they agree. */
static Space space_of_argument(const Unit *unit, const UnitFunction *f, int parameter, int depth) {
  const Source *s = unit->source;
  int function = (int)(f - unit->functions);
  Space space = SPACE_UNKNOWN;
  for (int i = 0; i < unit->call_count; ++i) {
    int token = unit->calls[i].token;
    if (!same_text(s, token, f->name)) continue;
    if (unit->calls[i].function != function) return SPACE_UNKNOWN; /* overloads */
    int open = token_op(s, token + 1, '<') ? skip_angles(s, token + 1) : token + 1;
    const UnitFunction *caller = unit_function_at(unit, token);
    if (!token_op(s, open, '(') || !caller || caller == f) return SPACE_UNKNOWN;
    Call call;
    read_call(s, open, &call);
    if (parameter >= call.count) return SPACE_UNKNOWN;
    Space given =
        space_of_expression(unit, caller, call.begin[parameter], call.end[parameter], depth + 1);
    if (given == SPACE_UNKNOWN || (space != SPACE_UNKNOWN && given != space)) return SPACE_UNKNOWN;
    space = given;
  }
  return space;
}

static Space space_of_name(const Unit *unit, const UnitFunction *f, int name, int depth) {
  const Source *s = unit->source;
  int own = (int)(f - unit->functions);
  bool found = false;
  for (int i = 0; i < unit->variable_count; ++i) {
    const UnitVariable *v = &unit->variables[i];
    if (v->function == own && same_text(s, v->name, name)) {
      return v->is_pointer ? SPACE_UNKNOWN : space_of_qualifier(v->qualifier);
    }
  }
  Space space = space_of_local(unit, f, name, depth, &found);
  if (found) return space;
  bool is_pointer = false;
  int parameter = find_parameter(s, f, name, &is_pointer);
  if (parameter >= 0) {
    if (!is_pointer) return SPACE_UNKNOWN;
    return f->is_kernel ? GDRAM : space_of_argument(unit, f, parameter, depth);
  }
  for (int i = 0; i < unit->variable_count; ++i) {
    const UnitVariable *v = &unit->variables[i];
    if (v->function < 0 && same_text(s, v->name, name)) {
      return v->is_pointer ? SPACE_UNKNOWN : space_of_qualifier(v->qualifier);
    }
  }
  return SPACE_UNKNOWN;
}

/* The '?' of "c ? p : q"; -1: none. */
static int find_choice(const Source *s, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    if (token_op(s, i, '?')) return i;
    if (s->tokens[i].partner > i) i = s->tokens[i].partner;
  }
  return -1;
}

/* Of "c ? p : q": device memory if one of them is there, else where both are. */
static Space space_of_choice(const Unit *unit, const UnitFunction *f, int choice, int end,
                             int depth) {
  const Source *s = unit->source;
  int colon = choice;
  while (colon < end && !token_op(s, colon, ':')) {
    colon = s->tokens[colon].partner > colon ? s->tokens[colon].partner + 1 : colon + 1;
  }
  Space first = space_of_expression(unit, f, choice + 1, colon, depth + 1);
  Space second = space_of_expression(unit, f, colon + 1, end, depth + 1);
  if (first == GDRAM || second == GDRAM) return GDRAM;
  return first == second ? first : SPACE_UNKNOWN;
}

/* The '(' of "static_cast<T *>(...)" if that is all; -1: something else. */
static int cast_of_name(const Source *s, int begin, int end) {
  bool casts = token_is(s, begin, "static_cast") || token_is(s, begin, "reinterpret_cast") ||
               token_is(s, begin, "const_cast");
  int open = casts ? skip_angles(s, begin + 1) : -1;
  return token_op(s, open, '(') && s->tokens[open].partner == end - 1 ? open : -1;
}

/* Of "p", "p + n", "&p[n]", "(T *)p + n": where p points. Anything else is unknown. */
static Space space_of_expression(const Unit *unit, const UnitFunction *f, int begin, int end,
                                 int depth) {
  const Source *s = unit->source;
  if (depth > 4) return SPACE_UNKNOWN;
  int choice = find_choice(s, begin, end);
  if (choice >= 0) return space_of_choice(unit, f, choice, end, depth);
  int i = begin;
  for (int next; (next = skip_cast(s, i, end)) != i;) i = next;
  int cast = cast_of_name(s, i, end);
  if (cast >= 0) i = cast;
  if (token_op(s, i, '(') && s->tokens[i].partner == end - 1) {
    return space_of_expression(unit, f, i + 1, end - 1, depth + 1);
  }
  bool address = token_op(s, i, '&');
  if (address) ++i;
  if (i >= end || s->tokens[i].kind != TOKEN_IDENTIFIER) return SPACE_UNKNOWN;
  for (int k = i + 1; k < end; ++k) { /* not a call or a member */
    int op = s->tokens[k].op;
    bool at_name = k == i + 1;
    if ((at_name && (op == '(' || op == '.' || op == OP_ARROW || op == OP_SCOPE))) {
      return SPACE_UNKNOWN;
    }
    if (at_name && op == '[' && !address) return SPACE_UNKNOWN; /* usually an element */
    if (s->tokens[k].partner > k) k = s->tokens[k].partner;
    if (token_op(s, k, '.') || token_op(s, k, OP_ARROW)) return SPACE_UNKNOWN;
  }
  return space_of_name(unit, f, i, depth);
}

/* ---- Calls ---- */

static bool has_prefix(const Source *s, int token, const char *prefix) {
  const Token *t = &s->tokens[token];
  size_t length = strlen(prefix);
  return t->length >= length && memcmp(s->text + t->offset, prefix, length) == 0;
}

/* Functions that compute on vectors in NRAM, with weights in WRAM. */
static bool is_vector_function(const Source *s, int name) {
  static const char *const others[] = {
      "__bang_atomic", "__bang_discrete", "__bang_gather", "__bang_scatter", "__bang_printf",
      "__bang_lock",   "__bang_unlock",   "__bang_perf",   "__bang_survey",  "__bang_assert"};
  if (!has_prefix(s, name, "__bang_")) return false;
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    if (has_prefix(s, name, others[i])) return false;
  }
  return true;
}

static int check_vector_call(const Unit *unit, const UnitFunction *f, const Call *call,
                             int function) {
  const Source *s = unit->source;
  const Token *name = &s->tokens[function];
  int errors = 0;
  for (int i = 0; i < call->count; ++i) {
    Space space = space_of_expression(unit, f, call->begin[i], call->end[i], 0);
    if (space != GDRAM && space != LDRAM) continue;
    strict_error(s, call->begin[i], "%.*s computes in NRAM; operand %d lies in %s",
                 (int)name->length, s->text + name->offset, i + 1, space_names[space]);
    ++errors;
  }
  return errors;
}

/* "GDRAM2NRAM" -> GDRAM, NRAM */
static bool read_direction(const Source *s, int token, Space *from, Space *to) {
  const Token *t = &s->tokens[token];
  const char *text = s->text + t->offset;
  const char *two = memchr(text, '2', t->length);
  *from = *to = SPACE_UNKNOWN;
  if (!two) return false;
  size_t before = (size_t)(two - text), after = t->length - before - 1;
  for (int space = GDRAM; space <= SRAM; ++space) {
    size_t length = strlen(space_names[space]);
    if (before == length && memcmp(text, space_names[space], length) == 0) *from = (Space)space;
    if (after == length && memcmp(two + 1, space_names[space], length) == 0) *to = (Space)space;
  }
  return *from != SPACE_UNKNOWN && *to != SPACE_UNKNOWN;
}

static int check_copy(const Unit *unit, const UnitFunction *f, const Call *call) {
  const Source *s = unit->source;
  Space from, to;
  int direction = -1;
  for (int i = 2; i < call->count && direction < 0; ++i) {
    bool one_word = call->end[i] == call->begin[i] + 1;
    if (one_word && read_direction(s, call->begin[i], &from, &to)) direction = call->begin[i];
  }
  if (direction < 0) return 0;
  const Space wanted[] = {to, from};
  int errors = 0;
  for (int i = 0; i < 2; ++i) {
    Space space = space_of_expression(unit, f, call->begin[i], call->end[i], 0);
    if (space == SPACE_UNKNOWN || space == wanted[i]) continue;
    const Token *t = &s->tokens[direction];
    strict_error(s, call->begin[i], "the direction %.*s does not fit: operand %d lies in %s",
                 (int)t->length, s->text + t->offset, i + 1, space_names[space]);
    ++errors;
  }
  return errors;
}

int check_spaces(const Unit *unit) {
  const Source *s = unit->source;
  int errors = 0;
  for (int i = 0; i < s->count; ++i) {
    const Token *t = &s->tokens[i];
    if (s->files[t->file].system) continue;
    if (t->kind != TOKEN_IDENTIFIER || !token_op(s, i + 1, '(')) continue;
    bool copy = has_prefix(s, i, "__memcpy") || has_prefix(s, i, "__gather") ||
                has_prefix(s, i, "__scatter");
    const UnitFunction *f = copy || is_vector_function(s, i) ? unit_function_at(unit, i) : NULL;
    if (!f || s->tokens[i + 1].partner < 0) continue;
    Call call;
    read_call(s, i + 1, &call);
    errors += copy ? check_copy(unit, f, &call) : check_vector_call(unit, f, &call, i);
  }
  return errors;
}
