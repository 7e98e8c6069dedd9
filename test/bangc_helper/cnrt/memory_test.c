/* SPDX-License-Identifier: MIT
 *
 * Device memory, copies, fills.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static size_t free_memory(void) {
  size_t free_bytes = 0;
  size_t total = 0;
  CHECK_OK(cnrtMemGetInfo(&free_bytes, &total));
  CHECK(free_bytes <= total);
  return free_bytes;
}

static void allocate_and_free(void) {
  const size_t before = free_memory();
  char *pointer = NULL;
  CHECK_OK(cnrtMalloc((void **)&pointer, 1000));
  CHECK(pointer != NULL && (uintptr_t)pointer % 64 == 0);
  CHECK(free_memory() <= before);
  if (is_on_cpu()) {
    CHECK_EQ(free_memory(), before - 1000);
  }
  CHECK_EQ(cnrtFree(pointer + 64), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtFreeHost(pointer), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtFree(pointer));
  CHECK(!is_on_cpu() || free_memory() == before);
  CHECK_EQ(cnrtFree(pointer), cnrtErrorArgsInvalid); /* twice */
  int on_stack = 0;
  CHECK_EQ(cnrtFree(&on_stack), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtFree(NULL));
  CHECK_EQ(cnrtMalloc(NULL, 10), cnrtErrorArgsInvalid);
}

static void zero_bytes(void) {
  void *first = NULL;
  void *second = NULL;
  CHECK_OK(cnrtMalloc(&first, 0));
  CHECK_OK(cnrtMalloc(&second, 0));
  CHECK(first != NULL && second != NULL && first != second);
  CHECK_OK(cnrtFree(first));
  CHECK_OK(cnrtFree(second));
}

static void too_much(void) {
  size_t free_bytes = 0;
  size_t total = 0;
  void *pointer = (void *)1;
  CHECK_OK(cnrtMemGetInfo(&free_bytes, &total));
  const size_t sizes[] = {total + 1, SIZE_MAX, SIZE_MAX - 4095, (size_t)1 << 60};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
    CHECK_EQ(cnrtMalloc(&pointer, sizes[i]), cnrtErrorNoMem);
    CHECK(pointer == NULL);
    CHECK_EQ(cnrtHostMalloc(&pointer, sizes[i]), cnrtErrorSysNoMem);
  }
  CHECK_EQ(cnrtGetLastError(), cnrtErrorSysNoMem);
  CHECK_EQ(free_memory(), free_bytes);
}

static void sparse(void) {
  if (!is_on_cpu()) {
    return; /* a card allocates all pages at once */
  }
  /* Larger than free physical memory may be; only two pages are touched. */
  size_t free_bytes = 0;
  size_t total = 0;
  char *pointer = NULL;
  CHECK_OK(cnrtMemGetInfo(&free_bytes, &total));
  const size_t size = free_bytes / 4 * 3;
  const long before = resident_kb();
  CHECK_OK(cnrtMalloc((void **)&pointer, size));
  write_device(pointer, "1", 1);
  write_device(pointer + size - 1, "2", 1);
  CHECK(resident_kb() - before < 64 * 1024);
  CHECK_OK(cnrtFree(pointer));
}

static void pointer_attributes(void) {
  cnrtPointerAttributes_t attributes;
  char *device = NULL;
  void *host = NULL;
  const int ordinal = device_up_to(2);
  CHECK_OK(cnrtSetDevice(ordinal));
  CHECK_OK(cnrtMalloc((void **)&device, 4096));
  CHECK_OK(cnrtSetDevice(0));
  CHECK_OK(cnrtHostMalloc(&host, 100));
  CHECK_OK(cnrtPointerGetAttributes(&attributes, device + 4095));
  CHECK_EQ(attributes.type, cnrtMemTypeDevice);
  CHECK_EQ(attributes.device, ordinal);
  CHECK_EQ(attributes.size, 4096);
  CHECK(attributes.devicePointer == device + 4095);
  CHECK(attributes.deviceBasePointer == device);
  CHECK(attributes.hostPointer == NULL);
  CHECK_OK(cnrtPointerGetAttributes(&attributes, device + 4096));
  CHECK_EQ(attributes.type, cnrtMemTypeUnregistered);
  CHECK_OK(cnrtPointerGetAttributes(&attributes, host));
  CHECK_EQ(attributes.type, cnrtMemTypeHost);
  CHECK(attributes.hostPointer == host);
  CHECK_OK(cnrtPointerGetAttributes(&attributes, &attributes));
  CHECK_EQ(attributes.type, cnrtMemTypeUnregistered);
  CHECK_EQ(attributes.device, -1);
  CHECK_OK(cnrtPointerGetAttributes(&attributes, NULL));
  CHECK_EQ(attributes.type, cnrtMemTypeUnregistered);
  CHECK_EQ(cnrtPointerGetAttributes(NULL, host), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtFreeHost(host));
  CHECK_OK(cnrtFree(device));
}

