/* SPDX-License-Identifier: MIT */
#include "target_sm90.h"

#include "bang_sm90.h"
#include "cuda_kernel.h"
#include "cuda_onchip.h"
#include "includes.h"
#include "job.h"
#include "lane_loops.h"
#include "names.h"
#include "nvcc.h"

/* Up to so many vector functions in a unit their loops become part of the kernel, which saves the
 * call (bang/inline.h). With more, ptxas would take minutes. */
#define INLINED_VECTOR_CALLS 25
/* A unit with more vector functions calls its copies, too, if it has more than so many. */
#define INLINED_COPIES 9

/* The memory sizes of a core do not depend on the card that the code was written for. */
static void adjust_arch(Arch *arch) {
  arch->nram_kb = BANG_SM90_NRAM_KB;
  arch->wram_kb = BANG_SM90_WRAM_KB;
  arch->sram_kb = BANG_SM90_SRAM_KB;
}

/* nvcc reads the system headers itself: their #include lines are kept, their text is removed. */
static void add_preprocess_flags(const Job *job, bool for_reading, StrList *command) {
  (void)job;
  if (!for_reading) strlist_add(command, "-dI");
}

static void filter_preprocessed(const Job *job, StrBuf *text) {
  StrBuf own = {0};
  restore_system_includes(text->data, text->size, job->include, &own);
  strbuf_free(text);
  *text = own;
}

static int compile(const Job *job, const LoweredFile *file) {
  StrList command = {0};
  nvcc_command(job->options, job->host, job->include, file->path, file->output, &command);
  if (file->facts.memory_core_is_idle) strlist_add(&command, "-D__BANG_IDLE_MEMORY_CORE__");
  if (file->facts.vector_calls <= INLINED_VECTOR_CALLS) {
    strlist_add(&command, "-D__BANG_INLINE_LOOPS__");
  } else if (file->facts.copy_calls > INLINED_COPIES) {
    strlist_add(&command, "-D__BANG_CALL_COPIES__");
  }
  StrBuf text = {0};
  if (read_file(file->path, &text) && text.size > 0) add_names(text.data, &command);
  strbuf_free(&text);
  return job_execute_writing(job, &command, file->output);
}

static void add_link_flags(const Job *job, StrList *command) {
  (void)job;
  strlist_add(command, "-lcudart");
}

static void append_attributes(StrBuf *out, const Lowering *lowering, const Declaration *decl,
                              bool member) {
  (void)lowering;
  if (!decl->is_qualified && !member) strbuf_puts(out, "__attribute__((unused))");
}

static void wrap_body(Lowering *lw, const Declaration *d, StrBuf *open, StrBuf *close) {
  cuda_wrap_body(lw, d, open, close);
  divide_loops(lw, d, open);
}

static void wrap_kernel(Lowering *lw, const Declaration *d, const char *itself, StrBuf *open,
                        StrBuf *close) {
  cuda_wrap_kernel(lw, d, itself, open, close);
  divide_loops(lw, d, open);
}

static void lower_global(Lowering *lw, const Declaration *d, bool is_definition) {
  (void)is_definition;
  if (d->words & WORD_EXTERN) {
    source_error(lw->source, d->start, "extern device variables are not supported by this root");
  }
  rewrite_before(lw->rewrite, d->start, "__device__ ");
}

const Target target_sm90 = {
    .title = "Hopper GPUs",
    .default_arch = "mtp_592",
    .adjust_arch = adjust_arch,
    .add_preprocess_flags = add_preprocess_flags,
    .filter_preprocessed = filter_preprocessed,
    .compile = compile,
    .add_link_flags = add_link_flags,
    .begin_unit = cuda_begin_unit,
    .end_unit = cuda_end_unit,
    .device_word = "__device__ ",
    .host_word = "__host__",
    .noinline_word = "unused",
    .append_attributes = append_attributes,
    .wrap_body = wrap_body,
    .wrap_kernel = wrap_kernel,
    .lower_onchip = cuda_lower_onchip,
    .lower_global = lower_global,
};
