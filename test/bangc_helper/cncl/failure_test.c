/* SPDX-License-Identifier: MIT
 *
 * Ranks that disagree, are missing, leave or abort: the others soon get an error and a message that
 * names the rank. Cases whose names start with '_' run in their own processes with a short time
 * limit, started by the tests below or under mpirun.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "world.h"

enum { RANKS = 3, COUNT = 1000, ODD = 2, AT_ONCE_US = 20000000 };

/* A time limit, a stop that is longer, and time for queues to reach their calls before it and for
 * the limit to be checked after it. */
enum { LIMIT_MS = 8000, STOP_MS = 8500, REACH_MS = 500, CHECK_MS = 1500 };

struct scene {
  struct world world;
  int32_t *send[RANKS];
  int32_t *recv[RANKS];
};

static void scene_open(struct scene *scene) {
  CHECK(world_open(&scene->world, RANKS));
  for (int i = 0; i < scene->world.local; ++i) {
    scene->send[i] = device_alloc(RANKS * COUNT * sizeof(int32_t));
    scene->recv[i] = device_alloc(RANKS * COUNT * sizeof(int32_t));
    memset(scene->send[i], 1, RANKS * COUNT * sizeof(int32_t));
    memset(scene->recv[i], 0x77, RANKS * COUNT * sizeof(int32_t));
  }
}

/* Every rank's queue and communicator report the failure, nothing was written, and a new
 * communicator works. */
static void scene_check_failed(struct scene *scene) {
  struct world *world = &scene->world;
  for (int i = 0; i < world->local; ++i) {
    CHECK(cnrtQueueSync(world->queue[i]) != cnrtSuccess);
    CHECK_OK(cnrtQueueSync(world->queue[i]));
    /* A rank without a call of its own sees the error a moment later. */
    const double start = now_us();
    while (cnclGetCommAsyncError(world->comm[i]) == CNCL_RET_SUCCESS && now_us() < start + 2e7) {
      usleep(1000);
    }
    CHECK_EQ(cnclGetCommAsyncError(world->comm[i]), CNCL_RET_ASYNC_ERROR);
    CHECK_EQ(cnclAllGather(scene->send[i], scene->recv[i], 1, cnclInt32, world->comm[i],
                           world->queue[i]),
             CNCL_RET_ASYNC_ERROR);
    for (int k = 0; k < RANKS * COUNT; ++k) {
      if (scene->recv[i][k] != 0x77777777) {
        report_failure(__FILE__, __LINE__, "rank %d: element %d was written", world->first + i, k);
        break;
      }
    }
  }
  world_close(world);
  CHECK(world_open(world, RANKS));
  for (int i = 0; i < world->local; ++i) {
    *scene->send[i] = 1;
    CHECK_CNCL(cnclAllReduce(scene->send[i], scene->recv[i], 1, cnclInt32, cnclSum, world->comm[i],
                             world->queue[i]));
  }
  world_sync(world, cnrtSuccess);
  for (int i = 0; i < world->local; ++i) {
    CHECK_EQ(*scene->recv[i], RANKS);
    device_free(scene->send[i]);
    device_free(scene->recv[i]);
  }
  world_close(world);
}

/* Runs `call` for every rank of this process; the odd one behaves differently. */
static void disagree(void (*call)(struct scene *scene, int i, bool odd)) {
  struct scene scene;
  scene_open(&scene);
  CHECK_CNCL(cnclGroupStart()); /* no call can fail before all are made */
  for (int i = 0; i < scene.world.local; ++i) {
    call(&scene, i, scene.world.first + i == ODD);
  }
  CHECK_CNCL(cnclGroupEnd());
  scene_check_failed(&scene);
}

/* ---- Ranks that disagree ---- */

static void count_differs(struct scene *s, int i, bool odd) {
  CHECK_CNCL(cnclAllReduce(s->send[i], s->recv[i], odd ? COUNT - 1 : COUNT, cnclInt32, cnclSum,
                           s->world.comm[i], s->world.queue[i]));
}

