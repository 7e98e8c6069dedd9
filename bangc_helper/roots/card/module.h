/* SPDX-License-Identifier: MIT
 *
 * What bang-card adds to a file of kernels, and what libcnrt reads of it. The layout of these
 * structures is known to instrument/emit.c.
 */
#ifndef CARD_MODULE_H_
#define CARD_MODULE_H_

#include <stddef.h>
#include <stdint.h>

#include "events.h"

/* What a line adds to a stretch of straight code. */
struct card_part {
  uint32_t stretch;
  uint32_t site;
  uint32_t cycles;
  uint32_t waits;
  uint32_t instructions;
  uint32_t loads, stores;
};

/* A place inside a function that was put into another. */
struct card_call {
  uint32_t site;
  uint32_t caller; /* as hooks get it: a place, or with CARD_SITE_IS_CALL another call */
};

/* One per file of kernels. */
struct card_module {
  const struct card_site *sites; /* number 0 is the unknown place */
  const struct card_part *parts;
  uint32_t site_count;
  uint32_t part_count;
  uint32_t stretch_count;
  uint32_t call_count;
  const struct card_call *calls;
};

/* What the code of a module counts on one core, in the order in which it was compiled in. A check
 * that wants to see every access sets nram_bytes to 0. */
struct card_counters {
  uint64_t cycles;
  uint64_t waits;
  uint64_t accesses; /* of memory on chip and the stack, and those that __bang_card_access sees */
  uint64_t nram_start;
  uint64_t nram_bytes;
  uint64_t *stretches; /* how many times each ran */
};

/* Set in a site: the entry point or access belongs to a function of the language that has recorded
 * itself; it is checked, not recorded. */
#define CARD_PART_OF_FUNCTION 0x80000000u
/* Set in a site: it is the number of a call. */
#define CARD_SITE_IS_CALL 0x40000000u

/* The place that a hook was given. */
static inline uint32_t card_module_site(const struct card_module *module, uint32_t site) {
  site &= ~CARD_PART_OF_FUNCTION;
  if ((site & CARD_SITE_IS_CALL) == 0) {
    return site;
  }
  site &= ~CARD_SITE_IS_CALL;
  return site < module->call_count ? module->calls[site].site : 0;
}

/* What an access does, for __bang_card_access: bytes, and what they are for. */
#define CARD_ACCESS_WRITES 0x80000000u
#define CARD_ACCESS_ATOMIC 0x40000000u
#define CARD_ACCESS_UNCHECKED 0x20000000u /* a thread's variable, or checked by another call */
#define CARD_ACCESS_COUNTED 0x10000000u   /* by another call */
#define CARD_ACCESS_BYTES 0x0fffffffu

/* The counters of the calling core for a module, at the beginning of every device function. */
struct card_counters *__bang_card_enter(struct card_module *module);
/* Bytes of NRAM that a kernel takes and the architecture it was compiled for (0: unknown), at the
 * beginning of each of its tasks. */
void __bang_card_needs(uint64_t nram_bytes, uint32_t architecture);
/* Whether the program plays a board of this architecture: of a file of kernels that was compiled
 * for several, one copy is in use. */
int __bang_card_is_for(int architecture);
/* Before an access outside NRAM; and, where nram_bytes is 0, before accesses of the language's
 * headers, with CARD_PART_OF_FUNCTION. */
void __bang_card_access(uint32_t site, const void *address, uint32_t what);
/* Before C's memory functions: source NULL for a fill. */
void __bang_card_memory(uint32_t site, void *destination, const void *source, uint64_t bytes);
/* Before an access to an array of the stack or of the file by an index, where accesses are checked.
 */
void __bang_card_indexed(uint32_t site, const void *array, uint64_t bytes, const void *address,
                         uint32_t what);
/* Before an access, or before a function of the language takes the address for an operand (`what`
 * 0), where accesses are checked: the address was made of a variable of the file on chip. */
void __bang_card_derived(uint32_t site, uint32_t space, uint64_t at, uint64_t bytes,
                         const void *address, uint32_t what);
/* A variable of a function begins or ends, where accesses are checked. */
enum card_stack { CARD_STACK_BEGINS, CARD_STACK_ENDS, CARD_STACK_RETURNS /* with its function */ };
void __bang_card_stack(const void *start, uint64_t bytes, uint32_t event);
/* Instead of an integer division by zero, which it may let go on. */
void __bang_card_divided_by_zero(uint32_t site);
/* A function of the language that consists of scalar code or of several entry points: recorded as
 * one. `function` is an enum card_function; `calls` counts segments. */
void __bang_card_function(uint32_t site, uint32_t function, uint32_t op, uint32_t type,
                          void *destination, const void *source, int64_t elements, int64_t calls);

#endif /* CARD_MODULE_H_ */
