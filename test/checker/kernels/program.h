// SPDX-License-Identifier: MIT
//
// Shared by the kernels of test/checker. Each kernel has a defect if `defect` is 1 and is correct
// if it is 0; the correct form is called its twin. The line that must be reported has the comment
// "finds: CHECK" ("finds: CHECK for KERNEL" outside of the kernel); a line that may be the report's
// second place has "other". A kernel that "finds: nothing" has no defect. Twins are correct under
// these assumptions (docs/checker.md):
//   what __memcpy_async moves may be touched again after a sync of its pipe, or a barrier;
//   what the vector unit computed may be taken by an asynchronous copy after __sync_compute or
//   __sync;
//   __memcpy and vector functions wait by themselves.
#ifndef TEST_CHECKER_PROGRAM_H_
#define TEST_CHECKER_PROGRAM_H_

#include <bang.h>
#include <cnrt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Elements of every piece of device memory.
#define N 1024

struct Arguments {
  float *in;          // 1, 1, 1, ...
  float *out;         // zeros
  uint32_t *counter;  // zeros
  float *fresh;       // never written
  float *freed;       // was freed
  int defect;
};

struct Kernel {
  const char *name;
  const void *function;
  cnrtFunctionType_t type;
  unsigned tasks;        // without the defect
  unsigned tasks_wrong;  // with the defect
  cnrtFunctionType_t type_wrong;
  // Runs on the host between the launch and the wait; may be NULL.
  cnrtRet_t (*meanwhile)(const Kernel *kernel, Arguments arguments);
};

#define BLOCK(name, tasks) \
  { #name, (const void *)&name, cnrtFuncTypeBlock, tasks, tasks, cnrtFuncTypeBlock, NULL }
#define UNION1(name) \
  { #name, (const void *)&name, cnrtFuncTypeUnion1, 4, 4, cnrtFuncTypeUnion1, NULL }
#define UNION2(name) \
  { #name, (const void *)&name, cnrtFuncTypeUnion2, 8, 8, cnrtFuncTypeUnion2, NULL }

// Launched after a fault to show that the device still works.
__mlu_global__ void count_up(uint32_t *counter) {
  if (taskId == 0) counter[0] += 1;
}

static cnrtRet_t launch(const Kernel *kernel, Arguments arguments, cnrtQueue_t queue) {
  void *parameters[] = {&arguments};
  cnrtDim3_t dim = {arguments.defect ? kernel->tasks_wrong : kernel->tasks, 1, 1};
  const cnrtFunctionType_t type = arguments.defect ? kernel->type_wrong : kernel->type;
  return cnrtInvokeKernel(kernel->function, dim, type, parameters, 0, queue);
}

static float *new_memory(float value) {
  static float host[N];
  for (int i = 0; i < N; ++i) host[i] = value;
  void *memory = NULL;
  cnrtMalloc(&memory, sizeof(host));
  cnrtMemcpy(memory, host, sizeof(host), cnrtMemcpyHostToDev);
  return (float *)memory;
}

// Returns the first error of the launch.
static cnrtRet_t run_kernel(const Kernel *kernel, int defect) {
  Arguments a = {new_memory(1.0f),
                 new_memory(0.0f),
                 (uint32_t *)new_memory(0.0f),
                 NULL,
                 new_memory(1.0f),
                 defect};
  cnrtMalloc((void **)&a.fresh, N * sizeof(float));
  cnrtFree(a.freed);
  cnrtQueue_t queue;
  cnrtQueueCreate(&queue);
  cnrtRet_t codes[3] = {launch(kernel, a, queue)};
  if (kernel->meanwhile) codes[1] = kernel->meanwhile(kernel, a);
  codes[2] = cnrtQueueSync(queue);
  cnrtQueueDestroy(queue);
  cnrtFree(a.in);
  cnrtFree(a.out);
  cnrtFree(a.counter);
  cnrtFree(a.fresh);
  return codes[0] != cnrtSuccess ? codes[0] : codes[1] != cnrtSuccess ? codes[1] : codes[2];
}

// True if another launch succeeds with the right result.
static bool device_works(void) {
  uint32_t *counter = (uint32_t *)new_memory(0.0f), value = 0;
  cnrtQueue_t queue;
  cnrtQueueCreate(&queue);
  cnrtDim3_t dim = {4, 1, 1};
  count_up<<<dim, cnrtFuncTypeUnion1, queue>>>(counter);
  cnrtRet_t code = cnrtQueueSync(queue);
  cnrtMemcpy(&value, counter, sizeof(value), cnrtMemcpyDevToHost);
  cnrtQueueDestroy(queue);
  cnrtFree(counter);
  return code == cnrtSuccess && value == 1;
}

// "PROGRAM KERNEL 1" runs a kernel with its defect, "PROGRAM KERNEL" its twin, "PROGRAM" all twins.
// Exit status 0: the launches ended as they should, and the device works after them.
static int run_program(const Kernel *kernels, int count, int argc, char **argv) {
  int defect = argc > 2 && strcmp(argv[2], "1") == 0, wrong = 0, ran = 0;
  for (int i = 0; i < count; ++i) {
    if (argc > 1 && strcmp(argv[1], kernels[i].name) != 0) continue;
    cnrtRet_t code = run_kernel(&kernels[i], defect);
    printf("%s: %s\n", kernels[i].name, cnrtGetErrorName(code));
    wrong += (code != cnrtSuccess) != (defect != 0);
    ++ran;
  }
  if (!device_works()) {
    puts("the next launch fails");
    ++wrong;
  }
  return ran > 0 && wrong == 0 ? 0 : 1;
}

#define PROGRAM(kernels)                                                           \
  int main(int argc, char **argv) {                                                \
    return run_program(kernels, sizeof(kernels) / sizeof(kernels[0]), argc, argv); \
  }

#endif  // TEST_CHECKER_PROGRAM_H_
