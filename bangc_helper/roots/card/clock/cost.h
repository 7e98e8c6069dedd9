/* SPDX-License-Identifier: MIT
 *
 * What a record costs on a board when nothing else runs.
 */
#ifndef CARD_CLOCK_COST_H_
#define CARD_CLOCK_COST_H_

#include "board.h"
#include "events.h"

/* Which shared link carries a copy. */
enum card_route { CARD_ROUTE_LOCAL, CARD_ROUTE_DRAM, CARD_ROUTE_SRAM };

struct card_transfer {
  enum card_route route;
  int64_t lead;  /* ps from the issue to the first byte; overlaps with earlier copies */
  int64_t least; /* minimum ps that its pipe is busy */
  int64_t tail;  /* ps from the last byte to completion; overlaps with the next copy */
  int64_t bytes; /* on the link */
  int64_t limit; /* maximum bytes per ms */
};

int64_t card_cycles(const struct card_board *board, int64_t cycles); /* in ps */

/* Time of the scalar pipe without waits for other pipes. */
int64_t card_scalar_cost(const struct card_board *board, const struct card_scalar *scalar);
int64_t card_vector_cost(const struct card_board *board, const struct card_vector *vector);
int64_t card_tensor_cost(const struct card_board *board, const struct card_tensor *tensor);
/* For records of CARD_COPY. `by_memory_core`: a memory core issues the copy. */
struct card_transfer card_copy_cost(const struct card_board *board,
                                    const struct card_record *record, bool by_memory_core);
/* Time for which an atomic operation occupies its address. */
int64_t card_atomic_cost(const struct card_board *board, const struct card_atomic *atomic);
/* Bytes of device memory that a copy reads and writes, in whole granules. */
int64_t card_copy_read(const struct card_board *board, const struct card_copy *copy);
int64_t card_copy_written(const struct card_board *board, const struct card_copy *copy);

#endif /* CARD_CLOCK_COST_H_ */
