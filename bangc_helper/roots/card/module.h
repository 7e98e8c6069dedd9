/* SPDX-License-Identifier: MIT
 *
 * The tables that bang-card adds to a kernel file and libcnrt reads. instrument/emit.c depends on
 * the layout of these structures.
 */
#ifndef CARD_MODULE_H_
#define CARD_MODULE_H_

#include <stddef.h>
#include <stdint.h>

#include "events.h"

/* The cost that one line adds to a stretch of straight code. */
struct card_part {
  uint32_t stretch;
  uint32_t site;
  uint32_t cycles;
  uint32_t waits;
  uint32_t instructions;
  uint32_t loads, stores;
};

/* A source place in an inlined function, with the place of the call. */
struct card_call {
  uint32_t site;
  uint32_t caller; /* a site, or with CARD_SITE_IS_CALL another call */
};

/* One per kernel file. */
struct card_module {
  const struct card_site *sites; /* site 0 is the unknown place */
  const struct card_part *parts;
  uint32_t site_count;
  uint32_t part_count;
  uint32_t stretch_count;
  uint32_t call_count;
  const struct card_call *calls;
};

/* Counters of a module's code on one core; instrument/insert.c depends on the order. The checks set
 * nram_bytes to 0, so that every access calls a hook. */
struct card_counters {
  uint64_t cycles;
  uint64_t waits;
  uint64_t accesses; /* all scalar accesses, whether or not a hook sees them */
  uint64_t nram_start;
  uint64_t nram_bytes;
  uint64_t *stretches; /* executions of each stretch */
};

/* Set in a site: the operation is part of a recorded function of the language. It is checked, not
 * recorded. */
#define CARD_PART_OF_FUNCTION 0x80000000u
/* Set in a site: the rest is an index in `calls`. */
#define CARD_SITE_IS_CALL 0x40000000u

/* The site that a hook was given, without flags and callers. */
static inline uint32_t card_module_site(const struct card_module *module, uint32_t site) {
  site &= ~CARD_PART_OF_FUNCTION;
  if ((site & CARD_SITE_IS_CALL) == 0) {
    return site;
  }
  site &= ~CARD_SITE_IS_CALL;
  return site < module->call_count ? module->calls[site].site : 0;
}

/* Flags and size in the parameter `what` of hooks. */
#define CARD_ACCESS_WRITES 0x80000000u
#define CARD_ACCESS_ATOMIC 0x40000000u
#define CARD_ACCESS_UNCHECKED 0x20000000u /* thread-local, or checked elsewhere */
#define CARD_ACCESS_COUNTED 0x10000000u   /* counted by another call */
#define CARD_ACCESS_BYTES 0x0fffffffu

/* Called at the start of every device function: the calling core's counters for the module. */
struct card_counters *__bang_card_enter(struct card_module *module);
/* Called at the start of each task: the NRAM that the kernel needs and the architecture it was
 * compiled for (0: unknown). */
void __bang_card_needs(uint64_t nram_bytes, uint32_t architecture);
/* True if the program plays a board of this architecture. It chooses among copies of a kernel file.
 */
int __bang_card_is_for(int architecture);
/* Called before an access outside of [nram_start, nram_start + nram_bytes); if nram_bytes is 0 also
 * before accesses of the language's headers, with CARD_PART_OF_FUNCTION. */
void __bang_card_access(uint32_t site, const void *address, uint32_t what);
/* Called before memcpy, memmove and memset; source is NULL for memset. */
void __bang_card_memory(uint32_t site, void *destination, const void *source, uint64_t bytes);
/* Called before an indexed access of an array on the stack or of the file, if accesses are checked.
 */
void __bang_card_indexed(uint32_t site, const void *array, uint64_t bytes, const void *address,
                         uint32_t what);
/* Called before the use of an address that was computed from an on-chip variable of the file, if
 * accesses are checked. `what` is 0 for operands of functions of the language. */
void __bang_card_derived(uint32_t site, uint32_t space, uint64_t at, uint64_t bytes,
                         const void *address, uint32_t what);
/* Called when a local variable begins or ends, if accesses are checked. */
enum card_stack {
  CARD_STACK_BEGINS,
  CARD_STACK_ENDS,
  CARD_STACK_RETURNS /* the function returns */
};
void __bang_card_stack(const void *start, uint64_t bytes, uint32_t event);
/* Called before an integer division by zero. If it returns, the division runs. */
void __bang_card_divided_by_zero(uint32_t site);
/* Records a function of the language that consists of scalar code or of several entry points.
 * `function` is an enum card_function; `calls` counts segments. */
void __bang_card_function(uint32_t site, uint32_t function, uint32_t op, uint32_t type,
                          void *destination, const void *source, int64_t elements, int64_t calls);

#endif /* CARD_MODULE_H_ */
