/* SPDX-License-Identifier: MIT */
#include "strict.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence.h"
#include "kernel_flags.h"
#include "lower.h"
#include "process.h"
#include "strict_rules.h"
#include "target_cpu.h"

/* Lowers the unit as for the CPU, with its calls marked; false after errors, which have been
 * reported. */
static bool lower_with_marks(const Job *job, const StrictFile *file, const StrBuf *text,
                             const char *lowered_path, Survey *survey) {
  Lowered lowered = {0};
  LowerOptions options = {.target = &target_cpu,
                          .arch = &job->options->arch,
                          .system_root = job->include,
                          .unit_tag = file->unit_tag,
                          .survey = survey};
  bool ok = lower_unit(text->data, text->size, &options, &lowered);
  if (ok && !write_file(lowered_path, &lowered.text)) {
    fatal("cannot write '%s': %s", lowered_path, strerror(errno));
  }
  strbuf_free(&lowered.text);
  return ok;
}

static void ask_compiler(const Job *job, const char *lowered, StrBuf *messages) {
  StrList command = {0};
  strlist_add_all(&command, &job->host->cxx);
  strlist_take(&command, kernel_standard(job->options->standard));
  host_add_language_flags(job->host, &command);
  /* clang warns where the class is named: in a header of the Neuware root. */
  if (job->host->is_clang) strlist_add2(&command, "-ferror-limit=0", "-Wsystem-headers");
  strlist_add(&command, "-Wdouble-promotion");
  strlist_add2(&command, "-x", "c++-cpp-output");
  strlist_add2(&command, "-fsyntax-only", lowered);
  if (job->options->verbose) print_command(&command);
  capture_messages(&command, messages);
  strlist_free(&command);
}

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
    StrBuf hint = {0}, given = {0};
    if (place->is_empty && (i == 0 || survey->calls[i - 1].place != call->place)) {
      fprintf(stderr, "%s:%d:%d: error: %s of no elements [--bang-strict]\n", place->file,
              place->line, place->column, place->name);
      ++errors;
    }
    if (!has_evidence(place->name, &call->given, &job->options->arch, &hint)) {
      strbuf_puts(&given, "");
      append_operands(&given, &call->given);
      fprintf(stderr, "%s:%d:%d: error: no public evidence for %s(%s)%s%s%s; %s [--bang-strict]\n",
              place->file, place->line, place->column, place->name, given.data ? given.data : "",
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
  int errors = check_words(&unit) + check_doubles(&unit, messages) + check_spaces(&unit) +
               check_sizes(&unit, survey, &job->options->arch);
  unit_free(&unit);
  source_free(&source);
  return errors;
}

int check_strictly(const Job *job, const StrictFile *file) {
  Survey survey = {0};
  StrBuf text = {0}, messages = {0};
  if (!read_file(file->preprocessed, &text)) {
    fatal("cannot read '%s': %s", file->preprocessed, strerror(errno));
  }
  char *lowered = job_intermediate(job, file->stem, ".survey.ii");
  int errors = 1;
  if (lower_with_marks(job, file, &text, lowered, &survey)) {
    strbuf_puts(&messages, "");
    ask_compiler(job, lowered, &messages);
    survey_read(&survey, messages.data);
    errors = check_text(job, &text, &survey, messages.data) + report_unknown_calls(job, &survey);
  }
  free(lowered);
  strbuf_free(&text);
  strbuf_free(&messages);
  survey_free(&survey);
  return errors;
}
