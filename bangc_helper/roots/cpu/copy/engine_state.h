/* SPDX-License-Identifier: MIT
 *
 * The state of a core's copy engine: the operations that were recorded and not done yet. */
#ifndef BANGC_HELPER_CPU_COPY_ENGINE_STATE_H_
#define BANGC_HELPER_CPU_COPY_ENGINE_STATE_H_

#include <stdint.h>

#include "copy/mover.h"
#include "copy/operation.h"
#include "copy/row_gather.h"
#include "copy/segments.h"

#define DEFERRED_ARGS_BYTES 96

/* What does not fit an Operation. */
typedef union Detail {
  Copy copy;
  RowGather gather;
  struct {
    void (*fn)(const void *args);
    _Alignas(16) unsigned char args[DEFERRED_ARGS_BYTES];
  } call;
} Detail;

/* Fields that every copy writes have a cache line of their own, apart from those it only reads. The
 * stores of a batch leave the core slowly, and a read waits for earlier stores to its cache line,
 * unless one of them wrote what is read. */
typedef struct Engine {
  Operation *operations;
  const Mover *mover;
  size_t prefetch_left; /* bytes that a batch of mostly loads may still prefetch */
  uint32_t capacity;    /* of operations */
  unsigned streamed;    /* streaming stores since the last fence */
  int is_ready;         /* a mover is chosen, and nothing is traced */
  int is_computed;      /* vector functions fetch the loads of this batch */
  int traced;
  uint32_t detail_capacity;
  Detail *details;

  _Alignas(MOVER_LINE) const char *load_end; /* of the last load of this batch, or NULL */
  const char *last_load_end;                 /* of the last load of the previous batch */
  uint32_t count;                            /* of operations */
  unsigned tags;                             /* of all recorded operations */
  uint32_t detail_count;
  size_t direct_bytes; /* of the recorded copies inside device memory */

  _Alignas(MOVER_LINE) uint64_t elements;   /* that vector functions computed while loads wait */
  const uint32_t *gather_end;               /* end of the offsets of the last gather */
  int64_t fetched;                          /* rows of the next gather that it prefetches */
  uint64_t load_issued_ns, store_issued_ns; /* of the first recorded copy, if traced */
} Engine;

#endif /* BANGC_HELPER_CPU_COPY_ENGINE_STATE_H_ */
