/* SPDX-License-Identifier: MIT
 *
 * The driver interface: the same objects as CNRT's, contexts and their configuration.
 */
#include <pthread.h>
#include <string.h>

#include "cndev.h"
#include "harness.h"

#define CHECK_CN(call) CHECK_EQ(call, CN_SUCCESS)

static void devices(void) {
  int count = 0;
  int major = 0;
  int minor = 0;
  int patch = 0;
  char name[64];
  CNdev device = 99;
  cn_uint64_t bytes = 0;
  CHECK_CN(cnInit(0));
  CHECK_CN(cnGetLibVersion(&major, &minor, &patch));
  CHECK(major * 100 + minor >= 207);
  CHECK_CN(cnDriverGetVersion(&major, &minor, &patch));
  CHECK_EQ(major * 100000 + minor * 1000 + patch, CN_VERSION);
  CHECK_CN(cnDeviceGetCount(&count));
  CHECK_EQ(count, 8);
  CHECK_CN(cnDeviceGet(&device, 2));
  CHECK_EQ(device, 2);
  CHECK_EQ(cnDeviceGet(&device, 8), CN_ERROR_INVALID_DEVICE);
  CHECK_CN(cnDeviceGetName(name, sizeof(name), 0));
  CHECK(strncmp(name, "MLU590", 6) == 0);
  CHECK_CN(cnDeviceGetName(name, 4, 0)); /* cut */
  CHECK(strcmp(name, "MLU") == 0);
  CHECK_CN(cnDeviceTotalMem(&bytes, 0));
  CHECK(bytes > 0);
  int driver = 0;
  int runtime = 0;
  CHECK_CN(cnDeviceGetAttribute(&driver, CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT, 0));
  CHECK_OK(cnrtDeviceGetAttribute(&runtime, cnrtAttrClusterCount, 0));
  CHECK_EQ(driver, runtime);
  CHECK_EQ(cnDeviceGetAttribute(&driver, CN_DEVICE_ATTRIBUTE_MAX, 0), CN_ERROR_INVALID_VALUE);

  char bus[32];
  CHECK_CN(cnDeviceGetPCIBusId(bus, sizeof(bus), 6));
  CHECK_CN(cnDeviceGetByPCIBusId(&device, bus));
  CHECK_EQ(device, 6);
  CHECK_EQ(cnDeviceGetPCIBusId(bus, 3, 6), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnDeviceGetByPCIBusId(&device, "nowhere"), CN_ERROR_INVALID_DEVICE);
  CHECK_EQ(cnDeviceGetByPCIBusId(NULL, bus), CN_ERROR_INVALID_VALUE);
  int reaches = -1;
  CHECK_CN(cnDeviceCanPeerAble(&reaches, 0, 1));
  CHECK_EQ(reaches, 1);
  CHECK_EQ(cnDeviceCanPeerAble(NULL, 0, 1), CN_ERROR_INVALID_VALUE);

  /* Every query refuses a device that does not exist. */
  CHECK_EQ(cnDeviceGetName(name, sizeof(name), 8), CN_ERROR_INVALID_DEVICE);
  CHECK_EQ(cnDeviceTotalMem(&bytes, 8), CN_ERROR_INVALID_DEVICE);
  CHECK_EQ(cnDeviceGetAttribute(&driver, CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT, 8),
           CN_ERROR_INVALID_DEVICE);
  CHECK_EQ(cnDeviceGetPCIBusId(bus, sizeof(bus), 8), CN_ERROR_INVALID_DEVICE);
  CHECK_EQ(cnDeviceCanPeerAble(&reaches, 0, 8), CN_ERROR_INVALID_DEVICE);
}

static void error_texts(void) {
  const char *text = NULL;
  CHECK_CN(cnGetErrorName(CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS, &text));
  CHECK(strcmp(text, "CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS") == 0);
  CHECK_CN(cnGetErrorString(CN_MEMORY_ERROR_OUT_OF_MEMORY, &text));
  CHECK(strlen(text) > 5);
  CHECK_EQ(cnGetErrorName((CNresult)5, &text), CN_ERROR_INVALID_VALUE);
}

