/* SPDX-License-Identifier: MIT
 *
 * Devices, attributes, error names, settings.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cnrt_external.h"
#include "harness.h"

static int attribute(cnrtDeviceAttr_t which) {
  int value = -1;
  CHECK_OK(cnrtDeviceGetAttribute(&value, which, 0));
  return value;
}

static void versions(void) {
  int major = 0;
  int minor = 0;
  int patch = -1;
  CHECK_OK(cnrtGetLibVersion(&major, &minor, &patch));
  CHECK(major * 100 + minor >= 607);
  CHECK_EQ(major * 10000 + minor * 100 + patch, CNRT_VERSION);
  CHECK_OK(cnrtDriverGetVersion(&major, &minor, &patch));
  CHECK(major * 100 + minor >= 207);
  CHECK_EQ(cnrtGetLibVersion(NULL, &minor, &patch), cnrtErrorArgsInvalid);
}

static void *device_of_new_thread(void *argument) {
  CHECK_OK(cnrtGetDevice(argument));
  return NULL;
}

static void current_device(void) {
  unsigned count = 0;
  int device = -1;
  CHECK_OK(cnrtGetDeviceCount(&count));
  CHECK_EQ(count, 8);
  CHECK_OK(cnrtGetDevice(&device));
  CHECK_EQ(device, 0);
  CHECK_OK(cnrtSetDevice(3));
  CHECK_OK(cnrtGetDevice(&device));
  CHECK_EQ(device, 3);
  pthread_t thread;
  pthread_create(&thread, NULL, device_of_new_thread, &device);
  pthread_join(thread, NULL);
  CHECK_EQ(device, 0);
  CHECK_EQ(cnrtSetDevice(8), cnrtErrorDeviceInvalid);
  CHECK_EQ(cnrtSetDevice(-1), cnrtErrorDeviceInvalid);
  CHECK_OK(cnrtGetDevice(&device));
  CHECK_EQ(device, 3);
  CHECK_OK(cnrtSetDevice(0));
}

static void flags(void) {
  unsigned flag = 99;
  CHECK_OK(cnrtGetDeviceFlag(&flag));
  CHECK_EQ(flag, cnrtDeviceScheduleAuto);
  CHECK_OK(cnrtSetDeviceFlag(cnrtDeviceScheduleYield));
  CHECK_OK(cnrtGetDeviceFlag(&flag));
  CHECK_EQ(flag, cnrtDeviceScheduleYield);
  CHECK_OK(cnrtSetDevice(1)); /* flags are per device */
  CHECK_OK(cnrtGetDeviceFlag(&flag));
  CHECK_EQ(flag, cnrtDeviceScheduleAuto);
  CHECK_OK(cnrtSetDevice(0));
  CHECK_OK(cnrtSetDeviceFlag(cnrtDeviceScheduleAuto));
  CHECK_EQ(cnrtSetDeviceFlag(cnrtDeviceFlagsMaxNum), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtGetDeviceFlag(NULL), cnrtErrorArgsInvalid);
}

