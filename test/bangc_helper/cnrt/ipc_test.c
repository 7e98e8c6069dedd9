/* SPDX-License-Identifier: MIT
 *
 * Device memory that another process maps. The program starts itself as the other process, with the
 * handle in an environment variable.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cnrt_external.h"
#include "harness.h"
#include "test/common/sanitized.h"

enum { COUNT = 300000 }; /* words, not a whole number of pages */

static const char handle_variable[] = "CNRT_TEST_HANDLE";

static int run_other(const char *settings, cnrtIpcMemHandle handle, const char *test) {
  char text[256];
  char output[2048] = "";
  snprintf(text, sizeof(text), "%s %s=%llu", settings, handle_variable,
           (unsigned long long)(uintptr_t)handle);
  const int status = run_self(text, test, output, sizeof(output));
  if (status != 0) {
    fprintf(stderr, "%s\n", output);
  }
  return status;
}

static cnrtIpcMemHandle handle_of_parent(void) {
  const char *text = getenv(handle_variable);
  return (cnrtIpcMemHandle)(uintptr_t)strtoull(text != NULL ? text : "0", NULL, 10);
}

static uint32_t word(uint32_t i) {
  return i * 2654435761u;
}

/* ---- The other process ---- */

static void child_changes(void) {
  uint32_t *words = malloc(COUNT * sizeof(*words));
  uint32_t *mapped = NULL;
  void *again = NULL;
  size_t free_before = 0;
  size_t free_now = 0;
  size_t total = 0;
  cnrtPointerAttributes_t attributes;
  CHECK_OK(cnrtMemGetInfo(&free_before, &total));
  CHECK_OK(cnrtMapMemHandle((void **)&mapped, handle_of_parent(), 0));
  CHECK_OK(cnrtMapMemHandle(&again, handle_of_parent(), 0));
  CHECK(again == mapped);
  CHECK_OK(cnrtMemGetInfo(&free_now, &total));
  CHECK_EQ(free_now, free_before); /* mapping another process's memory takes none */
  CHECK_OK(cnrtPointerGetAttributes(&attributes, mapped + 1));
  CHECK_EQ(attributes.type, cnrtMemTypeDevice);
  CHECK_EQ(attributes.size, COUNT * sizeof(*words));
  CHECK_OK(cnrtMemcpy(words, mapped, COUNT * sizeof(*words), cnrtMemcpyDevToHost));
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < COUNT; ++i) {
    wrong += words[i] != word(i);
    words[i] = ~word(i);
  }
  CHECK_EQ(wrong, 0);
  CHECK_OK(cnrtMemcpy(mapped, words, COUNT * sizeof(*words), cnrtMemcpyHostToDev));
  CHECK_EQ(cnrtFree(mapped), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtUnMapMemHandle(mapped + 1), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtUnMapMemHandle(mapped));
  CHECK_OK(cnrtUnMapMemHandle(mapped));
  CHECK_EQ(cnrtUnMapMemHandle(mapped), cnrtErrorArgsInvalid);
  free(words);
}

static void child_is_refused(void) {
  void *mapped = NULL;
  CHECK_EQ(cnrtMapMemHandle(&mapped, handle_of_parent(), 0), cnrtErrorArgsInvalid);
  CHECK(mapped == NULL);
}

static void child_cannot(void) {
  void *mapped = NULL;
  cnrtIpcMemHandle handle = NULL;
  CHECK_OK(cnrtMalloc(&mapped, 8));
  CHECK_EQ(cnrtAcquireMemHandle(&handle, mapped), cnrtErrorNotSupport);
  CHECK_EQ(cnrtMapMemHandle(&mapped, handle_of_parent(), 0), cnrtErrorNotSupport);
  CHECK(!cnrtxSharesMemory());
  CHECK_OK(cnrtFree(mapped));
}

/* Small allocations, which may share one block of the device. The first one holds the handles of
 * the others. */
enum { SMALL = 5 };

static void child_finds_small_ones(void) {
  uint64_t words[SMALL] = {0};
  void *first = NULL;
  CHECK_OK(cnrtMapMemHandle(&first, handle_of_parent(), 0));
  CHECK_OK(cnrtMemcpy(words, first, sizeof(words), cnrtMemcpyDevToHost));
  for (uint64_t i = 1; i < SMALL; ++i) {
    void *other = NULL;
    uint64_t found = 0;
    CHECK_OK(cnrtMapMemHandle(&other, (cnrtIpcMemHandle)(uintptr_t)words[i], 0));
    CHECK_OK(cnrtMemcpy(&found, other, sizeof(found), cnrtMemcpyDevToHost));
    CHECK_EQ(found, 1000 + i);
    found = 2000 + i;
    CHECK_OK(cnrtMemcpy(other, &found, sizeof(found), cnrtMemcpyHostToDev));
    CHECK_OK(cnrtUnMapMemHandle(other));
  }
  CHECK_OK(cnrtUnMapMemHandle(first));
}

/* ---- This process ---- */

static void small_ones(void) {
  void *memory[SMALL] = {0};
  uint64_t words[SMALL] = {0};
  cnrtIpcMemHandle first = NULL;
  for (uint64_t i = 0; i < SMALL; ++i) {
    cnrtIpcMemHandle handle = NULL;
    uint64_t value = 1000 + i;
    CHECK_OK(cnrtMalloc(&memory[i], sizeof(words)));
    CHECK_OK(cnrtMemcpy(memory[i], &value, sizeof(value), cnrtMemcpyHostToDev));
    CHECK_OK(cnrtAcquireMemHandle(&handle, memory[i]));
    words[i] = (uint64_t)(uintptr_t)handle;
    first = i == 0 ? handle : first;
  }
  CHECK_OK(cnrtMemcpy(memory[0], words, sizeof(words), cnrtMemcpyHostToDev));
  CHECK_EQ(run_other("", first, "_child_finds_small_ones"), 0);
  for (uint64_t i = 0; i < SMALL; ++i) {
    uint64_t found = 0;
    CHECK_OK(cnrtMemcpy(&found, memory[i], sizeof(found), cnrtMemcpyDevToHost));
    CHECK(i == 0 || found == 2000 + i);
    CHECK_OK(cnrtFree(memory[i]));
  }
}

