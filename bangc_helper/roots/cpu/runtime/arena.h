/* SPDX-License-Identifier: MIT
 *
 * On-chip memory: NRAM, WRAM and LDRAM of a core, shared RAM of a cluster. Each lies alone between
 * addresses that nobody may touch, so that an overrun is a fault or stays inside.
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

/* Does the address lie in this memory of the calling thread? */
bool rt_arena_has(bangSpace space, const void *address);

/* Bytes of addresses that every such memory has, used or not. */
size_t rt_arena_bytes(bangSpace space);

/* File-scope variables of the running task's unit, where they are watched. */
const bangVariable *rt_arena_variables(size_t *count);

/* Says how an address lies to the calling thread's arenas; false when it is near none. For reports
 * of faults. */
bool rt_arena_describe(uintptr_t address, char *text, size_t size);

/* In debug mode: signalling NaNs in the shared RAM of a cluster at once, in the calling thread's
 * WRAM and, when it is not part of a union group, its shared RAM when the task first asks for them:
 * most tasks do not, and they are megabytes. NRAM and LDRAM are filled where a task's unit starts.
 */
void rt_poison_sram(char *sram);
void rt_poison_core(bool alone);

#endif /* RUNTIME_ARENA_H_ */
