/* SPDX-License-Identifier: MIT
 *
 * The three commands of the card root: make unoptimised bitcode, insert hooks, make an object. -###
 * shows the commands without running them.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "job.h"
#include "target_card.h"
#include "temps.h"

static int g_failures;

static void check(bool holds, const char *what, const char *text) {
  if (holds) return;
  ++g_failures;
  fprintf(stderr, "FAIL: %s in:\n%s", what, text);
}

static void compile(const Job *job) {
  const LoweredFile file = {.path = "k.lowered.ii", .stem = "k", .output = "k.o"};
  target_card.compile(job, &file);
}

/* Compiles a part for each architecture and joins the parts. */
static void compile_parts(const Job *job) {
  CompiledPart parts[CNCC_MAX_ARCHS];
  char path[] = "k.part";
  for (size_t i = 0; i < job->options->arch_count; ++i) {
    const LoweredFile file = {.path = "k.lowered.ii", .stem = "k", .output = path, .is_part = true};
    parts[i] = (CompiledPart){job->options->archs[i].number, path};
    target_card.compile(job, &file);
  }
  target_card.join(job, parts, job->options->arch_count, "k", "k.o");
}

/* Stores in text what cncc prints for this command line with -###. */
static void show_commands(char **words, int count, void (*run)(const Job *job), char *text,
                          size_t size) {
  Options options;
  Host host;
  FILE *shown = tmpfile();
  const int stderr_copy = dup(2);
  fflush(stderr);
  dup2(fileno(shown), 2);
  options_parse(&options, &target_card, count, words);
  host_init(&host);
  char include[] = "/neuware/include";
  const Job job = {.options = &options,
                   .host = &host,
                   .target = &target_card,
                   .root = "/neuware",
                   .include = include};
  run(&job);
  fflush(stderr);
  dup2(stderr_copy, 2);
  close(stderr_copy);
  rewind(shown);
  text[fread(text, 1, size - 1, shown)] = '\0';
  fclose(shown);
  host_free(&host);
  options_free(&options);
}

static void commands(void) {
  char *words[] = {"cncc", "-###", "-c", "-O3", "k.mlu"};
  char text[8192];
  show_commands(words, 5, compile, text, sizeof(text));
  const char *front =
      strstr(text, "-O2 -Xclang -disable-llvm-passes -gline-tables-only -emit-llvm");
  const char *optimised = strstr(text, "-O3");
  const char *hooks = strstr(text, "/neuware/bin/bang-card --include=/neuware/include");
  const char *object = strstr(text, "-x ir");
  check(front != NULL && optimised != NULL && optimised < front,
        "an optimisation that is the same for all", text);
  check(hooks != NULL && hooks > front, "hooks after the front end", text);
  check(object != NULL && object > hooks, "an object of what has hooks", text);
  check(strstr(text, "-fno-sanitize=integer-divide-by-zero") != NULL,
        "no second check of divisions", text);
}

static void debug_information(void) {
  char *words[] = {"cncc", "-###", "-c", "-g", "k.mlu"};
  char text[8192];
  show_commands(words, 5, compile, text, sizeof(text));
  check(strstr(text, "-gline-tables-only") == NULL, "the user's debug information", text);
}

static void only_a_look(void) {
  char *words[] = {"cncc", "-###", "-fsyntax-only", "k.mlu"};
  char text[8192];
  show_commands(words, 4, compile, text, sizeof(text));
  check(strstr(text, "bang-card") == NULL && strstr(text, "-fsyntax-only") != NULL,
        "one command to look for mistakes", text);
}

static void several_architectures(void) {
  char *words[] = {"cncc",
                   "-###",
                   "-c",
                   "--bang-mlu-arch=mtp_372",
                   "--bang-mlu-arch=mtp_592",
                   "--bang-mlu-arch=mtp_372",
                   "k.mlu"};
  char text[8192];
  show_commands(words, 7, compile_parts, text, sizeof(text));
  const char *joined = strstr(text, "/neuware/bin/bang-card --join -o ");
  const char *object = strstr(text, "-x ir");
  check(joined != NULL && strstr(joined, " 372=k.part 592=k.part") != NULL,
        "both architectures, each once", text);
  check(object != NULL && object > joined && strstr(object + 1, "-x ir") == NULL,
        "one object of all of them", text);
}

static bool is_strict(char **words, int count) {
  Options options;
  options_parse(&options, &target_card, count, words);
  const bool strict = options.strict;
  options_free(&options);
  return strict;
}

static void strict_unless_asked_otherwise(void) {
  char *plain[] = {"cncc", "-c", "k.mlu"};
  char *lenient[] = {"cncc", "--no-bang-strict", "-c", "k.mlu"};
  check(is_strict(plain, 3), "strict", "cncc -c\n");
  check(!is_strict(lenient, 4), "not strict", "cncc --no-bang-strict -c\n");
}

int main(void) {
  commands();
  debug_information();
  only_a_look();
  several_architectures();
  strict_unless_asked_otherwise();
  temps_remove_all(); /* the folder of the files that were only named */
  if (g_failures == 0) printf("passed\n");
  return g_failures != 0;
}
