/* SPDX-License-Identifier: MIT */
#include "strict_call.h"
#include "strict_rules.h"

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

/* True if a statement between braces or semicolons, back from `i`, has an open parenthesis: the
 * token is in a list of parameters. */
static bool is_in_parentheses(const Source *s, int i) {
  for (; i >= 0 && !token_op(s, i, ';') && !token_op(s, i, '{') && !token_op(s, i, '}'); --i) {
    if (token_op(s, i, '(')) return true;
    if (token_op(s, i, ')') && s->tokens[i].partner >= 0) i = s->tokens[i].partner;
  }
  return false;
}

/* True if the function whose body begins at `body` has a parameter of that name. */
static bool is_parameter(const Source *s, int body, int name) {
  int i = body - 1;
  while (i >= 0 && !token_op(s, i, ';') && !token_op(s, i, '}')) {
    if (s->tokens[i].kind == TOKEN_IDENTIFIER && same_text(s, i, name)) return true;
    --i;
  }
  return false;
}

/* True if the name at `token` is an array of the function whose body begins at `body`, or of the
 * file. */
static bool is_host_array(const Source *s, int body, int token) {
  bool may_be_of_file = !is_parameter(s, body, token);
  for (int i = may_be_of_file ? 1 : body; i < token; ++i) {
    if (s->tokens[i].kind != TOKEN_IDENTIFIER || !same_text(s, i, token)) continue;
    bool declares = token_kind(s, i - 1, TOKEN_IDENTIFIER) && !token_is(s, i - 1, "return");
    bool of_file = i < body && body_around(s, i) < 0 && !is_in_parentheses(s, i);
    if (declares && token_op(s, i + 1, '[') && (i > body || of_file)) return true;
  }
  return false;
}

/* True if the value that begins at `first` is memory of the host. */
static bool is_host_value(const Source *s, int body, int first) {
  static const char *const words[] = {"malloc", "calloc", "new"};
  for (size_t k = 0; k < sizeof words / sizeof *words; ++k) {
    if (token_is(s, first, words[k])) return true;
  }
  bool address = token_op(s, first, '&') && token_kind(s, first + 1, TOKEN_IDENTIFIER);
  int name = address ? first + 1 : first;
  bool all = token_op(s, name + 1, ';') || token_op(s, name + 1, ',');
  if (!all || !token_kind(s, name, TOKEN_IDENTIFIER)) return false;
  return address || is_host_array(s, body, name);
}

static bool is_allocated_by_host(const Source *s, int body, int token) {
  for (int i = body; i < token; ++i) {
    if (s->tokens[i].kind != TOKEN_IDENTIFIER || !same_text(s, i, token)) continue;
    bool sets = token_op(s, i + 1, '=') && is_host_value(s, body, skip_cast(s, i + 2, token));
    bool pinned = false; /* cnrtHostMalloc((void **)&p, ...) */
    for (int k = i - 1; token_op(s, i - 1, '&') && k > body && !token_op(s, k, ';'); --k) {
      pinned |= token_is(s, k, "cnrtHostMalloc");
    }
    if (sets || pinned) return true;
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
  read_call(s, open, &call);
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

int check_launches(const Unit *unit) {
  int errors = 0;
  for (int i = 0; i < unit->source->count; ++i) {
    const Token *t = &unit->source->tokens[i];
    bool own = !unit->source->files[t->file].system;
    if (own && t->op == OP_LAUNCH) errors += check_launch(unit, i);
  }
  return errors;
}
