/* SPDX-License-Identifier: MIT */
#include "target_cpu.h"

#include "cpu_levels.h"
#include "cpu_onchip.h"
#include "kernel_flags.h"
#include "lower_registration.h"
#include "precompiled_text.h"

static bool checks_divisions(const Job *job) {
  const Options *o = job->options;
  return !o->no_neuware_include && host_checks_divisions(&o->compile);
}

void cpu_add_preprocess_flags(const Job *job, bool for_reading, StrList *command) {
  (void)for_reading;
  if (checks_divisions(job)) strlist_add(command, "-D__BANG_CHECKED_DIVISIONS__");
}

void cpu_begin_compile(const Job *job, StrList *command) {
  const Options *o = job->options;
  strlist_add_all(command, &job->host->cxx);
  strlist_take(command, kernel_standard(o->standard));
  host_add_language_flags(job->host, command);
  if (checks_divisions(job)) host_add_division_checks(job->host, command);
  /* Makes a stack frame larger than the guard below the stack touch the guard. Compilers without
   * this for their processor ignore it. */
  strlist_add(command, "-fstack-clash-protection");
  /* Faults, sanitizers and profilers name lines; the user's flags may ask for more or for none. */
  strlist_add(command, "-g1");
  host_add_flags(job->host, &o->compile, command);
  host_add_quiet_flags(job->host, &o->compile, command);
  /* The reference of a function to an on-chip variable has the variable's name. */
  strlist_add(command, "-Wno-shadow");
}

static int compile(const Job *job, const LoweredFile *file) {
  const Options *o = job->options;
  StrList command = {0};
  cpu_begin_compile(job, &command);
  use_precompiled_text(job, &command, file->path);
  strlist_add2(&command, "-x", "c++-cpp-output");
  if (o->output_kind == OUTPUT_NOTHING) {
    strlist_add2(&command, "-fsyntax-only", file->path);
  } else {
    strlist_add2(&command, o->output_kind == OUTPUT_ASSEMBLY ? "-S" : "-c", file->path);
    strlist_add2(&command, "-o", file->output);
  }
  return job_execute_writing(job, &command, file->output);
}

/* A member cannot have internal linkage; a name per unit has the same effect. */
void cpu_append_attributes(StrBuf *out, const Lowering *lw, const Declaration *d, bool member) {
  if (member && !(d->words & WORD_FRIEND)) {
    strbuf_printf(out, "__attribute__((unused, abi_tag(\"%s\")))", lw->options->unit_tag);
  } else if (!d->is_qualified) {
    strbuf_printf(out, "__attribute__((unused)) %s", cpu_level_attributes(lw, d));
  }
}

/* A call from the host submits the kernel and returns; a call from a task runs it. Arguments keep
 * the types of the signature. If a kernel cannot name itself, its body moves to a function that can
 * be passed on. */
void cpu_wrap_kernel(Lowering *lw, const Declaration *d, const char *itself, StrBuf *open,
                     StrBuf *close) {
  StrBuf call = {0};
  strbuf_puts(&call, ", \"");
  append_tokens(&call, lw->source, d->name, d->name + 1);
  strbuf_puts(&call, "\", ::__bang_this_unit()");
  append_parameter_values(&call, lw, d);
  strbuf_puts(&call, ")");
  if (itself) {
    strbuf_printf(open, " if (::__bang_submit(::__bang_function<%s>()%s) return;", itself,
                  call.data);
    cpu_wrap_body(lw, d, open, close);
    strbuf_puts(open, " {");
    strbuf_puts(close, "}");
  } else {
    strbuf_puts(open, "::__bang_submit_or_run(::__bang_closure<");
    append_signature(open, lw, d);
    strbuf_puts(open, ">([](");
    append_parameters(open, lw->source, d->params);
    strbuf_puts(open, ") -> void {");
    strbuf_printf(close, "})%s;", call.data);
  }
  strbuf_free(&call);
}

const Target target_cpu = {
    .title = "the CPU",
    .default_arch = "mtp_592",
    .add_preprocess_flags = cpu_add_preprocess_flags,
    .begin_compile = cpu_begin_compile,
    .compile = compile,
    .device_word = "",
    .begin_unit = cpu_begin_unit,
    .end_unit = cpu_end_unit,
    .append_attributes = cpu_append_attributes,
    .wrap_body = cpu_wrap_body,
    .wrap_kernel = cpu_wrap_kernel,
    .exports_kernel_names = true,
    .lower_onchip = cpu_lower_onchip,
    .lower_global = cpu_lower_global,
};