static void hidden_functions(void) {
  const void *function = &function;
  CHECK_EQ(cnGetExportFunction("cnInit", &function), CN_ERROR_NOT_FOUND);
  CHECK(function == NULL);
  CHECK_EQ(cnGetExportFunction(NULL, &function), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnGetExportFunction("cnInit", NULL), CN_ERROR_INVALID_VALUE);
}

/* Not supported: the attribute says so, and the call is refused. */
static void buffers_for_other_drivers(void) {
  const CNmemRangeHandleType type = CN_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD;
  CNaddr address = 0;
  int file = -7;
  int supported = -1;
  CHECK_CN(cnDeviceGetAttribute(&supported, CN_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, 0));
  CHECK_EQ(supported, 0);
  CHECK_CN(cnMalloc(&address, 256));
  CHECK_EQ(cnMemGetHandleForAddressRange(&file, address, 256, type, 0), CN_OPS_ERROR_NOT_SUPPORTED);
  CHECK_EQ(file, -7);
  CHECK_EQ(cnMemGetHandleForAddressRange(NULL, address, 256, type, 0), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemGetHandleForAddressRange(&file, address, 0, type, 0), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemGetHandleForAddressRange(&file, 64, 256, type, 0), CN_MEMORY_ERROR_INVALID_ADDRESS);
  CHECK_CN(cnFree(address));
}

static void kernel(void **arguments) {
  (void)arguments;
}

static void kernel_attributes(void) {
  static char stub;
  cn_int64_t value = -7;
  CHECK_EQ(cnKernelGetAttribute(&value, CN_KERNEL_ATTRIBUTE_NRAM_SIZE_BYTES, (CNkernel)&stub),
           CN_ERROR_INVALID_KERNEL);
  __bang_register_kernel(&stub, "kernel", kernel);
  CHECK_EQ(cnKernelGetAttribute(&value, CN_KERNEL_ATTRIBUTE_NRAM_SIZE_BYTES, (CNkernel)&stub),
           CN_OPS_ERROR_NOT_SUPPORTED);
  CHECK_EQ(value, -7);
  CHECK_EQ(cnKernelGetAttribute(&value, CN_KERNEL_ATTRIBUTE_MAX, (CNkernel)&stub),
           CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnKernelGetAttribute(NULL, CN_KERNEL_ATTRIBUTE_NRAM_SIZE_BYTES, (CNkernel)&stub),
           CN_ERROR_INVALID_VALUE);
}

static void contexts(void) {
  CNcontext shared = NULL;
  CNcontext current = NULL;
  CNcontext created = NULL;
  CNdev device = 99;
  cnrtQueue_t queue = NULL;
  CHECK_CN(cnCtxGetCurrent(&current));
  CHECK_CN(cnSharedContextAcquire(&shared, 0));
  CHECK(shared == current);
  CHECK_CN(cnCtxGetDevice(&device));
  CHECK_EQ(device, 0);
  CHECK_OK(cnrtQueueCreate(&queue));
  CHECK_CN(cnQueueGetContext((CNqueue)queue, &current));
  CHECK(current == shared);
  CHECK_CN(cnQueueGetContext(NULL, &current));
  CHECK(current == shared);
  CHECK_OK(cnrtQueueDestroy(queue));
  CHECK_EQ(cnQueueGetContext((CNqueue)queue, &current), CN_ERROR_INVALID_HANDLE);

  unsigned version = 0;
  unsigned flags = 99;
  CHECK_CN(cnCtxGetApiVersion(shared, &version));
  CHECK_EQ(version, CN_VERSION);
  CHECK_EQ(cnCtxGetApiVersion(shared, NULL), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnCtxGetApiVersion(NULL, &version), CN_CONTEXT_ERROR_INVALID);
  CHECK_CN(cnCtxGetFlags(&flags));
  CHECK_EQ(flags, CN_CTX_SCHED_SYNC_SPIN);
  CHECK_EQ(cnCtxGetFlags(NULL), CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnCtxCreate(&created, CN_CTX_SCHED_SYNC_YIELD, 3));
  CHECK_CN(cnCtxGetFlags(&flags));
  CHECK_EQ(flags, CN_CTX_SCHED_SYNC_YIELD);
  CHECK_CN(cnCtxGetCurrent(&current));
  CHECK(current == created);
  int ordinal = -1;
  CHECK_OK(cnrtGetDevice(&ordinal));
  CHECK_EQ(ordinal, 3);
  CHECK_CN(cnCtxDestroy(created));
  CHECK_EQ(cnCtxDestroy(created), CN_CONTEXT_ERROR_INVALID);
  CHECK_EQ(cnCtxSetCurrent(created), CN_CONTEXT_ERROR_INVALID);
  CHECK_CN(cnCtxSetCurrent(shared));
  int active = -1;
  CHECK_CN(cnSharedContextGetState(0, &flags, &active));
  CHECK_EQ(flags, 0);
  CHECK_EQ(active, CN_CONTEXT_STATE_ACTIVE);
  CHECK_CN(cnSharedContextGetState(5, NULL, &active));
  CHECK_EQ(active, CN_CONTEXT_STATE_INACTIVE);
  CHECK_EQ(cnSharedContextGetState(99, &flags, &active), CN_ERROR_INVALID_DEVICE);
  int least = -99, greatest = -99;
  CHECK_CN(cnCtxGetQueuePriorityRange(&least, &greatest));
  CHECK(greatest <= least && least != -99);
  CHECK_CN(cnSharedContextRelease(0));
  CHECK_EQ(cnSharedContextRelease(0), CN_CONTEXT_ERROR_INVALID);
  CHECK_EQ(cnSharedContextAcquire(&shared, 99), CN_ERROR_INVALID_DEVICE);
}

