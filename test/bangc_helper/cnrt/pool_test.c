/* SPDX-License-Identifier: MIT
 *
 * Allocations in queue order, pools, mappings, asynchronous 3D copies, and device settings.
 */
#include <string.h>

#include "harness.h"

static uint64_t attribute(cnrtMemPool_t pool, cnrtMemPoolAttr_t which) {
  uint64_t value = 0;
  CHECK_OK(cnrtMemPoolGetAttribute(pool, which, &value));
  return value;
}

static void allocate_in_queue(void) {
  cnrtQueue_t queue = NULL;
  cnrtMemPool_t pool = NULL;
  char *memory = NULL;
  char text[8] = "";
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtDeviceGetMemPool(&pool, 0));
  const uint64_t before = attribute(pool, cnrtMemPoolAttrUsedMemCurrent);
  CHECK_OK(cnrtMemAllocAsync((void **)&memory, 1000, queue));
  CHECK_EQ(attribute(pool, cnrtMemPoolAttrUsedMemCurrent), before + 1000);
  CHECK_EQ(attribute(pool, cnrtMemPoolAttrReservedMemCurrent), before + 1000);
  CHECK_OK(cnrtMemsetAsync(memory, 'x', 1000, queue));
  CHECK_OK(cnrtMemcpyAsync(text, memory + 993, 7, queue, cnrtMemcpyDevToHost));
  CHECK_OK(cnrtMemFreeAsync(memory, queue));
  CHECK_EQ(attribute(pool, cnrtMemPoolAttrUsedMemCurrent), before);
  CHECK_OK(cnrtQueueSync(queue));
  CHECK(strcmp(text, "xxxxxxx") == 0);
  CHECK_EQ(cnrtMemFreeAsync(memory, queue), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemFreeAsync(NULL, queue), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemAllocAsync(NULL, 10, queue), cnrtErrorArgsInvalid);
  CHECK(cnrtMemAllocAsync((void **)&memory, 10, (cnrtQueue_t)text) != cnrtSuccess);
  CHECK_OK(cnrtMemAllocAsync((void **)&memory, 10, NULL));
  CHECK_OK(cnrtFree(memory)); /* as any other memory */
  CHECK_EQ(attribute(pool, cnrtMemPoolAttrUsedMemCurrent), before);
  CHECK_OK(cnrtQueueDestroy(queue));
}

static cnrtMemPoolProps_t properties(size_t most) {
  cnrtMemPoolProps_t props;
  memset(&props, 0, sizeof(props));
  props.type = cnrtMemAllocationTypeDefault;
  props.location.type = cnrtMemLocationTypeDevice;
  props.maxSize = most;
  return props;
}

static void pools(void) {
  cnrtMemPool_t pool = NULL;
  cnrtMemPool_t found = NULL;
  cnrtMemPool_t first = NULL;
  void *a = NULL;
  void *b = NULL;
  cnrtMemPoolProps_t props = properties(3000);
  CHECK_OK(cnrtMemPoolCreate(&pool, &props));
  CHECK_OK(cnrtMemAllocFromPoolAsync(&a, 2000, pool, NULL));
  CHECK_EQ(cnrtMemAllocFromPoolAsync(&b, 1001, pool, NULL), cnrtErrorNoMem);
  CHECK(b == NULL);
  CHECK_OK(cnrtMemAllocFromPoolAsync(&b, 1000, pool, NULL));
  CHECK_OK(cnrtMemFreeAsync(b, NULL));
  CHECK_EQ(attribute(pool, cnrtMemPoolAttrUsedMemCurrent), 2000);
  CHECK_EQ(attribute(pool, cnrtMemPoolAttrUsedMemHigh), 3000);
  uint64_t number = 5;
  CHECK_EQ(cnrtMemPoolSetAttribute(pool, cnrtMemPoolAttrUsedMemHigh, &number),
           cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemPoolSetAttribute(pool, cnrtMemPoolAttrUsedMemCurrent, &number),
           cnrtErrorArgsInvalid);
  CHECK_OK(cnrtMemPoolSetAttribute(pool, cnrtMemPoolAttrReleaseThreshold, &number));
  CHECK_EQ(attribute(pool, cnrtMemPoolAttrReleaseThreshold), 5);
  number = 0;
  CHECK_OK(cnrtMemPoolSetAttribute(pool, cnrtMemPoolAttrUsedMemHigh, &number));
  CHECK_EQ(attribute(pool, cnrtMemPoolAttrUsedMemHigh), 0);
  int reuse = 0;
  CHECK_OK(cnrtMemPoolGetAttribute(pool, cnrtMemPoolAttrReuseAllowOpportunistic, &reuse));
  CHECK_EQ(reuse, 1);
  reuse = 0;
  CHECK_OK(cnrtMemPoolSetAttribute(pool, cnrtMemPoolAttrReuseAllowOpportunistic, &reuse));
  reuse = 1;
  CHECK_OK(cnrtMemPoolGetAttribute(pool, cnrtMemPoolAttrReuseAllowOpportunistic, &reuse));
  CHECK_EQ(reuse, 0);
  CHECK_OK(cnrtMemPoolTrimTo(pool, 0));

  CHECK_OK(cnrtDeviceGetDefaultMemPool(&first, 0));
  CHECK_OK(cnrtDeviceSetMemPool(0, pool));
  CHECK_OK(cnrtDeviceGetMemPool(&found, 0));
  CHECK(found == pool);
  CHECK_EQ(cnrtMemAllocAsync(&b, 2000, NULL), cnrtErrorNoMem); /* the pool's limit */
  CHECK_OK(cnrtMemPoolDestroy(pool));                          /* with memory in use */
  CHECK_OK(cnrtDeviceGetMemPool(&found, 0));
  CHECK(found == first);
  CHECK_OK(cnrtMemFreeAsync(a, NULL));
  CHECK_EQ(cnrtMemPoolDestroy(pool), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemPoolDestroy(first), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemPoolDestroy(NULL), cnrtErrorArgsInvalid);
}

