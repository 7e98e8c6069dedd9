/* SPDX-License-Identifier: MIT */
#include "includes.h"

#include <ctype.h>
#include <string.h>

#include "source.h"

typedef struct Line {
  const char *begin, *end; /* without the newline */
} Line;

typedef struct Filter {
  const char *system_root;
  StrBuf *out;
  int depth;      /* of includes, counted from the main file */
  int drop_below; /* depth whose file is dropped with everything it includes; 0: none */
  Line held;      /* an #include line whose file is not known yet */
} Filter;

static bool is_include(Line line) {
  const char *p = line.begin;
  while (p < line.end && isspace((unsigned char)*p)) ++p;
  if (p == line.end || *p != '#') return false;
  do ++p;
  while (p < line.end && isspace((unsigned char)*p));
  return (size_t)(line.end - p) > 7 && strncmp(p, "include", 7) == 0;
}

/* Tests a line marker for flag 1 (a file begins) or 2 (back in the including file). */
static bool has_flag(Line line, const LineMarker *marker, char flag) {
  if (!marker->quoted) return false;
  for (const char *p = marker->quoted + marker->quoted_length; p + 1 < line.end; ++p) {
    bool alone = p + 2 == line.end || p[2] == ' ';
    if (*p == ' ' && p[1] == flag && alone) return true;
  }
  return false;
}

static bool is_below(const char *root, const LineMarker *marker) {
  size_t n = strlen(root);
  return marker->quoted_length > n + 2 && strncmp(marker->quoted + 1, root, n) == 0 &&
         marker->quoted[1 + n] == '/';
}

static void emit(Filter *f, Line line) {
  strbuf_add(f->out, line.begin, (size_t)(line.end - line.begin));
  strbuf_puts(f->out, "\n");
}

static void take_marker(Filter *f, Line line, const LineMarker *marker) {
  if (has_flag(line, marker, '1')) {
    ++f->depth;
    bool is_system = marker->system || is_below(f->system_root, marker);
    if (f->drop_below == 0 && is_system) {
      f->drop_below = f->depth;
      if (f->held.begin) emit(f, f->held);
    }
    f->held.begin = NULL;
  } else if (has_flag(line, marker, '2')) {
    if (f->drop_below == f->depth) f->drop_below = 0;
    --f->depth;
  }
  if (f->drop_below != 0) return;
  /* Drop the flags: the file they refer to may have been removed. */
  if (marker->quoted) line.end = marker->quoted + marker->quoted_length;
  emit(f, line);
}

void restore_system_includes(const char *text, size_t size, const char *system_root, StrBuf *out) {
  Filter f = {.system_root = system_root, .out = out};
  const char *end = text + size;
  for (const char *p = text; p < end;) {
    const char *nl = memchr(p, '\n', (size_t)(end - p));
    Line line = {p, nl ? nl : end};
    p = nl ? nl + 1 : end;
    LineMarker marker;
    if (line.begin < line.end && *line.begin == '#' &&
        parse_line_marker(line.begin, line.end, &marker)) {
      take_marker(&f, line, &marker);
    } else if (is_include(line)) {
      /* A header that was already included leaves no text, and the line stays empty. */
      f.held = line;
      if (f.drop_below == 0) strbuf_puts(out, "\n");
    } else if (f.drop_below == 0) {
      emit(&f, line);
    }
  }
}
