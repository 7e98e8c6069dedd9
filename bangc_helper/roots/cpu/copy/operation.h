/* SPDX-License-Identifier: MIT
 *
 * What an engine has recorded, as its mover reads it. */
#ifndef BANGC_HELPER_CPU_COPY_OPERATION_H_
#define BANGC_HELPER_CPU_COPY_OPERATION_H_

#include <stddef.h>
#include <stdint.h>

/* What an operation is, as one bit of each group, so that the tags of a batch can be joined into a
 * set: its pipe (the BANG_PIPE_ bits); its route, which decides the instructions; and whether it is
 * one run of bytes or something whose details stand aside. */
enum {
  ROUTE_LOAD = 0x100,
  ROUTE_STORE = 0x200,
  ROUTE_LOCAL = 0x400,
  ROUTE_MASK = 0x700,
  ROUTE_END = 0x1000, /* no operation: it comes after the last one */
  KIND_RUN = 0x10000,
  KIND_STRIDED = 0x20000,
  KIND_CALL = 0x40000,
  KIND_GATHER = 0x80000,
  KIND_MASK = 0xf0000,
  CORE_RAM = 0x100000,   /* NRAM or WRAM takes part */
  AT_ONCE = 0x200000,    /* never recorded */
  OF_CLUSTER = 0x400000, /* once for all cores of a cluster that issue it */
};

typedef struct Operation {
  char *dst;
  const char *src;
  size_t size;
  unsigned tag;
  unsigned detail;
} Operation;

/* Half of an operation: target and source, or size and tag. A half is written and read at once: a
 * read of what two stores wrote would have to wait until both have left the core, after all
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
