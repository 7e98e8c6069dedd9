/* SPDX-License-Identifier: MIT
 *
 * Conflicts between operations of different pipes without a sync between them. A pipe works in
 * order; scalar code and synchronous copies wait for the compute pipe by themselves.
 */
#include <stdio.h>
#include <string.h>

#include "bang/copies.h"
#include "locate.h"
#include "parts.h"
#include "segments.h"

enum { COPY_PIPES = 1u << CARD_PIPE_IO | 1u << CARD_PIPE_MOVE };

static bool is_copy_pipe(uint8_t pipe) {
  return (COPY_PIPES >> pipe & 1) != 0;
}

/* ---- Copies in flight ---- */

static const char *sync_of(uint8_t pipe) {
  return pipe == CARD_PIPE_IO ? "__sync_io" : "__sync_move";
}

static void check_flights(struct card_core *core, const struct card_act *act,
                          const struct card_operand *operand, bool on_chip) {
  const unsigned pipes = COPY_PIPES & (is_copy_pipe(act->pipe) ? ~(1u << act->pipe) : COPY_PIPES);
  bool meets_source = false;
  const struct card_flight *flight = card_flights_meet(
      &core->watch->flights, &operand->side, operand->writes, pipes, on_chip, &meets_source);
  if (flight == NULL) {
    return;
  }
  struct card_finding finding = {.other = card_report_launch_site(core->run, flight->site)};
  snprintf(finding.what, sizeof(finding.what), "%s %s the %s of a copy in flight, before %s",
           act->name, operand->writes ? "writes to" : "reads",
           meets_source ? "source" : "destination", sync_of(flight->pipe));
  snprintf(finding.other_what, sizeof(finding.other_what), "the copy begins");
  card_find(core, act, CARD_CHECK_SYNC, &finding, operand->side.start, operand->side.bytes);
}

/* ---- The compute pipe ---- */

static void check_turns(struct card_core *core, const struct card_act *act,
                        const struct card_operand *operand, const struct card_spot *spot,
                        uint64_t bytes) {
  const struct card_watch *watch = core->watch;
  const struct card_shadow *shadow = spot->shadow;
  const bool written = card_shadow_has_turn(shadow->turn_written, spot->at, bytes, watch->turn);
  if (!written && (!operand->writes ||
                   !card_shadow_has_turn(shadow->turn_read, spot->at, bytes, watch->turn))) {
    return;
  }
  const uint8_t *turns = written ? shadow->turn_written : shadow->turn_read;
  const uint8_t *byte = memchr(turns + spot->at, watch->turn, bytes);
  const uint32_t *sites = written ? shadow->sites_written : shadow->sites_read;
  const uint32_t site = sites[(size_t)(byte - turns) / CARD_SHADOW_BLOCK];
  struct card_finding finding = {.other = card_report_launch_site(core->run, site)};
  snprintf(finding.what, sizeof(finding.what),
           "%s begins to %s what a vector function %s, before %s", act->name,
           operand->writes ? "write" : "read", written ? "writes" : "reads", "__sync_compute");
  snprintf(finding.other_what, sizeof(finding.other_what), "the vector function");
  card_find(core, act, CARD_CHECK_SYNC, &finding, operand->side.start, operand->side.bytes);
}

void card_check_order_of_pipes(struct card_core *core, const struct card_act *act,
                               const struct card_operand *operand) {
  struct card_segments segments = card_segments(&operand->side);
  uintptr_t start = 0;
  bool is_first = true;
  while (card_next_segment(&segments, &start)) {
    const struct card_spot spot = card_locate(core, start);
    if (is_first) {
      check_flights(core, act, operand, spot.where == CARD_ON_CHIP);
      is_first = false;
    }
    if (!act->is_async || !is_copy_pipe(act->pipe) || spot.where != CARD_ON_CHIP ||
        spot.shadow->turn_written == NULL) {
      return;
    }
    check_turns(core, act, operand, &spot, segments.side.bytes);
  }
}

/* ---- Syncs ---- */

/* The compute pipe has completed everything issued so far: a new turn begins. */
static void end_turn(struct card_watch *watch) {
  if (!watch->has_computed) {
    return;
  }
  watch->has_computed = false;
  if (++watch->turn == 0) { /* turn numbers wrap around: clear the old ones */
    struct card_shadow *nram = &watch->own[BANG_SPACE_NRAM];
    if (nram->base != 0) {
      memset(nram->turn_written, 0, nram->reach);
      memset(nram->turn_read, 0, nram->reach);
    }
    watch->turn = 1;
  }
}

void card_check_sync(struct card_core *core, int pipes) {
  struct card_watch *watch = core->watch;
  if (watch == NULL) {
    return;
  }
  card_flights_end(&watch->flights, ((pipes & BANG_PIPE_IO) != 0 ? 1u << CARD_PIPE_IO : 0) |
                                        ((pipes & BANG_PIPE_MOVE) != 0 ? 1u << CARD_PIPE_MOVE : 0));
  if ((pipes & BANG_PIPE_COMPUTE) != 0) {
    end_turn(watch);
  }
}
