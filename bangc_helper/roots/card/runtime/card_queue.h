/* SPDX-License-Identifier: MIT
 *
 * A queue's clock on the board.
 */
#ifndef CARD_RUNTIME_CARD_QUEUE_H_
#define CARD_RUNTIME_CARD_QUEUE_H_

#include "events.h"

struct CNqueue_st;

/* Fills in device, queue and start of the operation, plays it, and advances the queue's clock by
 * its duration, which is returned in ps. */
uint64_t card_queue_play(struct CNqueue_st *queue, struct card_operation *operation);

#endif /* CARD_RUNTIME_CARD_QUEUE_H_ */
