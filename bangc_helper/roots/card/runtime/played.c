/* SPDX-License-Identifier: MIT */
#include "runtime/played.h"

#include <stdlib.h>

#include "board.h"
#include "common.h"

/* Takes clusters and cores from the board; its memory is limited by that of the host. With an
 * unknown board there is no device. */
void rt_played_adjust(struct rt_played *played) {
  const struct card_board *board = card_board_chosen();
  if (board == NULL) {
    rt_warn("MLUOP_CARD=%s: no such board; there are %s", getenv("MLUOP_CARD"), card_board_names());
    played->devices = 0;
    return;
  }
  const uint64_t memory = (uint64_t)board->memory_mib << 20;
  played->clusters = (unsigned)board->clusters;
  played->cores = (unsigned)board->cores_per_cluster;
  if (memory < played->memory_bytes) {
    played->memory_bytes = memory;
  }
}
