/* SPDX-License-Identifier: MIT
 *
 * A new root's target may have defaults of its own, and may compile the lowered text in several
 * commands.
 */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job.h"
#include "target_cpu.h"
#include "temps.h"

static int g_failures;

static void check(bool holds, const char *what) {
  if (holds) return;
  ++g_failures;
  fprintf(stderr, "FAIL: %s\n", what);
}

static void halve_memories(Arch *arch) {
  arch->nram_kb /= 2;
}

/* Two commands: copy the lowered text, then make the output from the copy. */
static int compile_in_steps(const Job *job, const LoweredFile *file) {
  StrList command = {0};
  char *between = job_intermediate(job, file->stem, ".between");
  strlist_add2(&command, "cp", file->path);
  strlist_add(&command, between);
  int status = job_execute(job, &command);
  if (status == 0) {
    strlist_add2(&command, "cp", between);
    strlist_add(&command, file->output);
    status = job_execute_writing(job, &command, file->output);
  }
  free(between);
  return status;
}

static const char *const own_words[] = {"--bang-device-only", "-O1", NULL};

static void options_of(char **words, int count, Options *options) {
  Target target = target_cpu;
  target.default_arch = "mtp_372";
  target.default_options = own_words;
  target.adjust_arch = halve_memories;
  options_parse(options, &target, count, words);
}

static void defaults(void) {
  char *plain[] = {"cncc", "-c", "k.mlu"};
  char *named[] = {"cncc", "-c", "k.mlu", "--bang-mlu-arch=mtp_592", "-O2"};
  Options options;
  options_of(plain, 3, &options);
  check(strcmp(options.arch.name, "mtp_372") == 0, "the target's architecture");
  check(options.arch.nram_kb == arch_by_name("mtp_372")->nram_kb / 2, "the target's memories");
  check(options.device_only && options.compile.count == 1, "the target's options");
  options_free(&options);
  options_of(named, 5, &options);
  check(strcmp(options.arch.name, "mtp_592") == 0, "the user's architecture");
  check(options.compile.count == 2 && strcmp(options.compile.items[1], "-O2") == 0,
        "the user's options come last");
  options_free(&options);
}

static void steps(void) {
  char *words[] = {"cncc", "-c", "k.mlu"};
  Options options;
  Host host;
  Target target = target_cpu;
  target.compile = compile_in_steps;
  options_parse(&options, &target, 3, words);
  host_init(&host);
  Job job = {.options = &options, .host = &host, .target = &target, .root = "/neuware"};
  char *lowered = temps_path("k", ".lowered.ii");
  char *output = temps_path("k", ".o");
  StrBuf text = {0}, result = {0};
  strbuf_puts(&text, "int lowered;\n");
  check(write_file(lowered, &text), "a file to compile");
  LoweredFile file = {.path = lowered, .stem = "k", .output = output};
  check(job.target->compile(&job, &file) == 0, "two steps succeed");
  check(read_file(output, &result) && strcmp(result.data, text.data) == 0, "and leave an output");
  file.path = "/nowhere";
  check(job.target->compile(&job, &file) != 0, "a step that fails ends the compilation");
  strbuf_free(&text);
  strbuf_free(&result);
  free(lowered);
  free(output);
  host_free(&host);
  options_free(&options);
}

int main(void) {
  temps_init();
  defaults();
  steps();
  temps_remove_all();
  if (g_failures == 0) printf("passed\n");
  return g_failures != 0;
}
