/* SPDX-License-Identifier: MIT
 *
 * Group Q: loads and stores that name their memory, and queries which memory a pointer refers to.
 */
#ifndef BANG_SPACE_H_
#define BANG_SPACE_H_

#include "bang/space_access.h"
#include "bang/types.h"
#include "bang_runtime.h"

/* True for memory allocated by cnrt; false for on-chip variables and the stack. */
BANG_INLINE bool __is_dram(const void *address) {
  cnrtPointerAttributes_t attributes;
  return cnrtPointerGetAttributes(&attributes, address) == cnrtSuccess &&
         attributes.type == cnrtMemTypeDevice;
}

#endif /* BANG_SPACE_H_ */