static void type_differs(struct scene *s, int i, bool odd) {
  CHECK_CNCL(cnclAllGather(s->send[i], s->recv[i], COUNT, odd ? cnclFloat : cnclInt32,
                           s->world.comm[i], s->world.queue[i]));
}

static void op_differs(struct scene *s, int i, bool odd) {
  CHECK_CNCL(cnclReduceScatter(s->send[i], s->recv[i], COUNT, cnclInt32, odd ? cnclMax : cnclSum,
                               s->world.comm[i], s->world.queue[i]));
}

static void root_differs(struct scene *s, int i, bool odd) {
  CHECK_CNCL(cnclBroadcast(s->send[i], s->recv[i], COUNT, cnclInt32, odd ? 1 : 0, s->world.comm[i],
                           s->world.queue[i]));
}

static void call_differs(struct scene *s, int i, bool odd) {
  if (odd) {
    CHECK_CNCL(cnclAlltoAll(s->send[i], s->recv[i], COUNT, cnclInt32, s->world.comm[i],
                            s->world.queue[i]));
  } else {
    CHECK_CNCL(cnclAllGather(s->send[i], s->recv[i], COUNT, cnclInt32, s->world.comm[i],
                             s->world.queue[i]));
  }
}

static void lane_differs(struct scene *s, int i, bool odd) {
  const void *out[RANKS];
  void *in[RANKS];
  uint32_t out_count[RANKS];
  uint32_t in_count[RANKS];
  cnclDataType_t types[RANKS];
  for (int peer = 0; peer < RANKS; ++peer) {
    out[peer] = s->send[i] + peer * COUNT;
    in[peer] = s->recv[i] + peer * COUNT;
    out_count[peer] = 10;
    in_count[peer] = odd && peer == 0 ? 11 : 10;
    types[peer] = cnclInt32;
  }
  CHECK_CNCL(cnclAlltoAllv(out, out_count, types, in, in_count, types, s->world.comm[i],
                           s->world.queue[i]));
}

static void pair_differs(struct scene *s, int i, bool odd) {
  const int rank = s->world.first + i;
  (void)odd;
  CHECK_CNCL(
      cnclSend(s->send[i], 8, cnclInt32, (rank + 1) % RANKS, s->world.comm[i], s->world.queue[i]));
  CHECK_CNCL(cnclRecv(s->recv[i], 9, cnclInt32, (rank + RANKS - 1) % RANKS, s->world.comm[i],
                      s->world.queue[i]));
}

static void child_count(void) {
  disagree(count_differs);
}
static void child_type(void) {
  disagree(type_differs);
}
static void child_op(void) {
  disagree(op_differs);
}
static void child_root(void) {
  disagree(root_differs);
}
static void child_call(void) {
  disagree(call_differs);
}
static void child_lane(void) {
  disagree(lane_differs);
}
static void child_pair(void) {
  disagree(pair_differs);
}

/* Runs a case in its own process; the output must contain the text. */
static void run_child(const char *name, const char *text) {
  char output[16384];
  const double start = now_us();
  CHECK_EQ(run_self("MLUOP_CNCL_TIMEOUT_MS=700", name, output, sizeof(output)), 0);
  CHECK(now_us() - start < 60e6);
  if (strstr(output, text) == NULL) {
    report_failure(__FILE__, __LINE__, "%s does not say '%s' but:\n%s", name, text, output);
  }
}

static void disagreement(void) {
  run_child("_count",
            "rank 2 calls AllReduce of 999 int32 (sum) where rank 0 calls AllReduce of "
            "1000 int32 (sum)");
  run_child("_type", "rank 2 calls AllGather of 1000 float");
  run_child("_op", "rank 2 calls ReduceScatter of 1000 int32 (maximum)");
  run_child("_root", "rank 2 calls Broadcast of 1000 int32 (root 1)");
  run_child("_call", "rank 2 calls AlltoAll of 1000 int32");
  run_child("_lane", "rank 0 sends 10 int32 to rank 2, which expects 11 int32");
  run_child("_pair", "calls Recv of 9 int32 (from rank ");
}

/* ---- Missing ranks ---- */

