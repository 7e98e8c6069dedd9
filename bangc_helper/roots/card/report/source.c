/* SPDX-License-Identifier: MIT */
#include "report/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE_BYTES = 4 << 20, LINES_ABOVE = 16 };

static char *read_all(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  char *text = malloc(MAX_FILE_BYTES + 1);
  if (text != NULL) {
    text[fread(text, 1, MAX_FILE_BYTES, file)] = '\0';
  }
  fclose(file);
  return text;
}

bool source_open(struct source *source, const char *path) {
  *source = (struct source){.text = read_all(path)};
  if (source->text == NULL) return false;
  size_t count = 1;
  for (const char *at = source->text; *at != '\0'; ++at) count += *at == '\n';
  source->lines = malloc(count * sizeof *source->lines);
  if (source->lines == NULL) {
    source_close(source);
    return false;
  }
  char *at = source->text;
  while (at != NULL) {
    source->lines[source->line_count++] = at;
    at = strchr(at, '\n');
    if (at != NULL) *at++ = '\0';
  }
  return true;
}

void source_close(struct source *source) {
  free(source->lines);
  free(source->text);
  *source = (struct source){0};
}

const char *source_line(const struct source *source, uint32_t line) {
  return line >= 1 && line <= source->line_count ? source->lines[line - 1] : "";
}

/* ---- Constants ---- */

/* Names that the language has in capitals. */
static bool is_of_language(const char *name) {
  static const char *const words[] = {"GDRAM", "NRAM",    "WRAM",  "SRAM", "LDRAM",
                                      "NULL",  "FUSION_", "BANG_", "CNRT"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (strncmp(name, words[i], strlen(words[i])) == 0) return true;
  }
  return false;
}

/* Copies the next name of at least three capitals, digits and underscores; NULL: no more. */
static const char *next_name(const char *at, char name[SOURCE_NAME_SIZE]) {
  while (*at != '\0') {
    if (!isalpha((unsigned char)*at) && *at != '_') {
      ++at;
      continue;
    }
    const char *end = at;
    bool is_constant = true;
    while (isalnum((unsigned char)*end) || *end == '_') {
      is_constant = is_constant && !islower((unsigned char)*end);
      ++end;
    }
    const size_t length = (size_t)(end - at);
    if (is_constant && length >= 3 && length < SOURCE_NAME_SIZE && isalpha((unsigned char)*at)) {
      memcpy(name, at, length);
      name[length] = '\0';
      if (!is_of_language(name)) return end;
    }
    at = end;
  }
  return NULL;
}

static size_t add_names(const char *text, char names[][SOURCE_NAME_SIZE], size_t count,
                        size_t most) {
  char name[SOURCE_NAME_SIZE];
  while (count < most && (text = next_name(text, name)) != NULL) {
    size_t known = 0;
    while (known < count && strcmp(names[known], name) != 0) ++known;
    if (known == count) memcpy(names[count++], name, SOURCE_NAME_SIZE);
  }
  return count;
}

size_t source_constants(const struct source *source, uint32_t line, char names[][SOURCE_NAME_SIZE],
                        size_t most) {
  size_t count = 0;
  for (uint32_t i = line; i <= line + 4; ++i) {
    count = add_names(source_line(source, i), names, count, most);
    if (strchr(source_line(source, i), ';') != NULL) break;
  }
  for (uint32_t up = 1; count == 0 && up <= LINES_ABOVE && up < line; ++up) {
    const char *above = source_line(source, line - up);
    count = add_names(above, names, count, most);
    if (above[0] == '}') break; /* another function */
  }
  return count;
}
