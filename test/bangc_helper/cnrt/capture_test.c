/* SPDX-License-Identifier: MIT
 *
 * Captures of queues: which calls become nodes, when nodes run, several queues in one capture.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture_calls.h"
#include "test/common/scratch.h"

/* ---- What is captured ---- */

static size_t count_nodes(cnrtTaskTopo_t topo) {
  size_t count = 1000;
  CHECK_OK(cnrtTaskTopoGetNodes(topo, NULL, &count));
  return count;
}

static void records_and_replays(void) {
  enum { WORDS = 4 };
  cnrtQueue_t queue = new_queue();
  uint32_t *input = new_words(WORDS);
  uint32_t *output = new_words(2 * WORDS);
  uint32_t host[2 * WORDS];
  _Atomic unsigned functions = 0;
  _Atomic unsigned tasks = 0;
  memset(host, 0xee, sizeof(host));
  begin(queue);
  CHECK_OK(cnrtMemsetD32Async(output, 7, 2 * WORDS, queue));
  CHECK_OK(cnrtMemcpyAsync(output, input, sizeof(uint32_t[WORDS]), queue, cnrtMemcpyDevToDev));
  CHECK_OK(launch(count_up, &tasks, dim3(3, 1, 1), cnrtFuncTypeBlock, queue));
  CHECK_OK(launch(count_up, &tasks, dim3(4, 1, 1), cnrtFuncTypeUnion1, queue));
  CHECK_OK(cnrtInvokeHostFunc(queue, count_up, &functions));
  CHECK_OK(cnrtMemcpy2DAsync(host, 4, output, 4, 4, 2 * WORDS, cnrtMemcpyDevToHost, queue));
  cnrtTaskTopo_t topo = end(queue);
  CHECK_OK(cnrtQueueSync(queue));
  CHECK(tasks == 0 && functions == 0 && host[0] == 0xeeeeeeee); /* nothing was done */
  cnrtTaskTopoEntity_t entity = instantiate(topo);
  for (unsigned round = 1; round <= 5; ++round) {
    const uint32_t values[WORDS] = {round, 2 * round, 3 * round, 4 * round};
    write_device(input, values, sizeof(values));
    CHECK_OK(cnrtTaskTopoEntityInvoke(entity, round % 2 != 0 ? queue : NULL));
    CHECK_OK(cnrtQueueSync(round % 2 != 0 ? queue : NULL));
    /* On the CPU the union's memory core runs the kernel as well. */
    CHECK_EQ(tasks, (is_on_cpu() ? 8 : 7) * round);
    CHECK_EQ(functions, round);
    CHECK(memcmp(host, values, sizeof(values)) == 0);
    CHECK_EQ(host[2 * WORDS - 1], 7);
  }
  CHECK_OK(cnrtTaskTopoEntityDestroy(entity));
  CHECK_OK(cnrtFree(input));
  CHECK_OK(cnrtFree(output));
  CHECK_OK(cnrtQueueDestroy(queue));
}

static cnrtTaskTopoNodeType_t last_type(cnrtQueue_t queue) {
  cnrtQueueCaptureStatus_t status = cnrtQueueCaptureStatusNone;
  const cnrtTaskTopoNode_t *nodes = NULL;
  size_t count = 0;
  cnrtTaskTopoNodeType_t type = cnrtTaskTopoNodeTypeEmpty;
  CHECK_OK(cnrtQueueGetCaptureInfo(queue, &status, NULL, NULL, &nodes, &count));
  CHECK_EQ(status, cnrtQueueCaptureStatusActive);
  CHECK_EQ(count, 1);
  if (count == 1) {
    CHECK_OK(cnrtTaskTopoNodeGetType(nodes[0], &type));
  }
  return type;
}

