/* SPDX-License-Identifier: MIT
 *
 * Union launches at several topologies: built-in variables, barriers, shared RAM, early return,
 * deadlock, many launches.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "test/common/sanitized.h"

enum { MAX_TASKS = 4096 };

static unsigned attribute(cnrtDeviceAttr_t which) {
  int value = 0;
  CHECK_OK(cnrtDeviceGetAttribute(&value, which, 0));
  return (unsigned)value;
}

/* Largest union the device takes. */
static unsigned largest_union(void) {
  return attribute(cnrtAttrMaxClusterPerUnionLimitTask);
}

static cnrtFunctionType_t union_type(unsigned n) {
  return (cnrtFunctionType_t)(4 * n);
}

static bool is_memory_core(void) {
  return __bang_coreId == BANG_MPU_CORE_ID;
}

/* ---- Built-in variables ---- */

struct seen {
  _Atomic int cores[MAX_TASKS];
  _Atomic int memory_cores[MAX_TASKS];
  _Atomic int wrong;
  unsigned cores_per_cluster;
  unsigned n;
};

static void look_around(void *argument) {
  struct seen *seen = argument;
  const int cores = (int)seen->cores_per_cluster;
  const int in_group = __bang_taskIdX % (cores * (int)seen->n);
  const int core = is_memory_core() ? 0 : __bang_coreId;
  const int linear =
      __bang_taskIdX + __bang_taskDimX * (__bang_taskIdY + __bang_taskDimY * __bang_taskIdZ);
  if (__bang_clusterDim != (int)seen->n || __bang_coreDim != cores ||
      in_group != __bang_clusterId * cores + core || __bang_taskId != linear) {
    atomic_fetch_add(&seen->wrong, 1);
  }
  atomic_fetch_add(
      is_memory_core() ? &seen->memory_cores[__bang_taskId] : &seen->cores[__bang_taskId], 1);
}

static void built_in_variables(void) {
  const unsigned cores = attribute(cnrtAttrMcorePerCluster);
  for (unsigned n = 1; n <= largest_union(); n *= 2) {
    static struct seen seen;
    memset(&seen, 0, sizeof(seen));
    seen.cores_per_cluster = cores;
    seen.n = n;
    const unsigned x = cores * n * 2;
    CHECK_OK(launch(look_around, &seen, dim3(x, 3, 2), union_type(n), NULL));
    CHECK_OK(cnrtQueueSync(NULL));
    CHECK_EQ(atomic_load(&seen.wrong), 0);
    for (unsigned i = 0; i < x * 6; ++i) {
      CHECK_EQ(atomic_load(&seen.cores[i]), 1);
      CHECK_EQ(atomic_load(&seen.memory_cores[i]), i % cores == 0);
    }
  }
}

/* ---- Barriers ---- */

enum { PHASES = 20 };

struct phases {
  _Atomic unsigned reached[PHASES];
  _Atomic int wrong;
  unsigned members; /* of one group */
  bangBarrier barrier;
};

/* After each barrier, all members of its set must have counted. */
static void walk_phases(void *argument) {
  struct phases *phases = argument;
  if (phases->barrier == BANG_BARRIER_ALL_IPU && is_memory_core()) {
    return;
  }
  for (int i = 0; i < PHASES; ++i) {
    atomic_fetch_add(&phases->reached[i], 1);
    __bang_barrier(phases->barrier, __FILE__, __LINE__);
    if (atomic_load(&phases->reached[i]) != phases->members) {
      atomic_fetch_add(&phases->wrong, 1);
    }
    __bang_barrier(phases->barrier, __FILE__, __LINE__);
  }
}

static void check_phases(unsigned n, bangBarrier barrier, unsigned members) {
  static struct phases phases;
  memset(&phases, 0, sizeof(phases));
  phases.members = members;
  phases.barrier = barrier;
  const unsigned cores = attribute(cnrtAttrMcorePerCluster);
  CHECK_OK(launch(walk_phases, &phases, dim3(cores * n, 1, 1), union_type(n), NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&phases.wrong), 0);
  CHECK_EQ(atomic_load(&phases.reached[PHASES - 1]), members);
}

