/* SPDX-License-Identifier: MIT
 *
 * Memory on the chip: variables in NRAM are thread-local, the rest lies here.
 */
#include <stdlib.h>
#include <string.h>

#include "bang_runtime.h"
#include "common.h"

enum { WRAM_BYTES = 16 << 20, SRAM_BYTES = 64 << 20 };

/* A core is a thread: the caller's, or the one of the memory core. There is one cluster. */
static char *sram;

/* Of the calling thread, for life. */
static char *own_wram(void) {
  static __thread char *memory;
  if (memory == NULL) {
    memory = aligned_alloc(4096, WRAM_BYTES);
  }
  return memory;
}

static void take_sram(void) {
  sram = aligned_alloc(4096, SRAM_BYTES);
}

static char *only_sram(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, take_sram);
  return sram;
}

RT_EXPORT size_t __bang_space_reserve(size_t *used, size_t size, size_t align) {
  const size_t unit = align > 64 ? align : 64;
  const size_t offset = (*used + unit - 1) / unit * unit;
  *used = offset + size;
  return offset;
}

RT_EXPORT void *__bang_space_address(bangSpace space, size_t offset) {
  return (space == BANG_SPACE_SRAM ? only_sram() : own_wram()) + offset;
}

RT_EXPORT void *__bang_wram_place(const void *address, size_t lane_bytes) {
  char *start = own_wram();
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

RT_EXPORT void __bang_ram_guard(void *gap) {
  (void)gap;
}

RT_EXPORT void __bang_ram_prepare(const bangRamVar *head) {
  for (const bangRamVar *variable = head; variable != NULL; variable = variable->next) {
    if (variable->init != NULL) {
      memcpy(variable->address(), variable->init, variable->size);
    }
  }
}
