/* SPDX-License-Identifier: MIT */
#include "rewrite.h"

#include <stdlib.h>
#include <string.h>

typedef struct Piece {
  char *text; /* NULL: tokens [begin, end) */
  int begin;
  int end;
} Piece;

struct Replacement {
  int begin;
  int end;
  Piece *pieces;
  int count;
  bool rendering;
  Replacement *next;
};

typedef struct Edit {
  StrBuf before;
  StrBuf after;
  char *replace;
  Replacement *replacement;
} Edit;

struct Rewrite {
  const Source *source;
  Edit **edits; /* by token, mostly NULL */
  Replacement *replacements;
};

Rewrite *rewrite_new(const Source *source) {
  Rewrite *rw = xcalloc(1, sizeof *rw);
  rw->source = source;
  rw->edits = xcalloc((size_t)source->count + 1, sizeof *rw->edits);
  return rw;
}

static void free_edit(Edit *edit) {
  if (!edit) return;
  strbuf_free(&edit->before);
  strbuf_free(&edit->after);
  free(edit->replace);
  free(edit);
}

void rewrite_free(Rewrite *rw) {
  for (int i = 0; i <= rw->source->count; ++i) free_edit(rw->edits[i]);
  free(rw->edits);
  while (rw->replacements) {
    Replacement *next = rw->replacements->next;
    for (int i = 0; i < rw->replacements->count; ++i) free(rw->replacements->pieces[i].text);
    free(rw->replacements->pieces);
    free(rw->replacements);
    rw->replacements = next;
  }
  free(rw);
}

static Edit *edit_at(Rewrite *rw, int index) {
  if (!rw->edits[index]) rw->edits[index] = xcalloc(1, sizeof(Edit));
  return rw->edits[index];
}

void rewrite_before(Rewrite *rw, int index, const char *text) {
  strbuf_puts(&edit_at(rw, index)->before, text);
}

void rewrite_after(Rewrite *rw, int index, const char *text) {
  strbuf_puts(&edit_at(rw, index)->after, text);
}

void rewrite_replace(Rewrite *rw, int index, const char *text) {
  Edit *edit = edit_at(rw, index);
  free(edit->replace);
  edit->replace = xstrdup(text);
}

/* Replaced by blanks of the same width, so that later columns stay. */
void rewrite_drop(Rewrite *rw, int index) {
  size_t n = rw->source->tokens[index].length;
  char *blanks = xmalloc(n + 1);
  memset(blanks, ' ', n);
  blanks[n] = '\0';
  rewrite_replace(rw, index, blanks);
  free(blanks);
}

Replacement *rewrite_range(Rewrite *rw, int begin, int end) {
  Replacement *r = xcalloc(1, sizeof *r);
  r->begin = begin;
  r->end = end;
  r->next = rw->replacements;
  rw->replacements = r;
  edit_at(rw, begin)->replacement = r;
  return r;
}

static void add_piece(Replacement *r, Piece piece) {
  r->pieces = xrealloc(r->pieces, (size_t)(r->count + 1) * sizeof *r->pieces);
  r->pieces[r->count++] = piece;
}

void replacement_text(Replacement *r, const char *text) {
  add_piece(r, (Piece){.text = xstrdup(text)});
}

void replacement_tokens(Replacement *r, int begin, int end) {
  add_piece(r, (Piece){.begin = begin, .end = end});
}

/* ---- Rendering ---- */

enum { LAST_PADDED_COLUMN = 400 };

typedef struct Writer {
  Rewrite *rewrite;
  const Source *source;
  StrBuf *out;
  int file; /* the position that a reader of the text assumes */
  int line;
  bool column_right;
  size_t copied_to; /* source offset after the last copied text */
} Writer;

static void write_marker(Writer *w, int file, int line) {
  const SourceFile *f = &w->source->files[file];
  strbuf_printf(w->out, "# %d %s%s\n", line, f->quoted, f->system ? " 3" : "");
  w->file = file;
  w->line = line;
}

static int file_of_marker(const Writer *w, const LineMarker *m, int fallback) {
  for (int i = 0; i < w->source->file_count; ++i) {
    const SourceFile *f = &w->source->files[i];
    if (strlen(f->quoted) == m->quoted_length &&
        memcmp(f->quoted, m->quoted, m->quoted_length) == 0) {
      return i;
    }
  }
  return fallback;
}

