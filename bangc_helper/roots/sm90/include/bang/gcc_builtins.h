/* SPDX-License-Identifier: MIT
 *
 * gcc built-ins that kernels use, for which nvcc has other names in device code.
 */
#ifndef BANG_GCC_BUILTINS_H_
#define BANG_GCC_BUILTINS_H_

#include "bang/inline.h"

#ifdef __CUDA_ARCH__
#define BANG_BIT_FUNCTION(name, type, device) \
  BANG_BOTH int __bang_##name(type x) {       \
    return device;                            \
  }
#else
#define BANG_BIT_FUNCTION(name, type, device) \
  BANG_BOTH int __bang_##name(type x) {       \
    return __builtin_##name(x);               \
  }
#endif
BANG_BIT_FUNCTION(ctz, unsigned, __ffs((int)x) - 1)
BANG_BIT_FUNCTION(ctzl, unsigned long, __ffsll((long long)x) - 1)
BANG_BIT_FUNCTION(ctzll, unsigned long long, __ffsll((long long)x) - 1)
BANG_BIT_FUNCTION(clz, unsigned, __clz((int)x))
BANG_BIT_FUNCTION(clzl, unsigned long, __clzll((long long)x))
BANG_BIT_FUNCTION(clzll, unsigned long long, __clzll((long long)x))
BANG_BIT_FUNCTION(popcount, unsigned, __popc(x))
BANG_BIT_FUNCTION(popcountl, unsigned long, __popcll(x))
BANG_BIT_FUNCTION(popcountll, unsigned long long, __popcll(x))
BANG_BIT_FUNCTION(ffs, int, __ffs(x))
BANG_BIT_FUNCTION(ffsll, long long, __ffsll(x))
#undef BANG_BIT_FUNCTION

/* Only when the text of kernels is preprocessed, not when this file is compiled. */
#ifndef __CUDACC__
#define __builtin_ctz(x) __bang_ctz(x)
#define __builtin_ctzl(x) __bang_ctzl(x)
#define __builtin_ctzll(x) __bang_ctzll(x)
#define __builtin_clz(x) __bang_clz(x)
#define __builtin_clzl(x) __bang_clzl(x)
#define __builtin_clzll(x) __bang_clzll(x)
#define __builtin_popcount(x) __bang_popcount(x)
#define __builtin_popcountl(x) __bang_popcountl(x)
#define __builtin_popcountll(x) __bang_popcountll(x)
#define __builtin_ffs(x) __bang_ffs(x)
#define __builtin_ffsll(x) __bang_ffsll(x)
#endif

#endif /* BANG_GCC_BUILTINS_H_ */
