/* SPDX-License-Identifier: MIT */
#include "driver.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "explain.h"
#include "job.h"
#include "kernel_flags.h"
#include "lower.h"
#include "precompiled.h"
#include "strict.h"

char *neuware_root(void) {
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  if (n <= 0 || (size_t)n >= sizeof path) fatal("cannot find out where this program is installed");
  size_t length = (size_t)n;
  for (int levels = 0; levels < 2; ++levels) {
    while (length > 0 && path[length - 1] != '/') --length;
    if (length > 1) --length;
  }
  return xstrndup(path, length);
}

/* "dir/name.suffix" -> "name" */
static char *stem_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  if (strcmp(base, "-") == 0) return xstrdup("stdin");
  return dot && dot != base ? xstrndup(base, (size_t)(dot - base)) : xstrdup(base);
}

static const char *final_suffix(const Options *o) {
  return o->output_kind == OUTPUT_ASSEMBLY ? ".s" : ".o";
}

/* ---- Pieces of commands ---- */

/* The file for -MD: next to the output with the suffix replaced, unless -MF names one. The caller
 * frees the name. */
static char *depend_file(const Options *o, const char *target) {
  if (o->depend_file) return xstrdup(o->depend_file);
  const char *slash = strrchr(target, '/');
  const char *dot = strrchr(target, '.');
  size_t keep = dot && (!slash || dot > slash) ? (size_t)(dot - target) : strlen(target);
  return xasprintf("%.*s.d", (int)keep, target);
}

static void add_depend_flags(const Job *job, const char *target, StrList *command) {
  const Options *o = job->options;
  if (!o->depend) return;
  strlist_add(command, o->depend_user_only ? "-MMD" : "-MD");
  /* Also lists the files that a precompiled header was made from. gcc crashes if it has no list. */
  if (!job->host->is_clang) strlist_add(command, "-fpch-deps");
  strlist_add(command, "-MF");
  strlist_take(command, depend_file(o, target));
  if (o->depend_targets.count) {
    strlist_add_all(command, &o->depend_targets);
  } else {
    strlist_add2(command, "-MQ", target);
  }
  if (o->depend_phony) strlist_add(command, "-MP");
}

/* With -M and -MM the list of dependencies is the output. */
static void add_only_depend_flags(const Job *job, StrList *command) {
  const Options *o = job->options;
  strlist_add(command, o->depend_user_only ? "-MM" : "-M");
  if (o->depend_file) strlist_add2(command, "-MF", o->depend_file);
  strlist_add_all(command, &o->depend_targets);
  if (o->depend_phony) strlist_add(command, "-MP");
}

/* -P and -d* change what -E prints; in a compilation they would cost the line numbers. */
static bool changes_print(const char *flag) {
  return strcmp(flag, "-P") == 0 || strcmp(flag, "-dM") == 0 || strcmp(flag, "-dD") == 0;
}

/* The user's flags for the preprocessor; the files of -include go to a list of their own. */
static void add_preprocess_flags(const Job *job, bool for_reading, StrList *command,
                                 StrList *included) {
  const StrList *flags = &job->options->preprocess;
  for (size_t i = 0; i < flags->count; ++i) {
    const char *flag = flags->items[i];
    if (strcmp(flag, "-include") == 0 && i + 1 < flags->count) {
      strlist_add2(included, flag, flags->items[++i]);
    } else if (for_reading || !changes_print(flag)) {
      strlist_add(command, flag);
    }
  }
}

/* ---- Kernels ---- */

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

