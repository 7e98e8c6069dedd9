/* SPDX-License-Identifier: MIT
 *
 * On-chip memory: NRAM, WRAM and LDRAM of a core, shared RAM of a cluster. Each is surrounded by
 * inaccessible addresses, so an overrun either faults or stays inside its own memory.
 */
#ifndef RUNTIME_ARENA_H_
#define RUNTIME_ARENA_H_

#include "bang_runtime.h"
#include "common.h"

/* Shared RAM for a cluster; NULL if out of memory. */
char *rt_sram_create(void);
void rt_sram_destroy(char *sram);
/* True if the address is in this shared RAM. */
bool rt_sram_has(const char *sram, const void *address);
/* Makes `sram` the calling thread's shared RAM for life; false if it already has another. */
bool rt_arena_adopt_sram(char *sram);

/* True if the address is in this memory of the calling thread. */
bool rt_arena_has(bangSpace space, const void *address);

/* Size of the address range reserved for such a memory, used or not. */
size_t rt_arena_bytes(bangSpace space);

/* File-scope variables of the running task's unit, where red zones are checked. */
const bangVariable *rt_arena_variables(size_t *count);

/* Describes where an address is relative to the calling thread's arenas, for fault reports; false
 * if it is near none. */
bool rt_arena_describe(uintptr_t address, char *text, size_t size);

/* Debug mode: fills memory with signalling NaNs. Shared RAM of a cluster is filled at once. The
 * calling thread's WRAM and, outside of a union group, its shared RAM are filled when the task
 * first uses them, because they are megabytes that most tasks never touch. NRAM and LDRAM are
 * filled when a task's unit starts. */
void rt_poison_sram(char *sram);
void rt_poison_core(bool alone);

#endif /* RUNTIME_ARENA_H_ */