static void barriers(void) {
  const unsigned cores = attribute(cnrtAttrMcorePerCluster);
  for (unsigned n = 1; n <= largest_union(); n *= 2) {
    check_phases(n, BANG_BARRIER_ALL, (cores + 1) * n);
    check_phases(n, BANG_BARRIER_ALL_IPU, cores * n);
  }
  check_phases(1, BANG_BARRIER_CLUSTER, cores + 1);
}

/* ---- Shared RAM ---- */

struct shared {
  int *out; /* one per task */
};

/* The memory core fills shared RAM, the cores read it; each cluster has its own. */
static void use_shared_ram(void *argument) {
  struct shared *shared = argument;
  int *sram = (int *)((char *)__bang_space_open(BANG_SPACE_SRAM) + 128);
  for (int round = 0; round < 5; ++round) {
    if (is_memory_core()) {
      sram[0] = __bang_taskId * 10 + round;
    }
    __bang_barrier(BANG_BARRIER_CLUSTER, __FILE__, __LINE__);
    if (!is_memory_core()) {
      shared->out[__bang_taskId] += sram[0];
    }
    __bang_barrier(BANG_BARRIER_CLUSTER, __FILE__, __LINE__);
  }
}

static void shared_ram(void) {
  const unsigned cores = attribute(cnrtAttrMcorePerCluster);
  const unsigned n = largest_union();
  const unsigned tasks = cores * n * 3;
  static int out[MAX_TASKS];
  memset(out, 0, sizeof(out));
  struct shared shared = {out};
  CHECK_OK(launch(use_shared_ram, &shared, dim3(tasks, 1, 1), union_type(n), NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  for (unsigned i = 0; i < tasks; ++i) {
    const int first = (int)(i / cores * cores);
    CHECK_EQ(out[i], first * 50 + 10);
  }
}

/* ---- Early return, deadlock, polling ---- */

static void some_return_early(void *argument) {
  _Atomic int *finished = argument;
  if (is_memory_core() || __bang_coreId == 1) {
    return;
  }
  for (int i = 0; i < 10; ++i) {
    __bang_barrier(BANG_BARRIER_CLUSTER, __FILE__, __LINE__);
    if (i == 5 && __bang_coreId == 0) {
      break; /* ends between two barriers */
    }
    __bang_barrier(BANG_BARRIER_ALL, __FILE__, __LINE__);
  }
  atomic_fetch_add(finished, 1);
}

static void early_return(void) {
  const unsigned cores = attribute(cnrtAttrMcorePerCluster);
  const unsigned n = largest_union();
  _Atomic int finished = 0;
  CHECK_OK(launch(some_return_early, &finished, dim3(cores * n, 1, 1), union_type(n), NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&finished), (cores - (cores > 1)) * n);
}

/* Cores return while others arrive at barriers. Each core takes part in rounds_of(core) rounds, and
 * in each round sees all other cores of the round. */
enum { MAX_ROUNDS = 6 };

static int rounds_of(unsigned core) {
  return (int)(core * 5 % (MAX_ROUNDS + 1));
}

struct rounds {
  _Atomic int arrived[MAX_ROUNDS];
  int expected[MAX_ROUNDS];
  _Atomic int missing;
};

static void leave_one_by_one(void *argument) {
  struct rounds *rounds = argument;
  if (is_memory_core()) {
    return;
  }
  for (int i = 0; i < rounds_of((unsigned)__bang_taskIdX); ++i) {
    atomic_fetch_add(&rounds->arrived[i], 1);
    __bang_barrier(BANG_BARRIER_ALL_IPU, __FILE__, __LINE__);
    if (atomic_load(&rounds->arrived[i]) != rounds->expected[i]) {
      atomic_fetch_add(&rounds->missing, 1);
    }
  }
}

static void returns_among_arrivals(void) {
  const unsigned cores = attribute(cnrtAttrMcorePerCluster) * largest_union();
  for (int launches = 0; launches < 50; ++launches) {
    struct rounds rounds;
    memset(&rounds, 0, sizeof(rounds));
    for (unsigned core = 0; core < cores; ++core) {
      for (int i = 0; i < rounds_of(core); ++i) {
        ++rounds.expected[i];
      }
    }
    CHECK_OK(
        launch(leave_one_by_one, &rounds, dim3(cores, 1, 1), union_type(largest_union()), NULL));
    CHECK_OK(cnrtQueueSync(NULL));
    CHECK_EQ(atomic_load(&rounds.missing), 0);
    CHECK_EQ(atomic_load(&rounds.arrived[0]), rounds.expected[0]);
  }
}

/* Barriers of the compute cores alone, then one with the memory core, which may start late. */
static void meet_twice(void *argument) {
  _Atomic int *wrong = argument;
  static _Atomic int cores_that_met[MAX_TASKS];
  if (!is_memory_core()) {
    for (int i = 0; i < 3; ++i) {
      __bang_barrier(BANG_BARRIER_CLUSTER_IPU, __FILE__, __LINE__);
      __bang_barrier(BANG_BARRIER_ALL_IPU, __FILE__, __LINE__);
    }
    atomic_fetch_add(&cores_that_met[__bang_clusterId], 1);
  }
  __bang_barrier(BANG_BARRIER_CLUSTER, __FILE__, __LINE__);
  if (is_memory_core() && atomic_exchange(&cores_that_met[__bang_clusterId], 0) != __bang_coreDim) {
    atomic_fetch_add(wrong, 1);
  }
  __bang_barrier(BANG_BARRIER_ALL, __FILE__, __LINE__);
}

static void memory_core_comes_late(void) {
  const unsigned cores = attribute(cnrtAttrMcorePerCluster);
  const unsigned n = largest_union();
  _Atomic int wrong = 0;
  for (int i = 0; i < 20; ++i) {
    CHECK_OK(launch(meet_twice, &wrong, dim3(cores * n, 1, 1), union_type(n), NULL));
  }
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&wrong), 0);
}

