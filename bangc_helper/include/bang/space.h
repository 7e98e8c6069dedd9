/* SPDX-License-Identifier: MIT
 *
 * Group Q: loads and stores that name the memory they go to, and asking where a pointer leads.
 */
#ifndef BANG_SPACE_H_
#define BANG_SPACE_H_

#include "bang/space_access.h"
#include "bang/types.h"
#include "bang_runtime.h"

/* A pointer into memory that cnrt handed out; on-chip variables and the stack are not. */
BANG_INLINE bool __is_dram(const void *address) {
  cnrtPointerAttributes_t attributes;
  return cnrtPointerGetAttributes(&attributes, address) == cnrtSuccess &&
         attributes.type == cnrtMemTypeDevice;
}

#endif /* BANG_SPACE_H_ */
