/* SPDX-License-Identifier: MIT
 *
 * Kernels that fault: the next synchronisation returns an error, stderr gets one line, the process
 * survives and the next launch works.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

static unsigned cores(void) {
  int value = 0;
  CHECK_OK(cnrtDeviceGetAttribute(&value, cnrtAttrMcorePerCluster, 0));
  return (unsigned)value;
}

/* Not NULL with the address sanitizer. */
__attribute__((weak)) void __asan_init(void);

static void count_up(void *argument) {
  atomic_fetch_add((_Atomic int *)argument, 1);
}

static void next_launch_works(cnrtQueue_t queue) {
  _Atomic int count = 0;
  CHECK_OK(launch(count_up, &count, dim3(cores(), 1, 1), cnrtFuncTypeUnion1, queue));
  CHECK_OK(launch(count_up, &count, dim3(3, 1, 1), cnrtFuncTypeBlock, queue));
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_EQ(atomic_load(&count), cores() + 1 + 3);
}

/* For code that faults on purpose. clang's no_sanitize keeps the thread sanitizer's calls at
 * function entries, and a stack overflow inside one of them crashes the sanitizer. */
#if defined(__clang__)
#define AS_WRITTEN __attribute__((no_sanitize("all"), disable_sanitizer_instrumentation))
#else
#define AS_WRITTEN __attribute__((no_sanitize("all")))
#endif

static volatile int zero = 0;
static volatile int sink;
static volatile uintptr_t wild = 0x10;

AS_WRITTEN static void divide(void *argument) {
  (void)argument;
  if (__bang_taskId == 0) {
    sink = 100 / zero;
  }
}

/* Division instructions of every width and sign, by zero and with overflow, with the divisor in a
 * register and in memory. */
#define DIVIDE(type, name)                                                        \
  AS_WRITTEN __attribute__((noinline)) static void divide_##name(                 \
      type dividend, volatile type *divisor, type *quotient, type *remainder) {   \
    *quotient = (type)(dividend / *divisor);                                      \
    const type in_register = *divisor;                                            \
    *remainder = (type)(dividend % in_register);                                  \
  }                                                                               \
  AS_WRITTEN static bool name##_goes_on(type dividend, type by, type q, type r) { \
    volatile type divisor[3] = {1, by, 1};                                        \
    type quotient = 0;                                                            \
    type remainder = 0;                                                           \
    divide_##name(dividend, divisor + 1, &quotient, &remainder);                  \
    return quotient == q && remainder == r;                                       \
  }
DIVIDE(int8_t, int8)
DIVIDE(uint8_t, uint8)
DIVIDE(uint16_t, uint16)
DIVIDE(int32_t, int32)
DIVIDE(uint32_t, uint32)
DIVIDE(int64_t, int64)
DIVIDE(uint64_t, uint64)

static void divide_on(void *argument) {
  _Atomic int *right = argument;
  if (int8_goes_on(-3, 0, -1, -3) && uint8_goes_on(200, 0, UINT8_MAX, 200) &&
      uint16_goes_on(50000, 0, UINT16_MAX, 50000) && int32_goes_on(-7, 0, -1, -7) &&
      int32_goes_on(INT32_MIN, -1, INT32_MIN, 0) && uint32_goes_on(9, 0, UINT32_MAX, 9) &&
      int64_goes_on(-7, 0, -1, -7) && int64_goes_on(INT64_MIN, -1, INT64_MIN, 0) &&
      uint64_goes_on(UINT64_C(1) << 40, 0, UINT64_MAX, UINT64_C(1) << 40) &&
      int32_goes_on(-7, 2, -3, -1)) {
    atomic_fetch_add(right, 1);
  }
}

static void child_division_goes_on(void) {
  _Atomic int right = 0;
  cnrtQueue_t queue;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(launch(divide_on, &right, dim3(16, 1, 1), cnrtFuncTypeBlock, queue));
  CHECK_OK(launch(divide_on, &right, dim3(8, 1, 1), cnrtFuncTypeUnion1, queue));
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_EQ(atomic_load(&right), 16 + 8 + 2); /* memory cores run it as well */
  CHECK_OK(cnrtQueueDestroy(queue));
}

