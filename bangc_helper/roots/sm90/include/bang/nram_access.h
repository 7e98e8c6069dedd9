/* SPDX-License-Identifier: MIT
 *
 * Access to NRAM by 32-bit shared-memory addresses: elements, and pieces of up to 16 bytes.
 */
#ifndef BANG_NRAM_ACCESS_H_
#define BANG_NRAM_ACCESS_H_

#include "bang/task.h"

namespace bang_impl {

template <int align>
BANG_INLINE bool is_in_nram(const void *p) {
  return __isShared(p) && ((uint32_t)(uint64_t)p & (align - 1)) == 0;
}

/* Accesses 16, 8, 4, 2 bytes or one, as words. */
template <int bytes>
struct Piece {
  uint32_t word[bytes < 4 ? 1 : bytes / 4];
};
template <int bytes>
BANG_INLINE Piece<bytes> load_piece(uint32_t address) {
  Piece<bytes> p;
  if constexpr (bytes == 16) {
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(p.word[0]), "=r"(p.word[1]), "=r"(p.word[2]), "=r"(p.word[3])
                 : "r"(address));
  } else if constexpr (bytes == 8) {
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                 : "=r"(p.word[0]), "=r"(p.word[1])
                 : "r"(address));
  } else if constexpr (bytes == 4) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(p.word[0]) : "r"(address));
  } else if constexpr (bytes == 2) {
    asm volatile("ld.shared.u16 %0, [%1];" : "=r"(p.word[0]) : "r"(address));
  } else {
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(p.word[0]) : "r"(address));
  }
  return p;
}
/* Loads a word if the condition holds, without a branch; otherwise returns `otherwise`. */
BANG_INLINE uint32_t load_word_if(bool condition, uint32_t address, uint32_t otherwise) {
  uint32_t word;
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\nmov.u32 %0, %3;\n"
      "@p ld.shared.u32 %0, [%2];\n}"
      : "=&r"(word)
      : "r"((uint32_t)condition), "r"(address), "r"(otherwise));
  return word;
}
template <int bytes>
BANG_INLINE void store_piece(uint32_t address, const Piece<bytes> &p) {
  if constexpr (bytes == 16) {
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(p.word[0]),
                 "r"(p.word[1]), "r"(p.word[2]), "r"(p.word[3]));
  } else if constexpr (bytes == 8) {
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(address), "r"(p.word[0]), "r"(p.word[1]));
  } else if constexpr (bytes == 4) {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(p.word[0]));
  } else if constexpr (bytes == 2) {
    asm volatile("st.shared.u16 [%0], %1;" ::"r"(address), "r"(p.word[0]));
  } else {
    asm volatile("st.shared.u8 [%0], %1;" ::"r"(address), "r"(p.word[0]));
  }
}

/* Element k of a piece. Uses shifts, because extracting parts of words takes an extra instruction
 * each. */
template <class T, int bytes>
BANG_INLINE T element_of(const Piece<bytes> &p, int k) {
  T x;
  if constexpr (sizeof(T) == 8) {
    const uint64_t bits = (uint64_t)p.word[2 * k + 1] << 32 | p.word[2 * k];
    memcpy(&x, &bits, sizeof x);
  } else if constexpr (sizeof(T) == 4) {
    memcpy(&x, &p.word[k], sizeof x);
  } else if constexpr (sizeof(T) == 2) {
    const uint16_t bits = (uint16_t)(p.word[k / 2] >> 16 * (k % 2));
    memcpy(&x, &bits, sizeof x);
  } else {
    const uint8_t bits = (uint8_t)(p.word[k / 4] >> 8 * (k % 4));
    memcpy(&x, &bits, sizeof x);
  }
  return x;
}
/* Inserts element k into a piece whose words were 0. */
template <class T, int bytes>
BANG_INLINE void put_element(Piece<bytes> &p, int k, T x) {
  if constexpr (sizeof(T) == 8) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof x);
    p.word[2 * k] = (uint32_t)bits;
    p.word[2 * k + 1] = (uint32_t)(bits >> 32);
  } else if constexpr (sizeof(T) == 4) {
    memcpy(&p.word[k], &x, sizeof x);
  } else if constexpr (sizeof(T) == 2) {
    uint16_t bits;
    memcpy(&bits, &x, sizeof x);
    p.word[k / 2] |= (uint32_t)bits << 16 * (k % 2);
  } else {
    uint8_t bits;
    memcpy(&bits, &x, sizeof x);
    p.word[k / 4] |= (uint32_t)bits << 8 * (k % 4);
  }
}

template <class T>
BANG_INLINE T load_one(uint32_t address) {
  return element_of<T>(load_piece<sizeof(T)>(address), 0);
}
template <class T>
BANG_INLINE void store_one(uint32_t address, T x) {
  Piece<sizeof(T)> p = {};
  put_element(p, 0, x);
  store_piece<sizeof(T)>(address, p);
}

}  // namespace bang_impl

#endif /* BANG_NRAM_ACCESS_H_ */