static cn_uint64_t visible(CNcontext context) {
  CNctxConfigParam param;
  memset(&param, 0, sizeof(param));
  CHECK_CN(cnGetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM, &param));
  return param.visibleClusterNumber;
}

static int parallel(CNcontext context, KernelClass kernel_class) {
  int number = -1;
  CHECK_CN(cnGetCtxMaxParallelUnionTasks(context, kernel_class, &number));
  return number;
}

static void *visible_in_other_thread(void *context) {
  static cn_uint64_t number;
  number = visible(context);
  return &number;
}

/* Runs with a topology of 8 clusters of 4 cores. */
static void child_configuration(void) {
  CNcontext context = NULL;
  CNctxConfigParam param;
  CHECK_CN(cnCtxGetCurrent(&context));
  CHECK_EQ(visible(context), 8);
  CHECK_CN(cnGetCtxConfigParam(context, CN_CTX_CONFIG_UNION_LIMIT, &param));
  CHECK_EQ(param.unionLimit, CN_KERNEL_CLASS_UNION8);
  CHECK_EQ(parallel(context, CN_KERNEL_CLASS_BLOCK), 32);
  CHECK_EQ(parallel(context, CN_KERNEL_CLASS_UNION), 8);
  CHECK_EQ(parallel(context, CN_KERNEL_CLASS_UNION2), 4);
  CHECK_EQ(parallel(context, CN_KERNEL_CLASS_UNION4), 2);
  CHECK_EQ(parallel(context, CN_KERNEL_CLASS_UNION8), 1);
  CHECK_EQ(parallel(context, CN_KERNEL_CLASS_UNION16), 0);
  int number = 0;
  CHECK_EQ(cnGetCtxMaxParallelUnionTasks(context, CN_KERNEL_CLASS_NONE, &number),
           CN_ERROR_INVALID_VALUE);
  /* The CPU has no unions of 3 clusters. */
  CHECK_EQ(
      cnGetCtxMaxParallelUnionTasks(context, (KernelClass)(3 * CN_KERNEL_CLASS_UNION), &number),
      CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnGetCtxMaxParallelUnionTasks(NULL, CN_KERNEL_CLASS_UNION, &number),
           CN_CONTEXT_ERROR_INVALID);

  memset(&param, 0, sizeof(param));
  param.visibleCluster = 0x0f;
  CHECK_CN(cnSetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, &param));
  CHECK_EQ(visible(context), 4);
  CHECK_EQ(parallel(context, CN_KERNEL_CLASS_UNION4), 1);
  /* A setting is per thread ... */
  pthread_t thread;
  void *seen = NULL;
  pthread_create(&thread, NULL, visible_in_other_thread, context);
  pthread_join(thread, &seen);
  CHECK_EQ(*(cn_uint64_t *)seen, 8);
  /* ... or, with _pp, per process. */
  CHECK_CN(cnSetCtxConfigParam_pp(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, &param));
  pthread_create(&thread, NULL, visible_in_other_thread, context);
  pthread_join(thread, &seen);
  CHECK_EQ(*(cn_uint64_t *)seen, 4);
  memset(&param, 0, sizeof(param));
  CHECK_CN(cnGetCtxConfigParam_pp(context, CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM, &param));
  CHECK_EQ(param.visibleClusterNumber, 4);
  CHECK_EQ(cnGetCtxConfigParam_pp(NULL, CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM, &param),
           CN_CONTEXT_ERROR_INVALID);

  param.visibleCluster = 0x100; /* there is no ninth cluster */
  CHECK_EQ(cnSetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, &param),
           CN_ERROR_INVALID_VALUE);
  param.visibleCluster = 0;
  CHECK_EQ(cnSetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, &param),
           CN_ERROR_INVALID_VALUE);
  memset(&param, 0, sizeof(param));
  param.unionLimit = CN_KERNEL_CLASS_UNION4;
  CHECK_CN(cnSetCtxConfigParam(context, CN_CTX_CONFIG_UNION_LIMIT, &param));
  param.unionLimit = CN_KERNEL_CLASS_UNION16;
  CHECK_EQ(cnSetCtxConfigParam(context, CN_CTX_CONFIG_UNION_LIMIT, &param), CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnGetCtxConfigParam(context, CN_CTX_CONFIG_UNION_LIMIT, &param));
  CHECK_EQ(param.unionLimit, CN_KERNEL_CLASS_UNION4);
}

