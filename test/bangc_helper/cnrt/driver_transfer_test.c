/* SPDX-License-Identifier: MIT
 *
 * Copies and fills of the driver interface.
 */
#include <string.h>

#include "harness.h"

#define CHECK_CN(call) CHECK_EQ(call, CN_SUCCESS)

/* Each fill and copy function writes its own value into its own word. */
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

/* The same functions by their later names, one word each. */
static void other_names(void) {
  CNaddr a = 0;
  CNqueue queue = NULL;
  unsigned words[4] = {1, 2, 3, 4};
  unsigned back[4] = {0};
  CHECK_CN(cnZmalloc(&a, sizeof(words)));
  CHECK_CN(cnCreateQueue(&queue, 0));
  CHECK_CN(cnMemcpyHtoDAsync_V2(a, words, 8, queue));
  CHECK_CN(cnMemcpyAsync_V2(a + 8, a, 4, queue));
  CHECK_CN(cnMemcpyAsync_V3(a + 12, a + 4, 4, queue));
  CHECK_CN(cnMemcpyDtoHAsync_V2(back, a, sizeof(back), queue));
  CHECK_CN(cnQueueSync(queue));
  CHECK(back[0] == 1 && back[1] == 2 && back[2] == 1 && back[3] == 2);
  CHECK_EQ(cnMemcpyHtoDAsync_V2(a, words, 32, queue), CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnDestroyQueue(queue));
  CHECK_CN(cnFree(a));
}

static void peers(void) {
  CNcontext first = NULL;
  CNcontext second = NULL;
  CNaddr here = 0;
  CNaddr there = 0;
  CNqueue queue = NULL;
  unsigned words[4] = {1, 2, 3, 4};
  unsigned back[4] = {0};
  CHECK_CN(cnSharedContextAcquire(&first, 0));
  CHECK_CN(cnCtxCreate(&second, 0, 1));
  CHECK_CN(cnZmalloc(&there, sizeof(words)));
  CHECK_CN(cnCtxSetCurrent(first));
  CHECK_CN(cnMalloc(&here, sizeof(words)));
  CHECK_CN(cnCreateQueue(&queue, 0));
  CHECK_CN(cnMemcpyHtoD(here, words, sizeof(words)));
  CHECK_CN(cnMemcpyPeer(there, second, here, first, 8));
  CHECK_CN(cnMemcpyPeerAsync(there + 8, second, here + 8, first, 4, queue));
  CHECK_CN(cnQueueSync(queue));
  CHECK_CN(cnMemcpyDtoH(back, there, sizeof(back)));
  CHECK(back[0] == 1 && back[1] == 2 && back[2] == 3 && back[3] == 0);
  /* Contexts that do not own the memory, and NULL. */
  CHECK_EQ(cnMemcpyPeer(there, first, here, second, 8), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemcpyPeerAsync(there, first, here, second, 8, queue), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemcpyPeer(there, NULL, here, first, 8), CN_CONTEXT_ERROR_INVALID);
  CHECK_EQ(cnMemcpyPeerAsync(there, second, here, NULL, 8, queue), CN_CONTEXT_ERROR_INVALID);
  CHECK_CN(cnDestroyQueue(queue));
  CHECK_CN(cnFree(here));
  CHECK_CN(cnFree(there));
  CHECK_CN(cnCtxDestroy(second));
  CHECK_EQ(cnMemcpyPeer(there, second, here, first, 8), CN_CONTEXT_ERROR_INVALID);
  CHECK_CN(cnSharedContextRelease(0));
}

enum { PITCH = 16, ROWS = 3, PLANES = 2, BYTES = PITCH * ROWS * PLANES };

