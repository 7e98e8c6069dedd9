/* SPDX-License-Identifier: MIT
 *
 * Group Q: loads and stores that name the memory they go to, and asking where a pointer leads.
 */
#ifndef BANG_SPACE_H_
#define BANG_SPACE_H_

#include "bang/inline.h"

#include "bang_runtime.h"
#include "bang/types.h"

#define BANG_LOAD_STORE(space)                            \
  template <class T>                                      \
  BANG_INLINE T __load_##space(const T *address) {        \
    return *address;                                      \
  }                                                       \
  template <class T, class V>                             \
  BANG_INLINE void __store_##space(T *address, V value) { \
    *address = static_cast<T>(value);                     \
  }
BANG_LOAD_STORE(gdram)
BANG_LOAD_STORE(ldram)
BANG_LOAD_STORE(nram)
BANG_LOAD_STORE(wram)
BANG_LOAD_STORE(sram)
#undef BANG_LOAD_STORE

/* A pointer into memory that cnrt handed out; on-chip variables and the stack are not. */
BANG_INLINE bool __is_dram(const void *address) {
  cnrtPointerAttributes_t attributes;
  return cnrtPointerGetAttributes(&attributes, address) == cnrtSuccess &&
         attributes.type == cnrtMemTypeDevice;
}

#endif /* BANG_SPACE_H_ */
