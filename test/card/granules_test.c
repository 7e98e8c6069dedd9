/* SPDX-License-Identifier: MIT
 *
 * Granules counted by formula against granules counted one by one.
 */
#include "hooks/granules.h"

#include <stdlib.h>

#include "check.h"

/* Counts run by run. A segment that begins where the one before ends continues its run. */
static struct card_granules count_slowly(const struct card_side *side) {
  struct card_granules sum = {0, 0, 0};
  uintptr_t start = 0;
  uintptr_t end = 0;
  const uint64_t segments = side->inner * side->outer;
  for (uint64_t i = 0; i <= segments; ++i) {
    const uintptr_t next = side->start + i / side->inner * (uint64_t)side->outer_stride +
                           i % side->inner * (uint64_t)side->stride;
    if (i < segments && i > 0 && next == end) {
      end += side->bytes;
      continue;
    }
    if (i > 0) {
      ++sum.runs;
      for (uintptr_t g = start / CARD_GRANULE; g * CARD_GRANULE < end; ++g) {
        const bool whole = g * CARD_GRANULE >= start && (g + 1) * CARD_GRANULE <= end;
        ++*(whole ? &sum.whole : &sum.partial);
      }
    }
    start = next;
    end = next + side->bytes;
  }
  return sum;
}

int main(void) {
  unsigned seed = 7;
  for (int turn = 0; turn < 20000; ++turn) {
    const uint64_t bytes = (uint64_t)rand_r(&seed) % 200 + 1;
    struct card_side side = {4096 + (uintptr_t)rand_r(&seed) % 256, bytes,
                             (uint64_t)rand_r(&seed) % 150 + 1,     (uint64_t)rand_r(&seed) % 4 + 1,
                             (int64_t)bytes + rand_r(&seed) % 300,  0};
    if (rand_r(&seed) % 4 == 0) {
      side.stride = (int64_t)bytes;
    }
    /* Rows with and without a gap between them. */
    side.outer_stride = (int64_t)side.inner * side.stride;
    if (side.stride != (int64_t)bytes || rand_r(&seed) % 2) {
      side.outer_stride += 64 + rand_r(&seed) % 100;
    }
    const struct card_granules found = card_count_granules(&side);
    const struct card_granules wanted = count_slowly(&side);
    CHECK(found.runs == wanted.runs && found.whole == wanted.whole &&
          found.partial == wanted.partial);
  }
  const struct card_side nothing = {64, 0, 3, 1, 8, 0};
  CHECK(card_count_granules(&nothing).runs == 0);
  return check_result();
}