/* Names that older programs call. */
static void former_names(void) {
  cnrtDev_t device = -1;
  CHECK_OK(cnrtInit(0));
  CHECK_OK(cnrtGetDeviceHandle(&device, 4));
  CHECK_EQ(device, 4);
  CHECK_OK(cnrtSetCurrentDevice(device));
  device = -1;
  CHECK_OK(cnrtGetCurrentDevice(&device));
  CHECK_EQ(device, 4);
  CHECK_OK(cnrtSetDevice(0));
  CHECK_EQ(cnrtGetDeviceHandle(&device, 8), cnrtErrorDeviceInvalid);
  CHECK_EQ(cnrtGetDeviceHandle(&device, -1), cnrtErrorDeviceInvalid);
  CHECK_EQ(cnrtGetDeviceHandle(NULL, 0), cnrtErrorArgsInvalid);
  cnrtDestroy(); /* devices keep working: other parts of a program may use them */
  CHECK_OK(cnrtGetDevice(&device));
  CHECK_EQ(CNRT_RET_ERR_BUSY, cnrtErrorBusy);
  CHECK_EQ(CNRT_RET_WARNING_FAKE_DEVICE, cnrtErrorNotReady);

  cnrtKernelParamsBuffer_t params = NULL;
  int value = 1;
  CHECK_EQ(cnrtGetKernelParamsBuffer(NULL), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtGetKernelParamsBuffer(&params));
  CHECK_EQ(cnrtKernelParamsBufferAddParam(params, NULL, 4), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtKernelParamsBufferAddParam(params, &value, 0), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtInvokeKernel_V2(&value, dim3(1, 1, 1), NULL, cnrtFuncTypeBlock, NULL),
           cnrtErrorArgsInvalid);
  CHECK_OK(cnrtDestroyKernelParamsBuffer(params));
  CHECK_EQ(cnrtDestroyKernelParamsBuffer(NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtCreateKernelInitParam(NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtInitKernelMemory(NULL, NULL), cnrtErrorArgsInvalid);
}

/* Device properties and memory functions by the names of CNRT 4. */
static void former_device_info(void) {
  cnrtDeviceInfo_t info;
  cnrtDeviceProp_t prop;
  CHECK_OK(cnrtGetDeviceProperties(&prop, 1));
  CHECK_OK(cnrtGetDeviceInfo(&info, 1));
  CHECK(strncmp(info.device_name, prop.name, sizeof(info.device_name) - 1) == 0);
  CHECK_EQ(info.core_version, CNRT_MLU370);
  CHECK_EQ(info.core_num, prop.clusterCount * prop.McorePerCluster);
  CHECK_EQ(cnrtGetDeviceInfo(NULL, 0), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtGetDeviceInfo(&info, 8), cnrtErrorDeviceInvalid);

  cnrtChannelType_t channel = CNRT_CHANNEL_TYPE_3;
  CHECK_OK(cnrtGetCurrentChannel(&channel));
  CHECK_EQ(channel, CNRT_CHANNEL_TYPE_NONE);
  CHECK_OK(cnrtSetCurrentChannel(CNRT_CHANNEL_TYPE_2));
  CHECK_OK(cnrtGetCurrentChannel(&channel));
  CHECK_EQ(channel, CNRT_CHANNEL_TYPE_2);
  CHECK_OK(cnrtSetCurrentChannel(CNRT_CHANNEL_TYPE_DUPLICATE));
  CHECK_EQ(cnrtSetCurrentChannel((cnrtChannelType_t)4), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtSetCurrentChannel((cnrtChannelType_t)-3), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtGetCurrentChannel(NULL), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtSetCurrentChannel(CNRT_CHANNEL_TYPE_NONE));

  const cnrtMemType_t kinds[] = {CNRT_MEMTYPE_DEFAULT, CNRT_MEMTYPE_LOCKED};
  for (int i = 0; i < 2; ++i) {
    void *memory = NULL;
    CHECK_OK(cnrtMallocHost(&memory, 100, kinds[i]));
    memset(memory, i, 100);
    CHECK_OK(cnrtFreeHost(memory));
  }
  void *none = NULL;
  CHECK_EQ(cnrtMallocHost(&none, 100, CNRT_MEMTYPE_DEV), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMallocHost(NULL, 100, CNRT_MEMTYPE_LOCKED), cnrtErrorArgsInvalid);
}

static void attributes_and_properties(void) {
  cnrtDeviceProp_t prop;
  CHECK_OK(cnrtGetDeviceProperties(&prop, 0));
  CHECK(strncmp(prop.name, "MLU590", 6) == 0);
  CHECK_EQ(attribute(cnrtAttrNramSizePerMcore), 524288);
  CHECK_EQ(attribute(cnrtAttrWramSizePerMcore), 524288);
  CHECK_EQ(attribute(cnrtAttrSramSizePerMcore), 2097152);
  CHECK_EQ(attribute(cnrtAttrISAVersion), 592);
  CHECK_EQ(attribute(cnrtAttrMaxDimX), 65535);
  CHECK_EQ(prop.clusterCount, attribute(cnrtAttrClusterCount));
  CHECK_EQ(prop.McorePerCluster, attribute(cnrtAttrMcorePerCluster));
  CHECK_EQ(prop.NramSizePerMcore, 524288);
  CHECK_EQ(prop.totalMem, attribute(cnrtAttrTotalMemSize));
  CHECK(prop.totalMem > 0);
  const double gb_per_s = 2.0 * prop.memClockRate * 1e3 * prop.GmemBusWidth / 8 / 1e9;
  CHECK(gb_per_s > 5 && gb_per_s < 2000);
  int value = 0;
  CHECK_EQ(cnrtDeviceGetAttribute(&value, (cnrtDeviceAttr_t)0x7777, 0), cnrtErrorNoAttribute);
  CHECK_EQ(cnrtDeviceGetAttribute(&value, cnrtAttrClusterCount, 99), cnrtErrorDeviceInvalid);
  CHECK_EQ(cnrtDeviceGetAttribute(NULL, cnrtAttrClusterCount, 0), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtGetDeviceProperties(NULL, 0), cnrtErrorArgsInvalid);
}

static void pci_addresses(void) {
  char text[32];
  int device = -1;
  CHECK_OK(cnrtDeviceGetPCIBusId(text, sizeof(text), 5));
  CHECK_OK(cnrtDeviceGetByPCIBusId(&device, text));
  CHECK_EQ(device, 5);
  CHECK_EQ(cnrtDeviceGetPCIBusId(text, 4, 5), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtDeviceGetByPCIBusId(&device, "nonsense"), cnrtErrorDeviceInvalid);
}

/* In a PCI address a domain or function of 0 may be omitted. */
static void short_pci_addresses(void) {
  static const char *const good[] = {"0000:12:00.0", "0000:12:00", "12:00.0", "12:00", "0:12:0"};
  static const char *const bad[] = {"",         "12",          "12:",        ":12:00",  "12:00.",
                                    "12:00.0 ", "0000:12:00:", "12:00.0.0",  "0x12:00", "-0:12:00",
                                    "1:12:00",  "12:01",       "12:00.1",    " 12:00",  "0::12:00",
                                    "12:00,0",  "0000::00.0",  "12:00.0:00", "99:00.0"};
  for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); ++i) {
    int device = -1;
    CHECK_OK(cnrtDeviceGetByPCIBusId(&device, good[i]));
    CHECK_EQ(device, 2);
  }
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
    int device = -1;
    CHECK_EQ(cnrtDeviceGetByPCIBusId(&device, bad[i]), cnrtErrorDeviceInvalid);
  }
}

