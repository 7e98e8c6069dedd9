/* SPDX-License-Identifier: MIT
 *
 * On-chip memory that is not a thread-local variable: WRAM of a core, SRAM of a cluster.
 */
#ifndef RUNTIME_ARENA_H_
#define RUNTIME_ARENA_H_

#include "bang_runtime.h"
#include "common.h"

/* Shared RAM for a cluster; NULL when memory is short. */
char *rt_sram_create(void);
void rt_sram_destroy(char *sram);
/* Does the address lie in this shared RAM? */
bool rt_sram_has(const char *sram, const void *address);
/* Makes `sram` the calling thread's shared RAM for life; false when it has another. */
bool rt_arena_adopt_sram(char *sram);

/* Does the address lie in the calling thread's WRAM, or in its shared RAM? */
bool rt_arena_has(bangSpace space, const void *address);

/* In debug mode: fills with signalling NaNs the shared RAM of a cluster, or the calling thread's
 * WRAM and, when it is not part of a union group, its shared RAM. */
void rt_poison_sram(char *sram);
void rt_poison_core(bool alone);

#endif /* RUNTIME_ARENA_H_ */
