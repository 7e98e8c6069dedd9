/* SPDX-License-Identifier: MIT
 *
 * Shared by all hooks. The hook of "__bang_NAME" is "__bang_card_NAME"; it takes a site and then
 * the entry point's parameters.
 */
#ifndef CARD_HOOKS_HOOK_H_
#define CARD_HOOKS_HOOK_H_

#include <stdint.h>

#include "bang/table.h"

#define CARD_HOOK __attribute__((visibility("default")))

/* Bytes of a vector register. */
enum { CARD_REGISTER_BYTES = 256 };

/* Bytes of an element of a type; TF32 is stored as a float. */
static inline int64_t card_type_bytes(int type) {
  static const int8_t bytes[] = {[BANG_F16] = 2, [BANG_BF16] = 2, [BANG_F32] = 4, [BANG_S8] = 1,
                                 [BANG_U8] = 1,  [BANG_S16] = 2,  [BANG_U16] = 2, [BANG_S32] = 4,
                                 [BANG_U32] = 4, [BANG_S64] = 8,  [BANG_U64] = 8, [BANG_TF32] = 4};
  return type >= 0 && type <= BANG_TF32 ? bytes[type] : 1;
}

#endif /* CARD_HOOKS_HOOK_H_ */
