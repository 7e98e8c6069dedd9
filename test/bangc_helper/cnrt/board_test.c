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

/* What the owner tells the other one, who may use it when it is out of date. */
static struct {
  pthread_mutex_t lock; /* of the handle */
  cnrtIpcNotifierHandle handle;
  _Atomic bool may_end;
} desk = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void tell(struct rt_board *board) {
  pthread_mutex_lock(&desk.lock);
  rt_board_describe(board, &desk.handle);
  pthread_mutex_unlock(&desk.lock);
}

static cnrtIpcNotifierHandle told(void) {
  pthread_mutex_lock(&desk.lock);
  const cnrtIpcNotifierHandle handle = desk.handle;
  pthread_mutex_unlock(&desk.lock);
  return handle;
}

static void *place_on_all(void *argument) {
  unsigned *placed = argument;
  while (!atomic_load(&desk.may_end)) {
    const cnrtIpcNotifierHandle handle = told();
    struct rt_board *board = rt_board_open(&handle);
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
  tell(board);
  CHECK(pthread_create(&thread, NULL, place_on_all, &placed) == 0);
  for (int i = 0; i < ROUNDS; ++i) {
    while (rt_board_latest(board) == 0) sched_yield();
    rt_board_release(board);
    board = rt_board_create();
    strange += rt_board_latest(board) != 0;
    tell(board);
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