/* Two rows of three bytes, from and to the host and inside the device. */
static void rows(void) {
  CNaddr a = 0;
  CNqueue queue = NULL;
  char from[2 * 4] = {'a', 'b', 'c', '-', 'd', 'e', 'f', '-'};
  char to[2 * 8] = {0};
  CHECK_CN(cnZmalloc(&a, BYTES));
  CHECK_CN(cnCreateQueue(&queue, 0));
  CHECK_CN(cnMemcpy2D(a, PITCH, (CNaddr)(uintptr_t)from, 4, 3, 2));
  CHECK_CN(cnMemcpyDtoD2D(a + 4, PITCH, a, PITCH, 3, 2));
  CHECK_CN(cnMemcpy2DAsync((CNaddr)(uintptr_t)to, 8, a, PITCH, 7, 2, queue));
  CHECK_CN(cnQueueSync(queue));
  CHECK(memcmp(to, "abc\0abc\0def\0def\0", sizeof(to)) == 0);
  const CNaddr host = (CNaddr)(uintptr_t)from;
  CHECK_EQ(cnMemcpyDtoD2D(a, PITCH, host, 4, 3, 2), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemcpy2D(a, 2, host, 4, 3, 2), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemcpy2D(a, PITCH, host, 4, 0, 2), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemcpyDtoD2D(a + 4, PITCH, a, PITCH, 3, 0), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemcpy2DAsync(a, PITCH, host, 4, 3, 0, queue), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemcpy2DAsync(a, PITCH, host, 4, 3, 99, queue), CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnDestroyQueue(queue));
  CHECK_CN(cnFree(a));
}

/* A box inside an array, moved by one byte, one row and one plane. */
static void boxes(void) {
  CNaddr a = 0;
  CNaddr b = 0;
  CNqueue queue = NULL;
  char host[BYTES];
  char back[BYTES];
  for (int i = 0; i < BYTES; ++i) host[i] = (char)i;
  memset(back, 0, sizeof(back));
  CHECK_CN(cnZmalloc(&a, BYTES));
  CHECK_CN(cnZmalloc(&b, BYTES));
  CHECK_CN(cnCreateQueue(&queue, 0));
  CNmemcpy3dParam whole = {.extent = {PLANES, ROWS, PITCH},
                           .dstPtr = {PITCH, (void *)(uintptr_t)a, PITCH, ROWS},
                           .srcPtr = {PITCH, host, PITCH, ROWS}};
  CNmemcpy3dParam part = {.extent = {1, 2, 5},
                          .dstPtr = {PITCH, (void *)(uintptr_t)b, PITCH, ROWS},
                          .dstPos = {3, 1, 1},
                          .srcPtr = {PITCH, (void *)(uintptr_t)a, PITCH, ROWS},
                          .srcPos = {2, 0, 0}};
  CHECK_CN(cnMemcpy3D(&whole));
  CHECK_CN(cnMemcpyDtoD3D(&part));
  whole.dstPtr.ptr = back;
  whole.srcPtr.ptr = (void *)(uintptr_t)b;
  CHECK_CN(cnMemcpy3DAsync(&whole, queue));
  CHECK_CN(cnQueueSync(queue));
  for (int z = 0; z < PLANES; ++z) {
    for (int y = 0; y < ROWS; ++y) {
      for (int x = 0; x < PITCH; ++x) {
        const bool is_inside = z == 1 && y >= 1 && x >= 3 && x < 8;
        const int wanted = is_inside ? (y - 1) * PITCH + x - 1 : 0;
        CHECK_EQ(back[(z * ROWS + y) * PITCH + x], wanted);
      }
    }
  }
  CHECK_EQ(cnMemcpyDtoD3D(&whole), CN_ERROR_INVALID_VALUE); /* to the host */
  part.extent.depth = 0;
  CHECK_EQ(cnMemcpy3D(&part), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemcpy3D(NULL), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemcpy3DAsync(NULL, queue), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemcpyDtoD3D(NULL), CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnDestroyQueue(queue));
  CHECK_CN(cnFree(a));
  CHECK_CN(cnFree(b));
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"fills_and_copies", fills_and_copies},
      {"other_names", other_names},
      {"peers", peers},
      {"rows", rows},
      {"boxes", boxes},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
