/* SPDX-License-Identifier: MIT
 *
 * A number that tells whether memory still holds what it held: a changed word changes it, several
 * go unnoticed once in 2^64. It is a sum over the words and their places, so parts of a block can
 * be summed in any order and by any thread. Not a hash against people who search for collisions. */
#ifndef MLUOP_TEST_BASE_DIGEST_H_
#define MLUOP_TEST_BASE_DIGEST_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The part of a block's digest that comes from `size` bytes at offset `at`, a multiple of 8.
 * Only the last part of a block may end within a word. */
uint64_t mluop_digest_part(const void *bytes, size_t at, size_t size);

/* The same if the bytes equal `other`; otherwise returns false and leaves `digest` alone.
 */
bool mluop_digest_part_if_same(const void *bytes, const void *other, size_t at, size_t size,
                               uint64_t *digest);

/* The digest of a whole block, computed on all cores. */
uint64_t mluop_digest(const void *bytes, size_t size);

#endif /* MLUOP_TEST_BASE_DIGEST_H_ */
