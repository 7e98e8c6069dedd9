/* SPDX-License-Identifier: MIT
 *
 * Threads that start on the same CPU move to free CPUs while there are any.
 */
#include "runtime/cpu_placement.h"

#include <pthread.h>
#include <sched.h>

#include "harness.h"

enum { TRIES = 20 };

static cpu_set_t allowed;

static int first_allowed(void) {
  int cpu = 0;
  while (!CPU_ISSET(cpu, &allowed)) {
    ++cpu;
  }
  return cpu;
}

static void run_on(const cpu_set_t *set) {
  CHECK_EQ(sched_setaffinity(0, sizeof(*set), set), 0);
}

static cpu_set_t only_first(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(first_allowed(), &set);
  return set;
}

struct guest {
  cpu_set_t may_run_on; /* its affinity, set once it runs on the first CPU */
  int entered, cpu;
  bool is_affinity_kept;
};

static void *enter_cpu(void *argument) {
  struct guest *guest = argument;
  const cpu_set_t first = only_first();
  run_on(&first);
  run_on(&guest->may_run_on);
  guest->entered = rt_cpu_enter();
  guest->cpu = sched_getcpu();
  cpu_set_t now;
  CHECK_EQ(sched_getaffinity(0, sizeof(now), &now), 0);
  guest->is_affinity_kept = CPU_EQUAL(&now, &guest->may_run_on);
  return NULL;
}

static struct guest invite(const cpu_set_t *may_run_on) {
  struct guest guest = {*may_run_on, -1, -1, false};
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, enter_cpu, &guest), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK(guest.is_affinity_kept);
  return guest;
}

static void second_one_goes_elsewhere(void) {
  const cpu_set_t first = only_first();
  bool has_gone = false;
  for (int i = 0; i < TRIES && CPU_COUNT(&allowed) > 1; ++i) {
    const struct guest one = invite(&first);
    CHECK_EQ(one.entered, first_allowed());
    const struct guest other = invite(&allowed);
    CHECK(other.entered != one.entered);
    has_gone |= other.cpu == other.entered; /* the kernel may have moved it since */
    rt_cpu_leave(one.entered);
    rt_cpu_leave(other.entered);
  }
  CHECK(has_gone || CPU_COUNT(&allowed) == 1);
}

static void one_that_may_not_go_stays(void) {
  const cpu_set_t first = only_first();
  const struct guest one = invite(&first), other = invite(&first);
  CHECK_EQ(one.entered, first_allowed());
  CHECK_EQ(other.entered, first_allowed());
  rt_cpu_leave(one.entered);
  rt_cpu_leave(other.entered);
}

/* With as many threads as CPUs each has its own; one more shares. */
static void cpus_run_out(void) {
  bool is_taken[CPU_SETSIZE] = {false};
  int entered[CPU_SETSIZE];
  const int count = CPU_COUNT(&allowed);
  for (int i = 0; i < count; ++i) {
    entered[i] = invite(&allowed).entered;
    CHECK(entered[i] >= 0 && CPU_ISSET(entered[i], &allowed) && !is_taken[entered[i]]);
    is_taken[entered[i]] = true;
  }
  const int shared = invite(&allowed).entered;
  CHECK(shared >= 0 && is_taken[shared]);
  rt_cpu_leave(shared);
  for (int i = 0; i < count; ++i) {
    rt_cpu_leave(entered[i]);
  }
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"second_one_goes_elsewhere", second_one_goes_elsewhere},
      {"one_that_may_not_go_stays", one_that_may_not_go_stays},
      {"cpus_run_out", cpus_run_out},
  };
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) {
    return 1;
  }
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
