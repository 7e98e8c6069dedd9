/* SPDX-License-Identifier: MIT */
#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "misfit.h"
#include "strict_unit.h"

static const char lambda[] = "In lambda function:";

bool needs_explanation(const char *messages) {
  return strstr(messages, lambda) || strstr(messages, "no matching function for call to") ||
         strstr(messages, "no instance of") || strstr(messages, "bang_impl::");
}

/* ---- One message and what belongs to it ---- */

/* The position that a message starts with: "file:line:..." or nvcc's "file(line): ...". */
typedef struct Place {
  char *file;
  int line;
} Place;

static bool read_place(const char *text, const char *severity, Place *place) {
  const char *mark = strstr(text, severity);
  if (!mark) return false;
  size_t length = strcspn(text, ":(");
  while (text + length < mark && text[length] == ':' &&
         !(text[length + 1] >= '0' && text[length + 1] <= '9')) {
    length += 1 + strcspn(text + length + 1, ":(");
  }
  if (text + length >= mark) return false;
  *place = (Place){.file = xstrndup(text, length), .line = atoi(text + length + 1)};
  return true;
}

static bool is_message(const char *line) {
  return strstr(line, ": error: ") || strstr(line, ": warning: ") || strstr(line, ": error #") ||
         strstr(line, ": fatal error: ");
}

/* Context lines that precede their message. */
static bool is_context(const char *line) {
  return starts_with(line, "In file included from") ||
         starts_with(line, "                 from ") || strstr(line, ": In ") ||
         strstr(line, ":   required ") || strstr(line, ":   recursively");
}

/* Ends of the groups of lines. A group is a message with the context before it and the source and
 * notes after it. */
static size_t group_end(const StrList *lines, size_t begin) {
  bool has_message = false;
  for (size_t i = begin; i < lines->count; ++i) {
    bool starts = is_message(lines->items[i]) ||
                  (is_context(lines->items[i]) && strstr(lines->items[i], ": In "));
    if (has_message && starts) return i;
    has_message |= is_message(lines->items[i]);
  }
  return lines->count;
}

/* ---- What is explained ---- */

typedef struct Explanation {
  const Job *job;
  Survey survey;
  Source source;
  Unit unit;
  Place *explained;
  size_t explained_count;
} Explanation;

static void append_function(StrBuf *out, const Unit *unit, const UnitFunction *f) {
  const Token *t = &unit->source->tokens[f->name];
  strbuf_printf(out, "'%.*s'", (int)t->length, unit->source->text + t->offset);
}

/* " in kernel 'K'", or " in 'f', which kernel 'K' calls" */
static void append_where(StrBuf *out, const Unit *unit, const UnitFunction *f) {
  if (!f) return;
  strbuf_puts(out, f->is_kernel ? " in kernel " : " in ");
  append_function(out, unit, f);
  bool found = f->is_kernel;
  for (int k = 0; k < unit->function_count && !found; ++k) {
    if (!unit->functions[k].is_kernel) continue;
    bool *reached = xcalloc((size_t)unit->function_count, sizeof *reached);
    unit_reach(unit, k, reached);
    found = reached[f - unit->functions];
    if (found) {
      strbuf_puts(out, ", which kernel ");
      append_function(out, unit, &unit->functions[k]);
      strbuf_puts(out, " calls");
    }
    free(reached);
  }
}

static bool is_explained(const Explanation *e, const char *file, int line) {
  for (size_t i = 0; i < e->explained_count; ++i) {
    if (e->explained[i].line == line && strcmp(e->explained[i].file, file) == 0) return true;
  }
  return false;
}