AS_WRITTEN static void touch_wild(void *argument) {
  (void)argument;
  if (__bang_taskId == 0) {
    *(volatile int *)wild = 1;
  }
}

AS_WRITTEN __attribute__((noinline)) static int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = (char)depth;
  return depth == 0 ? 0 : recurse(depth - 1) + frame[0];
}

static void overflow_stack(void *argument) {
  (void)argument;
  sink = recurse(1 << 30);
}

static void trap(void *argument) {
  (void)argument;
  __builtin_trap();
}

static void fail_assertion(void *argument) {
  (void)argument;
  if (__bang_taskId == 1) {
    __bang_fault(CN_INVOKE_ERROR_ASSERT, "assertion %s failed", "n > 0");
  }
}

AS_WRITTEN static void fault_before_barrier(void *argument) {
  (void)argument;
  if (__bang_coreId == 1) {
    *(volatile int *)wild = 1;
  }
  __bang_barrier(BANG_BARRIER_ALL, __FILE__, __LINE__);
}

static void check_fault(task_function function, cnrtDim3_t dim, cnrtFunctionType_t type, int code) {
  cnrtQueue_t queue;
  cnrtQueue_t other;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtQueueCreate(&other));
  CHECK_OK(launch(function, NULL, dim, type, queue));
  CHECK_EQ(cnrtQueueSync(queue), code);
  CHECK_EQ(cnrtGetLastError(), code);
  CHECK_OK(cnrtQueueSync(queue));
  CHECK_OK(cnrtQueueSync(other)); /* faults belong to their queue */
  next_launch_works(queue);
  next_launch_works(other);
  CHECK_OK(cnrtQueueDestroy(queue));
  CHECK_OK(cnrtQueueDestroy(other));
}

static void child_division(void) {
  check_fault(divide, dim3(4, 1, 1), cnrtFuncTypeBlock, CN_INVOKE_ERROR_KERNEL_TRAP);
}

static void child_wild(void) {
  check_fault(touch_wild, dim3(1, 1, 1), cnrtFuncTypeBlock, CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS);
  check_fault(touch_wild, dim3(64, 1, 1), cnrtFuncTypeBlock,
              CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS);
}

static void child_stack(void) {
  check_fault(overflow_stack, dim3(1, 1, 1), cnrtFuncTypeBlock, CN_INVOKE_ERROR_STACK_OVERFLOW);
  check_fault(overflow_stack, dim3(cores(), 1, 1), cnrtFuncTypeUnion1,
              CN_INVOKE_ERROR_STACK_OVERFLOW);
}

static void child_trap(void) {
  check_fault(trap, dim3(2, 1, 1), cnrtFuncTypeBlock, CN_INVOKE_ERROR_ILLEGAL_INSTRUCTION);
}

static void child_assert(void) {
  check_fault(fail_assertion, dim3(4, 1, 1), cnrtFuncTypeBlock, CN_INVOKE_ERROR_ASSERT);
  check_fault(fail_assertion, dim3(cores(), 1, 1), cnrtFuncTypeUnion1, CN_INVOKE_ERROR_ASSERT);
}

static void child_union(void) {
  check_fault(fault_before_barrier, dim3(cores() * 4, 1, 1), cnrtFuncTypeUnion1,
              CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS);
}

AS_WRITTEN static void past_the_end(void *argument) {
  char *memory = argument;
  memory[sysconf(_SC_PAGESIZE)] = 1;
}

static void child_past_the_end(void) {
  char *memory = NULL;
  cnrtQueue_t queue;
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtMalloc((void **)&memory, (size_t)sysconf(_SC_PAGESIZE)));
  CHECK_OK(launch(past_the_end, memory, dim3(1, 1, 1), cnrtFuncTypeBlock, queue));
  CHECK_EQ(cnrtQueueSync(queue), CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS);
  CHECK_OK(cnrtFree(memory));
  CHECK_OK(cnrtQueueDestroy(queue));
}

/* Fault handling is on in every build. There are several cores on every machine, since in some
 * kernels the second core faults. */
