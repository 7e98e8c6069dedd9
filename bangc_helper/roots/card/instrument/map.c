/* SPDX-License-Identifier: MIT */
#include "map.h"

#include <stdlib.h>

#include "support.h"

static size_t first_place(const struct map *map, uint64_t key) {
  return (size_t)((key * 0x9e3779b97f4a7c15u) >> 20) & (map->room - 1);
}

static struct map_entry *find_place(const struct map *map, uint64_t key) {
  size_t place = first_place(map, key);
  while (map->entries[place].key != 0 && map->entries[place].key != key) {
    place = (place + 1) & (map->room - 1);
  }
  return &map->entries[place];
}

static void enlarge(struct map *map) {
  const struct map old = *map;
  map->room = old.room != 0 ? 2 * old.room : 64;
  map->entries = allocate(map->room, sizeof(*map->entries));
  for (size_t i = 0; i < old.room; ++i) {
    if (old.entries[i].key != 0) {
      *find_place(map, old.entries[i].key) = old.entries[i];
    }
  }
  free(old.entries);
}

uint64_t *map_put(struct map *map, uint64_t key, bool *is_new) {
  if (2 * (map->count + 1) > map->room) {
    enlarge(map);
  }
  struct map_entry *entry = find_place(map, key);
  const bool added = entry->key == 0;
  if (added) {
    entry->key = key;
    ++map->count;
  }
  if (is_new != NULL) {
    *is_new = added;
  }
  return &entry->value;
}

uint64_t *map_find(const struct map *map, uint64_t key) {
  if (map->room == 0) {
    return NULL;
  }
  struct map_entry *entry = find_place(map, key);
  return entry->key != 0 ? &entry->value : NULL;
}

void map_free(struct map *map) {
  free(map->entries);
  *map = (struct map){0};
}
