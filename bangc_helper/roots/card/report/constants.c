/* SPDX-License-Identifier: MIT */
#include "report/constants.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "report/source.h"

enum { NAME_SIZE = 48, MAX_NAMES = 4, LINES_ABOVE = 16 };

struct names {
  char names[MAX_NAMES][NAME_SIZE];
  size_t count;
};

struct text {
  char *text;
  size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const size_t room = out->size - out->length;
  const int length = vsnprintf(out->text + out->length, room, format, arguments);
  va_end(arguments);
  if (length > 0) out->length += (size_t)length < room ? (size_t)length : room - 1;
}

static bool is_of_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static void add_name(struct names *names, const char *name, size_t length) {
  if (names->count == MAX_NAMES || length >= NAME_SIZE) return;
  for (size_t i = 0; i < names->count; ++i) {
    if (strlen(names->names[i]) == length && memcmp(names->names[i], name, length) == 0) return;
  }
  memcpy(names->names[names->count], name, length);
  names->names[names->count++][length] = '\0';
}

/* ---- Names in capitals ---- */

/* True for names of the language. */
static bool is_of_language(const char *name) {
  static const char *const words[] = {"GDRAM", "NRAM",    "WRAM",  "SRAM", "LDRAM",
                                      "NULL",  "FUSION_", "BANG_", "CNRT"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (strncmp(name, words[i], strlen(words[i])) == 0) return true;
  }
  return false;
}

/* Adds names that have at least three characters, all capitals, digits or underscores. */
static void add_capitals(struct names *names, const char *at) {
  while (*at != '\0') {
    const char *end = at;
    bool is_constant = isalpha((unsigned char)*at);
    while (is_of_name(*end)) {
      is_constant = is_constant && !islower((unsigned char)*end);
      ++end;
    }
    if (is_constant && end - at >= 3 && !is_of_language(at)) {
      add_name(names, at, (size_t)(end - at));
    }
    at = end > at ? end : at + 1;
  }
}

/* Finds names in the statement that begins at the line; if it has none, in the lines above. */
static void find_near(const struct source *source, uint32_t line, struct names *names) {
  for (uint32_t i = line; i <= line + 4; ++i) {
    add_capitals(names, source_line(source, i));
    if (strchr(source_line(source, i), ';') != NULL) break;
  }
  for (uint32_t up = 1; names->count == 0 && up <= LINES_ABOVE && up < line; ++up) {
    const char *above = source_line(source, line - up);
    add_capitals(names, above);
    if (above[0] == '}') break; /* another function */
  }
}

/* ---- Values ---- */

struct value {
  char text[NAME_SIZE];
  char file[NAME_SIZE];
  uint32_t line;
};

/* The value in "#define NAME value" or "NAME = value"; NULL: the line does not define the name. */
static const char *value_in(const char *line, const char *name) {
  const char *at = line;
  const size_t length = strlen(name);
  for (;;) {
    at = strstr(at, name);
    if (at == NULL) return NULL;
    if ((at == line || !is_of_name(at[-1])) && !is_of_name(at[length])) break;
    at += length;
  }
  const char *after = at + length;
  if (*after == '(') return NULL;
  after += strspn(after, " ");
  const char *define = strstr(line, "#define ");
  if (define != NULL && define < at) {
    return strspn(define + 8, " ") == (size_t)(at - define - 8) ? after : NULL;
  }
  return *after == '=' && after[1] != '=' ? after + 1 + strspn(after + 1, " ") : NULL;
}

