/* SPDX-License-Identifier: MIT
 *
 * Commands for the engine, from any thread.
 */
#ifndef CNCL_MPI_COMMANDS_H_
#define CNCL_MPI_COMMANDS_H_

#include "mpi/engine.h"

/* A command with room for a payload; NULL when memory is short. */
struct command *command_create(enum command_kind kind, struct cncl_clique *clique, size_t bytes);
void command_discard(struct command *command);
/* Passes a command to the engine, which is started if necessary. False when it cannot be started;
 * the command is freed then. */
bool engine_post(struct command *command);
/* Tags for `count` messages. */
uint32_t engine_take_tags(uint32_t count);

/* The function that starts the engine, called before every post; false when the engine cannot run
 * (any more). */
void commands_set_start(bool (*start)(void));
/* Takes all commands; sleeps up to `microseconds` when there are none. *stop: engine_stop was
 * called. */
struct command *commands_take(unsigned microseconds, bool *stop);
/* Ends the engine's loop. */
void engine_stop(void);
bool engine_is_stopping(void);

#endif /* CNCL_MPI_COMMANDS_H_ */