static void copies(void) {
  enum { SIZE = 10000 };
  static unsigned char in[SIZE];
  static unsigned char out[SIZE];
  unsigned char *a = NULL;
  unsigned char *b = NULL;
  for (int i = 0; i < SIZE; ++i) {
    in[i] = (unsigned char)(i * 7 + 1);
  }
  CHECK_OK(cnrtMalloc((void **)&a, SIZE));
  CHECK_OK(cnrtMalloc((void **)&b, SIZE));
  CHECK_OK(cnrtMemcpy(a, in, SIZE, cnrtMemcpyHostToDev));
  CHECK_OK(cnrtMemcpy(b, a, SIZE, cnrtMemcpyDevToDev));
  CHECK_OK(cnrtMemcpy(out, b, SIZE, cnrtMemcpyDevToHost));
  CHECK(memcmp(in, out, SIZE) == 0);
  memset(out, 0, SIZE);
  CHECK_OK(cnrtMemcpy(out, in, SIZE, cnrtMemcpyHostToHost));
  CHECK(memcmp(in, out, SIZE) == 0);
  memset(out, 0, SIZE);
  CHECK_OK(cnrtMemcpy(out, a, SIZE, cnrtMemcpyNoDirection));
  CHECK(memcmp(in, out, SIZE) == 0);

  CHECK_EQ(cnrtMemcpy(a, in, SIZE, (cnrtMemTransDir_t)77), cnrtErrorMemcpyDirectionInvalid);
  CHECK_EQ(cnrtMemcpy(a + 1, in, SIZE, cnrtMemcpyHostToDev), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemcpy(out, b + 1, SIZE, cnrtMemcpyDevToHost), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemcpy(in, out, 10, cnrtMemcpyHostToDev), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemcpy(a, b, 10, cnrtMemcpyHostToDev), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemcpy(NULL, in, 10, cnrtMemcpyHostToDev), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemcpy(a, NULL, 10, cnrtMemcpyHostToDev), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtMemcpy(NULL, NULL, 0, cnrtMemcpyHostToDev));
  CHECK_OK(cnrtFree(a));
  CHECK_OK(cnrtFree(b));
  CHECK_EQ(cnrtMemcpy(out, a, 10, cnrtMemcpyDevToHost), cnrtErrorArgsInvalid); /* freed */
}

static void large_copies(void) {
  const size_t count = (size_t)9 << 20; /* several pieces and a rest */
  const size_t size = count * sizeof(uint32_t) + 3;
  uint32_t *in = malloc(size);
  uint32_t *out = malloc(size);
  char *device = NULL;
  CHECK(in != NULL && out != NULL);
  CHECK_OK(cnrtMalloc((void **)&device, size));
  for (size_t i = 0; i < count; ++i) {
    in[i] = (uint32_t)(i * 2654435761u);
  }
  memset(in + count, 5, 3);
  CHECK_OK(cnrtMemcpy(device, in, size, cnrtMemcpyHostToDev));
  CHECK_OK(cnrtMemcpyAsync(out, device, size, NULL, cnrtMemcpyDevToHost));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK(memcmp(in, out, size) == 0);
  /* Overlapping ranges of one allocation behave as memmove. */
  CHECK_OK(cnrtMemcpy(device + 1000, device, size - 1000, cnrtMemcpyDevToDev));
  CHECK_OK(cnrtMemcpy(out, device + 1000, size - 1000, cnrtMemcpyDevToHost));
  CHECK(memcmp(in, out, size - 1000) == 0);
  CHECK_OK(cnrtFree(device));
  free(in);
  free(out);
}

