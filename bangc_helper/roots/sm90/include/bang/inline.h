/* SPDX-License-Identifier: MIT
 *
 * How the functions of the language are declared, where a task is a thread block of one warp.
 */
#ifndef BANG_INLINE_H_
#define BANG_INLINE_H_

/* A host compiler also preprocesses this file, only to expand macros. */
#ifndef __CUDACC__
#define BANG_INLINE inline
#define BANG_ON_CALL inline
#define BANG_MEMBER
#define BANG_BOTH inline
#define BANG_CALLED inline
#define BANG_LOOP inline
#define BANG_COPY_RUN inline
#else
#define BANG_INLINE __device__ __forceinline__
/* Compiled only where it is called: each of the many conversions would otherwise bring its loops
 * into every unit, which costs the compiler seconds. */
#define BANG_ON_CALL \
  template <int = 0> \
  BANG_INLINE
#define BANG_MEMBER __device__ __forceinline__
/* For functions large enough for a call: one copy per unit. */
#define BANG_CALLED static __device__ __noinline__
/* Loops over NRAM: called, too, but part of the kernel in a unit that cncc found to have few. */
#ifdef __BANG_INLINE_LOOPS__
#define BANG_LOOP BANG_INLINE
#else
#define BANG_LOOP BANG_CALLED
#endif
/* Copies of one run by the bulk engine: part of the kernel, but called in a unit with so many of
 * them that it would take long to compile. */
#ifdef __BANG_CALL_COPIES__
#define BANG_COPY_RUN BANG_CALLED
#else
#define BANG_COPY_RUN BANG_INLINE
#endif
/* Scalar types and their arithmetic, which host code uses too. */
#define BANG_BOTH __host__ __device__ __forceinline__
#endif

/* C's memmove, by the lanes of a task (bang/engine.h). */
#define BANG_MEMMOVE(dst, src, size) \
  bang_impl::move_bytes((char *)(dst), (const char *)(src), (int64_t)(size))

#endif /* BANG_INLINE_H_ */