static void shared(void) {
  uint32_t *words = malloc(COUNT * sizeof(*words));
  uint32_t *memory = NULL;
  cnrtIpcMemHandle handle = NULL;
  cnrtIpcMemHandle same = NULL;
  for (uint32_t i = 0; i < COUNT; ++i) {
    words[i] = word(i);
  }
  CHECK_OK(cnrtMalloc((void **)&memory, COUNT * sizeof(*words)));
  CHECK_OK(cnrtMemcpy(memory, words, COUNT * sizeof(*words), cnrtMemcpyHostToDev));
  CHECK_OK(cnrtAcquireMemHandle(&handle, memory));
  CHECK_OK(cnrtAcquireMemHandle(&same, memory));
  CHECK(handle == same);
  CHECK_EQ(run_other("", handle, "_child_changes"), 0);
  CHECK_OK(cnrtMemcpy(words, memory, COUNT * sizeof(*words), cnrtMemcpyDevToHost));
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < COUNT; ++i) {
    wrong += words[i] != ~word(i);
  }
  CHECK_EQ(wrong, 0);
  CHECK_EQ(
      run_other("MLUOP_CPU_SHARED_MEMORY=0 MLUOP_SM90_SHARED_MEMORY=0", handle, "_child_cannot"),
      0);
  CHECK_OK(cnrtFree(memory));
  CHECK_EQ(run_other("", handle, "_child_is_refused"), 0);
  free(words);
}

static void many_allocations(void) {
  enum { BLOCKS = 300, ROUNDS = 5, LARGE = 6 << 20 };
  static void *block[BLOCKS];
  cnrtIpcMemHandle first = NULL;
  CHECK_OK(cnrtMalloc(&block[0], 8)); /* after it the device has all it needs for itself */
  CHECK_OK(cnrtFree(block[0]));
  const long before = resident_kb();
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < BLOCKS; ++i) {
      cnrtIpcMemHandle handle = NULL;
      CHECK_OK(cnrtMalloc(&block[i], i % 100 == 7 ? LARGE : 100 + i));
      CHECK_OK(cnrtAcquireMemHandle(&handle, block[i]));
      CHECK_OK(cnrtMemset(block[i], i, 100));
      CHECK(i != 0 || handle != first); /* handles are not reused soon */
      first = i == 0 ? handle : first;
    }
    for (int i = 0; i < BLOCKS; ++i) {
      CHECK_EQ(read_device_word(block[i]) & 0xffu, (uint32_t)i & 0xffu);
    }
    for (int i = 0; i < BLOCKS; ++i) {
      CHECK_OK(cnrtFree(block[(i * 7) % BLOCKS]));
    }
  }
  CHECK(is_sanitized() || resident_kb() < before + 20000);
}

static void refused(void) {
  char *memory = NULL;
  void *host = NULL;
  void *mapped = NULL;
  cnrtIpcMemHandle handle = NULL;
  CHECK_OK(cnrtMalloc((void **)&memory, 100));
  CHECK_OK(cnrtHostMalloc(&host, 100));
  CHECK_EQ(cnrtAcquireMemHandle(NULL, memory), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtAcquireMemHandle(&handle, NULL), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtAcquireMemHandle(&handle, memory + 1), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtAcquireMemHandle(&handle, host), cnrtErrorArgsInvalid);
  CHECK(handle == NULL);
  CHECK_OK(cnrtAcquireMemHandle(&handle, memory));
  CHECK_EQ(cnrtMapMemHandle(NULL, handle, 0), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMapMemHandle(&mapped, NULL, 0), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtMapMemHandle(&mapped, handle, 77), cnrtErrorArgsInvalid);
  const cnrtIpcMemHandle wrong = (cnrtIpcMemHandle)((uintptr_t)handle ^ 1);
  CHECK_EQ(cnrtMapMemHandle(&mapped, wrong, 0), cnrtErrorArgsInvalid);
  const cnrtIpcMemHandle nobody = (cnrtIpcMemHandle)((uintptr_t)handle | (uintptr_t)0x3fffff << 42);
  CHECK_EQ(cnrtMapMemHandle(&mapped, nobody, 0), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtUnMapMemHandle(memory), cnrtErrorArgsInvalid);
  CHECK_EQ(cnrtUnMapMemHandle(NULL), cnrtErrorArgsInvalid);
  CHECK_OK(cnrtFree(memory));
  CHECK_OK(cnrtFreeHost(host));
}

/* The same tests with memory that is allocated as shared. */
static void from_the_beginning(void) {
  CHECK_EQ(run_self("MLUOP_CPU_SHARED_MEMORY=1", "shared", NULL, 0), 0);
  CHECK_EQ(run_self("MLUOP_CPU_SHARED_MEMORY=1", "many_allocations", NULL, 0), 0);
  CHECK_EQ(run_self("MLUOP_CPU_SHARED_MEMORY=1", "refused", NULL, 0), 0);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"shared", shared},
      {"many_allocations", many_allocations},
      {"small_ones", small_ones},
      {"refused", refused},
      {"from_the_beginning", from_the_beginning},
      {"_child_changes", child_changes},
      {"_child_is_refused", child_is_refused},
      {"_child_finds_small_ones", child_finds_small_ones},
      {"_child_cannot", child_cannot},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
