/* SPDX-License-Identifier: MIT */
#include <string.h>

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

/* The parameter's name with a '*' before it, in a kernel: it points to device memory. */
static bool is_pointer_parameter(const Source *s, const UnitFunction *f, int name) {
  int close = s->tokens[f->params].partner;
  for (int i = f->params + 1; i < close; ++i) {
    bool ends = token_op(s, i + 1, ',') || i + 1 == close;
    if (ends && s->tokens[i].kind == TOKEN_IDENTIFIER && same_text(s, i, name)) {
      for (int k = i - 1; k > f->params && !token_op(s, k, ','); --k) {
        if (token_op(s, k, '*')) return true;
      }
    }
  }
  return false;
}

static Space space_of_expression(const Unit *unit, const UnitFunction *f, int begin, int end,
                                 int depth);

/* A local pointer that is only set where it is declared: it points where its initialiser does. */
static Space space_of_local(const Unit *unit, const UnitFunction *f, int name, int depth,
                            bool *found) {
  const Source *s = unit->source;
  Space space = SPACE_UNKNOWN;
  for (int i = f->body + 1; i < f->end; ++i) {
    if (s->tokens[i].kind != TOKEN_IDENTIFIER || !same_text(s, i, name)) continue;
    bool declares = token_op(s, i - 1, '*') || token_kind(s, i - 1, TOKEN_IDENTIFIER) ||
                    token_op(s, i - 1, '&');
    bool sets =
        token_op(s, i + 1, '=') && !token_op(s, i - 1, '.') && !token_op(s, i - 1, OP_ARROW);
    if (declares && token_op(s, i - 1, '*') && sets && !*found) {
      int end = i + 2;
      while (end < f->end && !token_op(s, end, ';') && !token_op(s, end, ',')) {
        end = s->tokens[end].partner > end ? s->tokens[end].partner + 1 : end + 1;
      }
      *found = true;
      space = space_of_expression(unit, f, i + 2, end, depth + 1);
    } else if (declares && (sets || token_op(s, i + 1, ';') || token_op(s, i + 1, '['))) {
      bool expression = token_is(s, i - 1, "return");
      if (!expression && !token_op(s, i - 1, '&')) {
        *found = true;
        return SPACE_UNKNOWN; /* another variable of that name, or not a pointer */
      }
    } else if (sets || (s->tokens[i + 1].op == OP_OTHER && token_op(s, i + 2, '='))) {
      *found = true;
      return SPACE_UNKNOWN; /* set again */
    }
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
  if (is_pointer_parameter(s, f, name)) return f->is_kernel ? GDRAM : SPACE_UNKNOWN;
  for (int i = f->params + 1; i < s->tokens[f->params].partner; ++i) {
    if (s->tokens[i].kind == TOKEN_IDENTIFIER && same_text(s, i, name)) return SPACE_UNKNOWN;
  }
  for (int i = 0; i < unit->variable_count; ++i) {
    const UnitVariable *v = &unit->variables[i];
    if (v->function < 0 && same_text(s, v->name, name)) {
      return v->is_pointer ? SPACE_UNKNOWN : space_of_qualifier(v->qualifier);
    }
  }
  return SPACE_UNKNOWN;
}

/* The token after a cast "(T *)" at `index`; `index` if there is none. */
static int skip_cast(const Source *s, int index, int end) {
  if (!token_op(s, index, '(')) return index;
  int close = s->tokens[index].partner;
  return close > index && close + 1 < end && token_op(s, close - 1, '*') ? close + 1 : index;
}

/* Of "p", "p + n", "&p[n]", "(T *)p + n": where p points. Anything else is unknown. */
static Space space_of_expression(const Unit *unit, const UnitFunction *f, int begin, int end,
                                 int depth) {
  const Source *s = unit->source;
  if (depth > 4) return SPACE_UNKNOWN;
  int i = begin;
  for (int next; (next = skip_cast(s, i, end)) != i;) i = next;
  if (token_op(s, i, '(') && s->tokens[i].partner == end - 1) {
    return space_of_expression(unit, f, i + 1, end - 1, depth + 1);
  }
  bool address = token_op(s, i, '&');
  if (address) ++i;
  if (i >= end || s->tokens[i].kind != TOKEN_IDENTIFIER) return SPACE_UNKNOWN;
  for (int k = i + 1; k < end; ++k) { /* not a choice between pointers, a call or a member */
    int op = s->tokens[k].op;
    bool at_name = k == i + 1;
    if (op == '?' || (at_name && (op == '(' || op == '.' || op == OP_ARROW || op == OP_SCOPE))) {
      return SPACE_UNKNOWN;
    }
    if (at_name && op == '[' && !address) return SPACE_UNKNOWN; /* usually an element */
    if (s->tokens[k].partner > k) k = s->tokens[k].partner;
    if (token_op(s, k, '.') || token_op(s, k, OP_ARROW)) return SPACE_UNKNOWN;
  }
  return space_of_name(unit, f, i, depth);
}

/* ---- Calls ---- */

enum { MAX_ARGUMENTS = 16 };
typedef struct Call {
  int name;
  int begin[MAX_ARGUMENTS], end[MAX_ARGUMENTS];
  int count;
} Call;

static void read_call(const Source *s, int name, Call *call) {
  *call = (Call){.name = name};
  int close = s->tokens[name + 1].partner;
  int begin = name + 2;
  for (int i = begin; i <= close && call->count < MAX_ARGUMENTS; ++i) {
    if (i < close && s->tokens[i].partner > i) {
      i = s->tokens[i].partner;
    } else if (i == close || token_op(s, i, ',')) {
      if (i > begin) {
        call->begin[call->count] = begin;
        call->end[call->count++] = i;
      }
      begin = i + 1;
    }
  }
}

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

static int check_vector_call(const Unit *unit, const UnitFunction *f, const Call *call) {
  const Source *s = unit->source;
  const Token *name = &s->tokens[call->name];
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

/* ---- Launches ---- */

/* True if the name at `token` is an array or a variable declared by the surrounding host function.
 */
static bool is_host_array(const Source *s, int function_begin, int token) {
  for (int i = function_begin; i < token; ++i) {
    if (s->tokens[i].kind != TOKEN_IDENTIFIER || !same_text(s, i, token)) continue;
    bool declares = token_kind(s, i - 1, TOKEN_IDENTIFIER) && !token_is(s, i - 1, "return");
    if (declares && token_op(s, i + 1, '[')) return true;
  }
  return false;
}

static bool is_allocated_by_host(const Source *s, int function_begin, int token) {
  static const char *const words[] = {"malloc", "calloc", "new"};
  for (int i = function_begin; i < token; ++i) {
    if (s->tokens[i].kind != TOKEN_IDENTIFIER || !same_text(s, i, token)) continue;
    if (!token_op(s, i + 1, '=')) continue;
    int first = skip_cast(s, i + 2, token);
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k) {
      if (token_is(s, first, words[k])) return true;
    }
  }
  return false;
}

/* The name of "name", "name + n" and "&name[n]"; -1 for anything else. */
static int named_pointer(const Source *s, int first, int last) {
  bool address = token_op(s, first, '&');
  int name = address ? first + 1 : first;
  if (name > last || s->tokens[name].kind != TOKEN_IDENTIFIER) return -1;
  if (name == last) return address ? -1 : name;
  bool element = token_op(s, name + 1, '[') && s->tokens[name + 1].partner == last;
  return (address ? element : token_op(s, name + 1, '+')) ? name : -1;
}

/* Start of the function body around a token: the outermost brace that is not a namespace's. */
static int body_around(const Source *s, int token) {
  int body = -1;
  for (int i = token; i >= 0; --i) {
    if (token_op(s, i, '}') && s->tokens[i].partner >= 0) {
      i = s->tokens[i].partner;
    } else if (token_op(s, i, '{')) {
      bool of_namespace = token_is(s, i - 1, "namespace") || token_is(s, i - 2, "namespace") ||
                          token_kind(s, i - 1, TOKEN_STRING);
      if (!of_namespace) body = i;
    }
  }
  return body;
}

static int check_launch(const Unit *unit, int launch) {
  const Source *s = unit->source;
  int open = launch;
  while (open < s->count && !token_op(s, open, ';') &&
         !(token_op(s, open, '(') && token_op(s, open - 1, '>') && token_op(s, open - 2, '>'))) {
    ++open;
  }
  if (!token_op(s, open, '(') || s->tokens[open].partner < 0) return 0;
  int body = body_around(s, launch);
  if (body < 0) return 0;
  Call call;
  read_call(s, open - 1, &call);
  int errors = 0;
  for (int i = 0; i < call.count; ++i) {
    int first = skip_cast(s, call.begin[i], call.end[i]);
    int last = call.end[i] - 1;
    int name = named_pointer(s, first, last);
    bool address =
        token_op(s, first, '&') && first + 1 == last && s->tokens[last].kind == TOKEN_IDENTIFIER;
    bool data =
        token_op(s, last, ')') && token_op(s, last - 1, '(') && token_is(s, last - 2, "data");
    bool text = first == last && s->tokens[first].kind == TOKEN_STRING;
    bool of_device = false;
    for (int k = 0; k < unit->variable_count; ++k) {
      of_device |=
          (name >= 0 || address) && same_text(s, unit->variables[k].name, name >= 0 ? name : last);
    }
    bool of_host =
        address || data || text ||
        (name >= 0 && (is_host_array(s, body, name) || is_allocated_by_host(s, body, name)));
    if (!of_host || of_device) continue;
    strict_error(s, call.begin[i], "argument %d of the launch is memory of the host", i + 1);
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
    if (t->op == OP_LAUNCH) errors += check_launch(unit, i);
    if (t->kind != TOKEN_IDENTIFIER || !token_op(s, i + 1, '(')) continue;
    bool copy = has_prefix(s, i, "__memcpy");
    const UnitFunction *f = copy || is_vector_function(s, i) ? unit_function_at(unit, i) : NULL;
    if (!f || s->tokens[i + 1].partner < 0) continue;
    Call call;
    read_call(s, i, &call);
    errors += copy ? check_copy(unit, f, &call) : check_vector_call(unit, f, &call);
  }
  return errors;
}