static void pools_refused(void) {
  cnrtMemPool_t pool = NULL;
  cnrtMemPoolProps_t props = properties(0);
  cnrtMemoryAccessFlags_t flags = cnrtMemAccessFlagsProtReadOnly;
  cnrtMemLocation_t location = {cnrtMemLocationTypeDevice, 0};
  CHECK_EQ(cnrtMemPoolCreate(NULL, &props), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemPoolCreate(&pool, NULL), cnrtErrorArgsInvalid);
  props.location.id = 1000;
  CHECK_EQ(cnrtMemPoolCreate(&pool, &props), cnrtErrorArgsInvalid);
  props = properties(0);
  props.type = cnrtMemAllocationTypeInvalid;
  CHECK_EQ(cnrtMemPoolCreate(&pool, &props), cnrtErrorArgsInvalid);
  props = properties(0);
  props.requestedHandleTypes = cnrtMemHandleTypePosixFileDescriptor;
  CHECK_EQ(cnrtMemPoolCreate(&pool, &props), cnrtErrorNotSupport);
  CHECK_EQ(cnrtDeviceGetMemPool(&pool, 1000), cnrtErrorDeviceInvalid);
  CHECK_EQ(cnrtDeviceGetMemPool(NULL, 0), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtDeviceSetMemPool(0, NULL), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtDeviceGetDefaultMemPool(&pool, 0));
  CHECK_OK(cnrtMemPoolGetAccess(&flags, pool, &location));
  CHECK_EQ(flags, cnrtMemAccessFlagsProtReadWrite);
  location.id = 1000;
  CHECK_EQ(cnrtMemPoolGetAccess(&flags, pool, &location), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemPoolGetAttribute(pool, (cnrtMemPoolAttr_t)99, &flags), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemPoolGetAttribute(pool, cnrtMemPoolAttrUsedMemHigh, NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemAllocFromPoolAsync((void **)&pool, 1, NULL, NULL), cnrtErrorArgsInvalid);
}

static void mappings(void) {
  char *device = NULL;
  char *host = NULL;
  char text[4] = "";
  CHECK_OK(cnrtMalloc((void **)&device, 100));
  if (is_on_cpu()) {
    CHECK_OK(cnrtMmap(device, (void **)&host, 100));
    memcpy(host, "abc", 4);
    CHECK_OK(cnrtMemcpy(text, device, 4, cnrtMemcpyNoDirection));
    CHECK(strcmp(text, "abc") == 0);
    cnrtPointerAttributes_t attributes;
    CHECK_OK(cnrtPointerGetAttributes(&attributes, host + 7));
    CHECK(attributes.devicePointer == device + 7);
    CHECK_OK(cnrtMcacheOperation(device, host, 100, CNRT_FLUSH_CACHE));
    CHECK_OK(cnrtMunmap(host, 100));
  } else {
    CHECK_EQ(cnrtMmap(device, (void **)&host, 100), cnrtErrorNotSupport);
  }
  CHECK_EQ(cnrtMmapCached(device, (void **)&host, 101), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMmap(text, (void **)&host, 4), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMmap(device, NULL, 4), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMunmap(text, 4), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtFree(device));
}

static void boxes_in_queues(void) {
  cnrtQueue_t queue = NULL;
  char *device = NULL;
  char rows[3 * 10];
  char out[3 * 4];
  for (size_t i = 0; i < sizeof(rows); ++i) {
    rows[i] = (char)i;
  }
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_OK(cnrtMalloc((void **)&device, 3 * 8));
  CHECK_OK(cnrtMemcpy2DAsync(device, 8, rows + 1, 10, 4, 3, cnrtMemcpyHostToDev, queue));
  cnrtMemcpy3dParam_t box;
  memset(&box, 0, sizeof(box));
  box.srcPtr = (cnrtPitchedPtr_t){.pitch = 8, .ptr = device, .xsize = 4, .ysize = 3};
  box.dstPtr = (cnrtPitchedPtr_t){.pitch = 4, .ptr = out, .xsize = 4, .ysize = 3};
  box.extent = (cnrtExtent_t){.width = 4, .height = 3, .depth = 1};
  box.dir = cnrtMemcpyDevToHost;
  CHECK_OK(cnrtMemcpy3DAsync(&box, queue));
  CHECK_OK(cnrtQueueSync(queue));
  for (int i = 0; i < 12; ++i) {
    CHECK_EQ(out[i], 1 + i / 4 * 10 + i % 4);
  }
  CHECK_EQ(cnrtMemcpy2DAsync(device, 3, rows, 10, 4, 3, cnrtMemcpyHostToDev, queue),
           cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMemcpy2DAsync(device, 8, rows, 10, 4, 4, cnrtMemcpyHostToDev, queue),
           cnrtErrorArgsInvalid);
  CHECK_OK(cnrtMemcpy2DAsync(device, 8, rows, 10, 4, 0, cnrtMemcpyHostToDev, queue));
  CHECK_EQ(cnrtMemcpy3DAsync(NULL, queue), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtFree(device));
  CHECK_OK(cnrtQueueDestroy(queue));
}

static void configurations(void) {
  int64_t value = -1;
  size_t bytes = 1;
  CHECK_OK(cnrtDeviceSetConfig(cnrtDeviceConfigPrintfFifoNum, 4096));
  CHECK_OK(cnrtDeviceGetConfig(&value, cnrtDeviceConfigPrintfFifoNum));
  CHECK_EQ(value, 4096);
  CHECK_OK(cnrtDeviceGetConfig(&value, cnrtDeviceConfigPrintfFifoSize));
  CHECK_EQ(value, 0);
  CHECK_EQ(cnrtDeviceSetConfig(cnrtDeviceConfigReserved, 1), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtDeviceSetConfig(cnrtDeviceConfigMaxNum, 1), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtDeviceSetConfig(cnrtDeviceConfigPrintfFifoNum, -1), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtDeviceGetConfig(NULL, cnrtDeviceConfigPrintfFifoNum), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtDeviceQueryKernelMemoryUsage(&bytes));
  CHECK_EQ(bytes, 0);
  CHECK_OK(cnrtDeviceResetPersistingL2Cache());
}

static void capture_is_none(void) {
  cnrtQueueCaptureStatus_t status = cnrtQueueCaptureStatusActive;
  uint64_t id = 1;
  cnrtTaskTopo_t topology = (cnrtTaskTopo_t)&id;
  size_t count = 1;
  CHECK_OK(cnrtQueueGetCaptureInfo(NULL, &status, &id, &topology, NULL, &count));
  CHECK_EQ(status, cnrtQueueCaptureStatusNone);
  CHECK(id == 0 && topology == NULL && count == 0);
  CHECK_EQ(cnrtQueueGetCaptureInfo(NULL, NULL, NULL, NULL, NULL, NULL), cnrtErrorArgsInvalid);
  cnrtQueueCaptureMode_t mode = cnrtQueueCaptureModeRelaxed;
  CHECK_OK(cnrtThreadExchangeQueueCaptureMode(&mode));
  CHECK_EQ(mode, cnrtQueueCaptureModeGlobal);
  CHECK_OK(cnrtThreadExchangeQueueCaptureMode(&mode));
  CHECK_EQ(mode, cnrtQueueCaptureModeRelaxed);
  CHECK_EQ(cnrtThreadExchangeQueueCaptureMode(NULL), cnrtErrorArgsInvalid);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"allocate_in_queue", allocate_in_queue}, {"pools", pools},
      {"pools_refused", pools_refused},         {"mappings", mappings},
      {"boxes_in_queues", boxes_in_queues},     {"configurations", configurations},
      {"capture_is_none", capture_is_none},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
