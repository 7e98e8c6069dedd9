/* SPDX-License-Identifier: MIT
 *
 * The driver interface over the runtime's objects. Error codes of both have the same numbers where
 * both define one.
 */
#ifndef RUNTIME_DRIVER_H_
#define RUNTIME_DRIVER_H_

#include "common.h"

static inline void *rt_driver_pointer(CNaddr address) {
  return (void *)(uintptr_t)address;
}

/* A runtime code, also one that the driver does not define. */
static inline CNresult rt_driver_code(cnrtRet_t code) {
  switch (code) {
    case cnrtErrorNoAttribute:
    case cnrtErrorMemcpyDirectionInvalid:
      return CN_ERROR_INVALID_VALUE;
    default:
      return (CNresult)code;
  }
}

#endif /* RUNTIME_DRIVER_H_ */
