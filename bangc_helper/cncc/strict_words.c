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
static const char *const allocators[] = {"malloc", "calloc", "realloc",
                                         "free",   "strdup", "aligned_alloc"};
static const char *const exceptions[] = {"try", "catch", "throw"};

static bool names_container(const Source *s, int i) {
  return token_op(s, i - 1, OP_SCOPE) && token_is(s, i - 2, "std") &&
         TOKEN_IS_ONE_OF(s, i, std_names);
}

/* Does the program take names of std without "std::"? */
static bool uses_names_of_std(const Source *s) {
  for (int i = 2; i < s->count; ++i) {
    bool own = !s->files[s->tokens[i].file].system;
    bool all = token_is(s, i, "std") && token_is(s, i - 1, "namespace");
    bool one = names_container(s, i) && token_is(s, i - 3, "using");
    if (own && (one || (all && token_is(s, i - 2, "using")))) return true;
  }
  return false;
}

/* Tokens that name a container: "typedef std::vector<int> Name;", "using Name = std::...". */
typedef struct Aliases {
  int *names;
  int count;
} Aliases;

static void find_aliases(const Source *s, Aliases *aliases) {
  *aliases = (Aliases){0};
  for (int i = 4; i < s->count; ++i) {
    if (s->files[s->tokens[i].file].system || !names_container(s, i)) continue;
    int name = -1;
    if (token_op(s, i - 3, '=') && token_is(s, i - 5, "using")) {
      name = i - 4;
    } else if (token_is(s, i - 3, "typedef")) {
      for (name = i; name + 1 < s->count && !token_op(s, name + 1, ';');) ++name;
    }
    if (!token_kind(s, name, TOKEN_IDENTIFIER)) continue;
    size_t size = (size_t)(aliases->count + 1) * sizeof *aliases->names;
    aliases->names = xrealloc(aliases->names, size);
    aliases->names[aliases->count++] = name;
  }
}

static bool is_alias(const Source *s, const Aliases *aliases, int i) {
  for (int k = 0; k < aliases->count; ++k) {
    if (same_text(s, i, aliases->names[k])) return true;
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

/* A function of the C library, with or without a scope. */
static bool calls_allocator(const Source *s, int i) {
  if (!token_op(s, i + 1, '(') || !TOKEN_IS_ONE_OF(s, i, allocators)) return false;
  bool scoped = token_op(s, i - 1, OP_SCOPE) && token_kind(s, i - 2, TOKEN_IDENTIFIER) &&
                !token_is(s, i - 2, "std");
  return !scoped && !token_op(s, i - 1, '.') && !token_op(s, i - 1, OP_ARROW);
}

/* What a word in device code is, for the message; NULL if it is allowed. */
static const char *fault_of_word(const Source *s, int i, bool without_std, const Aliases *aliases) {
  bool of_std = without_std && TOKEN_IS_ONE_OF(s, i, std_names) && looks_like_class(s, i);
  bool aliased = looks_like_class(s, i) && is_alias(s, aliases, i);
  if (of_std || aliased || names_container(s, i)) {
    return "a container or another class of the host's library on the device";
  }
  if (calls_allocator(s, i)) return "allocation on the device";
  bool of_operator = token_is(s, i - 1, "operator") && !token_op(s, i - 2, OP_SCOPE);
  if (token_is(s, i, "new") && !of_operator) {
    /* "new (place) T" does not allocate, "new (T)" does */
    bool placed = token_op(s, i + 1, '(') && !token_is(s, i - 1, "operator") &&
                  token_kind(s, s->tokens[i + 1].partner + 1, TOKEN_IDENTIFIER);
    if (!placed) return "allocation on the device";
  }
  if (token_is(s, i, "delete") && !of_operator && !token_op(s, i - 1, '=')) {
    return "allocation on the device";
  }
  if (TOKEN_IS_ONE_OF(s, i, exceptions)) return "an exception on the device";
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
  bool knows_length = asks_register_length(s), without_std = uses_names_of_std(s);
  Aliases aliases;
  find_aliases(s, &aliases);
  int errors = 0;
  for (int f = 0; f < unit->function_count; ++f) {
    bool has_registers = knows_length;
    for (int i = unit->functions[f].params; i < unit->functions[f].end; ++i) {
      if (s->tokens[i].kind != TOKEN_IDENTIFIER) continue;
      const char *fault = fault_of_word(s, i, without_std, &aliases);
      if (!fault && !has_registers && starts_register_name(s, i)) {
        fault = "vector registers whose length is assumed: __vv_get_length() says it";
        has_registers = true; /* one message per function */
      }
      if (!fault) continue;
      strict_error(s, i, "%s", fault);
      ++errors;
    }
  }
  free(aliases.names);
  return errors;
}
