/* SPDX-License-Identifier: MIT */
#include "survey.h"

#include <stdlib.h>
#include <string.h>

#include "bang/operands.h"

static char *token_text(const Source *s, int index) {
  return index < 0 ? NULL : xstrndup(s->text + s->tokens[index].offset, s->tokens[index].length);
}

int survey_add_place(Survey *survey, const Source *s, int index, int function) {
  const Token *t = &s->tokens[index];
  survey->places =
      xrealloc(survey->places, (size_t)(survey->place_count + 1) * sizeof *survey->places);
  survey->places[survey->place_count] = (CallPlace){.file = xstrdup(s->files[t->file].name),
                                                    .line = t->line,
                                                    .column = t->column,
                                                    .name = token_text(s, index),
                                                    .function = token_text(s, function)};
  return survey->place_count++;
}

/* File names for the places of marks. */
static const char *const mark_files[SURVEY_MARK_COUNT] = {
    [SURVEY_EMPTY] = "__bang_survey_empty",
    [SURVEY_DOUBLE] = "__bang_survey_double",
    [SURVEY_CONSTANT] = "__bang_survey_constant",
};

/* All compilers warn of a shift by a negative constant, in templates for every instantiation; the
 * line number is the place. */
void survey_append_mark(StrBuf *out, SurveyMark mark, int place, const char *condition) {
  strbuf_printf(out, "\n# %d \"%s\"\n(void)(1 << -%s), ", place + 1, mark_files[mark], condition);
}

static void read_marks(Survey *survey, SurveyMark mark, const char *messages) {
  size_t length = strlen(mark_files[mark]);
  for (const char *p = messages; (p = strstr(p, mark_files[mark])) != NULL;) {
    p += length;
    const char *warning = strstr(p, "[-Wshift-count-negative]");
    int place = *p == ':' ? atoi(p + 1) - 1 : -1;
    bool warns = warning && warning < p + strcspn(p, "\n");
    if (warns && place >= 0 && place < survey->place_count) {
      survey->places[place].is_marked[mark] = true;
    }
  }
}

static bool same_call(const SurveyedCall *a, const SurveyedCall *b) {
  return a->place == b->place && a->given.count == b->given.count &&
         memcmp(a->given.types, b->given.types, (size_t)a->given.count * sizeof *a->given.types) ==
             0;
}

static void add_call(Survey *survey, const SurveyedCall *call) {
  for (int i = 0; i < survey->call_count; ++i) {
    if (same_call(&survey->calls[i], call)) return;
  }
  survey->calls = xrealloc(survey->calls, (size_t)(survey->call_count + 1) * sizeof *survey->calls);
  survey->calls[survey->call_count++] = *call;
}

static void add_size(Survey *survey, int variable, long long bytes) {
  for (int i = 0; i < survey->size_count; ++i) {
    SurveyedSize *size = &survey->sizes[i];
    if (size->variable != variable) continue;
    if (size->bytes < bytes) size->bytes = bytes;
    return;
  }
  survey->sizes = xrealloc(survey->sizes, (size_t)(survey->size_count + 1) * sizeof *survey->sizes);
  survey->sizes[survey->size_count++] = (SurveyedSize){variable, bytes};
}

long long survey_size_of(const Survey *survey, int variable) {
  for (int i = 0; i < survey->size_count; ++i) {
    if (survey->sizes[i].variable == variable) return survey->sizes[i].bytes;
  }
  return 0;
}

/* Reads a list "17, 113, 7" up to the closing bracket; returns the text after it. */
static const char *read_call(Survey *survey, const char *text, char close) {
  char *end = NULL;
  SurveyedCall call = {.place = (int)strtol(text, &end, 10)};
  if (end == text) return text; /* a list of parameter names instead */
  if (call.place == BANG_SURVEY_SIZE) {
    if (*end != ',') return end;
    int variable = (int)strtol(end + 1, &end, 10);
    if (*end == ',') add_size(survey, variable, strtoll(end + 1, &end, 10));
    return end;
  }
  while (*end == ',' && call.given.count < MAX_OPERANDS) {
    int type = (int)strtol(end + 1, &end, 10);
    bool sane = type >= 0 && type % BANG_OPERAND_POINTER <= BANG_OPERAND_OTHER;
    call.given.types[call.given.count++] = sane ? type : BANG_OPERAND_OTHER;
  }
  bool complete = *end == close && call.place >= 0 && call.place < survey->place_count;
  if (complete) add_call(survey, &call);
  return end;
}

void survey_read(Survey *survey, const char *messages) {
  for (int i = 0; i < SURVEY_MARK_COUNT; ++i) read_marks(survey, (SurveyMark)i, messages);
  static const struct {
    const char *before;
    char after;
  } forms[] = {{"seen<", '>'}, {"int ...numbers = {", '}'}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
    const char *p = messages;
    while ((p = strstr(p, forms[i].before)) != NULL) {
      p = read_call(survey, p + strlen(forms[i].before), forms[i].after);
    }
  }
}

bool survey_is_silent(const char *messages) {
  for (const char *p = messages; (p = strstr(p, "warning: ")) != NULL; ++p) {
    const char *mark = strstr(p, "__bang_survey::seen<");
    if (!mark || mark > p + strcspn(p, "\n")) return false;
  }
  return true;
}

void survey_free(Survey *survey) {
  for (int i = 0; i < survey->place_count; ++i) {
    free(survey->places[i].file);
    free(survey->places[i].name);
    free(survey->places[i].function);
  }
  free(survey->places);
  free(survey->calls);
  free(survey->sizes);
  *survey = (Survey){0};
}
