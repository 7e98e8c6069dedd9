/* SPDX-License-Identifier: MIT
 *
 * A card has no preferred buffer size: kernels use as much NRAM as they can, as with the vendor's
 * SDK.
 */
#ifndef BANG_PREFERRED_TILE_H_
#define BANG_PREFERRED_TILE_H_
#endif /* BANG_PREFERRED_TILE_H_ */
