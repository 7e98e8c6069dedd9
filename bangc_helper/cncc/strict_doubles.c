/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strict_rules.h"

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

static const char constant_operand[] = "a double operand (0.5 is one, 0.5f is not)";

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

/* C promotes the arguments of printf to double; clang does not say that it is an argument. */
static bool prints(const Source *s, const UnitFunction *f, int line) {
  for (int i = f->body; i < f->end; ++i) {
    const Token *t = &s->tokens[i];
    bool ends_so = t->length >= 6 && memcmp(s->text + t->offset + t->length - 6, "printf", 6) == 0;
    if (!ends_so || !token_op(s, i + 1, '(') || s->tokens[i + 1].partner < 0) continue;
    if (t->line <= line && line <= s->tokens[s->tokens[i + 1].partner].line) return true;
  }
  return false;
}

/* A warning only: public kernels that run on cards have such constants. */
static void report_promotion(const Unit *unit, StrList *lines, const char *message) {
  size_t length;
  int line, column;
  if (!parse_warning(message, &length, &line, &column)) return;
  char *file = xstrndup(message, length);
  const UnitFunction *f = unit_function_at_line(unit, file, line);
  if (f && !prints(unit->source, f, line)) {
    report_double(lines, file, line, column, "warning", constant_operand);
  }
  free(file);
}

/* Operators whose operands the compiler knows to be double, or integers beside a constant. */
static int report_operators(StrList *lines, const Survey *survey, SurveyMark mark) {
  int count = 0;
  for (int i = 0; i < survey->place_count; ++i) {
    const CallPlace *at = &survey->places[i];
    if (!at->is_marked[mark]) continue;
    char *what = mark == SURVEY_CONSTANT
                     ? xstrdup(constant_operand)
                     : xasprintf("double '%s'%s%s%s", at->name, at->function ? " in '" : "",
                                 at->function ? at->function : "", at->function ? "'" : "");
    count += report_double(lines, at->file, at->line, at->column,
                           mark == SURVEY_CONSTANT ? "warning" : "error", what);
    free(what);
  }
  return count;
}

int check_doubles(const Unit *unit, const Survey *survey, const char *messages) {
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
  errors += report_operators(&lines, survey, SURVEY_DOUBLE);
  report_operators(&lines, survey, SURVEY_CONSTANT);
  for (const char *line = messages; line && *line;) {
    const char *end = strchr(line, '\n');
    char *text = xstrndup(line, end ? (size_t)(end - line) : strlen(line));
    if (strstr(text, "[-Wdouble-promotion]") && !strstr(text, "when passing argument")) {
      report_promotion(unit, &lines, text);
    }
    free(text);
    line = end ? end + 1 : NULL;
  }
  strlist_free(&lines);
  return errors;
}
