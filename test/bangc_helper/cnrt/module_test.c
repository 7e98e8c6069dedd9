/* SPDX-License-Identifier: MIT
 *
 * Kernels compiled while the program runs (CNRTC), loaded as modules and launched by their names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cnrtc.h"
#include "harness.h"

#define CHECK_CN(call) CHECK_EQ(call, CN_SUCCESS)
#define CHECK_RTC(call) CHECK_EQ(call, CNRTC_SUCCESS)

static const char add_one[] =
    "#include <bang.h>\n"
    "__mlu_func__ float more(float x) { return x + 1; }\n"
    "extern \"C\" __mlu_global__ void kernel(float *x, int n) {\n"
    "  __nram__ float part[64];\n"
    "  __memcpy(part, x, n * sizeof(float), GDRAM2NRAM);\n"
    "  for (int i = 0; i < n; ++i) part[i] = more(part[i]);\n"
    "  __memcpy(x, part, n * sizeof(float), NRAM2GDRAM);\n"
    "}\n"
    "extern \"C\" int no_kernel() { return 1; }\n";
/* Another kernel of the same name. */
static const char add_ten[] =
    "extern \"C\" __mlu_entry__ void kernel(float *x, int n) {\n"
    "  for (int i = taskId; i < n; i += taskDim) x[i] += 10;\n"
    "}\n";

/* Compiles a source; the caller frees the result. NULL: it does not compile. */
static char *compiled(const char *source, unsigned *size) {
  static const char *const options[] = {"-O2", "--bang-fatbin-only", "--bang-mlu-arch=mtp_592"};
  cnrtcCode code = NULL;
  char *bytes = NULL;
  CHECK_RTC(cnrtcCreateCodeV2(&code, source, CNRTC_CODE_BANGC, NULL, 0, NULL, NULL));
  const cnrtcStatus status = cnrtcCompileCode(code, 3, (const char **)(size_t)options);
  CHECK_RTC(status);
  CHECK_RTC(cnrtcGetFatBinarySize(code, size));
  if (status == CNRTC_SUCCESS && (bytes = malloc(*size)) != NULL) {
    CHECK_RTC(cnrtcGetFatBinary(code, bytes));
  }
  CHECK_RTC(cnrtcDestroyCode(&code));
  CHECK(code == NULL);
  return bytes;
}

static void run_kernel(CNkernel kernel, float first, float wanted) {
  enum { N = 40 };
  float host[N];
  void *device = NULL;
  int n = N;
  for (int i = 0; i < N; i++) host[i] = first + (float)i;
  CHECK_OK(cnrtMalloc(&device, sizeof host));
  write_device(device, host, sizeof host);
  void *parameters[] = {&device, &n};
  CHECK_CN(cnInvokeKernel(kernel, 1, 1, 1, CN_KERNEL_CLASS_BLOCK, 0, NULL, parameters, NULL));
  CHECK_CN(cnQueueSync(NULL));
  CHECK_OK(cnrtMemcpy(host, device, sizeof host, cnrtMemcpyDevToHost));
  for (int i = 0; i < N; i++) CHECK_EQ(host[i], wanted + (float)i);
  CHECK_OK(cnrtFree(device));
}

static void from_memory(void) {
  unsigned sizes[2] = {0, 0};
  char *first = compiled(add_one, &sizes[0]), *second = compiled(add_ten, &sizes[1]);
  CNmodule modules[2] = {NULL, NULL};
  CNkernel kernels[2] = {NULL, NULL}, other = NULL;
  if (first != NULL && second != NULL) {
    CHECK_CN(cnModuleLoadFatBinary(first, &modules[0]));
    CHECK_CN(cnModuleLoadData(second, &modules[1]));
    CHECK_CN(cnModuleGetKernel(modules[0], "kernel", &kernels[0]));
    CHECK_CN(cnModuleGetKernel(modules[1], "kernel", &kernels[1]));
    CHECK_EQ(cnModuleGetKernel(modules[0], "no_kernel", &other), CN_ERROR_NOT_FOUND);
    CHECK_EQ(cnModuleGetKernel(modules[0], "nothing", &other), CN_ERROR_NOT_FOUND);
    run_kernel(kernels[0], 3, 4);
    run_kernel(kernels[1], 3, 13);
    CHECK_CN(cnModuleUnload(modules[0]));
    CHECK_CN(cnModuleUnload(modules[1]));
  }
  free(first);
  free(second);
}

static void from_a_file(void) {
  char path[] = "/tmp/cnmodule-XXXXXX";
  unsigned size = 0;
  char *bytes = compiled(add_one, &size);
  const int file = mkstemp(path);
  CHECK(file >= 0 && bytes != NULL && write(file, bytes, size) == (ssize_t)size);
  close(file);
  CNmodule module = NULL;
  CNkernel kernel = NULL;
  CHECK_CN(cnModuleLoad(path, &module));
  unlink(path);
  CHECK_CN(cnModuleGetKernel(module, "kernel", &kernel));
  run_kernel(kernel, 0, 1);
  CHECK_CN(cnModuleUnload(module));
  free(bytes);
}

static void wrong_modules(void) {
  static const char text[4096] = "not a library";
  CNmodule module = NULL;
  CNkernel kernel = NULL;
  CHECK_EQ(cnModuleLoad(NULL, &module), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnModuleLoad("/proc/self/exe", NULL), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnModuleLoad("/no/such/file", &module), CN_ERROR_FILE_NOT_FOUND);
  CHECK_EQ(cnModuleLoad("/proc/self/status", &module), CN_ERROR_INVALID_FATBIN);
  CHECK_EQ(cnModuleLoadFatBinary(text, &module), CN_ERROR_INVALID_FATBIN);
  CHECK_EQ(cnModuleLoadFatBinary(NULL, &module), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnModuleUnload(NULL), CN_ERROR_INVALID_VALUE);
  CHECK_EQ(cnModuleGetKernel(NULL, "kernel", &kernel), CN_ERROR_INVALID_VALUE);
  CHECK(module == NULL);
}