static void run_child(const char *name, const char *said) {
  char text[8192];
  const int status =
      run_self("MLUOP_CPU_FAULTS=on MLUOP_CPU_TOPOLOGY=2x4", name, text, sizeof(text));
  CHECK_EQ(status, 0);
  CHECK(strstr(text, said) != NULL);
  CHECK(strstr(text, "kernel test_kernel, task") != NULL);
  if (status != 0) {
    report_failure(__FILE__, __LINE__, "%s printed:\n%.400s", name, text);
  }
}

static void division_by_zero(void) {
#if defined(__x86_64__) || defined(__i386__) /* other CPUs define the result */
  run_child("_child_division", "arithmetic trap");
  if (__asan_init == NULL) { /* the sanitizer would catch it first */
    char text[1024];
    CHECK_EQ(run_self("MLUOP_CPU_DIVISIONS=continue MLUOP_CPU_TOPOLOGY=2x4",
                      "_child_division_goes_on", text, sizeof(text)),
             0);
    const char *said = strstr(text, "integer division by zero");
    CHECK(said != NULL && strstr(said + 1, "integer division by zero") == NULL);
  }
#endif
}

static void wild_pointer(void) {
  run_child("_child_wild", "illegal address 0x10");
}
static void stack_overflow(void) {
  run_child("_child_stack", "stack overflow");
}
static void illegal_instruction(void) {
  run_child("_child_trap", "illegal instruction");
}
static void assertion(void) {
  run_child("_child_assert", "assertion n > 0 failed");
}
static void fault_in_union(void) {
  run_child("_child_union", "illegal address");
}
static void access_past_the_end(void) {
  run_child("_child_past_the_end", "illegal address");
}

/* ---- The program's own signals ---- */

static volatile sig_atomic_t own_handler_ran;

static void own_handler(int signal) {
  (void)signal;
  own_handler_ran = 1;
  _exit(42);
}

static void child_own_handler(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = own_handler;
  sigaction(SIGSEGV, &action, NULL);
  next_launch_works(NULL); /* the runtime installs its handler over the program's */
  *(volatile int *)wild = 1;
}

static void child_default_handler(void) {
  next_launch_works(NULL);
  *(volatile int *)wild = 1;
}

static void child_faults_off(void) {
  CHECK_OK(launch(touch_wild, NULL, dim3(1, 1, 1), cnrtFuncTypeBlock, NULL));
  cnrtQueueSync(NULL);
}

static void other_threads_keep_their_handlers(void) {
  CHECK_EQ(run_self("MLUOP_CPU_FAULTS=on", "_child_own_handler", NULL, 0), 42);
  CHECK(run_self("MLUOP_CPU_FAULTS=on", "_child_default_handler", NULL, 0) != 0);
  CHECK(run_self("MLUOP_CPU_FAULTS=off", "_child_faults_off", NULL, 0) != 0);
}

static void fault_outside_of_a_task(void) {
  cnrtGetLastError();
  __bang_fault(CN_INVOKE_ERROR_ASSERT, "on a host thread");
  CHECK_EQ(cnrtGetLastError(), CN_INVOKE_ERROR_ASSERT);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"division_by_zero", division_by_zero},
      {"wild_pointer", wild_pointer},
      {"stack_overflow", stack_overflow},
      {"illegal_instruction", illegal_instruction},
      {"assertion", assertion},
      {"fault_in_union", fault_in_union},
      {"access_past_the_end", access_past_the_end},
      {"other_threads_keep_their_handlers", other_threads_keep_their_handlers},
      {"fault_outside_of_a_task", fault_outside_of_a_task},
      {"_child_division", child_division},
      {"_child_division_goes_on", child_division_goes_on},
      {"_child_wild", child_wild},
      {"_child_stack", child_stack},
      {"_child_trap", child_trap},
      {"_child_assert", child_assert},
      {"_child_union", child_union},
      {"_child_past_the_end", child_past_the_end},
      {"_child_own_handler", child_own_handler},
      {"_child_default_handler", child_default_handler},
      {"_child_faults_off", child_faults_off},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
