/* SPDX-License-Identifier: MIT
 *
 * Hooks of on-chip variables: record where NRAM is, refuse kernels that need more NRAM, WRAM or
 * SRAM than the board has, and warn if a kernel is compiled for another architecture.
 */
#include <stdatomic.h>

#include "bang_runtime.h"
#include "board.h"
#include "checked.h"
#include "cn_api.h"
#include "common.h"
#include "core.h"
#include "hook.h"

enum { KIB = 1024, WRAM_LANES = 64 };

static void refuse(const char *memory, uint64_t bytes, int64_t kib) {
  __bang_fault(
      CN_INVOKE_ERROR_OUT_OF_RESOURCES, "the kernel's variables take %llu bytes of %s, %s has %lld",
      (unsigned long long)bytes, memory, card_board_chosen()->name, (long long)(kib * KIB));
}

/* A card runs only code for its architecture. Here other code runs too, but without the special
 * features of the board's architecture. */
static void warn_of_architecture(const struct card_board *board, uint32_t architecture) {
  static atomic_flag is_reported = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&is_reported)) {
    rt_warn("kernels are compiled for architecture %u, %s has %lld: a card would not start them",
            architecture, board->name, (long long)board->architecture);
  }
}

CARD_HOOK int __bang_card_is_for(int architecture) {
  const struct card_board *board = card_board_chosen();
  return board != NULL && board->architecture == architecture;
}

/* Called at the start of a task, for all variables that the kernel can reach. */
CARD_HOOK void __bang_card_needs(uint64_t nram_bytes, uint32_t architecture) {
  const struct card_board *board = card_board_chosen();
  if (board == NULL) {
    return;
  }
  if (architecture != 0 && architecture != board->architecture) {
    warn_of_architecture(board, architecture);
  }
  if (nram_bytes > (uint64_t)board->nram_kib * KIB) {
    refuse("NRAM", nram_bytes, board->nram_kib);
  }
}

/* Called at the start of a task, for the variables of the kernel's file. */
CARD_HOOK void __bang_card_unit_start(uint32_t site, const bangUnit *unit) {
  struct card_core *core = card_recording();
  (void)site;
  if (core != NULL && core->watch == NULL && core->last != NULL &&
      unit->used[BANG_SPACE_NRAM] != 0) {
    core->last->counters.nram_start = (uintptr_t)__bang_space_open(BANG_SPACE_NRAM);
    core->last->counters.nram_bytes = unit->used[BANG_SPACE_NRAM];
  }
  __bang_unit_start(unit);
  if (core != NULL) {
    card_check_unit(core, unit);
  }
}

/* A local variable has got its place. */
CARD_HOOK void __bang_card_ram_allow(uint32_t site, void *address, size_t size, const char *name) {
  struct card_core *core = card_checking();
  (void)site;
  if (core != NULL) {
    card_check_variable(core, address, size, name);
  }
}

/* Refuses a variable that starts past the end of its memory. */
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
