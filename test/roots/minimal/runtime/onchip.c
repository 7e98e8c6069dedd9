/* SPDX-License-Identifier: MIT
 *
 * On-chip memory.
 */
#include <stdlib.h>
#include <string.h>

#include "bang_runtime.h"
#include "common.h"

/* A core is a thread: the caller's, or that of the memory core. There is one cluster. */
static const size_t bytes[BANG_SPACE_COUNT] = {16 << 20, 16 << 20, 64 << 20, 64 << 20};
static char *sram;

/* Belongs to the calling thread for life. */
RT_EXPORT __thread char *__bang_space_base[BANG_SPACE_COUNT]
    __attribute__((tls_model("initial-exec")));
static __thread size_t taken[BANG_SPACE_COUNT];

static void take_sram(void) {
  sram = aligned_alloc(4096, bytes[BANG_SPACE_SRAM]);
}

static char *only_sram(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, take_sram);
  return sram;
}

RT_EXPORT void *__bang_space_open(bangSpace space) {
  if (__bang_space_base[space] == NULL) {
    __bang_space_base[space] =
        space == BANG_SPACE_SRAM ? only_sram() : aligned_alloc(4096, bytes[space]);
  }
  return __bang_space_base[space];
}

RT_EXPORT void *__bang_space_address(bangSpace space, size_t offset) {
  return (char *)__bang_space_open(space) + offset;
}

RT_EXPORT bangSpace __bang_space_of(const void *address) {
  for (bangSpace space = 0; space < BANG_SPACE_COUNT; ++space) {
    const char *base = __bang_space_base[space];
    if (base != NULL && (uintptr_t)address - (uintptr_t)base < bytes[space]) {
      return space;
    }
  }
  return BANG_SPACE_OTHER;
}

RT_EXPORT void __bang_unit_start(const bangUnit *unit) {
  memcpy(taken, unit->used, sizeof(taken));
  unit->begin();
}

RT_EXPORT int __bang_in_task_of(const bangUnit *unit, const char *name) {
  (void)unit;
  (void)name;
  return __bang_in_task();
}

RT_EXPORT void *__bang_space_take(bangSpace space, size_t size, size_t align) {
  const size_t offset = (taken[space] + align - 1) / align * align;
  taken[space] = offset + size;
  return (char *)__bang_space_open(space) + offset;
}

RT_EXPORT void *__bang_wram_place(const void *address, size_t lane_bytes) {
  char *start = __bang_space_open(BANG_SPACE_WRAM);
  const uintptr_t offset = (uintptr_t)address - (uintptr_t)start;
  const bool is_in_lane_0 = offset < lane_bytes || offset >= 64 * lane_bytes;
  return is_in_lane_0 ? (void *)(uintptr_t)address : start + (offset / 64 & ~(uintptr_t)7);
}

RT_EXPORT void *__bang_sram_of_cluster(void *address, int cluster) {
  if (cluster != 0) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND, "there is no cluster %d", cluster);
  }
  return address;
}

RT_EXPORT void __bang_ram_watch(const bangVariable *variables, size_t count) {
  (void)variables;
  (void)count;
}

RT_EXPORT void __bang_ram_allow(void *address, size_t size, const char *name) {
  (void)name;
  (void)address;
  (void)size;
}