static void configuration(void) {
  CHECK_EQ(run_self("MLUOP_CPU_TOPOLOGY=8x4", "_child_configuration", NULL, 0), 0);
}

/* Runs with 8x4. There are enough contexts for the second round to reuse addresses of the first: a
 * new context must not inherit settings by its address. */
static void child_new_contexts(void) {
  enum { CONTEXTS = 64 };
  CNcontext contexts[CONTEXTS];
  CNctxConfigParam param = {.visibleCluster = 0x0f};
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < CONTEXTS; ++i) {
      CHECK_CN(cnCtxCreate(&contexts[i], 0, 0));
      CHECK_EQ(visible(contexts[i]), 8);
      CHECK_CN(cnSetCtxConfigParam(contexts[i], CN_CTX_CONFIG_VISIBLE_CLUSTER, &param));
      CHECK_EQ(visible(contexts[i]), 4);
    }
    for (int i = 0; i < CONTEXTS; ++i) {
      CHECK_CN(cnCtxDestroy(contexts[i]));
    }
  }
}

static void new_contexts_have_no_configuration(void) {
  CHECK_EQ(run_self("MLUOP_CPU_TOPOLOGY=8x4", "_child_new_contexts", NULL, 0), 0);
}

static void memory(void) {
  CNaddr address = 0;
  CNaddr base = 0;
  cn_uint64_t size = 0;
  cn_uint64_t free_bytes = 0;
  cn_uint64_t total = 0;
  int value = 0;
  enum CN_memory_type type = CN_MEMORYTYPE_UNKNOWN;
  unsigned data[4] = {1, 2, 3, 4};
  unsigned back[4] = {0};
  CHECK_CN(cnZmalloc(&address, 4096));
  CHECK_EQ(*(int *)(uintptr_t)(address + 4092), 0);
  CHECK_CN(cnGetMemAttribute(&type, CN_MEM_ATTRIBUTE_TYPE, address + 8));
  CHECK_EQ(type, CN_MEMORYTYPE_DEVICE);
  CHECK_CN(cnGetMemAttribute(&value, CN_MEM_ATTRIBUTE_ISLINEAR, address));
  CHECK_EQ(value, 1);
  CHECK_CN(cnMemGetAddressRange(&base, &size, address + 100));
  CHECK(base == address && size == 4096);
  CHECK_EQ(cnMemGetAddressRange(&base, &size, (CNaddr)(uintptr_t)data),
           CN_MEMORY_ERROR_INVALID_ADDRESS);
  CHECK_CN(cnMemcpyHtoD(address, data, sizeof(data)));
  CHECK_CN(cnMemcpyDtoD(address + 64, address, sizeof(data)));
  CHECK_CN(cnMemsetD16(address + 64, 0x1234, 2));
  CHECK_CN(cnMemcpyDtoHAsync(back, address + 64, sizeof(back), NULL));
  CHECK_CN(cnQueueSync(NULL));
  CHECK(back[0] == 0x12341234 && back[1] == 2 && back[3] == 4);
  CHECK_CN(cnMemGetInfo(&free_bytes, &total));
  CHECK(free_bytes < total);
  CHECK_CN(cnFree(address));
  CHECK_EQ(cnFree(address), CN_MEMORY_ERROR_INVALID_ADDRESS);
  CHECK_CN(cnMallocConstant(&address, 128));
  CHECK_CN(cnFree(address));
  CHECK_EQ(cnMalloc(&address, total + 1), CN_MEMORY_ERROR_OUT_OF_MEMORY);
}