static void child_absent(void) {
  struct scene scene;
  scene_open(&scene);
  for (int i = 0; i < scene.world.local; ++i) {
    if (scene.world.first + i != ODD) {
      count_differs(&scene, i, false);
    }
  }
  for (int i = 0; i < scene.world.local; ++i) {
    if (scene.world.first + i == ODD) {
      /* The missing rank has nothing in its queue, but its communicator must report the failure. */
      while (cnclGetCommAsyncError(scene.world.comm[i]) == CNCL_RET_SUCCESS) {
        usleep(1000);
      }
      CHECK_EQ(cnclAllReduce(scene.send[i], scene.recv[i], 1, cnclInt32, cnclSum,
                             scene.world.comm[i], scene.world.queue[i]),
               CNCL_RET_ASYNC_ERROR);
    } else {
      CHECK_EQ(cnrtQueueSync(scene.world.queue[i]), cnrtErrorSys);
      CHECK_EQ(scene.recv[i][0], 0x77777777);
    }
    device_free(scene.send[i]);
    device_free(scene.recv[i]);
  }
  world_close(&scene.world);
}

static void child_unreceived(void) {
  struct scene scene;
  scene_open(&scene);
  for (int i = 0; i < scene.world.local; ++i) {
    if (scene.world.first + i == 0) {
      CHECK_CNCL(cnclSend(scene.send[i], COUNT, cnclInt32, ODD, scene.world.comm[i],
                          scene.world.queue[i]));
      CHECK_EQ(cnrtQueueSync(scene.world.queue[i]), cnrtErrorSys);
    }
    device_free(scene.send[i]);
    device_free(scene.recv[i]);
  }
  world_close(&scene.world);
}

static void child_init(void) {
  struct cnclCliqueId id;
  cnclComm_t comm = (cnclComm_t)&id;
  const int device = 0;
  const int rank = 1;
  CHECK_CNCL(cnclGetCliqueId(&id));
  CHECK_EQ(cnclInitComms(&comm, 1, &device, &rank, 3, &id), CNCL_RET_ERR_INIT);
  CHECK(comm == NULL);
}

static void absence(void) {
  run_child("_absent",
            "AllReduce of 1000 int32 (sum) gave up after 700 ms: rank 2 did not call it");
  run_child("_unreceived", "Send of 1000 int32 (to rank 2) gave up after 700 ms: rank 2 did not");
  run_child("_init", "not all of ranks 0, 2 came");
}

static void sleep_ms(long milliseconds) {
  const struct timespec time = {.tv_sec = milliseconds / 1000,
                                .tv_nsec = milliseconds % 1000 * 1000000L};
  nanosleep(&time, NULL);
}

/* Stops this process; another one lets it go on. */
static void stop_for_a_while(void) {
  const pid_t self = getpid();
  const pid_t helper = fork();
  if (helper == 0) {
    kill(self, SIGSTOP);
    sleep_ms(STOP_MS);
    kill(self, SIGCONT);
    _exit(0);
  }
  CHECK(helper > 0);
  CHECK_EQ(waitpid(helper, NULL, 0), helper);
}

/* All ranks are stopped for longer than the time limit while a call waits for the last one. */
static void child_stopped(void) {
  struct scene scene;
  scene_open(&scene);
  for (int i = 0; i < scene.world.local; ++i) {
    if (scene.world.first + i != ODD) count_differs(&scene, i, false);
  }
  sleep_ms(REACH_MS);
  stop_for_a_while();
  sleep_ms(CHECK_MS);
  for (int i = 0; i < scene.world.local; ++i) {
    if (scene.world.first + i == ODD) count_differs(&scene, i, false);
  }
  world_sync(&scene.world, cnrtSuccess);
  for (int i = 0; i < scene.world.local; ++i) {
    device_free(scene.send[i]);
    device_free(scene.recv[i]);
  }
  world_close(&scene.world);
}

