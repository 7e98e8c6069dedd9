/* SPDX-License-Identifier: MIT
 *
 * A notifier is destroyed while another process still places it; a new notifier that reuses its
 * page must start empty.
 */
#include "shared_notifier.h"

#include <pthread.h>
#include <sched.h>

#include "harness.h"

/* Stands for the rest of the runtime, which this test does not link. */
bool rt_threads_stopping(void) {
  return false;
}

/* Passes the handle from the owner to the other thread, which may use it when it is outdated. */
static struct {
  pthread_mutex_t lock; /* protects the handle */
  cnrtIpcNotifierHandle handle;
  _Atomic bool may_end;
} desk = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void send_handle(struct rt_shared_notifier *notifier) {
  pthread_mutex_lock(&desk.lock);
  rt_shared_notifier_describe(notifier, &desk.handle);
  pthread_mutex_unlock(&desk.lock);
}

static cnrtIpcNotifierHandle receive_handle(void) {
  pthread_mutex_lock(&desk.lock);
  const cnrtIpcNotifierHandle handle = desk.handle;
  pthread_mutex_unlock(&desk.lock);
  return handle;
}

static void *place_on_all(void *argument) {
  unsigned *placed = argument;
  while (!atomic_load(&desk.may_end)) {
    const cnrtIpcNotifierHandle handle = receive_handle();
    struct rt_shared_notifier *notifier = rt_shared_notifier_open(&handle);
    if (notifier == NULL) continue;
    for (int i = 0; i < 64; ++i) {
      const uint32_t place = rt_shared_notifier_place(notifier);
      rt_shared_notifier_reach(notifier, place);
      *placed += place != 0;
    }
    rt_shared_notifier_release(notifier);
  }
  return NULL;
}

static void new_notifiers_are_empty(void) {
  enum { ROUNDS = 1000 };
  unsigned placed = 0, strange = 0;
  pthread_t thread;
  struct rt_shared_notifier *notifier = rt_shared_notifier_create();
  CHECK(notifier != NULL);
  send_handle(notifier);
  CHECK(pthread_create(&thread, NULL, place_on_all, &placed) == 0);
  for (int i = 0; i < ROUNDS; ++i) {
    while (rt_shared_notifier_latest(notifier) == 0) sched_yield();
    rt_shared_notifier_release(notifier);
    notifier = rt_shared_notifier_create();
    strange += rt_shared_notifier_latest(notifier) != 0;
    send_handle(notifier);
  }
  atomic_store(&desk.may_end, true);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(placed >= ROUNDS);
  CHECK_EQ(strange, 0);
  rt_shared_notifier_release(notifier);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {{"new_notifiers_are_empty", new_notifiers_are_empty}};
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
