/* SPDX-License-Identifier: MIT */
#include "target_card.h"

#include <stdlib.h>
#include <string.h>

#include "cpu_onchip.h"
#include "precompiled_text.h"
#include "target_cpu.h"

/* The option that enables debug information; NULL: there is none. */
static const char *debug_option(const StrList *flags) {
  const char *last = NULL;
  for (size_t i = 0; i < flags->count; ++i) {
    if (starts_with(flags->items[i], "-g")) last = flags->items[i];
  }
  return last && strcmp(last, "-g0") != 0 ? last : NULL;
}

static bool has_variables(const char *option) {
  return option && strcmp(option, "-g1") != 0 && strcmp(option, "-gline-tables-only") != 0;
}

static void begin_compile(const Job *job, StrList *command) {
  cpu_begin_compile(job, command);
  /* bang-card checks divisions itself, on every processor. */
  strlist_add(command, "-fno-sanitize=integer-divide-by-zero");
}

static int check_only(const Job *job, const LoweredFile *file) {
  StrList command = {0};
  begin_compile(job, &command);
  use_precompiled_text(job, &command, file->path);
  strlist_add2(&command, "-x", "c++-cpp-output");
  strlist_add2(&command, "-fsyntax-only", file->path);
  return job_execute(job, &command);
}

/* Bitcode as the front end emits it: optimisation must not depend on the host. */
static int make_bitcode(const Job *job, const LoweredFile *file, const char *bitcode) {
  StrList command = {0};
  begin_compile(job, &command);
  strlist_add(&command, "-O2");
  strlist_add2(&command, "-Xclang", "-disable-llvm-passes");
  if (!debug_option(&job->options->compile)) strlist_add(&command, "-gline-tables-only");
  use_precompiled_text(job, &command, file->path);
  strlist_add(&command, "-emit-llvm");
  strlist_add2(&command, "-x", "c++-cpp-output");
  strlist_add2(&command, "-c", file->path);
  strlist_add2(&command, "-o", bitcode);
  return job_execute(job, &command);
}

static int instrument(const Job *job, const char *bitcode, const char *instrumented) {
  StrList command = {0};
  strlist_take(&command, xasprintf("%s/bin/bang-card", job->root));
  strlist_take(&command, xasprintf("--include=%s", job->include));
  strlist_take(&command, xasprintf("--architecture=%d", job->options->arch.number));
  strlist_add(&command, bitcode);
  strlist_add2(&command, "-o", instrumented);
  return job_execute(job, &command);
}

static int make_object(const Job *job, const char *instrumented, const char *output) {
  StrList command = {0};
  strlist_add_all(&command, &job->host->cxx);
  /* bang-card has optimised already. -O2 would move the stores of debugged variables, and x86-64's
   * fast instruction selection forgets where they are. */
  if (has_variables(debug_option(&job->options->compile))) {
    strlist_add(&command, "-O0");
    strlist_add2(&command, "-mllvm", "-fast-isel=false");
  } else {
    strlist_add(&command, "-O2");
  }
  strlist_add2(&command, "-Xclang", "-disable-llvm-passes");
  strlist_add(&command, "-fPIC");
  strlist_add2(&command, "-x", "ir");
  strlist_add2(&command, job->options->output_kind == OUTPUT_ASSEMBLY ? "-S" : "-c", instrumented);
  strlist_add2(&command, "-o", output);
  return job_execute_writing(job, &command, output);
}

static int compile(const Job *job, const LoweredFile *file) {
  if (job->options->output_kind == OUTPUT_NOTHING) return check_only(job, file);
  char *bitcode = job_intermediate(job, file->stem, ".bc");
  char *instrumented =
      file->is_part ? xstrdup(file->output) : job_intermediate(job, file->stem, ".card.bc");
  int status = make_bitcode(job, file, bitcode);
  if (status == 0) status = instrument(job, bitcode, instrumented);
  if (status == 0 && !file->is_part) status = make_object(job, instrumented, file->output);
  free(instrumented);
  free(bitcode);
  return status;
}

static int join(const Job *job, const CompiledPart *parts, size_t count, const char *stem,
                const char *output) {
  char *joined = job_intermediate(job, stem, ".joined.bc");
  StrList command = {0};
  strlist_take(&command, xasprintf("%s/bin/bang-card", job->root));
  strlist_add(&command, "--join");
  strlist_add2(&command, "-o", joined);
  for (size_t i = 0; i < count; ++i) {
    strlist_take(&command, xasprintf("%d=%s", parts[i].architecture, parts[i].path));
  }
  int status = job_execute(job, &command);
  if (status == 0) status = make_object(job, joined, output);
  free(joined);
  return status;
}

/* Code that may not work on a card is refused. */
static const char *const default_options[] = {"--bang-strict", NULL};

const Target target_card = {
    .title = "a played card",
    .default_arch = "mtp_372",
    .default_options = default_options,
    .has_redzones = true,
    .compile = compile,
    .join = join,
    .begin_unit = cpu_begin_unit,
    .end_unit = cpu_end_unit,
    .device_word = "",
    .append_attributes = cpu_append_attributes,
    .wrap_body = cpu_wrap_body,
    .wrap_kernel = cpu_wrap_kernel,
    .exports_kernel_names = true,
    .lower_onchip = cpu_lower_onchip,
    .lower_global = cpu_lower_global,
};
