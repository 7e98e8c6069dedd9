/* SPDX-License-Identifier: MIT
 *
 * Loads and stores that name their memory: plain accesses, as all share one address space.
 */
#ifndef BANG_SPACE_ACCESS_H_
#define BANG_SPACE_ACCESS_H_

#include "bang/inline.h"

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

#endif /* BANG_SPACE_ACCESS_H_ */
