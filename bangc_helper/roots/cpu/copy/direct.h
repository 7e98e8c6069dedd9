/* SPDX-License-Identifier: MIT
 *
 * Copies inside device memory, which need no tile. Many of them are recorded before a sync does
 * them: other stores among theirs, as those that record the next one, keep a core of Arm from
 * writing whole lines, and a gather takes twice as long. */
#ifndef BANGC_HELPER_CPU_COPY_DIRECT_H_
#define BANGC_HELPER_CPU_COPY_DIRECT_H_

#include "copy/mover.h"
#include "copy/operation.h"

/* Sources of the first copies of a batch are fetched when they are recorded. */
#define DIRECT_BYTES_RECORDED (12 * 1024)

/* The CPU follows a longer source by itself. */
static inline void direct_fetch(const char *src, size_t size) {
  enum { MAX_BYTES = 4 * 1024 };
  mover_prefetch(src, size < MAX_BYTES ? size : MAX_BYTES);
}

/* Does copies one after the other; source and target of one may overlap. */
void direct_move(const Operation *op, const Operation *end);

#endif /* BANGC_HELPER_CPU_COPY_DIRECT_H_ */