static void memory_attributes(void) {
  CNaddr address = 0;
  void *host = NULL;
  CNaddr found = 0;
  void *pointer = NULL;
  cn_uint64_t bytes = 0;
  int number = -1;
  CNcontext context = NULL;
  CNcontext current = NULL;
  enum CN_memory_type type = CN_MEMORYTYPE_UNKNOWN;
  CHECK_CN(cnMalloc(&address, 256));
  CHECK_CN(cnMallocHost(&host, 256));
  const CNaddr inside = address + 16;
  const CNaddr pinned = (CNaddr)(uintptr_t)host;
  const CNaddr unknown = (CNaddr)(uintptr_t)&number;
  CHECK_CN(cnGetMemAttribute(&found, CN_MEM_ATTRIBUTE_DEVICE_POINTER, inside));
  CHECK(found == inside);
  CHECK_CN(cnGetMemAttribute(&found, CN_MEM_ATTRIBUTE_RANGE_START_ADDR, inside));
  CHECK(found == address);
  CHECK_CN(cnGetMemAttribute(&bytes, CN_MEM_ATTRIBUTE_RANGE_SIZE, inside));
  CHECK_EQ(bytes, 256);
  CHECK_CN(cnGetMemAttribute(&number, CN_MEM_ATTRIBUTE_DEVICE_ORDINAL, inside));
  CHECK_EQ(number, 0);
  CHECK_CN(cnGetMemAttribute(&context, CN_MEM_ATTRIBUTE_CONTEXT, inside));
  CHECK_CN(cnCtxGetCurrent(&current));
  CHECK(context == current);
  CHECK_CN(cnGetMemAttribute(&pointer, CN_MEM_ATTRIBUTE_HOST_POINTER, pinned));
  CHECK(pointer == host);
  CHECK_EQ(cnGetMemAttribute(&pointer, CN_MEM_ATTRIBUTE_HOST_POINTER, inside),
           CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnGetMemAttribute(&type, CN_MEM_ATTRIBUTE_TYPE, pinned));
  CHECK_EQ(type, CN_MEMORYTYPE_HOST);
  CHECK_CN(cnGetMemAttribute(&number, CN_MEM_ATTRIBUTE_MAPPED, inside));
  CHECK_EQ(number, 1);
  CHECK_CN(cnGetMemAttribute(&number, CN_MEM_ATTRIBUTE_MAPPED, unknown));
  CHECK_EQ(number, 0);
  CHECK_EQ(cnGetMemAttribute(&bytes, CN_MEM_ATTRIBUTE_RANGE_SIZE, unknown),
           CN_MEMORY_ERROR_INVALID_ADDRESS);
  CHECK_CN(cnFreeHost(host));
  CHECK_CN(cnFree(address));
}