/* Copies one line of the text between tokens. Markers of our own headers get the system flag. */
static void copy_trivia_line(Writer *w, const char *begin, const char *end, int next_file) {
  bool ends = end > begin && end[-1] == '\n';
  const char *first = begin;
  while (first < end && (*first == ' ' || *first == '\t')) ++first;
  LineMarker m;
  bool line_start = w->out->size == 0 || w->out->data[w->out->size - 1] == '\n';
  bool is_marker =
      ends && line_start && first < end && *first == '#' && parse_line_marker(first, end - 1, &m);
  strbuf_add(w->out, begin, (size_t)(end - begin));
  if (is_marker) {
    if (m.quoted) {
      w->file = file_of_marker(w, &m, next_file);
      if (w->source->files[w->file].system && !m.system) {
        w->out->size--;
        strbuf_puts(w->out, " 3\n");
      }
    }
    w->line = m.line;
    w->column_right = true;
  } else if (ends) {
    w->line++;
    w->column_right = true;
  }
}

static void copy_trivia(Writer *w, int index) {
  const Source *s = w->source;
  const Token *t = &s->tokens[index];
  size_t begin = index > 0 ? s->tokens[index - 1].offset + s->tokens[index - 1].length : 0;
  if (w->copied_to != begin) w->column_right = false;
  const char *p = s->text + begin, *stop = s->text + t->offset;
  while (p < stop) {
    const char *nl = memchr(p, '\n', (size_t)(stop - p));
    const char *next = nl ? nl + 1 : stop;
    copy_trivia_line(w, p, next, t->file);
    p = next;
  }
  w->copied_to = t->offset;
}

static void write_text(Writer *w, const char *text) {
  if (!*text) return;
  strbuf_puts(w->out, text);
  w->column_right = false;
}

static void write_token(Writer *w, int index, const Edit *edit) {
  const Token *t = &w->source->tokens[index];
  size_t length = t->length;
  const char *text = w->source->text + t->offset;
  bool same_width = true;
  if (edit && edit->replace) {
    text = edit->replace;
    same_width = strlen(text) == length;
    length = strlen(text);
  }
  if (length == 0) return;
  if (!w->column_right || w->file != t->file || w->line != t->line) {
    strbuf_puts(w->out, "\n");
    write_marker(w, t->file, t->line);
    /* Further to the right it is a macro expansion, whose columns mean nothing. */
    int column = t->column < LAST_PADDED_COLUMN ? t->column : 1;
    for (int i = 1; i < column; ++i) strbuf_add(w->out, " ", 1);
    w->column_right = true;
  }
  strbuf_add(w->out, text, length);
  for (size_t i = 0; i < length; ++i) { /* raw strings span lines */
    if (text[i] == '\n') w->line++;
  }
  w->copied_to = t->offset + t->length;
  if (!same_width) w->column_right = false;
}

static void render_range(Writer *w, int begin, int end);

static void render_replacement(Writer *w, Replacement *r) {
  r->rendering = true;
  copy_trivia(w, r->begin);
  for (int i = 0; i < r->count; ++i) {
    const Piece *p = &r->pieces[i];
    if (p->text) {
      write_text(w, p->text);
    } else {
      render_range(w, p->begin, p->end);
    }
  }
  w->column_right = false;
  r->rendering = false;
}

static void render_range(Writer *w, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    Edit *edit = w->rewrite->edits[i];
    if (edit && edit->replacement && !edit->replacement->rendering) {
      render_replacement(w, edit->replacement);
      i = edit->replacement->end - 1;
      continue;
    }
    /* The white space before a replaced token was copied already. */
    if (!(edit && edit->replacement)) copy_trivia(w, i);
    if (edit && edit->before.data) write_text(w, edit->before.data);
    write_token(w, i, edit);
    if (edit && edit->after.data) write_text(w, edit->after.data);
  }
}

void rewrite_render(Rewrite *rw, StrBuf *out) {
  Writer w = {.rewrite = rw, .source = rw->source, .out = out, .line = 1, .column_right = true};
  render_range(&w, 0, rw->source->count);
  copy_trivia(&w, rw->source->count);
  strbuf_puts(out, "\n");
}