static void nodes_and_types(void) {
  cnrtQueue_t queue = new_queue();
  uint32_t *words = new_words(8);
  _Atomic unsigned calls = 0;
  uint64_t id = 0;
  uint64_t next_id = 0;
  size_t count = 1;
  cnrtTaskTopo_t inside = NULL;
  cnrtQueueCaptureStatus_t status = cnrtQueueCaptureStatusNone;
  begin(queue);
  CHECK_OK(cnrtQueueGetCaptureInfo(queue, &status, &id, &inside, NULL, &count));
  CHECK_EQ(status, cnrtQueueCaptureStatusActive);
  CHECK(id != 0 && inside != NULL);
  CHECK_EQ(count, 0);
  CHECK_OK(cnrtMemsetAsync(words, 1, 32, queue));
  CHECK_EQ(last_type(queue), cnrtTaskTopoNodeTypeMemset);
  CHECK_OK(cnrtMemcpyAsync(words, words + 4, 16, queue, cnrtMemcpyDevToDev));
  CHECK_EQ(last_type(queue), cnrtTaskTopoNodeTypeMemcpy);
  CHECK_OK(cnrtMemcpy2DAsync(words, 8, words + 4, 8, 4, 2, cnrtMemcpyDevToDev, queue));
  CHECK_EQ(last_type(queue), cnrtTaskTopoNodeTypeMemcpy);
  CHECK_OK(cnrtInvokeHostFunc(queue, count_up, &calls));
  CHECK_EQ(last_type(queue), cnrtTaskTopoNodeTypeHost);
  CHECK_OK(launch(count_up, &calls, dim3(1, 1, 1), cnrtFuncTypeBlock, queue));
  CHECK_EQ(last_type(queue), is_on_cpu() ? cnrtTaskTopoNodeTypeKernel : cnrtTaskTopoNodeTypeHost);
  CHECK_EQ(cnrtTaskTopoDestroy(inside), cnrtErrorIllegalState);
  CHECK_EQ(count_nodes(inside), 5);
  cnrtTaskTopo_t topo = end(queue);
  CHECK(topo == inside);
  cnrtTaskTopoNode_t nodes[7];
  count = 7;
  CHECK_OK(cnrtTaskTopoGetNodes(topo, nodes, &count));
  CHECK_EQ(count, 5);
  CHECK(nodes[4] != NULL && nodes[5] == NULL && nodes[6] == NULL);
  count = 2;
  CHECK_OK(cnrtTaskTopoGetNodes(topo, nodes, &count));
  CHECK_EQ(count, 2);
  CHECK_OK(cnrtTaskTopoDestroy(topo));
  begin(queue);
  CHECK_OK(cnrtQueueGetCaptureInfo(queue, &status, &next_id, NULL, NULL, NULL));
  CHECK(next_id != id);
  topo = end(queue);
  CHECK_EQ(count_nodes(topo), 0);
  CHECK_OK(cnrtTaskTopoDestroy(topo));
  CHECK_OK(cnrtFree(words));
  CHECK_OK(cnrtQueueDestroy(queue));
}