static void count_up(void *argument) {
  atomic_fetch_add((_Atomic int *)argument, 1);
}

static void next_launch_works(void) {
  _Atomic int count = 0;
  const unsigned cores = attribute(cnrtAttrMcorePerCluster);
  CHECK_OK(launch(count_up, &count, dim3(cores, 1, 1), cnrtFuncTypeUnion1, NULL));
  CHECK_OK(launch(count_up, &count, dim3(3, 1, 1), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&count), cores + 1 + 3);
}

/* `argument` NULL: the memory core returns at once. Otherwise it counts the cores that have
 * arrived, and returns when most of them sleep. */
static void wait_for_different_things(void *argument) {
  _Atomic int *arrived = argument;
  if (is_memory_core()) {
    while (arrived != NULL && atomic_load(arrived) < __bang_coreDim) {
      sched_yield();
    }
    for (int i = 0; arrived != NULL && i < 2000; ++i) {
      sched_yield();
    }
    return;
  }
  if (arrived != NULL) {
    atomic_fetch_add(arrived, 1);
  }
  if (__bang_coreId == 0) {
    __bang_barrier(BANG_BARRIER_CLUSTER, "first_place.mlu", 11);
  } else {
    __bang_barrier(BANG_BARRIER_ALL, "second_place.mlu", 22);
  }
}

static void child_dead_lock(void) {
  const unsigned cores = attribute(cnrtAttrMcorePerCluster);
  _Atomic int arrived = 0;
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(launch(wait_for_different_things, i == 0 ? NULL : &arrived, dim3(cores, 1, 1),
                    cnrtFuncTypeUnion1, NULL));
    CHECK_EQ(cnrtQueueSync(NULL), CN_INVOKE_ERROR_EXECUTED_TIMEOUT);
    CHECK_OK(cnrtQueueSync(NULL));
    next_launch_works();
  }
}

