/* SPDX-License-Identifier: MIT
 *
 * Copies and fills of the driver interface.
 */
#include <string.h>

#include "harness.h"

#define CHECK_CN(call) CHECK_EQ(call, CN_SUCCESS)

/* Each way to fill and to copy leaves its own mark in one of the words. */
static void fills_and_copies(void) {
  CNaddr a = 0;
  CNaddr b = 0;
  CNqueue queue = NULL;
  unsigned words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK_CN(cnZmalloc(&a, sizeof(words)));
  CHECK_CN(cnZmalloc(&b, sizeof(words)));
  CHECK_CN(cnCreateQueueWithPriority(&queue, 0, 0));
  int priority = -99;
  CHECK_CN(cnQueueGetPriority(queue, &priority));
  CHECK_EQ(priority, 0);
  CHECK_CN(cnMemcpyHtoDAsync(a, words, sizeof(words), queue));
  CHECK_CN(cnMemcpyDtoDAsync(b, a, 12, queue));
  CHECK_CN(cnMemcpyAsync(b + 12, a + 12, 4, queue));
  CHECK_CN(cnMemsetD8Async(b + 16, 0x11, 4, queue));
  CHECK_CN(cnMemsetD16Async(b + 20, 0x2222, 1, queue));
  CHECK_CN(cnMemsetD32Async(b + 24, 0x33333333, 1, queue));
  CHECK_CN(cnQueueSync(queue));
  CHECK_CN(cnMemsetD8(b, 0x44, 2));
  CHECK_CN(cnMemsetD32(b + 4, 0x55555555, 1));
  CHECK_CN(cnMemcpy(b + 28, a + 28, 4));
  memset(words, 0, sizeof(words));
  CHECK_CN(cnMemcpyDtoH(words, b, sizeof(words)));
  const unsigned wanted[8] = {0x4444, 0x55555555, 3, 4, 0x11111111, 0x2222, 0x33333333, 8};
  for (int i = 0; i < 8; ++i) CHECK_EQ(words[i], wanted[i]);
  CHECK_CN(cnDestroyQueue(queue));
  CHECK_CN(cnFree(a));
  CHECK_CN(cnFree(b));
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"fills_and_copies", fills_and_copies},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
