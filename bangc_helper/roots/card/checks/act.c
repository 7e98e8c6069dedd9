/* SPDX-License-Identifier: MIT
 *
 * Entry point of the checks for every memory access: runs the checks, then updates the shadows.
 */
#include <string.h>

#include "device.h"
#include "locate.h"
#include "parts.h"
#include "segments.h"

/* Denominator of the fraction of an operand that has values. */
enum { WHOLE = 1 << 20 };

bool card_find(struct card_core *core, const struct card_act *act, enum card_check check,
               struct card_finding *finding, uintptr_t address, uint64_t bytes) {
  finding->check = check;
  finding->site = card_report_site(core, act->site);
  card_report_callers(core, act->site, finding->callers);
  if (address != 0) {
    card_describe(core, address, bytes, finding);
  }
  const bool counts = card_report_add(core, finding);
  core->watch->findings +=
      counts && check != CARD_CHECK_MEMORY; /* a memory finding ends the task at once */
  return counts;
}

/* ---- Updates of the shadows ---- */

static void mark_turns(const struct card_core *core, const struct card_act *act,
                       const struct card_spot *spot, uint64_t bytes, bool writes) {
  struct card_shadow *shadow = spot->shadow;
  const uint8_t turn = core->watch->turn;
  uint8_t *turns = writes ? shadow->turn_written : shadow->turn_read;
  memset(turns + spot->at, turn, bytes);
  core->watch->has_computed = true;
  uint32_t *sites = writes ? shadow->sites_written : shadow->sites_read;
  const uint32_t site = card_report_number(core, act->site);
  for (uint64_t i = spot->at / CARD_SHADOW_BLOCK; i <= (spot->at + bytes - 1) / CARD_SHADOW_BLOCK;
       ++i) {
    sites[i] = site;
  }
}

/* valid / WHOLE of the operand has values. */
static void mark(struct card_core *core, const struct card_act *act,
                 const struct card_operand *operand, uint64_t valid) {
  const bool computes = act->pipe == CARD_PIPE_VECTOR || act->pipe == CARD_PIPE_TENSOR;
  struct card_segments segments = card_segments(&operand->side);
  const uint64_t bytes = segments.side.bytes;
  const bool is_one = segments.side.inner == 1 && segments.side.outer == 1;
  const uint64_t written = valid < WHOLE && is_one ? (bytes * valid + WHOLE - 1) / WHOLE : bytes;
  uintptr_t start = 0;
  while (card_next_segment(&segments, &start)) {
    const struct card_spot spot = card_locate(core, start);
    if (spot.where == CARD_ON_CHIP && spot.at + bytes <= spot.shadow->size) {
      if (operand->writes) {
        card_shadow_set(spot.shadow, spot.at, written, CARD_SHADOW_WRITTEN);
        card_shadow_unset(spot.shadow, spot.at + written, bytes - written, CARD_SHADOW_WRITTEN);
      }
      if (computes && spot.shadow->turn_written != NULL) {
        mark_turns(core, act, &spot, bytes, operand->writes);
      }
    } else if (spot.where == CARD_ON_DEVICE && operand->writes && spot.is_known) {
      card_device_set_written(start, written);
    }
  }
}

static bool is_on_chip(struct card_core *core, const struct card_side *side) {
  return card_locate(core, side->start).where == CARD_ON_CHIP;
}

/* Every operand is in flight from now on. */
static void begin_flight(struct card_core *core, const struct card_act *act,
                         const struct card_operand *operands, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if (operands[i].side.bytes == 0) {
      continue;
    }
    struct card_flight flight = {.pipe = act->pipe,
                                 .has_source = !operands[i].writes,
                                 .has_destination = operands[i].writes,
                                 .site = card_report_number(core, act->site),
                                 .source = operands[i].side,
                                 .destination = operands[i].side};
    const bool on_chip = is_on_chip(core, &operands[i].side);
    card_flights_add(&core->watch->flights, &flight, on_chip, on_chip);
  }
}

static bool meets_turn(struct card_core *core, const struct card_side *side) {
  const struct card_spot spot = card_locate(core, side->start);
  return spot.where == CARD_ON_CHIP && spot.shadow->turn_written != NULL &&
         card_shadow_has_turn(spot.shadow->turn_written, spot.at, side->bytes, core->watch->turn);
}

/* A synchronous copy waits for its own pipe and for the compute pipe. Scalar code waits for the
 * compute pipe when it accesses a result of it. */
static void end_earlier(struct card_core *core, const struct card_act *act,
                        const struct card_operand *operands, unsigned count) {
  for (unsigned i = 0; act->pipe == CARD_PIPE_SCALAR && i < count; ++i) {
    if (core->watch->has_computed && meets_turn(core, &operands[i].side)) {
      card_check_sync(core, BANG_PIPE_COMPUTE);
    }
  }
  if (act->pipe == CARD_PIPE_IO || act->pipe == CARD_PIPE_MOVE) {
    card_check_sync(
        core, BANG_PIPE_COMPUTE | (act->pipe == CARD_PIPE_IO ? BANG_PIPE_IO : BANG_PIPE_MOVE));
  }
}

/* ---- Entry point ---- */

static uint64_t check_reads(struct card_core *core, const struct card_act *act,
                            const struct card_operand *operands, unsigned count) {
  uint64_t valid = WHOLE;
  for (unsigned i = 0; i < count; ++i) {
    if (!operands[i].writes && !operands[i].is_partly_used && !act->is_language) {
      const uint64_t own = card_check_init(core, act, &operands[i], WHOLE);
      valid = own < valid ? own : valid;
    }
  }
  return valid;
}

/* A memory core has no NRAM and no WRAM: operations on them do nothing there. */
static bool does_nothing(const struct card_watch *watch, const struct card_operand *operands,
                         unsigned count) {
  if (__bang_coreId != BANG_MPU_CORE_ID) {
    return false;
  }
  for (unsigned i = 0; i < count; ++i) {
    if (card_shadow_has(&watch->own[BANG_SPACE_NRAM], operands[i].side.start) ||
        card_shadow_has(&watch->own[BANG_SPACE_WRAM], operands[i].side.start)) {
      return true;
    }
  }
  return false;
}

void card_check_act(struct card_core *core, const struct card_act *act,
                    const struct card_operand *operands, unsigned count) {
  if (core->watch == NULL || does_nothing(core->watch, operands, count)) {
    return;
  }
  for (unsigned i = 0; i < count && card_checks(CARD_CHECK_MEMORY); ++i) {
    card_check_memory(core, act, &operands[i]);
  }
  for (unsigned i = 0; i < count && card_checks(CARD_CHECK_SYNC); ++i) {
    card_check_order_of_pipes(core, act, &operands[i]);
  }
  const bool moves = card_checks(CARD_CHECK_INIT) && act->is_copy && count == 2 &&
                     card_init_moves(core, &operands[0], &operands[1]);
  const uint64_t valid =
      card_checks(CARD_CHECK_INIT) && !moves ? check_reads(core, act, operands, count) : WHOLE;
  for (unsigned i = 0; i < count && card_checks(CARD_CHECK_RACE); ++i) {
    card_check_race(core, act, &operands[i]);
  }
  if (!act->is_async) {
    end_earlier(core, act, operands, count);
  }
  for (unsigned i = 0; i < count; ++i) {
    mark(core, act, &operands[i], valid);
  }
  if (moves) {
    card_init_move(core, &operands[0], &operands[1]);
  }
  if (act->is_async) {
    begin_flight(core, act, operands, count);
  }
}
