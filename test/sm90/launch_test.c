/* SPDX-License-Identifier: MIT
 *
 * Launches of the Hopper root: shapes, clusters, on-chip and scratch memory, faults.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bang_runtime.h"
#include "cnrt/harness.h"
#include "kernels.h"

enum { MAX_BLOCKS = 4096 };

static BlockRecord *device_records;
static BlockRecord records[MAX_BLOCKS];

static cnrtRet_t submit(const bangSm90Kernel *kernel, cnrtDim3_t dim, cnrtFunctionType_t type,
                        cnrtQueue_t queue, void *argument) {
  void *args[] = {NULL, argument};
  cnrtGetLastError();
  __bang_launch_configure(dim, type, queue);
  __bang_sm90_submit(kernel, args);
  return cnrtGetLastError();
}

/* Runs a kernel that fills records, and fetches them. */
static void run_recording(const bangSm90Kernel *kernel, cnrtDim3_t dim, cnrtFunctionType_t type) {
  if (device_records == NULL) {
    CHECK_OK(cnrtMalloc((void **)&device_records, sizeof(records)));
  }
  CHECK_OK(cnrtMemset(device_records, 0xff, sizeof(records)));
  CHECK_OK(submit(kernel, dim, type, NULL, &device_records));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_OK(cnrtMemcpy(records, device_records, sizeof(records), cnrtMemcpyDevToHost));
}

static void blocks(void) {
  const unsigned tasks = 3 * 2 * 5;
  run_recording(&kernel_record, dim3(3, 2, 5), cnrtFuncTypeBlock);
  for (unsigned i = 0; i < tasks; ++i) {
    CHECK_EQ(records[i].task, i);
    CHECK_EQ(records[i].cluster_size, 1);
    CHECK_EQ(records[i].thread_count, 32);
    CHECK_EQ(records[i].union_clusters, 0);
  }
  CHECK_EQ(records[tasks].task, ~0u);
}

static void bad_shapes(void) {
  const struct {
    cnrtDim3_t dim;
    cnrtFunctionType_t type;
    cnrtRet_t error;
  } bad[] = {
      {{0, 1, 1}, cnrtFuncTypeBlock, cnrtErrorArgsInvalid},
      {{65536, 1, 1}, cnrtFuncTypeBlock, cnrtErrorArgsInvalid},
      {{1, 1, 1}, cnrtFuncTypeBlock1, cnrtErrorNotSupport},
      {{1, 1, 1}, (cnrtFunctionType_t)3, cnrtErrorArgsInvalid},
      {{6, 1, 1}, cnrtFuncTypeUnion1, cnrtErrorArgsInvalid},
      {{4, 1, 1}, cnrtFuncTypeUnion2, cnrtErrorArgsInvalid},
      {{12, 1, 1}, (cnrtFunctionType_t)(3 * cnrtFuncTypeUnion2), cnrtErrorArgsInvalid},
      {{40000, 1, 1}, (cnrtFunctionType_t)40000, cnrtErrorArgsInvalid}, /* larger than any union */
  };
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
    CHECK_EQ(submit(&kernel_record, bad[i].dim, bad[i].type, NULL, &device_records), bad[i].error);
  }
  CHECK_OK(cnrtQueueSync(NULL));
  void *args[] = {NULL, &device_records};
  __bang_sm90_submit(&kernel_record, args); /* without a configuration */
  CHECK_EQ(cnrtGetLastError(), cnrtErrorIllegalState);
}

static void onchip_memory(void) {
  run_recording(&kernel_onchip, dim3(300, 1, 1), cnrtFuncTypeBlock);
  for (unsigned block = 0; block < 300; ++block) {
    unsigned sum = 0;
    for (unsigned i = 0; i < ONCHIP_WORDS; ++i) {
      sum += i ^ block;
    }
    CHECK_EQ(records[block].sum, sum);
  }
}

