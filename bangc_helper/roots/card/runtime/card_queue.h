/* SPDX-License-Identifier: MIT
 *
 * A queue's clock on the board.
 */
#ifndef CARD_RUNTIME_CARD_QUEUE_H_
#define CARD_RUNTIME_CARD_QUEUE_H_

#include "events.h"

struct CNqueue_st;

/* Sets who does the operation and when, plays it, and advances the queue's clock by what it takes,
 * in ps, which is returned. */
uint64_t card_queue_play(struct CNqueue_st *queue, struct card_operation *operation);

#endif /* CARD_RUNTIME_CARD_QUEUE_H_ */
