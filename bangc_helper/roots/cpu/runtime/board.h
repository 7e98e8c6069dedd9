/* SPDX-License-Identifier: MIT
 *
 * Boards, on which processes tell each other about the placements of a notifier they share. A board
 * lies in a file without a name that belongs to the process that created the notifier. Placements
 * have numbers, from 1 on; whoever waits, waits for a number.
 */
#ifndef RUNTIME_BOARD_H_
#define RUNTIME_BOARD_H_

#include "common.h"

struct rt_board;

/* Whether there are boards at all. */
bool rt_boards_exist(void);
/* A new board, NULL when there is no room; the board of a handle, NULL when there is none. */
struct rt_board *rt_board_create(void);
struct rt_board *rt_board_open(const cnrtIpcNotifierHandle *handle);
struct rt_board *rt_board_retain(struct rt_board *board);
void rt_board_release(struct rt_board *board);
void rt_board_describe(const struct rt_board *board, cnrtIpcNotifierHandle *handle);

/* The number of a new placement of this process; 0, which is always reached, when the process that
 * created the notifier has destroyed it. */
uint32_t rt_board_place(struct rt_board *board);
/* Tells everybody that it was reached. */
void rt_board_reach(struct rt_board *board, uint32_t number);

/* The number of the latest placement of any process, 0 when there is none. */
uint32_t rt_board_latest(const struct rt_board *board);
/* Whether a placement was reached: cnrtSuccess, cnrtErrorNotReady, or cnrtErrorSys when its process
 * has ended without that. */
cnrtRet_t rt_board_query(struct rt_board *board, uint32_t number);
/* Sleeps until that is known; cnrtErrorNotReady when this process ends first. */
cnrtRet_t rt_board_wait(struct rt_board *board, uint32_t number);

#endif /* RUNTIME_BOARD_H_ */
