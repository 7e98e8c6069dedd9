/* SPDX-License-Identifier: MIT
 *
 * A hash table from 64-bit keys to numbers.
 */
#ifndef CARD_INSTRUMENT_MAP_H_
#define CARD_INSTRUMENT_MAP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map {
  struct map_entry {
    uint64_t key; /* 0: free */
    uint64_t value;
  } * entries;
  size_t count, room;
};

/* Returns the place of a key's value. A new key has the value 0 and sets *is_new. */
uint64_t *map_put(struct map *map, uint64_t key, bool *is_new);
/* NULL if the key is not in the table. */
uint64_t *map_find(const struct map *map, uint64_t key);
void map_free(struct map *map);

#endif /* CARD_INSTRUMENT_MAP_H_ */