static void too_much_onchip_memory(void) {
  cnrtQueue_t queue;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_EQ(
      submit(&kernel_onchip_too_much, dim3(1, 1, 1), cnrtFuncTypeBlock, queue, &device_records),
      CN_INVOKE_ERROR_OUT_OF_RESOURCES);
  CHECK_EQ(cnrtQueueSync(queue), CN_INVOKE_ERROR_OUT_OF_RESOURCES);
  CHECK_OK(cnrtQueueSync(queue)); /* reported once */
  CHECK_OK(cnrtQueueDestroy(queue));
  blocks(); /* the device still works */
}

static void scratch_memory(void) {
  /* 64 MB a block: grids of 31 blocks, or 7 clusters. */
  run_recording(&kernel_scratch, dim3(80, 1, 1), cnrtFuncTypeBlock);
  for (unsigned i = 0; i < 80; ++i) {
    CHECK_EQ(records[i].task, i);
    CHECK_EQ(records[i].sum, 1);
  }
  run_recording(&kernel_scratch, dim3(80, 1, 1), cnrtFuncTypeUnion1);
  for (unsigned i = 0; i < 80; ++i) {
    CHECK_EQ(records[i].task, i);
    CHECK_EQ(records[i].cluster_size, 4);
    CHECK_EQ(records[i].sum, 1);
  }
}

/* All blocks of a union wait for each other, with more unions than the device holds at a time. A
 * union type without a name is given as its number of tasks. */
static void unions_meet(const bangSm90Kernel *kernel) {
  const unsigned sizes[] = {1, 2, 4, 8, 16, 3, 5, 17, 66, 100};
  for (size_t i_size = 0; i_size < sizeof(sizes) / sizeof(sizes[0]); ++i_size) {
    const unsigned n = sizes[i_size];
    const unsigned tasks = 4 * n * (2048 / (4 * n));
    const unsigned blocks_there = tasks / 4 * kernel->blocks_per_cluster;
    const double start = now_us();
    run_recording(kernel, dim3(tasks, 1, 1), (cnrtFunctionType_t)(cnrtFuncTypeUnion1 * n));
    printf("  Union%u, %u blocks per cluster: hardware clusters of %u, %.0f us\n", n,
           kernel->blocks_per_cluster, records[0].cluster_size, now_us() - start);
    for (unsigned i = 0; i < blocks_there; ++i) {
      CHECK_EQ(records[i].task, i);
      CHECK_EQ(records[i].union_clusters, n);
      CHECK_EQ(records[i].met, n * kernel->blocks_per_cluster);
    }
  }
}

static void unions(void) {
  unions_meet(&kernel_meet);
}

static void unions_with_memory_cores(void) {
  unions_meet(&kernel_meet_memory_core);
}

static void unions_side_by_side(void) {
  enum { QUEUES = 4, ROUNDS = 20 };
  cnrtQueue_t queues[QUEUES];
  BlockRecord *results[QUEUES];
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_OK(cnrtQueueCreate(&queues[i]));
    CHECK_OK(cnrtMalloc((void **)&results[i], sizeof(records)));
  }
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < QUEUES; ++i) {
      CHECK_OK(submit(&kernel_meet, dim3(512, 1, 1),
                      i % 2 == 0 ? cnrtFuncTypeUnion16 : cnrtFuncTypeUnion8, queues[i],
                      &results[i]));
    }
  }
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_OK(cnrtQueueSync(queues[i]));
    CHECK_OK(cnrtQueueDestroy(queues[i]));
    CHECK_OK(cnrtFree(results[i]));
  }
}

