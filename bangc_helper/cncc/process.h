/* SPDX-License-Identifier: MIT
 *
 * Running other programs.
 */
#ifndef CNCC_PROCESS_H_
#define CNCC_PROCESS_H_

#include "util.h"

/* Prints a command quoted for a shell. */
void print_command(const StrList *argv);

/* Runs a command and returns its exit status; 128 + signal when a signal ended it, 127 when it did
 * not start (with a message). */
int run_command(const StrList *argv);

/* What a command prints on stdout; false when it could not be run or failed. */
bool capture_command(const StrList *argv, StrBuf *out);
/* What it prints on stderr; the exit status as run_command has it. */
int capture_messages(const StrList *argv, StrBuf *messages);

/* Ends the command that run_command waits for, if any. Async-signal-safe. */
void stop_running_command(void);

#endif /* CNCC_PROCESS_H_ */
