/* SPDX-License-Identifier: MIT
 *
 * Bytes of one pipeline buffer that suit this device: buffers of a ping-pong pipeline should stay
 * in the first-level cache. A kernel may ask for it (#ifdef); other roots need not define it.
 */
#ifndef BANG_PREFERRED_TILE_H_
#define BANG_PREFERRED_TILE_H_

#if defined(__aarch64__)
#define __BANG_PREFERRED_TILE_BYTES__ 8192
#else
#define __BANG_PREFERRED_TILE_BYTES__ 4096
#endif

#endif /* BANG_PREFERRED_TILE_H_ */
