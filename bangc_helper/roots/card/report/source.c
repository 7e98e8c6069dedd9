/* SPDX-License-Identifier: MIT */
#include "report/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE_BYTES = 4 << 20 };

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
