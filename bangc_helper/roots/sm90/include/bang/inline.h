/* SPDX-License-Identifier: MIT
 *
 * How the functions of the language are declared where a task is a thread block of one warp.
 */
#ifndef BANG_INLINE_H_
#define BANG_INLINE_H_

/* The file is also read by a host compiler that only expands macros. */
#ifndef __CUDACC__
#define BANG_INLINE inline
#define BANG_MEMBER
#define BANG_BOTH inline
#define BANG_CALLED inline
#else
#define BANG_INLINE __device__ __forceinline__
#define BANG_MEMBER __device__ __forceinline__
/* Work that is worth a call: one copy per unit. */
#define BANG_CALLED static __device__ __noinline__
/* Scalar types and their arithmetic: host code may use them too. */
#define BANG_BOTH __host__ __device__ __forceinline__
#endif

/* C's memmove, by the lanes of a task (bang/engine.h). */
#define BANG_MEMMOVE(dst, src, size) \
  bang_impl::move_bytes((char *)(dst), (const char *)(src), (int64_t)(size))

#endif /* BANG_INLINE_H_ */
