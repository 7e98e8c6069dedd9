/* SPDX-License-Identifier: MIT
 *
 * What an engine has recorded, as its mover reads it. */
#ifndef BANGC_HELPER_CPU_COPY_OPERATION_H_
#define BANGC_HELPER_CPU_COPY_OPERATION_H_

#include <stddef.h>
#include <stdint.h>

/* The kind of an operation: one bit of each group, so that the tags of a batch can be joined into a
 * set. The groups are its pipe (BANG_PIPE_ bits), its route, which selects the instructions, and
 * whether it is a single run of bytes or has its details elsewhere. */
enum {
  ROUTE_LOAD = 0x100,
  ROUTE_STORE = 0x200,
  ROUTE_LOCAL = 0x400,
  ROUTE_MASK = 0x700,
  ROUTE_END = 0x1000, /* not an operation: marks the end */
  KIND_RUN = 0x10000,
  KIND_STRIDED = 0x20000,
  KIND_CALL = 0x40000,
  KIND_GATHER = 0x80000,
  KIND_MASK = 0xf0000,
  CORE_RAM = 0x100000,   /* to or from NRAM or WRAM */
  AT_ONCE = 0x200000,    /* never recorded */
  OF_CLUSTER = 0x400000, /* done once per cluster, however many cores issue it */
  IN_MEMORY = 0x800000,  /* from device memory to device memory */
};

typedef struct Operation {
  char *dst;
  const char *src;
  size_t size;
  unsigned tag;
  unsigned detail;
} Operation;

/* Half of an operation: target and source, or size and tag. A half is written and read as one
 * access: a load that spans two stores waits until both have left the store buffer, after all
 * streaming stores before them. */
typedef uint64_t WordPair __attribute__((vector_size(16), aligned(8), may_alias));

_Static_assert(sizeof(Operation) == 2 * sizeof(WordPair) &&
                   offsetof(Operation, size) == sizeof(WordPair),
               "an operation is two pairs of words");

static inline void write_operation(Operation *op, char *dst, const char *src, size_t size,
                                   unsigned tag) {
  WordPair *halves = (WordPair *)op;
  halves[0] = (WordPair){(uint64_t)(uintptr_t)dst, (uint64_t)(uintptr_t)src};
  halves[1] = (WordPair){size, tag};
}

#endif /* BANGC_HELPER_CPU_COPY_OPERATION_H_ */
