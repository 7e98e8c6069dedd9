/* SPDX-License-Identifier: MIT
 *
 * Compares the functions that the headers declare with the names in the tables. The argument is
 * bang_fusor.h, which includes bang.h, after preprocessing, with line markers. A function at file
 * scope of a header in bang/ belongs to the language. Helpers of the headers are in namespaces or
 * start with __bang_vec_.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const table_names[] = {
#define BANG_UNARY(name, ...) #name,
#define BANG_BINARY(name, ...) #name,
#define BANG_SCALAR(name, ...) #name,
#define BANG_CYCLE(name, ...) #name,
#define BANG_BITINDEX(name, ...) #name,
#define BANG_BITINDEX_SCALAR(name, ...) #name,
#define BANG_CONVERT(name, ...) #name,
#define BANG_CONVERT_FIX(name, ...) #name,
#define BANG_CONVERT_FIX2(name, ...) #name,
#define BANG_ONE(name, ...) #name,
#define BANG_FUNCTION(name, ...) #name,
#include "bang/all.def"
};
enum { TABLE_NAMES = sizeof table_names / sizeof table_names[0] };

enum { MAX_DECLARED = 8192, NAME_BYTES = 96 };
static char declared[MAX_DECLARED][NAME_BYTES];
static int declared_count;

static int is_in_table(const char *name) {
  for (int i = 0; i < TABLE_NAMES; i++) {
    if (strcmp(table_names[i], name) == 0) {
      return 1;
    }
  }
  return 0;
}
static int is_declared(const char *name) {
  for (int i = 0; i < declared_count; i++) {
    if (strcmp(declared[i], name) == 0) {
      return 1;
    }
  }
  return 0;
}

/* True if the token can be the end of a return type before a function's name. */
static int ends_type(const char *token) {
  static const char *const others[] = {"return",   "operator", "sizeof",
                                       "decltype", "noexcept", "alignas"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (strcmp(token, others[i]) == 0) {
      return 0;
    }
  }
  return isalpha((unsigned char)token[0]) || token[0] == '_' || strcmp(token, "*") == 0 ||
         strcmp(token, "&") == 0 || strcmp(token, ">") == 0;
}

/* Reads one token; returns 0 at the end. A line marker sets *in_language, which is true in headers
 * of bang/. */
static int next_token(FILE *file, char *token, int *in_language) {
  int c = getc(file);
  for (;;) {
    while (c == ' ' || c == '\t' || c == '\n') {
      c = getc(file);
    }
    if (c != '#') {
      break;
    }
    char marker[1024];
    if (fgets(marker, sizeof marker, file) == NULL) {
      return 0;
    }
    if (isdigit((unsigned char)marker[1])) { /* a line marker, not a pragma */
      *in_language = strstr(marker, "/bang/") != NULL;
    }
    c = getc(file);
  }
  if (c == EOF) {
    return 0;
  }
  int length = 0;
  if (c == '"' || c == '\'') {
    int quote = c;
    while ((c = getc(file)) != EOF && c != quote) {
      if (c == '\\') {
        (void)getc(file);
      }
    }
    strcpy(token, "\"");
    return 1;
  }
  if (isalnum(c) || c == '_') {
    while (isalnum(c) || c == '_') {
      if (length < NAME_BYTES - 1) {
        token[length++] = (char)c;
      }
      c = getc(file);
    }
    ungetc(c, file);
  } else {
    token[length++] = (char)c;
  }
  token[length] = '\0';
  return 1;
}

static void collect(FILE *file) {
  char before[NAME_BYTES] = "", name[NAME_BYTES] = "", token[NAME_BYTES];
  int in_language = 0, braces = 0, parentheses = 0;
  while (next_token(file, token, &in_language)) {
    if (strcmp(token, "(") == 0 && in_language && braces == 0 && parentheses == 0 &&
        ends_type(before) && (isalpha((unsigned char)name[0]) || name[0] == '_') &&
        strcmp(name, "__attribute__") != 0 && strcmp(name, "__asm__") != 0 &&
        strcmp(name, "sizeof") != 0 && strncmp(name, "__bang_vec_", 11) != 0 &&
        declared_count < MAX_DECLARED && !is_declared(name)) {
      strcpy(declared[declared_count++], name);
    }
    braces += strcmp(token, "{") == 0 ? 1 : strcmp(token, "}") == 0 ? -1 : 0;
    parentheses += strcmp(token, "(") == 0 ? 1 : strcmp(token, ")") == 0 ? -1 : 0;
    strcpy(before, name);
    strcpy(name, token);
  }
}

/* True for functions that users call only through a macro or a name that cncc replaces. */
static int is_handler(const char *name) {
  static const char *const handlers[] = {"__bang_assert_fail", "__bang_exit", "__bang_abort"};
  for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
    if (strcmp(name, handlers[i]) == 0) return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (file == NULL) {
    fprintf(stderr, "usage: check_names PREPROCESSED_HEADER\n");
    return 2;
  }
  collect(file);
  fclose(file);
  int failures = 0;
  for (int i = 0; i < declared_count; i++) {
    if (!is_in_table(declared[i]) && !is_handler(declared[i])) {
      fprintf(stderr, "FAIL %s is declared but in no table\n", declared[i]);
      failures++;
    }
  }
  for (int i = 0; i < TABLE_NAMES; i++) {
    if (!is_declared(table_names[i]) && strstr(table_names[i], "::") == NULL) {
      fprintf(stderr, "FAIL %s is in a table but declared nowhere\n", table_names[i]);
      failures++;
    }
  }
  printf("names: %d declared, %d rows, %d failures\n", declared_count, TABLE_NAMES, failures);
  return failures != 0 || declared_count == 0;
}