static void durations(void) {
  cnrtQueue_t queue;
  cnrtNotifier_t start;
  cnrtNotifier_t end;
  float us = 0;
  unsigned long long nanoseconds = 5000000;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtNotifierCreate(&start));
  CHECK_OK(cnrtNotifierCreate(&end));
  CHECK_OK(cnrtPlaceNotifier(start, queue));
  CHECK_OK(submit(&kernel_spin, dim3(1, 1, 1), cnrtFuncTypeBlock, queue, &nanoseconds));
  CHECK_OK(cnrtPlaceNotifier(end, queue));
  CHECK_EQ(cnrtQueueQuery(queue), cnrtErrorNotReady);
  CHECK_EQ(cnrtNotifierDuration(start, end, &us), cnrtErrorNotReady);
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_OK(cnrtNotifierDuration(start, end, &us));
  CHECK(us >= 4900 && us < 50000);
  nanoseconds = 0;
  enum { LAUNCHES = 1000 };
  const double before = now_us();
  for (int i = 0; i < LAUNCHES; ++i) {
    CHECK_OK(submit(&kernel_spin, dim3(528, 1, 1), cnrtFuncTypeBlock, queue, &nanoseconds));
  }
  const double submitted = now_us();
  CHECK_OK(cnrtQueueSync(queue));
  printf("  a launch of 528 tasks: %.2f us to submit, %.2f us in all\n",
         (submitted - before) / LAUNCHES, (now_us() - before) / LAUNCHES);
  CHECK_OK(cnrtNotifierDestroy(start));
  CHECK_OK(cnrtNotifierDestroy(end));
  CHECK_OK(cnrtQueueDestroy(queue));
}

/* Launches waiting in the queue keep their sizes and parameters, even if later ones differ. */
static void launches_keep_their_parameters(void) {
  enum { LAUNCHES = 40, MAX_TASKS = 4 };
  cnrtQueue_t queue = NULL;
  BlockRecord *results = NULL;
  unsigned long long nanoseconds = 2000000;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtMalloc((void **)&results, sizeof(records)));
  for (int round = 0; round < 2; ++round) {
    CHECK_OK(cnrtMemset(results, 0xff, sizeof(records)));
    CHECK_OK(submit(&kernel_spin, dim3(1, 1, 1), cnrtFuncTypeBlock, queue, &nanoseconds));
    for (unsigned i = 0; i < LAUNCHES; ++i) {
      BlockRecord *own = results + (size_t)i * MAX_TASKS;
      CHECK_OK(
          submit(&kernel_record, dim3(1 + i % MAX_TASKS, 1, 1), cnrtFuncTypeBlock, queue, &own));
    }
    CHECK_OK(cnrtQueueSync(queue));
    CHECK_OK(cnrtMemcpy(records, results, sizeof(records), cnrtMemcpyDevToHost));
    for (unsigned i = 0; i < LAUNCHES * MAX_TASKS; ++i) {
      const unsigned task = i % MAX_TASKS;
      CHECK_EQ(records[i].task, task <= i / MAX_TASKS % MAX_TASKS ? task : ~0u);
    }
  }
  CHECK_OK(cnrtFree(results));
  CHECK_OK(cnrtQueueDestroy(queue));
}

static void count_up(void *argument) {
  atomic_fetch_add((_Atomic int *)argument, 1);
}

static void host_functions_between_kernels(void) {
  enum { STEPS = 50 };
  cnrtQueue_t queue;
  unsigned long long nanoseconds = 20000;
  _Atomic int count = 0;
  CHECK_OK(cnrtQueueCreate(&queue));
  for (int i = 0; i < STEPS; ++i) {
    CHECK_OK(submit(&kernel_spin, dim3(4, 1, 1), cnrtFuncTypeBlock, queue, &nanoseconds));
    CHECK_OK(cnrtInvokeHostFunc(queue, count_up, (void *)&count));
  }
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_EQ(atomic_load(&count), STEPS);
  CHECK_OK(cnrtQueueDestroy(queue));
}

static void wait_for_flag(void *argument) {
  const _Atomic int *flag = argument;
  while (!atomic_load(flag)) {
    usleep(10);
  }
}

