/* SPDX-License-Identifier: MIT */
#include "checks/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "checks/finding.h"
#include "common.h"

static void print_text(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text != 0; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') {
      fprintf(file, "\\%c", c);
    } else if (c < ' ') {
      fprintf(file, "\\u%04x", c);
    } else {
      fputc(c, file);
    }
  }
  fputc('"', file);
}

static void print_member(FILE *file, const char *name, const char *text) {
  fprintf(file, "\"%s\": ", name);
  print_text(file, text);
  fputs(", ", file);
}

static void print_finding(FILE *file, const struct card_finding *f) {
  fputs("  {", file);
  print_member(file, "check", card_check_name(f->check));
  print_member(file, "what", f->what);
  print_member(file, "kernel", f->kernel);
  print_member(file, "file", f->site.file);
  fprintf(file, "\"line\": %" PRIu32 ", ", f->site.line);
  print_member(file, "function", f->site.function);
  if (f->other.line != 0) {
    fputs("\"other\": {", file);
    print_member(file, "file", f->other.file);
    fprintf(file, "\"line\": %" PRIu32 "}, ", f->other.line);
  }
  fprintf(file, "\"task\": %" PRIu32 ", \"core\": %" PRIu32 ", \"cluster\": %" PRIu32 ", ", f->task,
          f->core, f->cluster);
  if (f->has_address) {
    fprintf(file, "\"address\": %" PRIu64 ", ", f->address);
    print_member(file, "object", f->object);
    fprintf(file, "\"offset\": %" PRId64 ", ", f->offset);
  }
  fprintf(file, "\"count\": %" PRIu64 "}", f->count);
}

/* The file is a complete array after every launch; the next one overwrites the closing bracket. */
void card_json_add(const struct card_finding *findings) {
  static bool has_begun;
  const char *path = getenv("MLUOP_CHECK_JSON");
  if (path == NULL || *path == 0) {
    return;
  }
  FILE *file = fopen(path, has_begun ? "r+e" : "we");
  if (file == NULL) {
    rt_warn("MLUOP_CHECK_JSON: cannot write '%s'", path);
    return;
  }
  if (has_begun) {
    fseek(file, -3, SEEK_END); /* "\n]\n" */
  } else {
    fputs("[\n", file);
  }
  for (const struct card_finding *f = findings; f != NULL; f = f->next) {
    fputs(has_begun ? ",\n" : "", file);
    has_begun = true;
    print_finding(file, f);
  }
  fputs("\n]\n", file);
  fclose(file);
}
