/* SPDX-License-Identifier: MIT
 *
 * Ranks that do not make the same call: every rank gets an error in bounded time, the log of every
 * process with another rank names the odd rank, no output is written, and a new communicator works
 * afterwards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mesh_rank.h"
#include "own_mpi.h"
#include "test/common/scratch.h"

enum { RANKS = 4, ODD_RANK = 2, PATIENCE_S = 60 };

/* How long ranks wait for each other. On a busy machine processes need time to be scheduled;
 * threads of one process meet at once. */
static int limit_ms(void) {
  return rank_threads_processes() > 1 ? 4000 : 1500;
}

/* What the odd rank does. */
typedef enum Mischief {
  OTHER_HIDDEN,
  NO_HIDDEN, /* empty tensors */
  NO_TOKENS,
  OTHER_MESH,
  OTHER_AXIS,
  OTHER_SHARD_DIM,
  OTHER_MODE,
  OTHER_TYPE,
  OTHER_OPERATOR,
  REFUSED_CALL, /* an argument that the rank's own checks refuse */
  OTHER_DEVICE, /* a handle of another device than its communicator's */
  NO_CALL,
  ABORT,
} Mischief;

typedef struct Trial {
  const char *name;
  Mischief mischief;
  bool is_dispatch; /* what the others call */
  bool is_first;    /* the odd rank is 0, with which the others are compared; otherwise ODD_RANK */
  const MeshCase *mesh;
  const MeshCase *odd; /* what the odd rank passes */
  RankThreads *threads;
} Trial;

static int odd_rank(const Trial *trial) {
  return trial->is_first ? 0 : ODD_RANK;
}

static MeshShape odd_shape(Mischief mischief) {
  MeshShape shape = mesh_small_shape;
  if (mischief == OTHER_HIDDEN) shape.hidden = 32;
  if (mischief == NO_HIDDEN) shape.hidden = 0;
  if (mischief == NO_TOKENS) shape.batch = 0;
  if (mischief == OTHER_MESH) shape.rows = 1, shape.cols = RANKS;
  if (mischief == OTHER_AXIS) shape.axis = 0;
  if (mischief == OTHER_SHARD_DIM) shape.shard_dim = 2;
  if (mischief == OTHER_MODE) shape.local_reduce = true;
  if (mischief == OTHER_TYPE) shape.dtype = MLUOP_DTYPE_HALF;
  return shape;
}

static mluOpStatus_t call_operator(const RankContext *rank, const MeshRank *memory,
                                   bool is_dispatch) {
  return is_dispatch ? mesh_rank_dispatch(rank, memory) : mesh_rank_combine(rank, memory);
}

/* Returns after every rank has its communicator, because an earlier abort would keep others from
 * creating theirs. Returns 0 on success. */
static int meet(const RankContext *rank) {
  char *bytes = NULL;
  if (cnrtMalloc((void **)&bytes, (size_t)rank->ranks + 1) != cnrtSuccess) return 1;
  const bool met = cnclAllGather(bytes + rank->ranks, bytes, 1, cnclUint8, rank->comm,
                                 rank->queue) == CNCL_RET_SUCCESS &&
                   cnrtQueueSync(rank->queue) == cnrtSuccess;
  cnrtFree(bytes);
  return met ? 0 : 1;
}

/* Returns BAD_PARAM if the call did, and success for any other result. */
static mluOpStatus_t call_with_other_device(const RankContext *rank, const MeshRank *memory,
                                            bool is_dispatch) {
  RankContext elsewhere = *rank;
  int device = 0;
  unsigned count = 0;
  if (cnrtGetDevice(&device) != cnrtSuccess || cnrtGetDeviceCount(&count) != cnrtSuccess ||
      cnrtSetDevice((device + 1) % (int)count) != cnrtSuccess ||
      mluOpCreate(&elsewhere.handle) != MLUOP_STATUS_SUCCESS ||
      cnrtSetDevice(device) != cnrtSuccess) {
    return MLUOP_STATUS_SUCCESS;
  }
  const mluOpStatus_t status = call_operator(&elsewhere, memory, is_dispatch);
  mluOpDestroy(elsewhere.handle);
  return status == MLUOP_STATUS_BAD_PARAM ? status : MLUOP_STATUS_SUCCESS;
}

