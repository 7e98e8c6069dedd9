/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strict_rules.h"

void strict_error(const Source *s, int token, const char *format, ...) {
  const Token *t = &s->tokens[token];
  va_list args;
  va_start(args, format);
  fprintf(stderr, "%s:%d:%d: error: ", s->files[t->file].name, t->line, t->column);
  vfprintf(stderr, format, args);
  fputs(" [--bang-strict]\n", stderr);
  va_end(args);
}

/* Containers and other types that allocate. */
static const char *const std_names[] = {
    "vector",   "string",     "map",          "set",         "unordered_map", "unordered_set",
    "multimap", "multiset",   "list",         "deque",       "queue",         "stack",
    "function", "shared_ptr", "unique_ptr",   "make_shared", "make_unique",   "any",
    "cout",     "cerr",       "stringstream", "thread",      "mutex",         "to_string",
};
static const char *const allocators[] = {"malloc", "calloc", "realloc", "free"};
static const char *const exceptions[] = {"try", "catch", "throw"};

static bool is_among(const Source *s, int token, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (token_is(s, token, words[i])) return true;
  }
  return false;
}
#define IS_AMONG(s, token, words) is_among(s, token, words, sizeof words / sizeof *words)

/* Does the program take the names of std without "std::"? */
static bool uses_all_of_std(const Source *s) {
  for (int i = 2; i < s->count; ++i) {
    bool own = !s->files[s->tokens[i].file].system;
    if (own && token_is(s, i, "std") && token_is(s, i - 1, "namespace") &&
        token_is(s, i - 2, "using")) {
      return true;
    }
  }
  return false;
}

static bool is_member_or_scoped(const Source *s, int token) {
  return token_op(s, token - 1, '.') || token_op(s, token - 1, OP_ARROW) ||
         token_op(s, token - 1, OP_SCOPE);
}

/* "vector<int>" or "string s": a name without "std::" may be anything else. */
static bool looks_like_class(const Source *s, int i) {
  if (is_member_or_scoped(s, i)) return false;
  if (!token_op(s, i + 1, '<')) return token_kind(s, i + 1, TOKEN_IDENTIFIER);
  int k = i + 2;
  while (token_kind(s, k, TOKEN_IDENTIFIER) || token_op(s, k, '<') || token_op(s, k, ',') ||
         token_op(s, k, '*') || token_op(s, k, OP_SCOPE)) {
    ++k;
  }
  return token_op(s, k, '>');
}

/* What a word in device code is, for the message; NULL if it is allowed. */
static const char *fault_of_word(const Source *s, int i, bool all_of_std) {
  bool of_std = (token_op(s, i - 1, OP_SCOPE) && token_is(s, i - 2, "std")) ||
                (all_of_std && looks_like_class(s, i));
  if (of_std && IS_AMONG(s, i, std_names)) {
    return "a container or another class of the host's library on the device";
  }
  bool call = token_op(s, i + 1, '(') && !is_member_or_scoped(s, i);
  if (call && IS_AMONG(s, i, allocators)) return "allocation on the device";
  bool in_operator = token_is(s, i - 1, "operator");
  if (token_is(s, i, "new") && !in_operator && !token_op(s, i + 1, '(')) {
    return "allocation on the device"; /* placement new has a parenthesis */
  }
  if (token_is(s, i, "delete") && !in_operator && !token_op(s, i - 1, '=')) {
    return "allocation on the device";
  }
  if (IS_AMONG(s, i, exceptions)) return "an exception on the device";
  return NULL;
}

static bool starts_register_name(const Source *s, int token) {
  const Token *t = &s->tokens[token];
  return t->length > 5 && memcmp(s->text + t->offset, "__vv_", 5) == 0;
}

static bool asks_register_length(const Source *s) {
  for (int i = 0; i < s->count; ++i) {
    bool own = !s->files[s->tokens[i].file].system;
    if (own && token_is(s, i, "__vv_get_length")) return true;
  }
  return false;
}

int check_words(const Unit *unit) {
  const Source *s = unit->source;
  bool knows_length = asks_register_length(s), all_of_std = uses_all_of_std(s);
  int errors = 0;
  for (int f = 0; f < unit->function_count; ++f) {
    bool has_registers = knows_length;
    for (int i = unit->functions[f].params; i < unit->functions[f].end; ++i) {
      if (s->tokens[i].kind != TOKEN_IDENTIFIER) continue;
      const char *fault = fault_of_word(s, i, all_of_std);
      if (!fault && !has_registers && starts_register_name(s, i)) {
        fault = "vector registers whose length is assumed: __vv_get_length() says it";
        has_registers = true; /* one message per function */
      }
      if (!fault) continue;
      strict_error(s, i, "%s", fault);
      ++errors;
    }
  }
  return errors;
}

/* ---- double ---- */

/* Splits "file:line:column: warning: ..."; false for any other line. The file name is the first
 * `length` characters. */
static bool parse_warning(const char *line, size_t *length, int *row, int *column) {
  const char *mark = strstr(line, ": warning: ");
  if (!mark) return false;
  const char *p = mark;
  while (p > line && p[-1] >= '0' && p[-1] <= '9') --p;
  *column = atoi(p);
  if (p == mark || p == line || p[-1] != ':') return false;
  const char *q = --p;
  while (q > line && q[-1] >= '0' && q[-1] <= '9') --q;
  *row = atoi(q);
  if (q == p || q == line || q[-1] != ':') return false;
  *length = (size_t)(q - 1 - line);
  return true;
}

static bool is_listed(const StrList *list, const char *text) {
  for (size_t i = 0; i < list->count; ++i) {
    if (strcmp(list->items[i], text) == 0) return true;
  }
  return false;
}

/* Reports a message, once per line. */
static int report_double(StrList *lines, const char *file, int line, int column,
                         const char *severity, const char *what) {
  char *place = xasprintf("%s:%d", file, line);
  bool is_new = !is_listed(lines, place);
  if (is_new) {
    fprintf(stderr, "%s:%d: %s: %s on the device: a card has no such arithmetic [--bang-strict]\n",
            place, column, severity, what);
  }
  strlist_take(lines, place);
  return is_new;
}

/* A warning only: public kernels that run on cards have such constants. */
static void report_promotion(const Unit *unit, StrList *lines, const char *message) {
  size_t length;
  int line, column;
  if (!parse_warning(message, &length, &line, &column)) return;
  char *file = xstrndup(message, length);
  if (unit_function_at_line(unit, file, line)) {
    report_double(lines, file, line, column, "warning",
                  "a double operand (0.5 is one, 0.5f is not)");
  }
  free(file);
}

int check_doubles(const Unit *unit, const char *messages) {
  const Source *s = unit->source;
  StrList lines = {0};
  int errors = 0;
  for (int f = 0; f < unit->function_count; ++f) {
    for (int i = unit->functions[f].params; i < unit->functions[f].end; ++i) {
      const Token *t = &s->tokens[i];
      if (!token_is(s, i, "double")) continue;
      errors +=
          report_double(&lines, s->files[t->file].name, t->line, t->column, "error", "double");
    }
  }
  for (const char *line = messages; line && *line;) {
    const char *end = strchr(line, '\n');
    char *text = xstrndup(line, end ? (size_t)(end - line) : strlen(line));
    /* C promotes the arguments of printf to double */
    if (strstr(text, "[-Wdouble-promotion]") && !strstr(text, "when passing argument")) {
      report_promotion(unit, &lines, text);
    }
    free(text);
    line = end ? end + 1 : NULL;
  }
  strlist_free(&lines);
  return errors;
}