static void empty_topologies(void) {
  cnrtTaskTopo_t topo = NULL;
  cnrtTaskTopoEntity_t entity = NULL;
  cnrtTaskTopoNode_t wrong = (cnrtTaskTopoNode_t)&topo;
  char log[8] = "unread";
  CHECK_OK(cnrtTaskTopoCreate(&topo, 0));
  CHECK_EQ(count_nodes(topo), 0);
  CHECK_OK(cnrtTaskTopoInstantiate(&entity, topo, &wrong, log, sizeof(log)));
  CHECK(wrong == NULL && log[0] == '\0');
  CHECK_OK(cnrtTaskTopoEntityInvoke(entity, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_OK(cnrtTaskTopoEntityDestroy(entity));
  CHECK_OK(cnrtTaskTopoDestroy(topo));
}

/* ---- Invocations ---- */

static void wait_for_flag(void *argument) {
  const _Atomic unsigned *flag = argument;
  while (atomic_load(flag) == 0) {
    usleep(10);
  }
}

/* Counts runs, and runs that overlapped with another one. */
struct lonely {
  _Atomic unsigned inside;
  _Atomic unsigned together;
  _Atomic unsigned runs;
};

static void enter(void *argument) {
  struct lonely *lonely = argument;
  if (atomic_fetch_add(&lonely->inside, 1) != 0) {
    atomic_fetch_add(&lonely->together, 1);
  }
  usleep(2000);
}

static void leave(void *argument) {
  struct lonely *lonely = argument;
  atomic_fetch_sub(&lonely->inside, 1);
  atomic_fetch_add(&lonely->runs, 1);
}

static void not_beside_itself(void) {
  enum { QUEUES = 3, ROUNDS = 4 };
  cnrtQueue_t queues[QUEUES];
  static struct lonely lonely;
  for (int i = 0; i < QUEUES; ++i) {
    queues[i] = new_queue();
  }
  begin(queues[0]);
  CHECK_OK(cnrtInvokeHostFunc(queues[0], enter, &lonely));
  CHECK_OK(cnrtInvokeHostFunc(queues[0], leave, &lonely));
  cnrtTaskTopoEntity_t entity = instantiate(end(queues[0]));
  for (int i = 0; i < QUEUES * ROUNDS; ++i) {
    CHECK_OK(cnrtTaskTopoEntityInvoke(entity, queues[i % QUEUES]));
  }
  CHECK_OK(cnrtTaskTopoEntityDestroy(entity)); /* while it runs */
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_OK(cnrtQueueSync(queues[i]));
    CHECK_OK(cnrtQueueDestroy(queues[i]));
  }
  CHECK_EQ(lonely.together, 0);
  CHECK_EQ(lonely.runs, QUEUES * ROUNDS);
}

static void is_asynchronous(void) {
  cnrtQueue_t queue = new_queue();
  _Atomic unsigned calls = 0;
  _Atomic unsigned flag = 0;
  begin(queue);
  CHECK_OK(cnrtInvokeHostFunc(queue, wait_for_flag, &flag));
  CHECK_OK(cnrtInvokeHostFunc(queue, count_up, &calls));
  cnrtTaskTopoEntity_t entity = instantiate(end(queue));
  CHECK_OK(cnrtTaskTopoEntityInvoke(entity, queue));
  CHECK_OK(cnrtTaskTopoEntityInvoke(entity, queue));
  CHECK_EQ(cnrtQueueQuery(queue), cnrtErrorNotReady);
  CHECK_EQ(calls, 0);
  atomic_store(&flag, 1);
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_EQ(calls, 2);
  CHECK_OK(cnrtTaskTopoEntityDestroy(entity));
  CHECK_OK(cnrtQueueDestroy(queue));
}

struct invoker {
  cnrtTaskTopoEntity_t shared; /* with other threads; its nodes write */
  cnrtTaskTopoEntity_t other;
  cnrtRet_t result;
};

static void *invoke_often(void *argument) {
  struct invoker *invoker = argument;
  cnrtQueue_t queue = NULL;
  cnrtRet_t result = cnrtQueueCreate(&queue);
  for (int i = 0; i < 50 && result == cnrtSuccess; ++i) {
    result = cnrtTaskTopoEntityInvoke(invoker->shared, queue);
    if (result == cnrtSuccess) {
      result = cnrtTaskTopoEntityInvoke(invoker->other, queue);
    }
  }
  if (result == cnrtSuccess) {
    result = cnrtQueueSync(queue);
  }
  cnrtQueueDestroy(queue);
  invoker->result = result;
  return NULL;
}

static void threads_invoke(void) {
  enum { THREADS = 4 };
  cnrtQueue_t queue = new_queue();
  uint32_t *words = new_words(16);
  static _Atomic unsigned calls;
  begin(queue);
  CHECK_OK(cnrtMemsetD32Async(words, 3, 16, queue));
  cnrtTaskTopoEntity_t shared = instantiate(end(queue));
  begin(queue);
  CHECK_OK(launch(count_up, &calls, dim3(2, 1, 1), cnrtFuncTypeBlock, queue));
  cnrtTaskTopo_t topo = end(queue);
  cnrtTaskTopoEntity_t entities[2];
  CHECK_OK(cnrtTaskTopoInstantiate(&entities[0], topo, NULL, NULL, 0));
  CHECK_OK(cnrtTaskTopoInstantiate(&entities[1], topo, NULL, NULL, 0));
  pthread_t threads[THREADS];
  struct invoker invokers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    invokers[i] = (struct invoker){.shared = shared, .other = entities[i % 2]};
    pthread_create(&threads[i], NULL, invoke_often, &invokers[i]);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    CHECK_OK(invokers[i].result);
  }
  CHECK_EQ(calls, 2 * 50 * THREADS);
  CHECK_EQ(read_device_word(words + 15), 3);
  CHECK_OK(cnrtTaskTopoEntityDestroy(shared));
  CHECK_OK(cnrtTaskTopoEntityDestroy(entities[0]));
  CHECK_OK(cnrtTaskTopoEntityDestroy(entities[1]));
  CHECK_OK(cnrtTaskTopoDestroy(topo));
  CHECK_OK(cnrtFree(words));
  CHECK_OK(cnrtQueueDestroy(queue));
}

/* Not NULL with the address sanitizer, which ends the program at a fault. */
__attribute__((weak)) void __asan_init(void);

static void fault(void *argument) {
  *(volatile int *)argument = 1;
}

/* On the CPU only: elsewhere a device is unusable after a fault. */
static void faults_of_nodes(void) {
  if (!is_on_cpu() || __asan_init != NULL) {
    return;
  }
  cnrtQueue_t queue = new_queue();
  void *no_address = (void *)(uintptr_t)8;
  begin(queue);
  CHECK_OK(launch(fault, no_address, dim3(1, 1, 1), cnrtFuncTypeBlock, queue));
  cnrtTaskTopoEntity_t entity = instantiate(end(queue));
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(cnrtTaskTopoEntityInvoke(entity, queue));
    CHECK(cnrtQueueSync(queue) != cnrtSuccess);
    CHECK_OK(cnrtQueueSync(queue));
  }
  CHECK_OK(cnrtTaskTopoEntityDestroy(entity));
  CHECK_OK(cnrtQueueDestroy(queue));
}