/* A launch whose queue waits for the host keeps a copy of everything it needs. */
static void launches_after_host_functions(void) {
  enum { QUEUES = 40, TASKS = 64 };
  _Atomic int flag = 0;
  cnrtQueue_t queues[QUEUES];
  BlockRecord *results[QUEUES];
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_OK(cnrtQueueCreate(&queues[i]));
    CHECK_OK(cnrtMalloc((void **)&results[i], sizeof(records)));
    CHECK_OK(cnrtMemset(results[i], 0xff, sizeof(records)));
    BlockRecord *argument = results[i];
    CHECK_OK(cnrtInvokeHostFunc(queues[i], wait_for_flag, (void *)&flag));
    CHECK_OK(submit(&kernel_meet, dim3(TASKS, 1, 1),
                    i % 2 == 0 ? cnrtFuncTypeUnion1 : cnrtFuncTypeUnion8, queues[i], &argument));
    argument = NULL;
  }
  blocks(); /* the device works for other queues */
  CHECK_EQ(read_device_word(&results[0][0].task), ~0u);
  atomic_store(&flag, 1);
  for (int i = 0; i < QUEUES; ++i) {
    CHECK_OK(cnrtQueueSync(queues[i]));
    CHECK_EQ(read_device_word(&results[i][TASKS - 1].task), TASKS - 1);
    CHECK_EQ(read_device_word(&results[i][TASKS - 1].met), i % 2 == 0 ? 4 : 32);
    CHECK_OK(cnrtQueueDestroy(queues[i]));
    CHECK_OK(cnrtFree(results[i]));
  }
}

static void invoke_by_address(void **args) {
  __bang_sm90_submit(&kernel_record, (void *[]){NULL, args[0]});
}

