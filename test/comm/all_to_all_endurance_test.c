/* SPDX-License-Identifier: MIT
 *
 * Many calls, many communicators and late ranks: results stay correct, and no memory, file
 * descriptors or shared-memory segments leak, even after an abort. */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_rank.h"
#include "test/common/sanitized.h"

enum { RANKS = 8 };

typedef struct Amounts {
  int calls, warm_up, teams;
  long memory_limit_kb;
} Amounts;

static Amounts amounts(void) {
  return is_sanitized() ? (Amounts){100, 20, 6, 1 << 20} : (Amounts){1000, 200, 20, 8 << 10};
}

static const MeshShape shape = {.rows = 2,
                                .cols = 4,
                                .axis = 1,
                                .shard_dim = 1,
                                .batch = 8,
                                .sequence = 2,
                                .top_k = 4,
                                .experts = 16,
                                .hidden = 64,
                                .dtype = MLUOP_DTYPE_BFLOAT16,
                                .id_dtype = MLUOP_DTYPE_UINT16,
                                .map_dtype = MLUOP_DTYPE_UINT16};

/* ---- resources of the process ---- */

static long resident_kb(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long pages = 0;
  if (!file || fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return pages * 4;
}

static int descriptors(void) {
  DIR *directory = opendir("/proc/self/fd");
  int count = 0;
  while (directory && readdir(directory)) ++count;
  if (directory) closedir(directory);
  return count;
}

/* Counts segments mapped by this process; the system's folder of segments shows those of all
 * processes. */
static int segments(void) {
  FILE *file = fopen("/proc/self/maps", "r");
  char line[512];
  int count = 0;
  while (file && fgets(line, sizeof line, file)) count += strstr(line, "/dev/shm/") != NULL;
  if (file) fclose(file);
  return count;
}

typedef struct Holdings {
  long memory_kb;
  int descriptors, segments;
  size_t device_bytes;
} Holdings;

static Holdings holdings(void) {
  size_t free_bytes = 0, total = 0;
  cnrtMemGetInfo(&free_bytes, &total);
  return (Holdings){resident_kb(), descriptors(), segments(), total - free_bytes};
}

static int compare(const char *what, Holdings before, Holdings after) {
  const bool is_kept = after.descriptors > before.descriptors || after.segments > before.segments ||
                       after.device_bytes > before.device_bytes ||
                       after.memory_kb > before.memory_kb + amounts().memory_limit_kb;
  printf("%s: memory %ld -> %ld KB, descriptors %d -> %d, segments %d -> %d, device %zu -> %zu\n",
         what, before.memory_kb, after.memory_kb, before.descriptors, after.descriptors,
         before.segments, after.segments, before.device_bytes, after.device_bytes);
  if (is_kept) fprintf(stderr, "%s: something was left behind\n", what);
  return is_kept;
}

/* ---- many calls ---- */

typedef struct Calls {
  const MeshCase *mesh;
  int count;
} Calls;

static int call_often(const RankContext *rank, void *arg) {
  const Calls *calls = arg;
  MeshRank memory;
  int failed = mesh_rank_open(rank, calls->mesh, &memory);
  for (int i = 0; !failed && i < calls->count; ++i) {
    failed = mesh_rank_dispatch(rank, &memory) || mesh_rank_combine(rank, &memory) ||
             (i % 16 == 0 && cnrtQueueSync(rank->queue) != cnrtSuccess);
  }
  failed = failed || cnrtQueueSync(rank->queue) != cnrtSuccess ||
           !mesh_rank_has_combined(rank, &memory) || !mesh_rank_has_dispatched(rank, &memory);
  mesh_rank_close(&memory);
  return failed;
}

static int many_calls(const MeshCase *mesh) {
  RankThreads *threads = rank_threads_create(RANKS);
  if (!threads) return 1;
  Calls calls = {mesh, amounts().warm_up};
  int failed = rank_threads_run(threads, call_often, &calls);
  const Holdings before = holdings();
  calls.count = amounts().calls;
  failed = failed || rank_threads_run(threads, call_often, &calls);
  failed |= compare("many calls", before, holdings());
  rank_threads_destroy(threads);
  return failed;
}

/* ---- many communicators, every other one aborted ---- */

static int abort_first(const RankContext *rank, void *arg) {
  return rank->rank == 0 && rank_threads_abort(arg, 0) != CNCL_RET_SUCCESS;
}

static int use_teams(const MeshCase *mesh, int count) {
  for (int i = 0; i < count; ++i) {
    RankThreads *threads = rank_threads_create(RANKS);
    Calls calls = {mesh, 2};
    const bool is_aborted = i % 2 == 1;
    /* The abort of one process may coincide with another one's last call. */
    const bool may_fail = is_aborted && rank_threads_processes() > 1;
    if (!threads || (rank_threads_run(threads, call_often, &calls) && !may_fail)) return 1;
    if (is_aborted && rank_threads_run(threads, abort_first, threads)) return 1;
    rank_threads_destroy(threads);
  }
  return 0;
}

static int many_teams(const MeshCase *mesh) {
  int failed = use_teams(mesh, 4);
  const Holdings before = holdings();
  failed = failed || use_teams(mesh, amounts().teams);
  return failed | compare("many communicators", before, holdings());
}

/* ---- a late rank ---- */

typedef struct Late {
  const MeshCase *mesh;
  int late_rank, others; /* of this process */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int calling;
} Late;

static void announce_call(Late *late) {
  pthread_mutex_lock(&late->lock);
  ++late->calling;
  pthread_cond_broadcast(&late->changed);
  pthread_mutex_unlock(&late->lock);
}

/* The late rank calls after all others of its process have started or finished their calls. */
static int call_late(const RankContext *rank, void *arg) {
  Late *late = arg;
  MeshRank memory;
  int failed = mesh_rank_open(rank, late->mesh, &memory);
  if (rank->rank == late->late_rank) {
    pthread_mutex_lock(&late->lock);
    while (late->calling < late->others) pthread_cond_wait(&late->changed, &late->lock);
    pthread_mutex_unlock(&late->lock);
  } else {
    announce_call(late);
  }
  failed = failed || mesh_rank_combine(rank, &memory) || mesh_rank_dispatch(rank, &memory) ||
           cnrtQueueSync(rank->queue) != cnrtSuccess || !mesh_rank_has_combined(rank, &memory) ||
           !mesh_rank_has_dispatched(rank, &memory);
  mesh_rank_close(&memory);
  return failed;
}

static int late_ranks(const MeshCase *mesh) {
  RankThreads *threads = rank_threads_create(RANKS);
  int failed = !threads;
  for (int rank = 0; !failed && rank < RANKS; ++rank) {
    const int first = rank_threads_first(threads), count = rank_threads_count(threads);
    Late late = {.mesh = mesh,
                 .late_rank = rank,
                 .others = count - (rank >= first && rank < first + count),
                 .lock = PTHREAD_MUTEX_INITIALIZER,
                 .changed = PTHREAD_COND_INITIALIZER};
    failed = rank_threads_run(threads, call_late, &late);
  }
  rank_threads_destroy(threads);
  return failed;
}

int main(void) {
  MeshCase *mesh = mesh_case_create(&shape, 3);
  const int failed = late_ranks(mesh) | many_calls(mesh) | many_teams(mesh);
  mesh_case_free(mesh);
  puts(failed ? "FAIL" : "PASS");
  return failed;
}