static void stop(void) {
  char output[16384];
  char limit[64];
  snprintf(limit, sizeof(limit), "MLUOP_CNCL_TIMEOUT_MS=%d", LIMIT_MS);
  if (run_self(limit, "_stopped", output, sizeof(output)) != 0) {
    report_failure(__FILE__, __LINE__, "a stopped process gave up:\n%s", output);
  }
}

/* Makes sure that all processes have their communicator before one of them leaves. */
static void scene_meet(struct scene *scene) {
  struct world *world = &scene->world;
  for (int i = 0; i < world->local; ++i) {
    CHECK_CNCL(cnclAllReduce(scene->send[i], scene->recv[i], 1, cnclInt32, cnclSum, world->comm[i],
                             world->queue[i]));
  }
  world_sync(world, cnrtSuccess);
}

/* The call fails in the queue; or it is refused, if another process has reported the failure
 * before. */
static void reduce_in_vain(struct scene *s) {
  const cnclResult_t called = cnclAllReduce(s->send[0], s->recv[0], COUNT, cnclInt32, cnclSum,
                                            s->world.comm[0], s->world.queue[0]);
  const cnrtRet_t waited = cnrtQueueSync(s->world.queue[0]);
  if (called == CNCL_RET_SUCCESS) {
    CHECK_EQ(waited, cnrtErrorSys);
  } else {
    CHECK_EQ(called, CNCL_RET_ASYNC_ERROR);
  }
}

/* Processes of an MPI job: one is killed while the others wait for it. */
static void child_killed(void) {
  struct scene scene;
  scene_open(&scene);
  scene_meet(&scene);
  if (scene.world.first == ODD) {
    kill(getpid(), SIGKILL);
  }
  reduce_in_vain(&scene);
}

/* Processes of an MPI job: one returns from main while the others wait for it. */
static void child_quits(void) {
  struct scene scene;
  scene_open(&scene);
  scene_meet(&scene);
  if (scene.world.first + scene.world.local == RANKS) {
    return; /* without freeing anything */
  }
  const double start = now_us();
  reduce_in_vain(&scene);
  CHECK(now_us() - start < AT_ONCE_US);
}

/* Processes of an MPI job wait for a rank that no process has. */
static void child_lonely(void) {
  const int devices[1] = {0};
  const int rank = job_index();
  cnclComm_t comm = NULL;
  CHECK_EQ(cnclInitComms(&comm, 1, devices, &rank, job_size() + 1, NULL), CNCL_RET_ERR_INIT);
  CHECK(comm == NULL);
}

static void *send_signal_later(void *argument) {
  sleep_ms(atol(getenv("CNCL_TEST_DELAY_MS")));
  kill(getpid(), *(int *)argument);
  return NULL;
}

/* Processes of an MPI job: one gets the signal CNCL_TEST_SIGNAL, CNCL_TEST_DELAY_MS after it began
 * to join, most likely while MPI starts. The others must end by themselves, with any result. */
static void child_stalled(void) {
  const int devices[1] = {0};
  const int rank = job_index();
  cnclComm_t comm = NULL;
  int number = atoi(getenv("CNCL_TEST_SIGNAL"));
  if (rank == 0) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, send_signal_later, &number), 0);
    pthread_detach(thread);
  }
  const cnclResult_t result = cnclInitComms(&comm, 1, devices, &rank, job_size(), NULL);
  CHECK(result == CNCL_RET_SUCCESS || result == CNCL_RET_ERR_INIT);
  exit(1);
}

/* ---- Abort and free: with the default time limit, which must not be reached ---- */

static void *abort_comm(void *comm) {
  CHECK_CNCL(cnclAbortComm(comm));
  return NULL;
}