static void fills(void) {
  enum { COUNT = 1 << 20 };
  uint32_t *device = NULL;
  uint32_t *host = malloc(COUNT * sizeof(*host));
  CHECK_OK(cnrtMalloc((void **)&device, COUNT * sizeof(*device)));
  CHECK_OK(cnrtMemset(device, 0x1ab, COUNT * 4));
  CHECK_EQ(read_device_word(device + COUNT - 1), 0xabababab);
  CHECK_OK(cnrtMemsetD32(device, 0x01020304, COUNT));
  CHECK_OK(cnrtMemcpy(host, device, COUNT * 4, cnrtMemcpyDevToHost));
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) {
    wrong += host[i] != 0x01020304;
  }
  CHECK_EQ(wrong, 0);
  CHECK_OK(cnrtMemsetD8Async(device, 9, 8, NULL));
  CHECK_OK(cnrtMemsetD32Async(device + 1, 7, 1, NULL));
  CHECK_OK(cnrtMemsetAsync(device + 2, 3, 4, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(read_device_word(device), 0x09090909);
  CHECK_EQ(read_device_word(device + 1), 7);
  CHECK_EQ(read_device_word(device + 2), 0x03030303);
  CHECK_EQ(read_device_word(device + 3), 0x01020304);
  CHECK_EQ(cnrtMemset(device, 0, COUNT * 4 + 1), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemsetD32(device, 0, SIZE_MAX / 2), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemset(host, 0, 4), cnrtErrorArgsInvalid); /* not device memory */
  CHECK_OK(cnrtFree(device));
  free(host);
}

static void boxes(void) {
  enum { ROWS = 6, PITCH = 32, PLANES = 3 };
  unsigned char host[PLANES][ROWS][PITCH];
  unsigned char back[PLANES][ROWS][PITCH];
  unsigned char *device = NULL;
  for (size_t i = 0; i < sizeof(host); ++i) {
    ((unsigned char *)host)[i] = (unsigned char)i;
  }
  memset(back, 0xff, sizeof(back));
  CHECK_OK(cnrtMalloc((void **)&device, sizeof(host)));
  CHECK_OK(cnrtMemset(device, 0, sizeof(host)));
  CHECK_OK(cnrtMemcpy2D(device, 16, host, PITCH, 10, 4, cnrtMemcpyHostToDev));
  CHECK_EQ(read_device_word(device + 16 * 3 + 9) & 0xff, host[0][3][9]);
  CHECK_EQ(read_device_word(device + 10) & 0xff, 0);
  CHECK_EQ(cnrtMemcpy2D(device, 9, host, PITCH, 10, 4, cnrtMemcpyHostToDev), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemcpy2D(device, 1000, host, PITCH, 10, 4, cnrtMemcpyHostToDev),
           cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemcpy2D(device, SIZE_MAX / 2, host, PITCH, 10, 4, cnrtMemcpyHostToDev),
           cnrtErrorArgsInvalid);

  cnrtMemcpy3dParam_t param;
  memset(&param, 0, sizeof(param));
  CHECK_OK(cnrtMemcpy(device, host, sizeof(host), cnrtMemcpyHostToDev));
  param.dst = back;
  param.dstPtr.ptr = back;
  param.dstPtr.pitch = PITCH;
  param.dstPtr.ysize = ROWS;
  param.src = device;
  param.srcPtr.ptr = device;
  param.srcPtr.pitch = PITCH;
  param.srcPtr.ysize = ROWS;
  param.srcPos.x = 3;
  param.srcPos.y = 2;
  param.srcPos.z = 1;
  param.extent.width = 5;
  param.extent.height = 3;
  param.extent.depth = 2;
  param.dir = cnrtMemcpyDevToHost;
  CHECK_OK(cnrtMemcpy3D(&param));
  CHECK_EQ(back[1][2][4], host[2][4][7]);
  CHECK_EQ(back[0][0][5], 0xff);
  param.extent.depth = 3;
  CHECK_EQ(cnrtMemcpy3D(&param), cnrtErrorArgsInvalid); /* reads past the source */
  CHECK_EQ(cnrtMemcpy3D(NULL), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtFree(device));
}

static void peers(void) {
  if (device_up_to(1) == 0) {
    return; /* one device has no peer */
  }
  int *on[2] = {NULL, NULL};
  unsigned can = 9;
  for (int d = 0; d < 2; ++d) {
    CHECK_OK(cnrtSetDevice(d));
    CHECK_OK(cnrtMalloc((void **)&on[d], sizeof(int)));
  }
  CHECK_OK(cnrtSetDevice(0));
  CHECK_OK(cnrtGetPeerAccessibility(&can, 0, 1));
  CHECK_EQ(can, 1);
  const int value = 42;
  int back = 0;
  CHECK_OK(cnrtMemcpy(on[0], (void *)&value, sizeof(int), cnrtMemcpyHostToDev));
  CHECK_OK(cnrtMemcpyPeer(on[1], 1, on[0], 0, sizeof(int)));
  CHECK_OK(cnrtMemcpy(&back, on[1], sizeof(int), cnrtMemcpyDevToHost));
  CHECK_EQ(back, 42);
  CHECK_OK(cnrtMemcpyPeerAsync(on[0], 0, on[1], 1, sizeof(int), NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(cnrtMemcpyPeer(on[1], 0, on[0], 1, sizeof(int)), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemcpyPeer(on[1], 99, on[0], 0, sizeof(int)), cnrtErrorDeviceInvalid);
  CHECK_OK(cnrtFree(on[0]));
  CHECK_OK(cnrtFree(on[1]));
}

struct late {
  _Atomic int go;
  _Atomic int seen;
  int *memory;
};

static void read_late(void *argument) {
  struct late *late = argument;
  while (!atomic_load(&late->go)) {
  }
  atomic_store(&late->seen, *late->memory);
}

static void free_waits_for_kernels(void) {
  if (!is_on_cpu()) {
    return; /* elsewhere cnrtFree itself waits */
  }
  struct late late;
  atomic_init(&late.go, 0);
  atomic_init(&late.seen, 0);
  const size_t before = free_memory();
  CHECK_OK(cnrtMalloc((void **)&late.memory, 1 << 20));
  const int value = 77;
  write_device(late.memory, &value, sizeof(value));
  CHECK_OK(launch(read_late, &late, dim3(1, 1, 1), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtFree(late.memory)); /* returns at once, the kernel still reads */
  CHECK_EQ(free_memory(), before);
  CHECK_EQ(cnrtFree(late.memory), cnrtErrorArgsInvalid);
  atomic_store(&late.go, 1);
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(atomic_load(&late.seen), 77);
}

static void reset_frees(void) {
  void *pointer = NULL;
  cnrtQueue_t queue = NULL;
  cnrtNotifier_t notifier = NULL;
  CHECK_OK(cnrtSetDevice(device_up_to(4)));
  const size_t before = free_memory();
  CHECK_OK(cnrtMalloc(&pointer, 12345));
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtNotifierCreate(&notifier));
  CHECK_OK(cnrtDeviceReset());
  CHECK_EQ(free_memory(), before);
  CHECK_EQ(cnrtFree(pointer), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtQueueSync(queue), cnrtErrorInvalidResourceHandle);
  CHECK_EQ(cnrtWaitNotifier(notifier), cnrtErrorInvalidResourceHandle);
  CHECK_OK(cnrtMalloc(&pointer, 1)); /* the device still works */
  CHECK_OK(cnrtFree(pointer));
  CHECK_OK(cnrtSetDevice(0));
}

static void child_touch(void) {
  char *pointer = NULL;
  CHECK_OK(cnrtMalloc((void **)&pointer, 10));
  CHECK_OK(cnrtMemset(pointer, 3, 10)); /* the runtime may write it */
  printf("%d\n", *(volatile char *)pointer);
}

static void host_stays_out(void) {
  char text[1024];
  if (!is_on_cpu()) {
    return;
  }
  CHECK_EQ(run_self("MLUOP_CPU_HOST_ACCESS=1", "_child_touch", NULL, 0), 0);
  const int status = run_self("MLUOP_CPU_HOST_ACCESS=0", "_child_touch", text, sizeof(text));
  CHECK(status != 0 || strstr(text, "no memory protection keys") != NULL);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"allocate_and_free", allocate_and_free},
      {"zero_bytes", zero_bytes},
      {"too_much", too_much},
      {"sparse", sparse},
      {"pointer_attributes", pointer_attributes},
      {"copies", copies},
      {"large_copies", large_copies},
      {"fills", fills},
      {"boxes", boxes},
      {"peers", peers},
      {"free_waits_for_kernels", free_waits_for_kernels},
      {"reset_frees", reset_frees},
      {"host_stays_out", host_stays_out},
      {"_child_touch", child_touch},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
