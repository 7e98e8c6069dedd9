/* SPDX-License-Identifier: MIT
 *
 * Launch configuration, built-in variables of block tasks, task order, launches by address, on-chip
 * memory.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static void nothing(void *argument) {
  (void)argument;
}

static int cores(void) {
  int value = 0;
  CHECK_OK(cnrtDeviceGetAttribute(&value, cnrtAttrMcorePerCluster, 0));
  return value;
}

static int clusters(void) {
  int value = 0;
  CHECK_OK(cnrtDeviceGetAttribute(&value, cnrtAttrClusterCount, 0));
  return value;
}

/* ---- Configuration ---- */

static void bad_configurations(void) {
  int local = 0;
  const unsigned too_large = 65536;
  CHECK_EQ(launch(nothing, NULL, dim3(0, 1, 1), cnrtFuncTypeBlock, NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(launch(nothing, NULL, dim3(1, 0, 1), cnrtFuncTypeBlock, NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(launch(nothing, NULL, dim3(1, 1, 0), cnrtFuncTypeBlock, NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(launch(nothing, NULL, dim3(too_large, 1, 1), cnrtFuncTypeBlock, NULL),
           cnrtErrorArgsInvalid);
  CHECK_EQ(launch(nothing, NULL, dim3(65535, 65535, 65535), cnrtFuncTypeBlock, NULL),
           cnrtErrorArgsInvalid);
  CHECK_EQ(launch(nothing, NULL, dim3(4, 1, 1), (cnrtFunctionType_t)5, NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(launch(nothing, NULL, dim3(4, 1, 1), cnrtFuncTypeMutable, NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(launch(nothing, NULL, dim3(4, 1, 1), cnrtFuncTypeBlock, (cnrtQueue_t)&local),
           cnrtErrorInvalidResourceHandle);
  if (clusters() < 16) {
    CHECK_EQ(launch(nothing, NULL, dim3(16 * (unsigned)cores(), 1, 1), cnrtFuncTypeUnion16, NULL),
             CN_INVOKE_ERROR_OUT_OF_RESOURCES);
  }
  CHECK_OK(launch(nothing, NULL, dim3(1, 1, 1), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
}

/* A union takes whole clusters. */
static void child_part_of_a_cluster(void) {
  CHECK_EQ(cores(), 4);
  CHECK_EQ(launch(nothing, NULL, dim3(5, 1, 1), cnrtFuncTypeUnion1, NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(launch(nothing, NULL, dim3(4, 1, 1), cnrtFuncTypeUnion2, NULL), cnrtErrorArgsInvalid);
  CHECK_OK(launch(nothing, NULL, dim3(8, 1, 1), cnrtFuncTypeUnion2, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
}

static void part_of_a_cluster(void) {
  CHECK_EQ(run_self("MLUOP_CPU_TOPOLOGY=2x4", "_child_part_of_a_cluster", NULL, 0), 0);
}

/* Every refused launch prints a line, since programs seldom check launches for errors. */
static void child_refused(void) {
  int local = 0;
  launch(nothing, NULL, dim3(4, 2, 1), cnrtFuncTypeUnion2, NULL);
  launch(nothing, NULL, dim3(3, 1, 1), cnrtFuncTypeUnion1, NULL);
  launch(nothing, NULL, dim3(1, 0, 1), cnrtFuncTypeBlock, NULL);
  launch(nothing, NULL, dim3(65535, 65535, 1), cnrtFuncTypeBlock, NULL);
  launch(nothing, NULL, dim3(16, 1, 1), cnrtFuncTypeUnion4, NULL);
  launch(nothing, NULL, dim3(1, 1, 1), cnrtFuncTypeBlock1, NULL);
  launch(nothing, NULL, dim3(4, 1, 1), (cnrtFunctionType_t)5, NULL);
  launch(nothing, NULL, dim3(4, 1, 1), cnrtFuncTypeBlock, (cnrtQueue_t)&local);
  const bangKernelOps none = {.name = "none"};
  __bang_launch_submit(&none, NULL);
  enum { DEPTH = 9 }; /* one more than the runtime keeps */
  for (int i = 0; i < DEPTH; ++i) {
    __bang_launch_configure(dim3(1, 1, 1), cnrtFuncTypeBlock, NULL);
  }
  __bang_launch_submit(&none, NULL);
  for (int i = 1; i < DEPTH; ++i) { /* empties the stack without a message */
    __bang_launch_submit(NULL, NULL);
  }
  CHECK_OK(launch(nothing, NULL, dim3(8, 1, 1), cnrtFuncTypeUnion2, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
}

static void refused_launches(void) {
  static const char *const wanted[] = {
      "cnrt: kernel test_kernel not started: Union2 needs a first dimension that is a multiple of "
      "8, got 4; error 100006 cnrtErrorArgsInvalid\n",
      "cnrt: kernel test_kernel not started: Union1 needs a first dimension that is a multiple of "
      "4, got 3; error 100006 cnrtErrorArgsInvalid\n",
      "cnrt: kernel test_kernel not started: a dimension is a number from 1 to 65535, got {1, 0, "
      "1}; error 100006 cnrtErrorArgsInvalid\n",
      "cnrt: kernel test_kernel not started: a launch has at most 2147483647 tasks, got {65535, "
      "65535, 1}; error 100006 cnrtErrorArgsInvalid\n",
      "cnrt: kernel test_kernel not started: Union4 needs 4 clusters, a union of this device has "
      "at most 2; error 100120 CN_INVOKE_ERROR_OUT_OF_RESOURCES\n",
      "cnrt: kernel test_kernel not started: Block1 needs a second kind of core, which no device "
      "has; error 100050 cnrtErrorNotSupport\n",
      "cnrt: kernel test_kernel not started: wanted cnrtFuncTypeBlock or cnrtFuncTypeUnion1 to 16, "
      "got type 5; error 100006 cnrtErrorArgsInvalid\n",
      "cnrt: kernel test_kernel not started: its queue: the handle was never created or is "
      "destroyed; error 100014 cnrtErrorInvalidResourceHandle\n",
      "cnrt: kernel none not started: it was called like a function, without <<<dim, type, "
      "queue>>>; error 100015 cnrtErrorIllegalState\n",
      "cnrt: kernel none not started: arguments of launches may launch kernels to a depth of 8, "
      "got 9; error 100051 cnrtErrorOpsNotPermitted\n",
  };
  char output[4096];
  CHECK_EQ(run_self("MLUOP_CPU_TOPOLOGY=2x4", "_child_refused", output, sizeof(output)), 0);
  const char *rest = output;
  for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); ++i) {
    if (strncmp(rest, wanted[i], strlen(wanted[i])) != 0) {
      report_failure(__FILE__, __LINE__, "wanted %sgot %s", wanted[i], rest);
      return;
    }
    rest += strlen(wanted[i]);
  }
  CHECK(strstr(rest, "cnrt:") == NULL);
}

static void kernel_called_as_function(void) {
  const bangKernelOps none = {.name = "none"};
  cnrtGetLastError();
  __bang_launch_submit(&none, NULL);
  CHECK_EQ(cnrtGetLastError(), cnrtErrorIllegalState);
  __bang_launch_configure(dim3(1, 1, 1), cnrtFuncTypeBlock, NULL);
  __bang_launch_submit(NULL, NULL);
  CHECK_EQ(cnrtGetLastError(), cnrtErrorInvalidKernel);
}

static void nested_configurations(void) {
  /* A launch inside the arguments of another: each submit takes the innermost configuration. */
  __bang_launch_configure(dim3(1, 1, 1), (cnrtFunctionType_t)77, NULL);
  CHECK_OK(launch(nothing, NULL, dim3(1, 1, 1), cnrtFuncTypeBlock, NULL));
  const bangKernelOps none = {.name = "none"};
  __bang_launch_submit(&none, NULL);
  CHECK_EQ(cnrtGetLastError(), cnrtErrorInvalidKernel);
  __bang_launch_submit(&none, NULL);
  CHECK_EQ(cnrtGetLastError(), cnrtErrorIllegalState);
  CHECK_OK(cnrtQueueSync(NULL));
}

/* ---- Built-in variables ---- */

enum { X = 5, Y = 3, Z = 2 };

struct seen {
  _Atomic int times[Z][Y][X];
  _Atomic int wrong;
};

static void look_around(void *argument) {
  struct seen *seen = argument;
  const int linear = __bang_taskIdX + X * (__bang_taskIdY + Y * __bang_taskIdZ);
  const int cores_now = __bang_coreDim;
  if (!__bang_in_task() || __bang_taskDimX != X || __bang_taskDimY != Y || __bang_taskDimZ != Z ||
      __bang_taskDim != X * Y * Z || __bang_taskId != linear || __bang_clusterDim != 0 ||
      __bang_clusterId != 0 || __bang_coreId != 0 || cores_now < 1 || __bang_task_epoch == 0) {
    atomic_fetch_add(&seen->wrong, 1);
  }
  atomic_fetch_add(&seen->times[__bang_taskIdZ][__bang_taskIdY][__bang_taskIdX], 1);
}

static void built_in_variables(void) {
  static struct seen seen;
  CHECK_EQ(__bang_in_task(), 0);
  CHECK_OK(launch(look_around, &seen, dim3(X, Y, Z), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&seen.wrong), 0);
  for (int i = 0; i < X * Y * Z; ++i) {
    CHECK_EQ(atomic_load(&(&seen.times[0][0][0])[i]), 1);
  }
}

/* ---- Order ---- */

enum { ORDERED = 64 };

struct log {
  int ids[ORDERED];
  _Atomic int count;
};

static void write_log(void *argument) {
  struct log *log = argument;
  log->ids[atomic_fetch_add(&log->count, 1)] = __bang_taskId;
}

static void run_logged(struct log *log) {
  memset(log, 0, sizeof(*log));
  CHECK_OK(launch(write_log, log, dim3(ORDERED, 1, 1), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&log->count), ORDERED);
}

static void child_sequential(void) {
  struct log log;
  run_logged(&log);
  for (int i = 0; i < ORDERED; ++i) {
    CHECK_EQ(log.ids[i], i);
  }
}

static void child_reversed(void) {
  struct log log;
  run_logged(&log);
  for (int i = 0; i < ORDERED; ++i) {
    CHECK_EQ(log.ids[i], ORDERED - 1 - i);
  }
}

static void child_random(void) {
  struct log log;
  struct log again;
  bool seen[ORDERED] = {false};
  int in_place = 0;
  run_logged(&log);
  run_logged(&again);
  CHECK(memcmp(log.ids, again.ids, sizeof(log.ids)) == 0);
  for (int i = 0; i < ORDERED; ++i) {
    CHECK(!seen[log.ids[i]]);
    seen[log.ids[i]] = true;
    in_place += log.ids[i] == i;
  }
  CHECK(in_place < ORDERED / 4);
}

static void task_order(void) {
  CHECK_EQ(run_self("MLUOP_CPU_TASK_ORDER=sequential", "_child_sequential", NULL, 0), 0);
  CHECK_EQ(run_self("MLUOP_CPU_TASK_ORDER=reversed", "_child_reversed", NULL, 0), 0);
  CHECK_EQ(run_self("MLUOP_CPU_TASK_ORDER=random:12345", "_child_random", NULL, 0), 0);
  CHECK_EQ(run_self("MLUOP_CPU_TASK_ORDER=random:0", "_child_random", NULL, 0), 0);
}

/* ---- Launch by address ---- */

struct sum_arguments {
  int *result;
  int a, b;
};

static void copy_sum(void *dst, const void *src) {
  memcpy(dst, src, sizeof(struct sum_arguments));
}

static void run_sum(const void *pointer) {
  const struct sum_arguments *arguments = pointer;
  *arguments->result = arguments->a + arguments->b;
}

static int destroyed;

static void destroy_sum(void *pointer) {
  (void)pointer;
  ++destroyed;
}

static const bangKernelOps sum_kernel = {
    "sum", sizeof(struct sum_arguments), 64, copy_sum, run_sum, destroy_sum};

/* As cncc lowers `__mlu_global__ void sum(int *result, int a, int b)`. */
static void sum(int *result, int a, int b) {
  const struct sum_arguments arguments = {result, a, b};
  __bang_launch_submit(&sum_kernel, &arguments);
}

static void invoke_sum(void **args) {
  sum(*(int **)args[0], *(int *)args[1], *(int *)args[2]);
}

static void launch_by_address(void) {
  int result = 0;
  int *where = &result;
  int a = 2;
  int b = 3;
  void *args[] = {&where, &a, &b};
  const void *stub = (const void *)(uintptr_t)sum;
  CHECK_EQ(cnrtInvokeKernel(stub, dim3(1, 1, 1), cnrtFuncTypeBlock, args, 0, NULL),
           cnrtErrorNoKernel);
  __bang_register_kernel(stub, "sum", invoke_sum);
  CHECK_OK(cnrtInvokeKernel(stub, dim3(1, 1, 1), cnrtFuncTypeBlock, args, 0, NULL));
  a = 100; /* arguments are copied at launch */
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(result, 5);
  CHECK_EQ(destroyed, 1);
  CHECK_EQ(cnrtInvokeKernel(stub, dim3(0, 1, 1), cnrtFuncTypeBlock, args, 0, NULL),
           cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtInvokeKernel(NULL, dim3(1, 1, 1), cnrtFuncTypeBlock, args, 0, NULL),
           cnrtErrorInvalidKernel);

  cnrtKernelParamsBuffer_t params;
  a = 10;
  CHECK_OK(cnrtGetKernelParamsBuffer(&params));
  CHECK_OK(cnrtKernelParamsBufferAddParam(params, &where, sizeof(where)));
  CHECK_OK(cnrtKernelParamsBufferAddParam(params, &a, sizeof(a)));
  CHECK_OK(cnrtKernelParamsBufferAddParam(params, &b, sizeof(b)));
  CHECK_OK(cnrtInvokeKernel_V2(stub, dim3(1, 1, 1), params, CNRT_FUNC_TYPE_BLOCK, NULL));
  CHECK_OK(cnrtSyncQueue(NULL));
  CHECK_EQ(result, 13);
  CHECK_OK(cnrtDestroyKernelParamsBuffer(params));
}

/* ---- On-chip memory ---- */

/* A unit with a table that has initial values and a variable that has none. */
enum { TABLE_PLACE = 0, PLAIN_PLACE = 64, PLAIN_BYTES = 100 };
static const int table_image[3] = {1, 2, 3};

static void begin_unit(void) {
  memcpy((char *)__bang_space_open(BANG_SPACE_NRAM) + TABLE_PLACE, table_image,
         sizeof(table_image));
}

static const bangUnit unit = {
    .counted = {[BANG_SPACE_NRAM] = PLAIN_PLACE + PLAIN_BYTES},
    .used = {[BANG_SPACE_NRAM] = PLAIN_PLACE + PLAIN_BYTES, [BANG_SPACE_LDRAM] = 3 << 20},
    .begin = begin_unit,
};

struct chip {
  _Atomic int bad_table;
  _Atomic int not_poisoned;
  _Atomic int bad_space;
};

static bool is_nan_word(const void *word) {
  uint32_t bits = 0;
  memcpy(&bits, word, sizeof(bits));
  return (bits & 0x7f800000u) == 0x7f800000u && (bits & 0x7fffffu) != 0;
}

static void use_chip(void *argument) {
  struct chip *chip = argument;
  __bang_unit_start(&unit);
  char *nram = __bang_space_base[BANG_SPACE_NRAM];
  char *taken = __bang_space_take(BANG_SPACE_NRAM, 100, 128);
  char *large = __bang_space_take(BANG_SPACE_NRAM, 1 << 20, 64); /* more than the device has */
  char *wram = __bang_space_open(BANG_SPACE_WRAM);
  char *sram = __bang_space_open(BANG_SPACE_SRAM);
  char *ldram = __bang_space_base[BANG_SPACE_LDRAM];
  atomic_fetch_add(&chip->bad_table,
                   memcmp(nram + TABLE_PLACE, table_image, sizeof(table_image)) != 0);
  atomic_fetch_add(&chip->not_poisoned, !is_nan_word(nram + PLAIN_PLACE) || !is_nan_word(taken) ||
                                            !is_nan_word(wram) || !is_nan_word(sram) ||
                                            !is_nan_word(ldram));
  atomic_fetch_add(
      &chip->bad_space,
      taken - nram != 256 || large < taken + 100 || __bang_space_of(large) != BANG_SPACE_NRAM ||
          __bang_space_of(wram) != BANG_SPACE_WRAM || __bang_space_of(sram) != BANG_SPACE_SRAM ||
          __bang_space_of(ldram) != BANG_SPACE_LDRAM || __bang_space_of(chip) != BANG_SPACE_OTHER ||
          __bang_space_of(NULL) != BANG_SPACE_OTHER);
  memset(nram, 0xee, PLAIN_PLACE + PLAIN_BYTES);
  memset(taken, 0, 100);
  memset(large, 0, 1 << 20);
  memset(wram, 1, 100);
  memset(sram, 2, 100);
  memset(ldram, 3, 3 << 20);
}

static void run_chip(struct chip *chip) {
  CHECK_OK(launch(use_chip, chip, dim3(16, 1, 1), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&chip->bad_table), 0);
  CHECK_EQ(atomic_load(&chip->bad_space), 0);
}

static void on_chip_variables(void) {
  static struct chip chip;
  run_chip(&chip);
  CHECK_EQ(run_self("MLUOP_CPU_POISON=1", "_child_poison", NULL, 0), 0);
}

static void child_poison(void) {
  static struct chip chip;
  run_chip(&chip);
  CHECK_EQ(atomic_load(&chip.not_poisoned), 0);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"bad_configurations", bad_configurations},
      {"part_of_a_cluster", part_of_a_cluster},
      {"refused_launches", refused_launches},
      {"kernel_called_as_function", kernel_called_as_function},
      {"nested_configurations", nested_configurations},
      {"built_in_variables", built_in_variables},
      {"task_order", task_order},
      {"launch_by_address", launch_by_address},
      {"on_chip_variables", on_chip_variables},
      {"_child_part_of_a_cluster", child_part_of_a_cluster},
      {"_child_refused", child_refused},
      {"_child_sequential", child_sequential},
      {"_child_reversed", child_reversed},
      {"_child_random", child_random},
      {"_child_poison", child_poison},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
