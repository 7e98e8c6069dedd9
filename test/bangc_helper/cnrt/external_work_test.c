/* SPDX-License-Identifier: MIT
 *
 * Services of the runtime for other libraries: threads, copies, the memory registry.
 */
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "cnrt_external.h"
#include "harness.h"

struct shared {
  _Atomic int done[100];
  _Atomic int finished;
};

static void count_piece(void *argument, uint64_t index) {
  atomic_fetch_add(&((struct shared *)argument)->done[index], 1);
}

static void count_end(void *argument) {
  atomic_fetch_add(&((struct shared *)argument)->finished, 1);
}

static void external_work(void) {
  static const int totals[] = {0, 1, 2, 100};
  for (int flags = CNRTX_SHARE_HELP; flags <= CNRTX_SHARE_LEAVE; ++flags) {
    for (size_t t = 0; t < sizeof(totals) / sizeof(totals[0]); ++t) {
      static struct shared shared;
      memset(&shared, 0, sizeof(shared));
      cnrtxShare((uint64_t)totals[t], count_piece, count_end, &shared, flags);
      while (atomic_load(&shared.finished) == 0) {
        usleep(10);
      }
      for (int i = 0; i < 100; ++i) {
        CHECK_EQ(atomic_load(&shared.done[i]), i < totals[t] ? 1 : 0);
      }
      CHECK_EQ(atomic_load(&shared.finished), 1);
    }
  }
}

/* CNRTX_SHARE_LEAVE: the caller does none of the work, so a sleeping thread must wake up. */
static void work_left_to_sleepers(void) {
  for (uint64_t total = 0; total < 3; ++total) {
    static struct shared shared;
    memset(&shared, 0, sizeof(shared));
    usleep(20000); /* longer than an idle thread polls before it sleeps */
    cnrtxShare(total, count_piece, count_end, &shared, CNRTX_SHARE_LEAVE);
    while (atomic_load(&shared.finished) == 0) {
      usleep(10);
    }
    CHECK_EQ(atomic_load(&shared.done[0]) + atomic_load(&shared.done[1]), (int)total);
  }
}

static void memory_for_libraries(void) {
  enum { BYTES = 100000 };
  char *device = NULL;
  char *copy = NULL;
  CHECK_OK(cnrtMalloc((void **)&device, BYTES));
  CHECK_OK(cnrtMalloc((void **)&copy, BYTES));
  CHECK(cnrtxIsDeviceMemory(device, BYTES));
  CHECK(cnrtxIsDeviceMemory(device + 10, BYTES - 10));
  CHECK(!cnrtxIsDeviceMemory(device + 10, BYTES));
  CHECK(!cnrtxIsDeviceMemory(&device, 1));
  for (int i = 0; i < BYTES; ++i) {
    device[i] = (char)(i * 7);
  }
  memset(copy, 0, BYTES);
  cnrtxStream(copy + 3, device + 5, BYTES - 9);
  CHECK(copy[2] == 0 && memcmp(copy + 3, device + 5, BYTES - 9) == 0 && copy[BYTES - 6] == 0);
  memset(copy, 0, BYTES);
  void *const targets[] = {copy + 9, copy};
  const void *const sources[] = {device, device + 20};
  const size_t bytes[] = {7, 8};
  cnrtxStreamAll(targets, sources, bytes, 2);
  CHECK(memcmp(copy + 9, device, 7) == 0 && memcmp(copy, device + 20, 8) == 0);
  CHECK(copy[8] == 0 && copy[16] == 0);
  CHECK_OK(cnrtFree(device));
  CHECK_OK(cnrtFree(copy));
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"external_work", external_work},
      {"work_left_to_sleepers", work_left_to_sleepers},
      {"memory_for_libraries", memory_for_libraries},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
