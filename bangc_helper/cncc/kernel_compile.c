/* SPDX-License-Identifier: MIT */
#include "kernel_compile.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain.h"
#include "kernel_flags.h"
#include "lower.h"
#include "precompiled.h"
#include "preprocess_flags.h"
#include "strict.h"

/* What the preprocessed text is used for. */
typedef enum Reader { READER_USER, READER_TARGET, READER_SURVEY } Reader;

/* Include folder for reading a kernel file. If only the target's compiler can read the root's
 * headers, a survey uses others. The caller frees the text. */
static char *include_for(const Job *job, Reader reader) {
  char *own = xasprintf("%s/survey", job->include);
  if (reader == READER_SURVEY && access(own, R_OK) == 0) return own;
  free(own);
  return xstrdup(job->include);
}

/* The compiler with its flags. A target that compiles by the host compiler has the same ones here:
 * only then does a precompiled header that fits now fit again when the lowered file is compiled. */
static void begin_host_compile(const Job *job, Reader reader, StrList *command) {
  const Options *o = job->options;
  if (reader == READER_TARGET && job->target->begin_compile) {
    job->target->begin_compile(job, command);
    return;
  }
  strlist_add_all(command, &job->host->cxx);
  strlist_take(command, kernel_standard(o->standard));
  host_add_language_flags(job->host, command);
  host_add_flags(job->host, &o->compile, command);
  host_add_quiet_flags(job->host, &o->compile, command);
}

/* A survey is compiled without the user's flags. */
static bool may_precompile(const Job *job, Reader reader) {
  return reader == READER_TARGET ? job->target->begin_compile != NULL
                                 : reader == READER_SURVEY && job->options->compile.count == 0;
}

/* Includes the language, ahead of the files that -include asks for. `flags` is the command so far.
 */
static void include_language(const Job *job, Reader reader, const char *include, StrList *flags) {
  char *header = xasprintf("%s/bang.h", include);
  char *survey = reader == READER_SURVEY ? xasprintf("%s/bang/survey.h", include) : NULL;
  char *precompiled =
      may_precompile(job, reader) ? precompiled_header(job, flags, header, survey) : NULL;
  if (precompiled) {
    strlist_add(flags, "-fpch-preprocess");
    strlist_add2(flags, "-include", precompiled);
  } else {
    strlist_add2(flags, "-include", header);
    if (survey) strlist_add2(flags, "-include", survey);
  }
  free(precompiled);
  free(survey);
  free(header);
}

static void begin_preprocess(const Job *job, Reader reader, StrList *command) {
  const bool for_reading = reader == READER_USER;
  const Options *o = job->options;
  char *include = include_for(job, reader);
  StrList included = {0};
  begin_host_compile(job, reader, command);
  add_kernel_macros(&o->arch, command);
  if (job->target->add_preprocess_flags && reader != READER_SURVEY)
    job->target->add_preprocess_flags(job, for_reading, command);
  add_preprocess_flags(job, for_reading, command, &included);
  if (!o->no_neuware_include) {
    strlist_add2(command, "-isystem", include);
    include_language(job, reader, include, command);
  }
  strlist_add_all(command, &included);
  strlist_free(&included);
  free(include);
}

int preprocess_kernel(const Job *job, const Input *input) {
  const Options *o = job->options;
  StrList command = {0};
  begin_preprocess(job, READER_USER, &command);
  if (o->output_kind == OUTPUT_PREPROCESSED) {
    strlist_add(&command, "-E");
    add_depend_flags(job, o->output ? o->output : "a.o", &command);
  } else {
    add_only_depend_flags(job, &command);
  }
  strlist_add2(&command, "-x", "c++");
  strlist_add(&command, input->text);
  if (o->output) strlist_add2(&command, "-o", o->output);
  return job_execute(job, &command);
}

/* Identifies the unit in symbol names: same source and output, same tag. */
static char *unit_tag(const char *source, const char *output) {
  char *full = realpath(source, NULL);
  uint64_t hash = hash_text(hash_text(HASH_START, full ? full : source), output);
  free(full);
  return xasprintf("mlu_%016llx", (unsigned long long)hash);
}

static int lower_file(const Job *job, const char *from, const char *to, const char *tag,
                      UnitFacts *facts) {
  if (job->options->verbose) fprintf(stderr, "# lower %s to %s\n", from, to);
  if (job->options->dry_run) return 0;
  StrBuf text = {0}, header = {0};
  Lowered lowered = {0};
  if (!read_file(from, &text) || !read_precompiled_text(text.data ? text.data : "", &header)) {
    fatal("cannot read '%s': %s", from, strerror(errno));
  }
  if (job->target->filter_preprocessed) job->target->filter_preprocessed(job, &text);
  LowerOptions options = {.target = job->target,
                          .arch = &job->options->arch,
                          .system_root = job->include,
                          .header = header.data,
                          .unit_tag = tag,
                          .plain_names = job->options->device_only,
                          .has_redzones = job->target->has_redzones ||
                                          host_sanitizes_addresses(&job->options->compile)};
  bool ok = lower_unit(text.data, text.size, &options, &lowered);
  *facts = lowered.facts;
  if (ok && !write_file(to, &lowered.text)) fatal("cannot write '%s': %s", to, strerror(errno));
  strbuf_free(&text);
  strbuf_free(&header);
  strbuf_free(&lowered.text);
  return ok ? 0 : 1;
}