/* With -E and -M the preprocessor's output is the result. */
static int preprocess_only(const Job *job, const Input *input) {
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

/* Preprocesses a kernel file again for a survey by the host compiler. Its messages are dropped,
 * since the first run printed them. */
static bool preprocess_for_survey(const Job *job, const Input *input, const char *path) {
  StrBuf ignored = {0};
  Job quiet = *job;
  quiet.messages = &ignored;
  StrList command = {0};
  begin_preprocess(&quiet, READER_SURVEY, &command);
  strlist_add2(&command, "-E", "-x");
  strlist_add2(&command, "c++", input->text);
  strlist_add2(&command, "-o", path);
  int status = job_execute(&quiet, &command);
  strbuf_free(&ignored);
  return status == 0;
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

static int compile_kernel(const Job *job, const Input *input, const char *output,
                          const char *depend_target) {
  char *stem = stem_of(input->text);
  const LoweredFile file = {.stem = stem, .output = output};
  const bool joins = job->options->arch_count > 1 && job->target->join;
  int status = joins ? compile_for_archs(job, input, &file, depend_target)
                     : compile_for_arch(job, input, file, depend_target);
  free(stem);
  return status;
}

/* ---- Other sources ---- */

static int compile_host(const Job *job, const Input *input, const char *output,
                        const char *target) {
  static const char *const modes[] = {[OUTPUT_EXECUTABLE] = "-c",
                                      [OUTPUT_OBJECT] = "-c",
                                      [OUTPUT_ASSEMBLY] = "-S",
                                      [OUTPUT_PREPROCESSED] = "-E",
                                      [OUTPUT_NOTHING] = "-fsyntax-only"};
  const Options *o = job->options;
  bool c = input->language == LANGUAGE_C;
  StrList command = {0};
  strlist_add_all(&command, c ? &job->host->c : &job->host->cxx);
  bool fits = o->standard && (strstr(o->standard, "++") != NULL) != c;
  if (fits) strlist_take(&command, xasprintf("-std=%s", o->standard));
  if (!c) host_add_half_flags(job->host, &command);
  add_preprocess_flags(job, true, &command, &command);
  host_add_flags(job->host, &o->compile, &command);
  if (!o->no_neuware_include) strlist_add2(&command, "-isystem", job->include);
  if (o->output_kind != OUTPUT_DEPENDENCIES) {
    strlist_add(&command, modes[o->output_kind]);
    add_depend_flags(job, target, &command);
  } else {
    add_only_depend_flags(job, &command);
  }
  if (input->forced) strlist_add2(&command, "-x", input->forced);
  strlist_add(&command, input->text);
  if (output) strlist_add2(&command, "-o", output);
  return job_execute_writing(job, &command, output);
}

/* ---- Whole command lines ---- */

static bool goes_to_stdout(const Options *o) {
  return o->output_kind == OUTPUT_PREPROCESSED || o->output_kind == OUTPUT_DEPENDENCIES;
}

static bool can_be_read(const Input *input) {
  if (input->text[0] == '-' || access(input->text, R_OK) == 0) return true;
  fprintf(stderr, "cncc: error: %s: '%s'\n", strerror(errno), input->text);
  return false;
}

static int compile_input(const Job *job, const Input *input, const char *output) {
  if (!can_be_read(input)) return 1;
  const char *target = output ? output : "a.o"; /* in lists of dependencies */
  int status;
  if (input->language != LANGUAGE_BANG) {
    status = compile_host(job, input, output, target);
  } else if (goes_to_stdout(job->options)) {
    status = preprocess_only(job, input);
  } else {
    status = compile_kernel(job, input, output, target);
  }
  return status == 0 ? 0 : 1;
}

/* The output file of an input when nothing is linked; NULL if it has none. The caller frees it. */
static char *output_of(const Options *o, const Input *input) {
  if (o->output_kind == OUTPUT_NOTHING || input->language == LANGUAGE_LINK) return NULL;
  if (o->output) return xstrdup(o->output);
  if (goes_to_stdout(o)) return NULL;
  char *stem = stem_of(input->text);
  char *output = xasprintf("%s%s", stem, final_suffix(o));
  free(stem);
  return output;
}

/* Input and output may be the same device: "-c /dev/null -o /dev/null" tests whether a flag is
 * known. */
static bool is_same_file(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

static void refuse_to_overwrite_inputs(const Options *o, const char *output) {
  for (size_t i = 0; i < o->input_count; ++i) {
    const char *input = o->inputs[i].text;
    if (input[0] != '-' && is_same_file(input, output)) {
      fatal("the output '%s' would overwrite the input '%s'", output, input);
    }
  }
}

static int compile_each(const Job *job) {
  const Options *o = job->options;
  int status = 0;
  for (size_t i = 0; i < o->input_count; ++i) {
    const Input *input = &o->inputs[i];
    if (input->language == LANGUAGE_LINK) {
      if (input->text[0] != '-') warning("'%s' is for the linker; not used here", input->text);
      continue;
    }
    char *output = output_of(o, input);
    status |= compile_input(job, input, output);
    free(output);
  }
  return status;
}

static const char *linked_output(const Options *o) {
  return o->output ? o->output : "a.out";
}

static int link_all(const Job *job) {
  const Options *o = job->options;
  StrList command = {0};
  strlist_add_all(&command, &job->host->cxx);
  host_add_flags(job->host, &o->compile, &command);
  strlist_add_all(&command, &o->link);
  int status = 0;
  for (size_t i = 0; i < o->input_count; ++i) {
    const Input *input = &o->inputs[i];
    if (input->language == LANGUAGE_LINK) {
      if (!can_be_read(input)) status = 1;
      strlist_add(&command, input->text);
      continue;
    }
    char *stem = stem_of(input->text);
    char *object = job_intermediate(job, stem, ".o");
    status |= compile_input(job, input, object);
    strlist_add(&command, object);
    free(object);
    free(stem);
  }
  const char *output = linked_output(o);
  strlist_add2(&command, "-o", output);
  if (!o->no_neuware_lib) {
    strlist_take(&command, xasprintf("-L%s/lib64", job->root));
    strlist_add(&command, "-lcnrt");
    if (job->target->add_link_flags) job->target->add_link_flags(job, &command);
    strlist_add(&command, "-Xlinker");
    strlist_add(&command, "-rpath");
    strlist_add(&command, "-Xlinker");
    strlist_take(&command, xasprintf("%s/lib64", job->root));
  }
  strlist_add(&command, "-lm");
  strlist_add(&command, "-lpthread");
  if (status == 0) {
    status = job_execute_writing(job, &command, output) == 0 ? 0 : 1;
  } else {
    strlist_free(&command);
  }
  return status;
}

static void check_outputs(const Options *o) {
  if (o->depend_file) refuse_to_overwrite_inputs(o, o->depend_file);
  if (o->output_kind == OUTPUT_EXECUTABLE) {
    refuse_to_overwrite_inputs(o, linked_output(o));
    return;
  }
  for (size_t i = 0; i < o->input_count; ++i) {
    char *output = output_of(o, &o->inputs[i]);
    if (output) refuse_to_overwrite_inputs(o, output);
    free(output);
  }
}

int drive(const Options *options, const Target *target, const Host *host, const char *root) {
  check_outputs(options);
  Job job = {.options = options, .target = target, .host = host, .root = root};
  job.include = xasprintf("%s/include", root);
  int status = options->output_kind == OUTPUT_EXECUTABLE ? link_all(&job) : compile_each(&job);
  free(job.include);
  return status;
}