/* Returns 0 if the rank got the expected error. */
static int run_rank(const RankContext *rank, void *arg) {
  const Trial *trial = arg;
  const bool is_odd = rank->rank == odd_rank(trial);
  MeshRank memory;
  if (mesh_rank_open(rank, is_odd && trial->odd ? trial->odd : trial->mesh, &memory)) return 1;
  /* The abort may arrive while this rank is still exchanging messages; then that is the error it
   * gets. */
  const bool is_cut_off = trial->mischief == ABORT && meet(rank);
  mluOpStatus_t status = MLUOP_STATUS_SUCCESS;
  MeshCase spoiled;
  if (is_cut_off) {
    status = is_odd ? MLUOP_STATUS_SUCCESS : MLUOP_STATUS_EXECUTION_FAILED;
  } else if (!is_odd) {
    status = call_operator(rank, &memory, trial->is_dispatch);
  } else if (trial->mischief == REFUSED_CALL) {
    spoiled = *memory.mesh;
    spoiled.shape.rows = -1;
    memory.mesh = &spoiled;
    status = call_operator(rank, &memory, trial->is_dispatch);
    memory.mesh = trial->mesh;
  } else if (trial->mischief == OTHER_DEVICE) {
    status = call_with_other_device(rank, &memory, trial->is_dispatch);
  } else if (trial->mischief == ABORT) {
    status = rank_threads_abort(trial->threads, rank->rank) == CNCL_RET_SUCCESS
                 ? MLUOP_STATUS_EXECUTION_FAILED
                 : MLUOP_STATUS_SUCCESS;
  } else if (trial->mischief == NO_CALL) {
    status = MLUOP_STATUS_EXECUTION_FAILED;
    /* A process that finished its trial would leave, and the others would notice at once. */
    const int late_ms = limit_ms() + 500;
    const struct timespec late = {late_ms / 1000, late_ms % 1000 * 1000000L};
    if (rank_threads_processes() > 1) nanosleep(&late, NULL);
  } else {
    status =
        call_operator(rank, &memory, trial->is_dispatch != (trial->mischief == OTHER_OPERATOR));
  }
  const cnrtRet_t synced = cnrtQueueSync(rank->queue);
  int failed = 0;
  if (status == MLUOP_STATUS_SUCCESS && synced == cnrtSuccess) {
    fprintf(stderr, "%s: rank %d was told that it worked\n", trial->name, rank->rank);
    failed = 1;
  }
  if (!mesh_rank_is_untouched(&memory)) {
    fprintf(stderr, "%s: rank %d has something in its output\n", trial->name, rank->rank);
    failed = 1;
  }
  mesh_rank_close(&memory);
  return failed;
}

/* ---- capturing the output ---- */

typedef struct Capture {
  int kept[2]; /* the real stdout and stderr */
  FILE *file;
} Capture;

static int capture_begin(Capture *capture) {
  fflush(stdout);
  fflush(stderr);
  char path[SCRATCH_PATH];
  const int file = mkstemp(scratch_path(path, "all_to_all_failure"));
  if (file < 0) return -1;
  unlink(path);
  capture->file = fdopen(file, "w+");
  if (!capture->file) return -1;
  for (int i = 0; i < 2; ++i) {
    capture->kept[i] = dup(i + 1);
    if (capture->kept[i] < 0 || dup2(fileno(capture->file), i + 1) < 0) return -1;
  }
  return 0;
}

/* The caller owns the text. */
static char *capture_end(Capture *capture) {
  fflush(stdout);
  fflush(stderr);
  for (int i = 0; i < 2; ++i) {
    dup2(capture->kept[i], i + 1);
    close(capture->kept[i]);
  }
  const long size = fseek(capture->file, 0, SEEK_END) == 0 ? ftell(capture->file) : -1;
  char *text = size >= 0 ? calloc((size_t)size + 1, 1) : NULL;
  rewind(capture->file);
  if (text && fread(text, 1, (size_t)size, capture->file) != (size_t)size) text[0] = 0;
  fclose(capture->file);
  return text;
}

/* True if ranks pass different arguments; otherwise an exchange fails because the odd rank does not
 * take part. */
static bool is_mismatch(Mischief mischief) {
  return mischief <= OTHER_OPERATOR;
}

/* Finds a misleading reason, which only follows from the failed exchange. */
static const char *find_misleading(const char *text) {
  static const char *const lines[] = {"assertion", "start of a record", "operating system"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
    if (strstr(text, lines[i])) return lines[i];
  }
  return NULL;
}

/* True if this process prints the error: one that has only the odd rank may not. */
static bool has_good_rank(void) {
  const char *process = getenv("OMPI_COMM_WORLD_RANK");
  return rank_threads_processes() < RANKS || (process && atoi(process) != ODD_RANK);
}

/* Creates the threads and runs the trial. Another process's error may come before this one has its
 * ranks; then there are no threads, but the reason was printed as well. */
