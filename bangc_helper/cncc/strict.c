/* SPDX-License-Identifier: MIT */
#include "strict.h"

#include <stdio.h>
#include <stdlib.h>

#include "evidence.h"
#include "strict_rules.h"

static int by_place(const void *a, const void *b) {
  return ((const SurveyedCall *)a)->place - ((const SurveyedCall *)b)->place;
}

static int report_unknown_calls(const Job *job, const Survey *survey) {
  int errors = 0;
  if (survey->call_count) {
    qsort(survey->calls, (size_t)survey->call_count, sizeof *survey->calls, by_place);
  }
  for (int i = 0; i < survey->call_count; ++i) {
    const SurveyedCall *call = &survey->calls[i];
    const CallPlace *place = &survey->places[call->place];
    if (place->is_marked[SURVEY_EMPTY] && (i == 0 || survey->calls[i - 1].place != call->place)) {
      fprintf(stderr, "%s:%d:%d: error: %s of no elements [--bang-strict]\n", place->file,
              place->line, place->column, place->name);
      ++errors;
    }
    StrBuf hint = {0}, given = {0};
    strbuf_puts(&given, "");
    append_operands(&given, &call->given);
    if (job->options->verbose) {
      fprintf(stderr, "# %s:%d calls %s(%s)\n", place->file, place->line, place->name, given.data);
    }
    if (!has_evidence(place->name, &call->given, &job->options->arch, &hint)) {
      fprintf(stderr, "%s:%d:%d: error: no public evidence for %s(%s)%s%s%s; %s [--bang-strict]\n",
              place->file, place->line, place->column, place->name, given.data,
              place->function ? " in '" : "", place->function ? place->function : "",
              place->function ? "'" : "", hint.data);
      ++errors;
    }
    strbuf_free(&hint);
    strbuf_free(&given);
  }
  return errors;
}

static int check_text(const Job *job, const StrBuf *text, const Survey *survey,
                      const char *messages) {
  Source source;
  Unit unit;
  source_init(&source, text->data, text->size, job->include);
  unit_init(&unit, &source);
  int errors = check_words(&unit) + check_doubles(&unit, survey, messages) + check_spaces(&unit) +
               check_launches(&unit) + check_sizes(&unit, survey, &job->options->arch);
  unit_free(&unit);
  source_free(&source);
  return errors;
}

int check_strictly(const Job *job, const SurveyedFile *file, bool *is_compilation) {
  Survey survey = {0};
  StrBuf text = {0}, messages = {0};
  int errors = 1;
  if (survey_run(job, file, &text, &survey, &messages)) {
    errors = check_text(job, &text, &survey, messages.data) + report_unknown_calls(job, &survey);
  }
  *is_compilation = survey.is_compilation;
  strbuf_free(&text);
  strbuf_free(&messages);
  survey_free(&survey);
  return errors;
}
