/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"
#include "help.h"
#include "process.h"
#include "temps.h"

/* The target of the root that this cncc was built for. */
extern const Target CNCC_TARGET;

/* Build scripts read the second word of the first line. */
static void print_version(const Host *host, const char *root) {
  printf("cncc v%s\n", CNCC_VERSION);
  printf("BANG C for %s; host compiler: %s\n", CNCC_TARGET.title,
         host->cxx.items[host->cxx.count - 1]);
  printf("Neuware root: %s\n", root);
}

static int ask_host(const Host *host, const StrList *flags) {
  StrList command = {0};
  strlist_add_all(&command, &host->cxx);
  strlist_add_all(&command, flags);
  int status = run_command(&command);
  strlist_free(&command);
  return status;
}

int main(int argc, char **argv) {
  temps_init();
  Options options;
  options_parse(&options, &CNCC_TARGET, argc, argv);
  Host host;
  host_init(&host);
  char *root = neuware_root();
  int status = 0;
  if (options.wants_help) {
    print_help();
  } else if (options.wants_version) {
    print_version(&host, root);
  } else if (options.passes_query) {
    status = ask_host(&host, &options.compile);
  } else {
    status = drive(&options, &CNCC_TARGET, &host, root);
  }
  temps_remove_all();
  free(root);
  host_free(&host);
  options_free(&options);
  return status == 0 ? 0 : 1;
}