static int run_ranks(Trial *trial) {
  RankThreads *threads = rank_threads_create(RANKS);
  if (!threads) return rank_threads_processes() == 1;
  trial->threads = threads;
  const int failed = rank_threads_run(threads, run_rank, trial);
  rank_threads_destroy(threads);
  return failed;
}

static int run_trial(Trial *trial, const MeshCase *mesh) {
  const MeshShape shape = odd_shape(trial->mischief);
  const bool is_other = memcmp(&shape, &mesh_small_shape, sizeof shape) != 0;
  MeshCase *odd = is_other ? mesh_case_create(&shape, 2) : NULL;
  trial->mesh = mesh;
  trial->odd = odd;
  Capture capture;
  if (capture_begin(&capture)) {
    if (odd) mesh_case_free(odd);
    return 1;
  }
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  int failed = run_ranks(trial);
  clock_gettime(CLOCK_MONOTONIC, &end);
  char *text = capture_end(&capture);
  char name[32];
  const bool is_compared = is_mismatch(trial->mischief);
  snprintf(name, sizeof name, is_compared ? "] rank %d passed" : "rank %d", odd_rank(trial));
  if ((is_compared || has_good_rank()) && (!text || !strstr(text, name))) {
    fprintf(stderr, "%s: nothing says '%s'\n", trial->name, name);
    failed = 1;
  }
  const char *misleading = is_compared || !text ? NULL : find_misleading(text);
  if (misleading) {
    fprintf(stderr, "%s: something says '%s'\n", trial->name, misleading);
    failed = 1;
  }
  if (end.tv_sec - begin.tv_sec > PATIENCE_S) {
    fprintf(stderr, "%s: took %ld s\n", trial->name, (long)(end.tv_sec - begin.tv_sec));
    failed = 1;
  }
  if (failed && text) fprintf(stderr, "%s printed:\n%s\n", trial->name, text);
  free(text);
  if (odd) mesh_case_free(odd);
  return failed;
}

int main(void) {
  static Trial trials[] = {
      {.name = "another hidden size", .mischief = OTHER_HIDDEN},
      {.name = "another hidden size in a dispatch", .mischief = OTHER_HIDDEN, .is_dispatch = true},
      {.name = "another hidden size of rank 0", .mischief = OTHER_HIDDEN, .is_first = true},
      {.name = "no hidden size", .mischief = NO_HIDDEN},
      {.name = "no hidden size in a dispatch", .mischief = NO_HIDDEN, .is_dispatch = true},
      {.name = "no tokens", .mischief = NO_TOKENS},
      {.name = "no tokens in a dispatch", .mischief = NO_TOKENS, .is_dispatch = true},
      {.name = "another mesh", .mischief = OTHER_MESH},
      {.name = "another cluster axis", .mischief = OTHER_AXIS},
      {.name = "another shard dimension", .mischief = OTHER_SHARD_DIM},
      {.name = "another mode", .mischief = OTHER_MODE},
      {.name = "another type", .mischief = OTHER_TYPE, .is_dispatch = true},
      {.name = "another operator", .mischief = OTHER_OPERATOR},
      {.name = "a refused call", .mischief = REFUSED_CALL},
      {.name = "another device", .mischief = OTHER_DEVICE},
      {.name = "another device in a dispatch", .mischief = OTHER_DEVICE, .is_dispatch = true},
      {.name = "no call", .mischief = NO_CALL},
      {.name = "no call in a dispatch", .mischief = NO_CALL, .is_dispatch = true},
      {.name = "an abort", .mischief = ABORT},
  };
  if (own_mpi_begin && own_mpi_begin()) return 1;
  char limit[16];
  snprintf(limit, sizeof limit, "%d", limit_ms());
  setenv("MLUOP_CNCL_TIMEOUT_MS", limit, 1);
  MeshCase *mesh = mesh_case_create(&mesh_small_shape, 1);
  int failures = 0;
  for (size_t i = 0; i < sizeof trials / sizeof trials[0]; ++i) {
    failures += run_trial(&trials[i], mesh) != 0;
    RankThreads *threads = rank_threads_create(RANKS);
    if (!threads || rank_threads_run(threads, mesh_rank_works, mesh)) {
      fprintf(stderr, "after %s nothing works\n", trials[i].name);
      ++failures;
    }
    rank_threads_destroy(threads);
  }
  mesh_case_free(mesh);
  if (own_mpi_end && own_mpi_end()) ++failures;
  printf("%zu trials, %d failures\n", sizeof trials / sizeof trials[0], failures);
  puts(failures ? "FAIL" : "PASS");
  return failures != 0;
}