static void abort_while_others_wait(void) {
  struct scene scene;
  pthread_t thread;
  scene_open(&scene);
  const double start = now_us();
  for (int i = 0; i < RANKS - 1; ++i) {
    count_differs(&scene, i, false);
  }
  pthread_create(&thread, NULL, abort_comm, scene.world.comm[RANKS - 1]);
  for (int i = 0; i < RANKS - 1; ++i) {
    CHECK_EQ(cnrtQueueSync(scene.world.queue[i]), cnrtErrorSys);
    CHECK_EQ(cnclGetCommAsyncError(scene.world.comm[i]), CNCL_RET_ASYNC_ERROR);
  }
  pthread_join(thread, NULL);
  CHECK(now_us() - start < AT_ONCE_US);
  CHECK_EQ(cnclAbortComm(scene.world.comm[RANKS - 1]), CNCL_RET_ERR_NOT_INIT);
  scene.world.local = RANKS - 1;
  world_close(&scene.world);
  CHECK_OK(cnrtQueueDestroy(scene.world.queue[RANKS - 1]));
  for (int i = 0; i < RANKS; ++i) {
    device_free(scene.send[i]);
    device_free(scene.recv[i]);
  }
}

/* Every rank makes a call that its queue starts only when the gate is open. */
static void open_held(struct scene *scene, struct gate *gate) {
  scene_open(scene);
  for (int i = 0; i < RANKS; ++i) {
    CHECK_OK(cnrtInvokeHostFunc(scene->world.queue[i], wait_at_gate, gate));
    count_differs(scene, i, false);
  }
}

/* Calls that have not started yet fail as well. */
static void abort_before_start(void) {
  struct gate gate = GATE_INITIALIZER;
  struct scene scene;
  open_held(&scene, &gate);
  CHECK_CNCL(cnclAbortComm(scene.world.comm[0]));
  open_gate(&gate);
  for (int i = 0; i < RANKS; ++i) {
    CHECK_EQ(cnrtQueueSync(scene.world.queue[i]), cnrtErrorSys);
    CHECK_EQ(scene.recv[i][0], 0x77777777);
    device_free(scene.send[i]);
    device_free(scene.recv[i]);
    CHECK_OK(cnrtQueueDestroy(scene.world.queue[i]));
  }
  CHECK_CNCL(cnclDestroyComms(scene.world.comm + 1, RANKS - 1));
}

static void rank_leaves(void) {
  struct scene scene;
  scene_open(&scene);
  const double start = now_us();
  count_differs(&scene, 0, false);
  CHECK_CNCL(cnclFreeComm(scene.world.comm[1]));
  CHECK_EQ(cnrtQueueSync(scene.world.queue[0]), cnrtErrorSys);
  CHECK(now_us() - start < AT_ONCE_US);
  for (int i = 0; i < RANKS; ++i) {
    device_free(scene.send[i]);
    device_free(scene.recv[i]);
    CHECK_OK(cnrtQueueDestroy(scene.world.queue[i]));
  }
  CHECK_CNCL(cnclFreeComm(scene.world.comm[0]));
  CHECK_CNCL(cnclFreeComm(scene.world.comm[2]));
}

/* A communicator may be freed before its calls have started. */
static void free_before_start(void) {
  struct gate gate = GATE_INITIALIZER;
  struct scene scene;
  open_held(&scene, &gate);
  CHECK_CNCL(cnclDestroyComms(scene.world.comm, RANKS));
  open_gate(&gate);
  for (int i = 0; i < RANKS; ++i) {
    CHECK_OK(cnrtQueueSync(scene.world.queue[i]));
    CHECK_EQ(scene.recv[i][COUNT - 1], 3 * 0x01010101);
    device_free(scene.send[i]);
    device_free(scene.recv[i]);
    CHECK_OK(cnrtQueueDestroy(scene.world.queue[i]));
  }
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"disagreement", disagreement},
      {"absence", absence},
      {"stop", stop},
      {"abort_while_others_wait", abort_while_others_wait},
      {"abort_before_start", abort_before_start},
      {"rank_leaves", rank_leaves},
      {"free_before_start", free_before_start},
      {"_count", child_count},
      {"_type", child_type},
      {"_op", child_op},
      {"_root", child_root},
      {"_call", child_call},
      {"_lane", child_lane},
      {"_pair", child_pair},
      {"_absent", child_absent},
      {"_unreceived", child_unreceived},
      {"_init", child_init},
      {"_stopped", child_stopped},
      {"_killed", child_killed},
      {"_quits", child_quits},
      {"_lonely", child_lonely},
      {"_stalled", child_stalled},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