static void error_names(void) {
  const cnrtRet_t codes[] = {cnrtSuccess,
                             cnrtErrorNotReady,
                             cnrtErrorInit,
                             cnrtErrorNoDevice,
                             cnrtErrorDeviceInvalid,
                             cnrtErrorArgsInvalid,
                             cnrtErrorSys,
                             cnrtErrorSysNoMem,
                             cnrtErrorInvalidResourceHandle,
                             cnrtErrorIllegalState,
                             cnrtErrorNotSupport,
                             cnrtErrorOpsNotPermitted,
                             cnrtErrorQueue,
                             cnrtErrorNoMem,
                             cnrtErrorNoKernel,
                             cnrtErrorNoModule,
                             cnrtErrorMemcpyDirectionInvalid,
                             cnrtErrorInvalidSymbol,
                             cnrtErrorUnknown,
                             (cnrtRet_t)100121,
                             (cnrtRet_t)100131,
                             (cnrtRet_t)100134};
  for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); ++i) {
    CHECK(strcmp(cnrtGetErrorName(codes[i]), cnrtGetErrorName((cnrtRet_t)123456)) != 0);
    CHECK(strlen(cnrtGetErrorStr(codes[i])) > 3);
  }
  CHECK(strcmp(cnrtGetErrorName(cnrtErrorNoMem), "cnrtErrorNoMem") == 0);
}

static void last_error(void) {
  cnrtGetLastError();
  CHECK_EQ(cnrtPeekAtLastError(), cnrtSuccess);
  cnrtSetDevice(1234);
  CHECK_OK(cnrtSetDevice(0)); /* success does not clear the last error */
  CHECK_EQ(cnrtPeekAtLastError(), cnrtErrorDeviceInvalid);
  CHECK_EQ(cnrtPeekAtLastError(), cnrtErrorDeviceInvalid);
  CHECK_EQ(cnrtGetLastError(), cnrtErrorDeviceInvalid);
  CHECK_EQ(cnrtGetLastError(), cnrtSuccess);
}

/* ---- Settings ---- */