/* Calls on the line of an error, if their operands may be the cause. */
static void explain_line(Explanation *e, const Place *place) {
  if (is_explained(e, place->file, place->line)) return;
  bool done = false;
  for (int i = 0; i < e->survey.call_count; ++i) {
    const SurveyedCall *call = &e->survey.calls[i];
    const CallPlace *at = &e->survey.places[call->place];
    if (at->line != place->line || strcmp(at->file, place->file) != 0) continue;
    StrBuf misfit = {0}, where = {0};
    strbuf_puts(&where, "");
    if (describe_misfit(&misfit, at->name, &call->given)) {
      append_where(&where, &e->unit, unit_function_at_line(&e->unit, at->file, at->line));
      fprintf(stderr, "%s:%d:%d: error: %s%s: %s\n", at->file, at->line, at->column, at->name,
              where.data, misfit.data);
      done = true;
    }
    strbuf_free(&misfit);
    strbuf_free(&where);
  }
  if (!done) return;
  e->explained = xrealloc(e->explained, (e->explained_count + 1) * sizeof *e->explained);
  e->explained[e->explained_count++] = (Place){xstrdup(place->file), place->line};
}

/* True if a group is about an explained line, or about a header because of such a line. */
static bool is_replaced(const Explanation *e, const StrList *lines, size_t begin, size_t end) {
  bool in_header = false, names_explained = false, at_explained = false;
  for (size_t i = begin; i < end; ++i) {
    Place place;
    if (is_message(lines->items[i]) && read_place(lines->items[i], "error", &place)) {
      in_header |= starts_with(place.file, e->job->include);
      at_explained |= is_explained(e, place.file, place.line);
      free(place.file);
    }
    for (size_t k = 0; k < e->explained_count; ++k) {
      char *text = xasprintf("%s:%d:", e->explained[k].file, e->explained[k].line);
      names_explained |= starts_with(lines->items[i], text);
      free(text);
    }
  }
  return at_explained || (in_header && names_explained);
}

static void print_group(const Explanation *e, const StrList *lines, size_t begin, size_t end) {
  const UnitFunction *f = NULL;
  for (size_t i = begin; i < end && !f; ++i) {
    Place place;
    if (!is_message(lines->items[i])) continue;
    if (!read_place(lines->items[i], "error", &place) &&
        !read_place(lines->items[i], "warning", &place)) {
      continue;
    }
    f = unit_function_at_line(&e->unit, place.file, place.line);
    free(place.file);
  }
  for (size_t i = begin; i < end; ++i) {
    const char *line = lines->items[i];
    const char *found = f ? strstr(line, lambda) : NULL;
    if (found) {
      StrBuf name = {0};
      append_function(&name, &e->unit, f);
      fprintf(stderr, "%.*sIn %s%s:\n", (int)(found - line), line,
              f->is_kernel ? "kernel " : "function ", name.data);
      strbuf_free(&name);
    } else {
      fprintf(stderr, "%s\n", line);
    }
  }
}

static void split_lines(const char *text, StrList *lines) {
  while (*text) {
    size_t n = strcspn(text, "\n");
    strlist_take(lines, xstrndup(text, n));
    text += n + (text[n] != '\0');
  }
}

void explain_messages(const Job *job, const SurveyedFile *file, const char *messages) {
  Explanation e = {.job = job};
  StrBuf text = {0}, ignored = {0};
  StrList lines = {0};
  survey_run(job, file, &text, &e.survey, &ignored);
  source_init(&e.source, text.data, text.size, job->include);
  unit_init(&e.unit, &e.source);
  split_lines(messages, &lines);
  for (size_t i = 0; i < lines.count; ++i) {
    /* For an error in a template of the header, gcc names the instantiating line later. */
    Place place;
    bool found = (is_message(lines.items[i]) && read_place(lines.items[i], "error", &place)) ||
                 read_place(lines.items[i], ":   required from here", &place);
    if (!found) continue;
    explain_line(&e, &place);
    free(place.file);
  }
  for (size_t begin = 0; begin < lines.count;) {
    size_t end = group_end(&lines, begin);
    if (!is_replaced(&e, &lines, begin, end)) print_group(&e, &lines, begin, end);
    begin = end;
  }
  for (size_t i = 0; i < e.explained_count; ++i) free(e.explained[i].file);
  free(e.explained);
  strlist_free(&lines);
  unit_free(&e.unit);
  source_free(&e.source);
  survey_free(&e.survey);
  strbuf_free(&text);
  strbuf_free(&ignored);
}
