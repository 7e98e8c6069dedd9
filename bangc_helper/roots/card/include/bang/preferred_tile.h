/* SPDX-License-Identifier: MIT
 *
 * A card prefers no size of buffers: kernels take what NRAM allows, as with the vendor's SDK.
 */
#ifndef BANG_PREFERRED_TILE_H_
#define BANG_PREFERRED_TILE_H_
#endif /* BANG_PREFERRED_TILE_H_ */
