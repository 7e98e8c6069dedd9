/* SPDX-License-Identifier: MIT
 *
 * What the trace of a launch shows of its copies: spans of loads, stores and moves, and of waiting
 * for them. */
#ifndef BANGC_HELPER_CPU_COPY_TRACED_H_
#define BANGC_HELPER_CPU_COPY_TRACED_H_

#include "copy/engine_state.h"

/* The first copy of its route in a batch is recorded now. */
void traced_issue(Engine *engine, unsigned tag);

/* Executes a batch between two looks at the clock. */
void traced_execute(Engine *engine, unsigned pipe_mask);

/* A synchronous copy, which began then, is done now. */
void traced_copy(unsigned tag, uint64_t begin, uint64_t bytes);

#endif /* BANGC_HELPER_CPU_COPY_TRACED_H_ */
