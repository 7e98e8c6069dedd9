/* SPDX-License-Identifier: MIT
 *
 * Reads of memory that was never written. Kernels often round vector lengths up, so an elementwise
 * function may read an unwritten end of an operand; the same end of its result then counts as
 * unwritten.
 */
#include <stdio.h>

#include "device.h"
#include "locate.h"
#include "parts.h"
#include "segments.h"

/* An unwritten end must be shorter than this to count as rounding. */
enum { ROUNDING_BYTES = 512 };

static size_t find_unwritten(const struct card_spot *spot, uintptr_t start, uint64_t bytes) {
  if (spot->where == CARD_ON_CHIP) {
    return card_shadow_find_without(spot->shadow, spot->at, bytes, CARD_SHADOW_WRITTEN);
  }
  return card_device_find_unwritten(start, bytes);
}

static bool has_unwritten(const struct card_spot *spot) {
  return (spot->where == CARD_ON_CHIP || spot->where == CARD_ON_DEVICE) && spot->is_known;
}

/* Avoids further reports of the same bytes. */
static void take_for_written(const struct card_spot *spot, uintptr_t start, uint64_t bytes) {
  if (spot->where == CARD_ON_CHIP) {
    card_shadow_set(spot->shadow, spot->at, bytes, CARD_SHADOW_WRITTEN);
  } else {
    card_device_set_written(start, bytes);
  }
}

/* True if all bytes from `from` on are unwritten and few enough to come from rounding. */
static bool is_rounded(const struct card_spot *spot, uintptr_t start, uint64_t bytes, size_t from) {
  if (from == 0 || bytes - from >= ROUNDING_BYTES) {
    return false;
  }
  for (uint64_t i = from; i < bytes; ++i) {
    struct card_spot one = *spot;
    one.at += i;
    if (find_unwritten(&one, start + i, 1) != 0) {
      return false;
    }
  }
  return true;
}

uint64_t card_check_init(struct card_core *core, const struct card_act *act,
                         const struct card_operand *operand, uint64_t whole) {
  struct card_segments segments = card_segments(&operand->side);
  const bool is_one = segments.side.inner == 1 && segments.side.outer == 1;
  const uint64_t bytes = segments.side.bytes;
  uintptr_t start = 0;
  while (card_next_segment(&segments, &start)) {
    const struct card_spot spot = card_locate(core, start);
    if (!has_unwritten(&spot) ||
        (spot.where == CARD_ON_CHIP && spot.at + bytes > spot.shadow->size)) {
      continue;
    }
    const size_t from = find_unwritten(&spot, start, bytes);
    if (from == bytes) {
      continue;
    }
    if (act->is_elementwise && is_one && is_rounded(&spot, start, bytes, from)) {
      return from * whole / bytes;
    }
    struct card_finding finding = {0};
    snprintf(finding.what, sizeof(finding.what), "%s reads memory that nobody has written",
             act->name);
    card_find(core, act, CARD_CHECK_INIT, &finding, start + from, 1);
    take_for_written(&spot, start, bytes);
  }
  return whole;
}

/* ---- Strided copies on chip ---- */

/* All segments of a side, without merging adjacent ones. */
static struct card_segments one_by_one(const struct card_side *side) {
  return (struct card_segments){*side, 0, 0};
}

static bool is_strided(const struct card_side *side) {
  return side->bytes != 0 && side->inner * side->outer > 1;
}

static bool has_written(struct card_core *core, const struct card_side *side) {
  struct card_segments segments = one_by_one(side);
  uintptr_t start = 0;
  while (card_next_segment(&segments, &start)) {
    const struct card_spot spot = card_locate(core, start);
    if (spot.where != CARD_ON_CHIP || !spot.is_known || spot.at + side->bytes > spot.shadow->size) {
      return false;
    }
    for (uint64_t i = 0; i < side->bytes; ++i) {
      if ((spot.shadow->flags[spot.at + i] & CARD_SHADOW_WRITTEN) != 0) {
        return true;
      }
    }
  }
  return false;
}

bool card_init_moves(struct card_core *core, const struct card_operand *source,
                     const struct card_operand *destination) {
  return is_strided(&source->side) && source->side.bytes == destination->side.bytes &&
         source->side.inner * source->side.outer ==
             destination->side.inner * destination->side.outer &&
         card_locate(core, destination->side.start).where == CARD_ON_CHIP &&
         has_written(core, &source->side);
}

void card_init_move(struct card_core *core, const struct card_operand *source,
                    const struct card_operand *destination) {
  struct card_segments from = one_by_one(&source->side);
  struct card_segments to = one_by_one(&destination->side);
  uintptr_t at_source = 0;
  uintptr_t at_destination = 0;
  while (card_next_segment(&from, &at_source) && card_next_segment(&to, &at_destination)) {
    const struct card_spot source_spot = card_locate(core, at_source);
    const struct card_spot spot = card_locate(core, at_destination);
    const uint64_t bytes = source->side.bytes;
    if (source_spot.where != CARD_ON_CHIP || spot.where != CARD_ON_CHIP ||
        source_spot.at + bytes > source_spot.shadow->size || spot.at + bytes > spot.shadow->size) {
      continue;
    }
    const size_t from =
        card_shadow_find_without(source_spot.shadow, source_spot.at, bytes, CARD_SHADOW_WRITTEN);
    for (uint64_t i = from; i < bytes; ++i) {
      if ((source_spot.shadow->flags[source_spot.at + i] & CARD_SHADOW_WRITTEN) == 0) {
        card_shadow_unset(spot.shadow, spot.at + i, 1, CARD_SHADOW_WRITTEN);
      }
    }
  }
}
