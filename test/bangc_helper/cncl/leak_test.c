/* SPDX-License-Identifier: MIT
 *
 * Creates and frees communicators a thousand times, and aborts some of them with work pending:
 * memory, threads and open files must not grow.
 */
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "test/common/sanitized.h"
#include "world.h"

enum { RANKS = 4, COUNT = 3000, WARM_UP = 100, ROUNDS = 1000, SLACK_KB = 2048 };

static int entries(const char *folder) {
  int count = 0;
  DIR *directory = opendir(folder);
  while (directory != NULL && readdir(directory) != NULL) {
    ++count;
  }
  if (directory != NULL) {
    closedir(directory);
  }
  return count;
}

struct usage {
  int files;
  int segments;
  int threads;
  long memory_kb;
};

static struct usage measure(void) {
  const struct usage usage = {entries("/proc/self/fd"), entries("/dev/shm"), thread_count(),
                              resident_kb()};
  return usage;
}

static void use_and_free(struct world *world, int32_t *const *buffers) {
  CHECK_CNCL(cnclGroupStart());
  for (int i = 0; i < world->local; ++i) {
    const int rank = world->first + i;
    CHECK_CNCL(cnclSend(buffers[i], COUNT, cnclInt32, (rank + 1) % RANKS, world->comm[i],
                        world->queue[i]));
    CHECK_CNCL(cnclRecv(buffers[i] + COUNT, COUNT, cnclInt32, (rank + RANKS - 1) % RANKS,
                        world->comm[i], world->queue[i]));
    CHECK_CNCL(cnclAllReduce(buffers[i] + 2 * COUNT, buffers[i] + 2 * COUNT, COUNT, cnclInt32,
                             cnclMax, world->comm[i], world->queue[i]));
  }
  CHECK_CNCL(cnclGroupEnd());
  world_sync(world, cnrtSuccess);
  world_close(world);
}

/* The last rank makes no call, so the others still wait when it aborts. */
static void use_and_abort(struct world *world, int32_t *const *buffers) {
  for (int i = 0; i < world->local; ++i) {
    CHECK_CNCL(cnclAllReduce(buffers[i], buffers[i], 1, cnclInt32, cnclMax, world->comm[i],
                             world->queue[i]));
  }
  world_sync(world, cnrtSuccess); /* now all processes have left cnclInitComms */
  bool pending[RANKS] = {false};
  for (int i = 0; i < world->local; ++i) {
    if (world->first + i != RANKS - 1) {
      const cnclResult_t result = cnclAllGather(buffers[i], buffers[i] + COUNT, COUNT / RANKS,
                                                cnclInt32, world->comm[i], world->queue[i]);
      pending[i] = result == CNCL_RET_SUCCESS;
      CHECK(pending[i] || (job_size() > 1 && result == CNCL_RET_ASYNC_ERROR));
    } else {
      CHECK_CNCL(cnclAbortComm(world->comm[i]));
    }
  }
  for (int i = 0; i < world->local; ++i) {
    CHECK_EQ(cnrtQueueSync(world->queue[i]), pending[i] ? cnrtErrorSys : cnrtSuccess);
    CHECK_OK(cnrtQueueDestroy(world->queue[i]));
    if (world->first + i != RANKS - 1) {
      CHECK_CNCL(cnclAbortComm(world->comm[i]));
    }
  }
}

/* In an MPI job the library's thread ends a moment after the call returns. */
static void expect_threads(int expected) {
  for (int i = 0; i < 2000 && thread_count() > expected; ++i) {
    usleep(1000);
  }
  CHECK(thread_count() <= expected);
}

static void repeat(void (*use)(struct world *world, int32_t *const *buffers), int rounds) {
  int32_t *buffers[RANKS];
  int first = 0;
  int local = 0;
  struct usage before;
  memset(&before, 0, sizeof(before));
  share_of_process(RANKS, &first, &local);
  for (int i = 0; i < local; ++i) {
    buffers[i] = device_alloc(3 * COUNT * sizeof(int32_t));
  }
  for (int round = 0; round < WARM_UP + rounds; ++round) {
    struct world world;
    if (round == WARM_UP) {
      before = measure();
    }
    CHECK(world_open(&world, RANKS));
    use(&world, buffers);
  }
  expect_threads(before.threads);
  const struct usage after = measure();
  CHECK_EQ(after.files, before.files);
  CHECK(after.segments <= before.segments);
  /* The address sanitizer reports leaks itself. */
  CHECK(is_sanitized() || after.memory_kb <= before.memory_kb + SLACK_KB);
  for (int i = 0; i < local; ++i) {
    device_free(buffers[i]);
  }
}

static void thousand_times(void) {
  repeat(use_and_free, ROUNDS);
}

static void with_abort(void) {
  repeat(use_and_abort, ROUNDS / 5);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"thousand_times", thousand_times},
      {"with_abort", with_abort},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
