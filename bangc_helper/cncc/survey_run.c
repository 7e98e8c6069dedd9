/* SPDX-License-Identifier: MIT */
#include "survey_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_flags.h"
#include "lower.h"
#include "precompiled_text.h"
#include "process.h"
#include "target_cpu.h"

/* Lowers the unit for the CPU with its calls marked. */
static bool lower_with_marks(const Job *job, const SurveyedFile *file, const StrBuf *text,
                             const char *path, bool arithmetic, Survey *survey) {
  Lowered lowered = {0};
  LowerOptions options = {.target = &target_cpu,
                          .arch = &job->options->arch,
                          .system_root = job->include,
                          .unit_tag = file->unit_tag,
                          .survey = survey,
                          .marks_arithmetic = arithmetic};
  bool ok = lower_unit(text->data, text->size, &options, &lowered);
  if (ok && !write_file(path, &lowered.text)) {
    fatal("cannot write '%s': %s", path, strerror(errno));
  }
  strbuf_free(&lowered.text);
  return ok;
}

static int ask_compiler(const Job *job, const char *lowered, StrBuf *messages) {
  StrList command = {0};
  strlist_add_all(&command, &job->host->cxx);
  strlist_take(&command, kernel_standard(job->options->standard));
  host_add_language_flags(job->host, &command);
  /* clang warns where the class is named, which is in a header of the Neuware root. It then finds
   * errors in headers of the system, too. */
  if (job->host->is_clang) {
    strlist_add2(&command, "-ferror-limit=0", "-Wsystem-headers");
    strlist_add(&command, "-Wno-invalid-constexpr");
  }
  strlist_add(&command, "-Wdouble-promotion");
  use_precompiled_text(job, &command, lowered);
  strlist_add2(&command, "-x", "c++-cpp-output");
  strlist_add2(&command, "-fsyntax-only", lowered);
  if (job->options->verbose) print_command(&command);
  int status = capture_messages(&command, messages);
  strlist_free(&command);
  return status;
}

/* Whether a compilation for the job would do what the survey does: for the same root, without flags
 * of the user, who may want warnings. */
static bool equals_compilation(const Job *job) {
  return job->target == &target_cpu && job->options->compile.count == 0;
}

bool survey_run(const Job *job, const SurveyedFile *file, StrBuf *text, Survey *survey,
                StrBuf *messages) {
  if (!read_file(file->preprocessed, text)) {
    fatal("cannot read '%s': %s", file->preprocessed, strerror(errno));
  }
  char *lowered = job_intermediate(job, file->stem, ".survey.ii");
  bool ok = true, answered = false;
  /* Marks at operators are set by the look of tokens. When a file does not compile, they may be the
   * cause. */
  for (int arithmetic = 1; arithmetic >= 0 && ok && !answered; --arithmetic) {
    survey_free(survey);
    messages->size = 0;
    strbuf_puts(messages, "");
    ok = lower_with_marks(job, file, text, lowered, arithmetic, survey);
    answered = ok && ask_compiler(job, lowered, messages) == 0;
  }
  if (ok) {
    survey->is_compilation =
        answered && equals_compilation(job) && survey_is_silent(messages->data);
    survey_read(survey, messages->data);
  }
  free(lowered);
  return ok;
}