static void compilations(void) {
  cnrtcCode code = NULL, another = NULL;
  unsigned size = 0;
  int major = -1, minor = -1;
  char byte = 0;
  CHECK_RTC(cnrtcVersion(&major, &minor));
  CHECK(major == CNRTC_MAJOR_VERSION && minor == CNRTC_MINOR_VERSION);
  CHECK_EQ(cnrtcVersion(NULL, &minor), CNRTC_VERSION_NO_SPACE_ERROR);
  CHECK_EQ(cnrtcCreateCode(&code, NULL, NULL, 0, NULL, NULL), CNRTC_CREATE_CODE_SOURCE_NULL_ERROR);
  CHECK_RTC(cnrtcCreateCode(&code, "a line that is no BANG C\n", NULL, 0, NULL, NULL));
  CHECK_EQ(cnrtcCreateCode(&code, add_one, NULL, 0, NULL, NULL),
           CNRTC_CREATE_CODE_ALREADY_EXIST_ERROR);
  CHECK_EQ(cnrtcCompileCode(NULL, 0, NULL), CNRTC_COMPILE_CODE_NO_CODE_ERROR);
  CHECK_EQ(cnrtcCompileCode(code, 1, NULL), CNRTC_COMPILE_CODE_PARAM_ERROR);
  CHECK_EQ(cnrtcCompileCode(code, 0, NULL), CNRTC_COMPILE_CODE_ERROR);
  CHECK_RTC(cnrtcGetCompilationLogSize(code, &size));
  char *log = calloc(1, size + 1);
  CHECK_RTC(cnrtcGetCompilationLog(code, log));
  CHECK(strstr(log, "error") != NULL && strlen(log) + 1 == size);
  free(log);
  CHECK_RTC(cnrtcGetCompilationOutputSize(code, &size));
  CHECK_EQ(size, 0);
  CHECK_EQ(cnrtcGetFatBinarySize(code, &size), CNRTC_NO_FATBIN_OPTION_ERROR);
  CHECK_EQ(cnrtcGetFatBinary(code, &byte), CNRTC_NO_FATBIN_OPTION_ERROR);
  CHECK_EQ(cnrtcGetFatBinary(code, NULL), CNRTC_GET_BIN_NO_SPACE_ERROR);
  CHECK_EQ(cnrtcGetFatBinary(NULL, &byte), CNRTC_GET_BIN_NO_CODE_ERROR);
  CHECK_EQ(cnrtcGetFatBinarySize(NULL, &size), CNRTC_GET_BIN_SIZE_NO_CODE_ERROR);
  CHECK_EQ(cnrtcGetFatBinarySize(code, NULL), CNRTC_GET_BIN_SIZE_NO_SPACE_ERROR);
  CHECK_EQ(cnrtcGetCompilationOutput(NULL, &byte), CNRTC_NO_CODE_ERROR);
  CHECK_EQ(cnrtcGetCompilationOutput(code, NULL), CNRTC_NO_OUTPUT_SPACE_ERROR);
  CHECK_RTC(cnrtcGetCompilationOutput(code, &byte));
  CHECK_EQ(cnrtcGetCompilationOutputSize(NULL, &size), CNRTC_NO_CODE_ERROR);
  CHECK_EQ(cnrtcGetCompilationOutputSize(code, NULL), CNRTC_NO_OUTPUT_SPACE_ERROR);
  CHECK_EQ(cnrtcGetCompilationLog(NULL, &byte), CNRTC_GET_LOG_NO_CODE_ERROR);
  CHECK_EQ(cnrtcGetCompilationLog(code, NULL), CNRTC_GET_LOG_NO_SPACE_ERROR);
  CHECK_EQ(cnrtcGetCompilationLogSize(NULL, &size), CNRTC_GET_LOG_SIZE_NO_CODE_ERROR);
  CHECK_EQ(cnrtcGetCompilationLogSize(code, NULL), CNRTC_GET_LOG_SIZE_NO_SPACE_ERROR);
  CHECK_RTC(cnrtcCreateCodeV2(&another, "", CNRTC_CODE_MLISA, NULL, 0, NULL, NULL));
  CHECK_EQ(cnrtcCompileCode(another, 0, NULL), CNRTC_COMPILE_CODE_PARAM_ERROR);
  CHECK_RTC(cnrtcDestroyCode(&another));
  CHECK_RTC(cnrtcDestroyCode(&code));
  CHECK_EQ(cnrtcDestroyCode(&code), CNRTC_DESTROY_CODE_DOUBLE_FREE_ERROR);
  CHECK(strcmp(cnrtcTransStatusToString(CNRTC_COMPILE_CODE_ERROR), "CNRTC_COMPILE_CODE_ERROR") ==
        0);
  CHECK(strcmp(cnrtcTransStatusToString((cnrtcStatus)99), "unknown status") == 0);
}

int main(int argc, char **argv) {
  static const struct test_case tests[] = {
      {"from_memory", from_memory},
      {"from_a_file", from_a_file},
      {"wrong_modules", wrong_modules},
      {"compilations", compilations},
  };
  return run_tests(tests, sizeof tests / sizeof *tests, argc, argv);
}
