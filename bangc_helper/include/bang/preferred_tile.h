/* SPDX-License-Identifier: MIT
 *
 * A good size in bytes for one buffer of a ping-pong pipeline: all of its buffers stay in the
 * first-level cache. Kernels test for the macro with #ifdef; other roots need not define it.
 */
#ifndef BANG_PREFERRED_TILE_H_
#define BANG_PREFERRED_TILE_H_

#if defined(__aarch64__)
#define __BANG_PREFERRED_TILE_BYTES__ 8192
#else
#define __BANG_PREFERRED_TILE_BYTES__ 4096
#endif

#endif /* BANG_PREFERRED_TILE_H_ */
