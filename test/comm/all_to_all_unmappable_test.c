/* SPDX-License-Identifier: MIT
 *
 * Ranks that could map each other's memory, and then cannot: if one has nothing to export, all use
 * messages instead; if a handle cannot be opened, all get an error and nothing is written. This
 * program interposes the runtime's functions to make them fail. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>

#include "mesh_rank.h"

enum { RANKS = 4, SHY_RANK = 1 };

static _Thread_local bool is_shy;    /* this rank cannot export its memory */
static atomic_bool are_maps_refused; /* opening any handle fails */
static atomic_int offers, maps, maps_refused;

__attribute__((visibility("default"))) cnrtRet_t cnrtAcquireMemHandle(cnrtIpcMemHandle *handle,
                                                                      void *ptr) {
  cnrtRet_t (*acquire)(cnrtIpcMemHandle *, void *) =
      (cnrtRet_t(*)(cnrtIpcMemHandle *, void *))dlsym(RTLD_NEXT, "cnrtAcquireMemHandle");
  if (is_shy) return cnrtErrorNotSupport;
  ++offers;
  return acquire(handle, ptr);
}

__attribute__((visibility("default"))) cnrtRet_t cnrtMapMemHandle(void **address,
                                                                  cnrtIpcMemHandle handle,
                                                                  int flag) {
  cnrtRet_t (*map)(void **, cnrtIpcMemHandle, int) =
      (cnrtRet_t(*)(void **, cnrtIpcMemHandle, int))dlsym(RTLD_NEXT, "cnrtMapMemHandle");
  if (are_maps_refused) {
    ++maps_refused;
    return cnrtErrorArgsInvalid;
  }
  ++maps;
  return map(address, handle, flag);
}

static int run_shy(const RankContext *rank, void *arg) {
  is_shy = rank->rank == SHY_RANK;
  return mesh_rank_works(rank, arg);
}

/* Both operators must fail on every rank. */
static int run_refused(const RankContext *rank, void *arg) {
  MeshRank memory;
  const int failed = mesh_rank_open(rank, arg, &memory) ||
                     mesh_rank_dispatch(rank, &memory) != MLUOP_STATUS_EXECUTION_FAILED ||
                     mesh_rank_combine(rank, &memory) != MLUOP_STATUS_EXECUTION_FAILED ||
                     cnrtQueueSync(rank->queue) != cnrtSuccess || !mesh_rank_is_untouched(&memory);
  mesh_rank_close(&memory);
  return failed;
}

static int run(const char *name, int (*body)(const RankContext *, void *), MeshCase *mesh) {
  RankThreads *threads = rank_threads_create(RANKS);
  const int failed = !threads || rank_threads_run(threads, body, mesh);
  rank_threads_destroy(threads);
  if (failed) fprintf(stderr, "%s: failed\n", name);
  return failed != 0;
}

static int expect(const char *what, bool is_true) {
  if (!is_true) fprintf(stderr, "not true: %s\n", what);
  return !is_true;
}

int main(void) {
  MeshCase *mesh = mesh_case_create(&mesh_small_shape, 1);
  int failures = run("all offer", mesh_rank_works, mesh);
  failures += expect("memory was mapped", offers > 0 && maps > 0);
  maps = 0;
  failures += run("one does not offer", run_shy, mesh);
  failures += expect("nothing was mapped", maps == 0);
  are_maps_refused = true;
  failures += run("nobody can map", run_refused, mesh);
  failures += expect("all were told", maps_refused == 2 * RANKS);
  are_maps_refused = false;
  failures += run("all offer again", mesh_rank_works, mesh);
  mesh_case_free(mesh);
  printf("%d offers, %d mappings, %d failures\n", (int)offers, (int)maps, failures);
  puts(failures ? "FAIL" : "PASS");
  return failures != 0;
}