static void dead_lock(void) {
  char text[4096];
  CHECK_EQ(run_self("MLUOP_CPU_TOPOLOGY=2x4", "_child_dead_lock", text, sizeof(text)), 0);
  CHECK(strstr(text, "dead-lock") != NULL);
  CHECK(strstr(text, "core 0 waits in __sync_cluster at first_place.mlu:11") != NULL);
  CHECK(strstr(text, "core 3 waits in __sync_all at second_place.mlu:22") != NULL);
}

/* Most cores sleep at a barrier most of the time; none of this may be taken for a deadlock. */
static void meet_in_many_ways(void *argument) {
  _Atomic int *finished = argument;
  uint32_t turn = 1;
  for (int i = 0; i < 300; ++i) {
    turn = turn * 1664525u + 1013904223u;
    switch (turn >> 30) {
      case 0:
        __bang_barrier(BANG_BARRIER_CLUSTER, __FILE__, __LINE__);
        break;
      case 1:
        __bang_barrier(BANG_BARRIER_ALL, __FILE__, __LINE__);
        break;
      case 2: /* memory cores skip barriers of compute cores, and vice versa */
        __bang_barrier(BANG_BARRIER_ALL_IPU, __FILE__, __LINE__);
        break;
      default:
        __bang_barrier(BANG_BARRIER_ALL_MPU, __FILE__, __LINE__);
        break;
    }
  }
  atomic_fetch_add(finished, 1);
}

static void no_dead_lock(void) {
  const unsigned cores = attribute(cnrtAttrMcorePerCluster);
  const unsigned n = largest_union();
  _Atomic int finished = 0;
  for (int i = 0; i < 5; ++i) {
    CHECK_OK(launch(meet_in_many_ways, &finished, dim3(cores * n, 1, 1), union_type(n), NULL));
  }
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&finished), 5 * (cores + 1) * n);
}

/* Cores may wait for each other by polling memory, without barriers. */
static void poll_for_others(void *argument) {
  _Atomic int *arrived = argument;
  atomic_fetch_add(arrived, 1);
  while (atomic_load(arrived) < __bang_coreDim + 1) {
    usleep(20);
  }
}