/* Devices have one memory node. */
static void memory_nodes(void) {
  int nodes = 0;
  CNaddr address = 0;
  cn_uint64_t free_bytes = 0;
  cn_uint64_t total = 0;
  cn_uint64_t node_free = 0;
  cn_uint64_t node_total = 0;
  CHECK_CN(cnDeviceGetAttribute(&nodes, CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_NODE_COUNT, 0));
  CHECK_EQ(nodes, 1);
  CHECK_CN(cnMemGetInfo(&free_bytes, &total));
  CHECK_CN(cnMemGetNodeInfo(&node_free, &node_total, 0));
  CHECK(node_free == free_bytes && node_total == total);
  CHECK_EQ(cnMemGetNodeInfo(&node_free, &node_total, nodes), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemGetNodeInfo(&node_free, &node_total, -1), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMemGetNodeInfo(NULL, &node_total, 0), CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnMallocNode(&address, 4096, 0));
  CHECK_CN(cnMemGetInfo(&node_free, &total));
  CHECK(node_free + 4096 <= free_bytes);
  CHECK_CN(cnFree(address));
  CHECK_CN(cnZmallocNode(&address, 4096, 0));
  CHECK_EQ(*(int *)(uintptr_t)(address + 4092), 0);
  CHECK_CN(cnFree(address));
  CHECK_CN(cnMallocNodeConstant(&address, 4096, 0));
  CHECK_CN(cnFree(address));
  CHECK_EQ(cnMallocNode(&address, 4096, nodes), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnZmallocNode(&address, 4096, nodes), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnMallocNodeConstant(&address, 4096, -1), CN_ERROR_INVALID_VALUE);
  CHECK_CN(cnMallocPeerAble(&address, 4096));
  CHECK_CN(cnFree(address));
}

/* Three interfaces agree on the UUID. A buffer of 36 characters gets its text without a final NUL.
 */
static void identifiers(void) {
  CNuuid uuid;
  cnrtDeviceProp_t prop;
  cndevUUID_t managed = {.version = CNDEV_VERSION_5};
  CNdev device = 99;
  char text[40];
  memset(text, '#', sizeof(text));
  CHECK_CN(cnDeviceGetUuid(&uuid, 5));
  CHECK_OK(cnrtGetDeviceProperties(&prop, 5));
  CHECK(memcmp(uuid.uuid, prop.uuid.uuid, sizeof(uuid.uuid)) == 0);
  CHECK_EQ(cndevInit(0), CNDEV_SUCCESS);
  CHECK_EQ(cndevGetUUID(&managed, 5), CNDEV_SUCCESS);
  CHECK_EQ(cndevRelease(), CNDEV_SUCCESS);
  CHECK_CN(cnDeviceGetUuidStr(text, 36, 5));
  CHECK(memcmp(text, managed.uuid, 36) == 0);
  CHECK_EQ(text[36], '#');
  CHECK_CN(cnDeviceGetUuidStr(text, sizeof(text), 5));
  CHECK(strcmp(text, (const char *)managed.uuid) == 0);
  CHECK_CN(cnDeviceGetByUuidStr(&device, text));
  CHECK_EQ(device, 5);
  CHECK_EQ(cnDeviceGetUuidStr(text, 35, 5), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnDeviceGetUuidStr(text, sizeof(text), 8), CN_ERROR_INVALID_DEVICE);
  CHECK_EQ(cnDeviceGetUuid(NULL, 5), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnDeviceGetUuid(&uuid, 8), CN_ERROR_INVALID_DEVICE);
  CHECK_EQ(cnDeviceGetByUuidStr(&device, "nobody"), CN_ERROR_INVALID_DEVICE);
  CHECK_EQ(cnDeviceGetByUuidStr(&device, NULL), CN_ERROR_INVALID_VALUE);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"devices", devices},
      {"error_texts", error_texts},
      {"hidden_functions", hidden_functions},
      {"buffers_for_other_drivers", buffers_for_other_drivers},
      {"kernel_attributes", kernel_attributes},
      {"contexts", contexts},
      {"configuration", configuration},
      {"new_contexts_have_no_configuration", new_contexts_have_no_configuration},
      {"memory", memory},
      {"memory_attributes", memory_attributes},
      {"memory_nodes", memory_nodes},
      {"identifiers", identifiers},
      {"_child_configuration", child_configuration},
      {"_child_new_contexts", child_new_contexts},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
