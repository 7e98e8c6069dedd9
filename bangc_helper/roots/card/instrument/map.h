/* SPDX-License-Identifier: MIT
 *
 * Numbers by key: a hash table of pointers or hashes.
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

/* The place of a key's value; *is_new is set when it was not there; its value is 0 then. */
uint64_t *map_put(struct map *map, uint64_t key, bool *is_new);
/* NULL when it is not there. */
uint64_t *map_find(const struct map *map, uint64_t key);
void map_free(struct map *map);

#endif /* CARD_INSTRUMENT_MAP_H_ */