static void polling(void) {
  _Atomic int arrived = 0;
  const unsigned cores = attribute(cnrtAttrMcorePerCluster);
  CHECK_OK(launch(poll_for_others, &arrived, dim3(cores, 1, 1), cnrtFuncTypeUnion1, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
}

/* ---- Many of them ---- */

static void sync_twice(void *argument) {
  (void)argument;
  __bang_barrier(BANG_BARRIER_ALL, __FILE__, __LINE__);
  __bang_barrier(BANG_BARRIER_CLUSTER, __FILE__, __LINE__);
}

static void launch_many(unsigned n, int launches) {
  const unsigned cores = attribute(cnrtAttrMcorePerCluster);
  for (int i = 0; i < launches; ++i) {
    CHECK_OK(launch(sync_twice, NULL, dim3(cores * n, 1, 1), union_type(n), NULL));
    if (i % 10 == 9) {
      CHECK_OK(cnrtQueueSync(NULL));
    }
  }
  CHECK_OK(cnrtQueueSync(NULL));
}

/* The number of threads that a thousand launches add. */
static int threads_of_a_thousand(void) {
  launch_many(8, 50);
  const int threads = thread_count();
  const long resident = resident_kb();
  launch_many(8, 1000);
  CHECK(is_sanitized() || resident_kb() - resident < 4 * 1024);
  return thread_count() - threads;
}

static void child_thousand_union8(void) {
  CHECK_EQ(threads_of_a_thousand(), 0);
}

/* A helping thread stands for one thread of a cluster, which may be created later. While it helps,
 * its cluster is taken, so the runtime may create the threads of one more cluster, once. */
static void child_thousand_helped(void) {
  const int cluster_threads = (int)attribute(cnrtAttrMcorePerCluster) + 1;
  const int threads = threads_of_a_thousand();
  CHECK(threads >= 0 && threads <= 1 + cluster_threads);
}

static void thousand_launches(void) {
  CHECK_EQ(
      run_self("MLUOP_CPU_TOPOLOGY=8x4 MLUOP_CPU_HELPERS=0", "_child_thousand_union8", NULL, 0), 0);
  CHECK_EQ(run_self("MLUOP_CPU_TOPOLOGY=8x4", "_child_thousand_helped", NULL, 0), 0);
}

static void child_two_queues(void) {
  cnrtQueue_t queues[4];
  static _Atomic int counts[4];
  for (int i = 0; i < 4; ++i) {
    CHECK_OK(cnrtQueueCreate(&queues[i]));
  }
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 4; ++i) {
      const unsigned n = 1u << i;
      CHECK_OK(launch(count_up, &counts[i], dim3(n * 4, 1, 1), union_type(n), queues[i]));
      CHECK_OK(launch(sync_twice, NULL, dim3(n * 8, 1, 1), union_type(n), queues[i]));
    }
  }
  for (int i = 0; i < 4; ++i) {
    CHECK_OK(cnrtQueueSync(queues[i]));
    CHECK_OK(cnrtQueueDestroy(queues[i]));
    CHECK_EQ(atomic_load(&counts[i]), 20 * 5 * (1 << i));
  }
}

static void several_queues(void) {
  CHECK_EQ(run_self("MLUOP_CPU_TOPOLOGY=8x4", "_child_two_queues", NULL, 0), 0);
  CHECK_EQ(run_self("MLUOP_CPU_TOPOLOGY=8x4 MLUOP_CPU_THREADS=16", "_child_two_queues", NULL, 0),
           0);
}

static void child_all(void) {
  built_in_variables();
  barriers();
  shared_ram();
  early_return();
  returns_among_arrivals();
  memory_core_comes_late();
  no_dead_lock();
  next_launch_works();
}

static void topologies(void) {
  const char *const settings[] = {"MLUOP_CPU_TOPOLOGY=1x4",
                                  "MLUOP_CPU_TOPOLOGY=1x1",
                                  "MLUOP_CPU_TOPOLOGY=2x3",
                                  "MLUOP_CPU_TOPOLOGY=8x4",
                                  "MLUOP_CPU_TOPOLOGY=16x4",
                                  "MLUOP_CPU_TOPOLOGY=8x4 MLUOP_CPU_TASK_ORDER=sequential",
                                  "MLUOP_CPU_TOPOLOGY=2x4 MLUOP_CPU_TASK_ORDER=reversed",
                                  "MLUOP_CPU_TOPOLOGY=4x4 MLUOP_CPU_TASK_ORDER=random:7",
                                  "MLUOP_CPU_TOPOLOGY=2x4 MLUOP_CPU_POISON=1",
                                  "MLUOP_CPU_TOPOLOGY=8x4 MLUOP_CPU_THREADS=64"};
  for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); ++i) {
    char text[4096];
    const int status = run_self(settings[i], "_child_all", text, sizeof(text));
    CHECK_EQ(status, 0);
    if (status != 0) {
      fprintf(stderr, "%s: %s\n", settings[i], text);
    }
  }
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"topologies", topologies},
      {"dead_lock", dead_lock},
      {"polling", polling},
      {"thousand_launches", thousand_launches},
      {"several_queues", several_queues},
      {"_child_all", child_all},
      {"_child_dead_lock", child_dead_lock},
      {"_child_thousand_union8", child_thousand_union8},
      {"_child_thousand_helped", child_thousand_helped},
      {"_child_two_queues", child_two_queues},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
