/* SPDX-License-Identifier: MIT
 *
 * A board that is destroyed while somebody still places on it, and another one made in its memory.
 */
#include "runtime/board.h"

#include <pthread.h>
#include <sched.h>

#include "harness.h"
#include "runtime/settings.h"

/* What the rest of the runtime would say. */
const struct rt_settings *rt_settings(void) {
  static const struct rt_settings settings = {.shared_memory = RT_SHARED_MEMORY_ON};
  return &settings;
}

bool rt_threads_stopping(void) {
  return false;
}

/* What the owner tells the other one; a handle counts while its number is even. */
static struct {
  cnrtIpcNotifierHandle handle;
  _Atomic unsigned number;
  _Atomic bool may_end;
} desk;

static void *place_on_all(void *argument) {
  unsigned *placed = argument;
  while (!atomic_load(&desk.may_end)) {
    const unsigned number = atomic_load(&desk.number);
    const cnrtIpcNotifierHandle handle = desk.handle;
    struct rt_board *board =
        number % 2 == 0 && atomic_load(&desk.number) == number ? rt_board_open(&handle) : NULL;
    if (board == NULL) continue;
    for (int i = 0; i < 64; ++i) {
      const uint32_t place = rt_board_place(board);
      rt_board_reach(board, place);
      *placed += place != 0;
    }
    rt_board_release(board);
  }
  return NULL;
}

static void new_boards_are_empty(void) {
  enum { ROUNDS = 1000 };
  unsigned placed = 0, strange = 0;
  pthread_t thread;
  struct rt_board *board = rt_board_create();
  CHECK(board != NULL);
  rt_board_describe(board, &desk.handle);
  CHECK(pthread_create(&thread, NULL, place_on_all, &placed) == 0);
  for (int i = 0; i < ROUNDS; ++i) {
    while (rt_board_latest(board) == 0) sched_yield();
    atomic_fetch_add(&desk.number, 1);
    rt_board_release(board);
    board = rt_board_create();
    strange += rt_board_latest(board) != 0;
    rt_board_describe(board, &desk.handle);
    atomic_fetch_add(&desk.number, 1);
  }
  atomic_store(&desk.may_end, true);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(placed >= ROUNDS);
  CHECK_EQ(strange, 0);
  rt_board_release(board);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {{"new_boards_are_empty", new_boards_are_empty}};
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