static void child_8x4(void) {
  CHECK_EQ(attribute(cnrtAttrClusterCount), 8);
  CHECK_EQ(attribute(cnrtAttrMcorePerCluster), 4);
  CHECK_EQ(attribute(cnrtAttrMaxClusterCountPerUnionTask), 32);
  CHECK_EQ(attribute(cnrtAttrMaxClusterPerUnionLimitTask), 8);
}

static void child_1x3(void) {
  CHECK_EQ(attribute(cnrtAttrClusterCount), 1);
  CHECK_EQ(attribute(cnrtAttrMcorePerCluster), 3);
}

static void child_default_topology(void) {
  CHECK_EQ(attribute(cnrtAttrMcorePerCluster), 4);
}

static void child_two_devices(void) {
  unsigned count = 0;
  int device = -1;
  CHECK_OK(cnrtGetDeviceCount(&count));
  CHECK_EQ(count, 2);
  CHECK_OK(cnrtGetDevice(&device));
  CHECK_EQ(device, 1);
}

static void child_memory(void) {
  size_t free_bytes = 0;
  size_t total = 0;
  void *pointer = NULL;
  CHECK_OK(cnrtMemGetInfo(&free_bytes, &total));
  CHECK_EQ(total, 64 << 20);
  CHECK_EQ(cnrtMalloc(&pointer, (64 << 20) + 1), cnrtErrorNoMem);
  CHECK_OK(cnrtMalloc(&pointer, 64 << 20));
  void *more = NULL;
  CHECK_EQ(cnrtMalloc(&more, 1), cnrtErrorNoMem);
  CHECK_OK(cnrtFree(pointer));
  CHECK_OK(cnrtMalloc(&more, 1));
  CHECK_OK(cnrtFree(more));
}

static void settings(void) {
  char text[4096];
  CHECK_EQ(run_self("MLUOP_CPU_TOPOLOGY=8x4", "_child_8x4", text, sizeof(text)), 0);
  CHECK(strstr(text, "not valid") == NULL);
  CHECK_EQ(run_self("MLUOP_CPU_TOPOLOGY=1x3", "_child_1x3", NULL, 0), 0);
  CHECK_EQ(run_self("MLUOP_CPU_DEVICES=2 CNRT_DEFAULT_DEVICE=1", "_child_two_devices", NULL, 0), 0);
  CHECK_EQ(run_self("MLUOP_CPU_MEMORY_MB=64", "_child_memory", NULL, 0), 0);
  const char *const bad[] = {"MLUOP_CPU_TOPOLOGY=0x4",       "MLUOP_CPU_TOPOLOGY=8",
                             "MLUOP_CPU_TOPOLOGY=8x4x2",     "MLUOP_CPU_TOPOLOGY=-1x4",
                             "MLUOP_CPU_TOPOLOGY=999x4",     "MLUOP_CPU_TASK_ORDER=sideways",
                             "MLUOP_CPU_TASK_ORDER=random:", "MLUOP_CPU_THREADS=many"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
    CHECK_EQ(run_self(bad[i], "_child_default_topology", text, sizeof(text)), 0);
    const char *warning = strstr(text, "is not valid");
    CHECK(warning != NULL);
    CHECK(warning == NULL || strstr(warning + 1, "is not valid") == NULL); /* printed once */
  }
}

static void settings_are_documented(void) {
  CHECK(cnrtxSettingCount() >= 9);
  for (size_t i = 0; i < cnrtxSettingCount(); ++i) {
    const cnrtxSetting *setting = cnrtxGetSetting(i);
    CHECK(setting != NULL && strlen(setting->name) > 5 && strlen(setting->meaning) > 10 &&
          strlen(setting->default_value) > 0);
  }
  CHECK(cnrtxGetSetting(cnrtxSettingCount()) == NULL);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"versions", versions},
      {"current_device", current_device},
      {"flags", flags},
      {"former_names", former_names},
      {"former_device_info", former_device_info},
      {"attributes_and_properties", attributes_and_properties},
      {"pci_addresses", pci_addresses},
      {"short_pci_addresses", short_pci_addresses},
      {"error_names", error_names},
      {"last_error", last_error},
      {"settings", settings},
      {"settings_are_documented", settings_are_documented},
      {"_child_8x4", child_8x4},
      {"_child_1x3", child_1x3},
      {"_child_default_topology", child_default_topology},
      {"_child_two_devices", child_two_devices},
      {"_child_memory", child_memory},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
