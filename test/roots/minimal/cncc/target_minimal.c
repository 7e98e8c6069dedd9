/* SPDX-License-Identifier: MIT
 *
 * Kernels become plain C++ for the host's compiler, as in the CPU root.
 */
#include "cpu_onchip.h"
#include "target_cpu.h"

static int compile(const Job *job, const LoweredFile *file) {
  StrList command = {0};
  cpu_begin_compile(job, &command);
  strlist_add2(&command, "-x", "c++-cpp-output");
  if (file->output == NULL) {
    strlist_add2(&command, "-fsyntax-only", file->path);
  } else {
    strlist_add2(&command, job->options->output_kind == OUTPUT_ASSEMBLY ? "-S" : "-c", file->path);
    strlist_add2(&command, "-o", file->output);
  }
  return job_execute_writing(job, &command, file->output);
}

const Target target_minimal = {
    .title = "one core",
    .default_arch = "mtp_592",
    .add_preprocess_flags = cpu_add_preprocess_flags,
    .begin_compile = cpu_begin_compile,
    .compile = compile,
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
