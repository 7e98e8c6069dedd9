/* SPDX-License-Identifier: MIT
 *
 * cnas -i kernel.s -o kernel.o: the second step of build scripts that compile kernels with
 * `cncc -S`. What cncc writes is assembly of the host, so the host's compiler assembles it.
 */
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "process.h"

/* Options with a value in the next word that mean nothing for the host. */
static bool takes_value(const char *word) {
  return strcmp(word, "--mcpu") == 0 || strcmp(word, "-mcpu") == 0 ||
         strcmp(word, "--mlu-arch") == 0 || strcmp(word, "--cnas-path") == 0;
}

int main(int argc, char **argv) {
  const char *input = NULL, *output = NULL;
  for (int i = 1; i < argc; ++i) {
    const char **target = strcmp(argv[i], "-i") == 0   ? &input
                          : strcmp(argv[i], "-o") == 0 ? &output
                                                       : NULL;
    if (strcmp(argv[i], "--version") == 0) {
      printf("cnas v%s\n", CNCC_VERSION);
      return 0;
    }
    if ((target || takes_value(argv[i])) && i + 1 == argc) fatal("'%s' needs a value", argv[i]);
    if (target) {
      *target = argv[++i];
    } else if (takes_value(argv[i])) {
      ++i;
    } else if (argv[i][0] != '-') {
      input = argv[i];
    }
  }
  if (!input) fatal("no input file: cnas -i <assembly> -o <object>");
  Host host;
  host_init(&host);
  StrList command = {0};
  strlist_add_all(&command, &host.cxx); /* the compiler that wrote the assembly */
  const char *words[] = {"-c", "-x", "assembler", input, "-o", output ? output : "a.o"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) strlist_add(&command, words[i]);
  int status = run_command(&command);
  strlist_free(&command);
  host_free(&host);
  return status == 0 ? 0 : 1;
}
