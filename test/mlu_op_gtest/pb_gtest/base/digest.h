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

/* What `size` bytes at `at`, a multiple of 8, of a block add to its digest. Only the block's last
 * part may end within a word. */
uint64_t mluop_digest_part(const void *bytes, size_t at, size_t size);

/* The same, where the bytes equal `other`; false and nothing added to `digest` where they do not.
 */
bool mluop_digest_part_if_same(const void *bytes, const void *other, size_t at, size_t size,
                               uint64_t *digest);

/* Of a whole block, by all cores. */
uint64_t mluop_digest(const void *bytes, size_t size);

#endif /* MLUOP_TEST_BASE_DIGEST_H_ */
