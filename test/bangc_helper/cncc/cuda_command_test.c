/* SPDX-License-Identifier: MIT
 *
 * Checks the command line for nvcc. Needs neither nvcc nor a GPU.
 */
#include "nvcc.h"

#include <stdio.h>
#include <string.h>

#include "options.h"
#include "target_sm90.h"

static int g_failures;

/* Makes the nvcc command line for these arguments of cncc. */
static void make_command(char **words, int count, StrList *command) {
  Options options;
  Host host;
  options_parse(&options, &target_sm90, count, words);
  host_init(&host);
  nvcc_command(&options, &host, "/neuware/include", "k.lowered.ii", "k.o", command);
  host_free(&host);
  options_free(&options);
}

/* The last index at which `first` is followed by `second`; -1 if there is none. */
static int last_pair(const StrList *command, const char *first, const char *second) {
  int found = -1;
  for (size_t i = 0; i + 1 < command->count; ++i) {
    if (strcmp(command->items[i], first) == 0 && strcmp(command->items[i + 1], second) == 0) {
      found = (int)i;
    }
  }
  return found;
}

static void check(bool holds, const char *what, const StrList *command) {
  if (holds) return;
  ++g_failures;
  fprintf(stderr, "FAIL: %s in:", what);
  for (size_t i = 0; i < command->count; ++i) fprintf(stderr, " %s", command->items[i]);
  fprintf(stderr, "\n");
}

/* For both compilers that nvcc runs, the last flag decides whether char is signed. */
static void characters(void) {
  char *plain[] = {"cncc", "-c", "k.mlu"};
  char *asked[] = {"cncc", "-c", "k.mlu", "-funsigned-char"};
  StrList command = {0};
  make_command(plain, 3, &command);
  check(last_pair(&command, "-Xcudafe", "--signed_chars") >= 0, "signed characters", &command);
  check(last_pair(&command, "-Xcompiler", "-fsigned-char") >= 0, "signed characters", &command);
  strlist_free(&command);
  make_command(asked, 4, &command);
  check(last_pair(&command, "-Xcudafe", "--unsigned_chars") >
            last_pair(&command, "-Xcudafe", "--signed_chars"),
        "unsigned characters", &command);
  check(last_pair(&command, "-Xcompiler", "-funsigned-char") >
            last_pair(&command, "-Xcompiler", "-fsigned-char"),
        "unsigned characters", &command);
  strlist_free(&command);
}

/* nvcc passes flags of -Xcompiler to a shell, so cncc must quote them. */
static void folders_with_spaces(void) {
  char *words[] = {
      "cncc", "-c", "k.mlu", "-fmacro-prefix-map=/a b/=", "-fsanitize=address,undefined", "-I/a b"};
  StrList command = {0};
  make_command(words, 6, &command);
  check(last_pair(&command, "-Xcompiler", "\"-fmacro-prefix-map=/a b/=\"") >= 0,
        "a folder with a space", &command);
  check(last_pair(&command, "-Xcompiler", "\"-fsanitize=address,undefined\"") >= 0,
        "a flag with a comma", &command);
  check(last_pair(&command, "-I/a b", "-Xcompiler") >= 0, "a folder that nvcc quotes itself",
        &command);
  strlist_free(&command);
}

/* The last level counts, and the first one is for device code, too. */
static void optimisation(void) {
  char *words[] = {"cncc", "-O3", "-c", "k.mlu", "-O1"};
  StrList command = {0};
  make_command(words, 5, &command);
  check(last_pair(&command, "-O1", "-Xcicc") >= 0 && last_pair(&command, "-Xcicc", "-O1") >= 0 &&
            last_pair(&command, "-Xptxas", "-O1") >= 0,
        "-O1 for all compilers", &command);
  for (size_t i = 0; i < command.count; ++i) {
    check(strcmp(command.items[i], "-O3") != 0, "one level only", &command);
  }
  strlist_free(&command);
  make_command(words, 4, &command);
  check(last_pair(&command, "-Xcicc", "-O1") < 0, "full optimisation", &command);
  strlist_free(&command);
}

/* The root's <functional> must be found ahead of the C++ library's, and the language after it. */
static void headers(void) {
  char *words[] = {"cncc", "-c", "k.mlu"};
  StrList command = {0};
  make_command(words, 3, &command);
  const int own = last_pair(&command, "-isystem", "/neuware/include/nvcc");
  check(own >= 0 && own < last_pair(&command, "-include", "/neuware/include/bang.h"),
        "the root's own <functional>", &command);
  strlist_free(&command);
}

int main(void) {
  characters();
  headers();
  folders_with_spaces();
  optimisation();
  if (g_failures == 0) printf("passed\n");
  return g_failures != 0;
}