static void registered_kernels(void) {
  static const char stub = 0;
  __bang_register_kernel(&stub, "record", invoke_by_address);
  void *args[] = {&device_records};
  CHECK_OK(cnrtMemset(device_records, 0xff, sizeof(records)));
  CHECK_OK(cnrtInvokeKernel(&stub, dim3(8, 1, 1), cnrtFuncTypeUnion2, args, 0, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(read_device_word(&device_records[7].task), 7);
  CHECK_EQ(read_device_word(&device_records[7].cluster_size), 8);
}

/* ---- Faults: each in its own process, because CUDA gives up a device after one ---- */

static void expect_fault(const bangSm90Kernel *kernel, void *argument, int code) {
  cnrtQueue_t queue;
  cnrtNotifier_t notifier;
  _Atomic int count = 0;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtNotifierCreate(&notifier));
  CHECK_OK(submit(kernel, dim3(1, 1, 1), cnrtFuncTypeBlock, queue, argument));
  /* Nothing waits forever for work that will not run. */
  cnrtInvokeHostFunc(queue, count_up, (void *)&count);
  const cnrtRet_t placed = cnrtPlaceNotifier(notifier, queue);
  CHECK_EQ(cnrtQueueSync(queue), code);
  CHECK_EQ(cnrtWaitNotifier(notifier), placed == cnrtSuccess ? code : cnrtSuccess);
  CHECK_EQ(atomic_load(&count), 0);
  void *memory = NULL;
  CHECK_EQ(cnrtMalloc(&memory, 16), code); /* calls fail, nothing crashes */
  CHECK(cnrtMemset(&memory, 0, 1) != cnrtSuccess);
  CHECK(cnrtSyncDevice() != cnrtSuccess);
  /* A driver that gives the device back makes it work again; else every call says that it is gone.
   * Where several devices share a GPU, one of them cannot reset it. */
  const cnrtRet_t reset = cnrtDeviceReset();
  CHECK_EQ(cnrtQueueSync(queue), cnrtErrorInvalidResourceHandle);
  fprintf(stderr, "  reset after a fault: %s\n", cnrtGetErrorName(reset));
  device_records = NULL;
  if (reset == cnrtSuccess) {
    blocks();
  } else {
    const bool is_shared = getenv("MLUOP_SM90_DEVICES") != NULL;
    CHECK_EQ(reset, is_shared ? code : cnrtErrorBusy);
    CHECK_EQ(cnrtMalloc(&memory, 16), reset);
    CHECK(cnrtQueueCreate(&queue) != cnrtSuccess);
    CHECK_EQ(cnrtDeviceReset(), reset);
  }
}

static void child_bad_pointer(void) {
  int *nowhere = (int *)16;
  expect_fault(&kernel_store, &nowhere, CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS);
}

static void child_fault_code(void) {
  unsigned code = CN_INVOKE_ERROR_NAN;
  expect_fault(&kernel_fault, &code, CN_INVOKE_ERROR_NAN);
}

/* What a capture keeps of a launch: parameters whose memory is reused, and layouts, on held and
 * other queues. */
static void captured_launches(void) {
  cnrtQueue_t queue;
  cnrtTaskTopo_t topo = NULL;
  cnrtTaskTopoEntity_t entity = NULL;
  _Atomic int count = 0;
  size_t nodes = 0;
  BlockRecord *target = NULL;
  CHECK_OK(cnrtMalloc((void **)&target, sizeof(records)));
  CHECK_OK(cnrtMemset(target, 0xff, sizeof(records)));
  CHECK_OK(cnrtQueueCreate(&queue));
  BlockRecord *parameter = target;
  CHECK_OK(cnrtQueueBeginCapture(queue, cnrtQueueCaptureModeGlobal));
  CHECK_OK(cnrtMemsetAsync(target, 0xff, sizeof(records), queue));
  CHECK_OK(submit(&kernel_record, dim3(30, 1, 1), cnrtFuncTypeBlock, queue, &parameter));
  parameter = target + 40;
  CHECK_OK(submit(&kernel_meet, dim3(8, 1, 1), cnrtFuncTypeUnion2, queue, &parameter));
  parameter = target + 60;
  CHECK_OK(submit(&kernel_scratch, dim3(4, 1, 1), cnrtFuncTypeBlock, queue, &parameter));
  parameter = NULL;
  CHECK_OK(cnrtInvokeHostFunc(queue, count_up, (void *)&count));
  CHECK_OK(cnrtMemcpyAsync(records, target, sizeof(records), queue, cnrtMemcpyDevToHost));
  CHECK_OK(cnrtQueueEndCapture(queue, &topo));
  CHECK_OK(cnrtTaskTopoGetNodes(topo, NULL, &nodes));
  CHECK_EQ(nodes, 6);
  CHECK_OK(cnrtTaskTopoInstantiate(&entity, topo, NULL, NULL, 0));
  CHECK_OK(cnrtTaskTopoDestroy(topo));
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_EQ(atomic_load(&count), 0);
  for (int round = 1; round <= 3; ++round) {
    memset(records, 0, sizeof(records));
    CHECK_OK(cnrtInvokeHostFunc(queue, count_up, (void *)&count)); /* holds the queue */
    CHECK_OK(cnrtTaskTopoEntityInvoke(entity, queue));
    CHECK_OK(cnrtTaskTopoEntityInvoke(entity, queue));
    CHECK_OK(cnrtQueueSync(queue));
    CHECK_EQ(atomic_load(&count), 3 * round);
    CHECK_EQ(records[29].task, 29);
    CHECK_EQ(records[30].task, ~0u);
    CHECK_EQ(records[47].task, 7);
    CHECK_EQ(records[47].met, 8);
    CHECK_EQ(records[63].sum, 1);
  }
  CHECK_OK(cnrtTaskTopoEntityInvoke(entity, NULL));
  CHECK_OK(cnrtTaskTopoEntityDestroy(entity));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&count), 10);
  CHECK_OK(cnrtQueueDestroy(queue));
  CHECK_OK(cnrtFree(target));
}

static void faults(void) {
  const char *const children[] = {"_child_bad_pointer", "_child_fault_code"};
  for (size_t i = 0; i < sizeof(children) / sizeof(children[0]); ++i) {
    char text[4096] = "";
    CHECK_EQ(run_self("X=1", children[i], text, sizeof(text)), 0);
    printf("%s", text);
  }
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"blocks", blocks},
      {"bad_shapes", bad_shapes},
      {"onchip_memory", onchip_memory},
      {"too_much_onchip_memory", too_much_onchip_memory},
      {"scratch_memory", scratch_memory},
      {"unions", unions},
      {"unions_with_memory_cores", unions_with_memory_cores},
      {"unions_side_by_side", unions_side_by_side},
      {"durations", durations},
      {"launches_keep_their_parameters", launches_keep_their_parameters},
      {"host_functions_between_kernels", host_functions_between_kernels},
      {"launches_after_host_functions", launches_after_host_functions},
      {"registered_kernels", registered_kernels},
      {"captured_launches", captured_launches},
      {"faults", faults},
      {"_child_bad_pointer", child_bad_pointer},
      {"_child_fault_code", child_fault_code},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
