/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrive.h"
#include "limit_clock.h"
#include "mpi/module.h"
#include "settings.h"

static const char module_name[] = "libcncl_mpi.so.1";

static struct cncl_core core = {
    .limit_clock_ns = cncl_limit_clock_ns,
    .clique_retain = cncl_clique_retain,
    .clique_release = cncl_clique_release,
    .clique_ready = cncl_clique_ready,
    .clique_fail = cncl_clique_fail,
    .clique_peer_left = cncl_clique_peer_left,
    .deliver = cncl_deliver,
    .match_end = cncl_match_end,
    .matches_end = cncl_matches_end,
};

static const struct cncl_transport *mpi_transport;

/* The module is in the folder of this library. */
static void *open_module(void) {
  char path[4096];
  Dl_info here;
  const char *slash = NULL;
  if (dladdr((const void *)&module_name, &here) != 0 && here.dli_fname != NULL) {
    slash = strrchr(here.dli_fname, '/');
  }
  const int folder = slash != NULL ? (int)(slash - here.dli_fname) + 1 : 0;
  snprintf(path, sizeof(path), "%.*s%s", folder, folder != 0 ? here.dli_fname : "", module_name);
  /* Open MPI's own plug-ins look for its symbols among the global ones. */
  return dlopen(path, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
}

static void load_module(void) {
  void *module = open_module();
  void *symbol = module != NULL ? dlsym(module, CNCL_MPI_OPEN_NAME) : NULL;
  if (symbol == NULL) {
    cncl_log("the MPI transport is not available: %s", dlerror());
    return;
  }
  cncl_mpi_open_t open = NULL;
  memcpy(&open, &symbol, sizeof(open)); /* ISO C has no cast between the two */
  core.timeout_ns = cncl_settings()->timeout_ns;
  mpi_transport = open(&core, CNCL_MPI_INTERFACE);
  if (mpi_transport == NULL) {
    cncl_log("the MPI transport is not available: %s does not fit to this library", module_name);
  }
}

static int number_from(const char *variable) {
  const char *text = getenv(variable);
  return text != NULL ? atoi(text) : 0;
}

/* True if the program itself uses MPI. */
static bool program_uses_mpi(void) {
  void *symbol = dlsym(RTLD_DEFAULT, "MPI_Initialized");
  int (*initialized)(int *flag) = NULL;
  int flag = 0;
  if (symbol == NULL) {
    return false;
  }
  memcpy(&initialized, &symbol, sizeof(initialized));
  return initialized(&flag) == 0 && flag != 0;
}

bool cncl_has_other_processes(void) {
  switch (cncl_settings()->processes) {
    case CNCL_PROCESSES_MPI:
      return true;
    case CNCL_PROCESSES_SINGLE:
      return false;
    default:
      return number_from("OMPI_COMM_WORLD_SIZE") > 1 || number_from("PMI_SIZE") > 1 ||
             program_uses_mpi();
  }
}

cnclResult_t cncl_choose_transport(bool alone, const struct cncl_transport **transport) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  *transport = &cncl_local_transport;
  if (!alone && cncl_has_other_processes()) {
    pthread_once(&once, load_module);
    *transport = mpi_transport;
  }
  return *transport != NULL ? CNCL_RET_SUCCESS : CNCL_RET_ERR_UNSUPPORTED;
}