/* Preprocesses a kernel file again for a survey by the host compiler. The first run printed the
 * messages. */
static bool preprocess_for_survey(const Job *job, const Input *input, const char *path) {
  StrList command = {0};
  begin_preprocess(job, READER_SURVEY, &command);
  strlist_add2(&command, "-E", "-x");
  strlist_add2(&command, "c++", input->text);
  strlist_add2(&command, "-o", path);
  return job_execute_quietly(job, &command, path) == 0;
}

/* Runs the target's compiler and rewrites its messages in terms of language functions and kernels.
 */
static int compile_lowered(const Job *job, const Input *input, const LoweredFile *file,
                           const SurveyedFile *surveyed) {
  StrBuf messages = {0};
  Job keeping = *job;
  keeping.messages = &messages;
  strbuf_puts(&messages, "");
  int status = job->target->compile(&keeping, file);
  bool explained = needs_explanation(messages.data) && !job->options->dry_run &&
                   preprocess_for_survey(job, input, surveyed->preprocessed);
  if (explained) {
    explain_messages(job, surveyed, messages.data);
  } else {
    fwrite(messages.data, 1, messages.size, stderr);
  }
  strbuf_free(&messages);
  return status;
}

/* Compiles for the architecture of the job. The caller has set stem, output and is_part of `file`.
 */
static int compile_for_arch(const Job *job, const Input *input, LoweredFile file,
                            const char *depend_target) {
  const char *stem = file.stem;
  char *preprocessed = job_intermediate(job, stem, ".ii");
  char *lowered = job_intermediate(job, stem, ".lowered.ii");
  char *tag = unit_tag(input->text, depend_target);
  StrList command = {0};
  begin_preprocess(job, READER_TARGET, &command);
  strlist_add(&command, "-E");
  add_depend_flags(job, depend_target, &command);
  strlist_add2(&command, "-x", "c++");
  strlist_add(&command, input->text);
  strlist_add2(&command, "-o", preprocessed);
  int status = job_execute(job, &command);
  if (status == 0 && job->options->depend && !job->options->dry_run) {
    char *list = depend_file(job->options, depend_target);
    hide_precompiled_header(list);
    free(list);
  }
  file.path = lowered;
  char *survey_text = job_intermediate(job, stem, ".survey-source.ii");
  SurveyedFile surveyed = {.preprocessed = survey_text, .stem = stem, .unit_tag = tag};
  bool is_compiled = false;
  if (status == 0 && job->options->strict && !job->options->dry_run) {
    status = !preprocess_for_survey(job, input, survey_text) ||
             check_strictly(job, &surveyed, &is_compiled) > 0;
  }
  if (status == 0 && !(is_compiled && job->options->output_kind == OUTPUT_NOTHING)) {
    status = lower_file(job, preprocessed, lowered, tag, &file.facts);
    if (status == 0) status = compile_lowered(job, input, &file, &surveyed);
  }
  free(survey_text);
  free(tag);
  free(lowered);
  free(preprocessed);
  return status;
}

/* Compiles a file once per architecture and joins the results. */
static int compile_for_archs(const Job *job, const Input *input, const LoweredFile *file,
                             const char *depend_target) {
  const Options *o = job->options;
  CompiledPart parts[CNCC_MAX_ARCHS];
  int status = 0;
  for (size_t i = 0; i < o->arch_count; ++i) {
    Options of_part = *o;
    Job part = *job;
    of_part.arch = o->archs[i];
    of_part.depend = o->depend && i == 0;
    part.options = &of_part;
    char *stem = xasprintf("%s.%s", file->stem, of_part.arch.name);
    parts[i] = (CompiledPart){of_part.arch.number, job_intermediate(job, stem, ".part")};
    if (status == 0) {
      const LoweredFile lowered = {.stem = stem, .output = parts[i].path, .is_part = true};
      status = compile_for_arch(&part, input, lowered, depend_target);
    }
    free(stem);
  }
  if (status == 0 && o->output_kind != OUTPUT_NOTHING) {
    status = job->target->join(job, parts, o->arch_count, file->stem, file->output);
  }
  for (size_t i = 0; i < o->arch_count; ++i) free(parts[i].path);
  return status;
}

int compile_kernel(const Job *job, const Input *input, const char *output,
                   const char *depend_target) {
  char *stem = input_stem(input);
  const LoweredFile file = {.stem = stem, .output = output};
  const bool joins = job->options->arch_count > 1 && job->target->join;
  int status = joins ? compile_for_archs(job, input, &file, depend_target)
                     : compile_for_arch(job, input, file, depend_target);
  free(stem);
  return status;
}
