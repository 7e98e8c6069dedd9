/* SPDX-License-Identifier: MIT
 *
 * Hooks of on-chip variables: where NRAM is, and that the board has as much NRAM, WRAM and SRAM as
 * a kernel wants.
 */
#include "bang_runtime.h"
#include "board.h"
#include "cn_api.h"
#include "core.h"
#include "hook.h"

enum { KIB = 1024, WRAM_LANES = 64 };

static void refuse(const char *memory, uint64_t bytes, int64_t kib) {
  __bang_fault(
      CN_INVOKE_ERROR_OUT_OF_RESOURCES, "the kernel's variables take %llu bytes of %s, %s has %lld",
      (unsigned long long)bytes, memory, card_board_chosen()->name, (long long)(kib * KIB));
}

/* All variables that the kernel can reach, at the beginning of a task. */
CARD_HOOK void __bang_card_nram(uint64_t bytes) {
  const struct card_board *board = card_board_chosen();
  if (board != NULL && bytes > (uint64_t)board->nram_kib * KIB) {
    refuse("NRAM", bytes, board->nram_kib);
  }
}

/* File-scope variables of the kernel's file, at the beginning of a task. */
CARD_HOOK void __bang_card_ram_prepare(uint32_t site, const bangRamVar *head) {
  const struct card_core *core = card_recording();
  uintptr_t low = UINTPTR_MAX;
  uintptr_t high = 0;
  (void)site;
  for (const bangRamVar *variable = head; variable != NULL; variable = variable->next) {
    const uintptr_t start = (uintptr_t)variable->address();
    low = start < low ? start : low;
    high = start + variable->size > high ? start + variable->size : high;
  }
  if (core != NULL && core->last != NULL && high > low) {
    core->last->counters.nram_start = low;
    core->last->counters.nram_bytes = high - low;
  }
  __bang_ram_prepare(head);
}

/* A variable begins in the memory it was given; the first one past the end is the kernel's. */
CARD_HOOK void *__bang_card_space_address(uint32_t site, bangSpace space, size_t offset) {
  const struct card_board *board = card_board_chosen();
  (void)site;
  if (board != NULL && space == BANG_SPACE_SRAM && offset >= (uint64_t)board->sram_kib * KIB) {
    refuse("SRAM", offset, board->sram_kib);
  }
  if (board != NULL && space == BANG_SPACE_WRAM &&
      offset >= (uint64_t)board->wram_kib * KIB / WRAM_LANES) {
    refuse("WRAM", offset * WRAM_LANES, board->wram_kib);
  }
  return __bang_space_address(space, offset);
}