/* ---- Several queues in one capture ---- */

static void forks_and_joins(void) {
  cnrtQueue_t first = new_queue();
  cnrtQueue_t second = new_queue();
  cnrtNotifier_t notifier = new_notifier();
  uint32_t *words = new_words(4);
  const cnrtTaskTopoNode_t *nodes = NULL;
  size_t count = 0;
  cnrtQueueCaptureStatus_t status = cnrtQueueCaptureStatusNone;
  begin(first);
  CHECK_OK(cnrtMemsetD32Async(words, 1, 4, first)); /* A */
  CHECK_OK(cnrtPlaceNotifier(notifier, first));
  CHECK_OK(cnrtQueueWaitNotifier(notifier, second, 0));
  CHECK_EQ(status_of(second), cnrtQueueCaptureStatusActive);
  CHECK_OK(cnrtMemsetD32Async(words, 2, 1, first));      /* B after A */
  CHECK_OK(cnrtMemsetD32Async(words + 1, 3, 1, second)); /* C after A */
  CHECK_OK(cnrtPlaceNotifierWithFlags(notifier, second, CNRT_NOTIFIER_PLACE_DEFAULT));
  CHECK_OK(cnrtQueueWaitNotifier(notifier, first, CNRT_NOTIFIER_WAIT_DEFAULT));
  CHECK_OK(cnrtQueueGetCaptureInfo(first, &status, NULL, NULL, &nodes, &count));
  CHECK_EQ(count, 2);
  CHECK_OK(cnrtMemcpyAsync(words + 2, words, 8, first, cnrtMemcpyDevToDev)); /* D after B, C */
  cnrtTaskTopo_t topo = end(first);
  CHECK_EQ(status_of(second), cnrtQueueCaptureStatusNone);
  CHECK_EQ(count_nodes(topo), 4);
  CHECK_EQ(read_device_word(words), 0);

  char path[SCRATCH_PATH];
  char text[1024] = "";
  const int file = mkstemp(scratch_path(path, "cnrt_capture"));
  CHECK(file >= 0);
  CHECK_OK(cnrtTaskTopoDebugDotPrint(topo, path, 1));
  CHECK(read(file, text, sizeof(text) - 1) > 0);
  close(file);
  unlink(path);
  CHECK(strstr(text, "digraph") != NULL && strstr(text, "3: copy") != NULL);
  CHECK(strstr(text, "n0 -> n1;") != NULL && strstr(text, "n0 -> n2;") != NULL);
  CHECK(strstr(text, "n1 -> n3;") != NULL && strstr(text, "n2 -> n3;") != NULL);

  cnrtTaskTopoEntity_t entity = instantiate(topo);
  CHECK_OK(cnrtTaskTopoEntityInvoke(entity, second));
  CHECK_OK(cnrtQueueSync(second));
  CHECK_EQ(read_device_word(words + 2), 2);
  CHECK_EQ(read_device_word(words + 3), 3);
  /* Once placed outside of a capture, the notifier is an ordinary one again. */
  CHECK_OK(cnrtPlaceNotifier(notifier, second));
  CHECK_OK(cnrtWaitNotifier(notifier));
  CHECK_OK(cnrtTaskTopoEntityDestroy(entity));
  CHECK_OK(cnrtNotifierDestroy(notifier));
  CHECK_OK(cnrtFree(words));
  CHECK_OK(cnrtQueueDestroy(first));
  CHECK_OK(cnrtQueueDestroy(second));
}

/* Entities outlive a reset of their device; the memory and queues they use do not. */
static void reset(void) {
  cnrtQueue_t queue = new_queue();
  _Atomic unsigned calls = 0;
  begin(queue);
  CHECK_OK(cnrtInvokeHostFunc(queue, count_up, &calls));
  cnrtTaskTopoEntity_t entity = instantiate(end(queue));
  CHECK_OK(cnrtTaskTopoEntityInvoke(entity, queue));
  CHECK_OK(cnrtDeviceReset());
  CHECK_EQ(calls, 1);
  CHECK_OK(cnrtTaskTopoEntityInvoke(entity, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(calls, 2);
  CHECK_OK(cnrtTaskTopoEntityDestroy(entity));
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"records_and_replays", records_and_replays},
      {"nodes_and_types", nodes_and_types},
      {"empty_topologies", empty_topologies},
      {"not_beside_itself", not_beside_itself},
      {"is_asynchronous", is_asynchronous},
      {"threads_invoke", threads_invoke},
      {"faults_of_nodes", faults_of_nodes},
      {"forks_and_joins", forks_and_joins},
      {"reset", reset},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