static bool find_value(const struct source *source, const char *path, const char *name,
                       struct value *value) {
  for (uint32_t i = 1; i <= source->line_count; ++i) {
    const char *start = value_in(source_line(source, i), name);
    if (start == NULL || *start == '\0') continue;
    const bool is_macro = strstr(source_line(source, i), "#define ") != NULL;
    size_t length = strcspn(start, is_macro ? "" : ",;}");
    const char *comment = strstr(start, "/*");
    if (comment != NULL && (size_t)(comment - start) < length) length = (size_t)(comment - start);
    while (length > 0 && isspace((unsigned char)start[length - 1])) --length;
    if (length == 0 || length >= sizeof value->text) return false;
    memcpy(value->text, start, length);
    value->text[length] = '\0';
    const char *slash = strrchr(path, '/');
    snprintf(value->file, sizeof value->file, "%.*s", NAME_SIZE - 1,
             slash != NULL ? slash + 1 : path);
    value->line = i;
    return true;
  }
  return false;
}

/* Looks for an included file in the folder of the including one, then in each folder above it. */
static bool open_included(struct source *source, const char *from, const char *name, char *path) {
  size_t folder = strlen(from);
  while (folder > 0) {
    while (folder > 0 && from[folder - 1] != '/') --folder;
    if (folder + strlen(name) >= PATH_MAX) return false;
    memcpy(path, from, folder);
    strcpy(path + folder, name);
    if (source_open(source, path)) return true;
    if (folder > 0) --folder;
  }
  return false;
}

static bool find_included_value(const struct source *source, const char *file, const char *name,
                                struct value *value) {
  bool found = false;
  for (uint32_t i = 1; i <= source->line_count && !found; ++i) {
    char included[256], path[PATH_MAX];
    struct source other;
    if (sscanf(source_line(source, i), "#include \"%255[^\"]\"", included) != 1) continue;
    if (!open_included(&other, file, included, path)) continue;
    found = find_value(&other, path, name, value);
    source_close(&other);
  }
  return found;
}

static void put_constants(struct text *out, const struct source *source, const char *file,
                          const struct names *names) {
  for (size_t i = 0; i < names->count; ++i) {
    struct value value;
    put(out, "%s%s", i == 0 ? "; constants there: " : ", ", names->names[i]);
    if (find_value(source, file, names->names[i], &value) ||
        find_included_value(source, file, names->names[i], &value)) {
      put(out, " = %s (%s:%u)", value.text, value.file, (unsigned)value.line);
    }
  }
}

/* Finds all numbers that the file defines, for lines without names near them. */
static void find_defined(const struct source *source, struct names *names) {
  for (uint32_t i = 1; i <= source->line_count; ++i) {
    char name[NAME_SIZE], first[2];
    if (sscanf(source_line(source, i), "#define %47[A-Z0-9_]%*1[ ]%1[(0-9]", name, first) == 2) {
      add_name(names, name, strlen(name));
    }
  }
}

/* ---- Facts ---- */

/* Adds names after "facts.", the device properties that an operator uses. */
static void add_facts(struct names *names, const char *line) {
  static const char word[] = "facts.";
  for (const char *at = line; (at = strstr(at, word)) != NULL;) {
    at += sizeof word - 1;
    size_t length = 0;
    while (is_of_name(at[length])) ++length;
    if (length > 0 && at[length] != '(') add_name(names, at, length);
  }
}

static void put_facts(struct text *out, const char *file) {
  struct names facts = {.count = 0};
  struct source source;
  if (file == NULL || !source_open(&source, file)) return;
  for (uint32_t i = 1; i <= source.line_count; ++i) add_facts(&facts, source_line(&source, i));
  for (size_t i = 0; i < facts.count; ++i) {
    put(out, "%s%s", i == 0 ? "; facts of the device there: " : ", ", facts.names[i]);
  }
  if (facts.count > 0) put(out, " (MLUOP_DEVICE_FACTS=%s=N tries a value)", facts.names[0]);
  source_close(&source);
}

void constants_text(char *text, size_t size, const char *file, uint32_t line,
                    const char *kernel_file) {
  struct text out = {.text = text, .size = size};
  struct names names = {.count = 0};
  struct source source;
  text[0] = '\0';
  if (source_open(&source, file)) {
    find_near(&source, line, &names);
    if (names.count == 0) find_defined(&source, &names);
    put_constants(&out, &source, file, &names);
    source_close(&source);
  }
  put_facts(&out, kernel_file);
}
