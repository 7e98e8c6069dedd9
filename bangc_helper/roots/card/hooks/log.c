/* SPDX-License-Identifier: MIT */
#include "log.h"

#include <stdlib.h>
#include <string.h>

/* Type of a record that represents a group inside a writer; repeat.count is the group's number. */
enum { GROUP = CARD_REPEAT + 1 };

static uint64_t hash_of(const struct card_record *record) {
  uint64_t words[sizeof(*record) / sizeof(uint64_t)];
  uint64_t hash = 0;
  memcpy(words, record, sizeof(words));
  for (size_t i = 0; i < sizeof(words) / sizeof(*words); ++i) {
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}
_Static_assert(sizeof(struct card_record) % sizeof(uint64_t) == 0, "hashed by words");

static void append(struct card_writer *writer, struct card_records *records,
                   const struct card_record *record) {
  if (records->count == records->room) {
    const size_t room = records->room != 0 ? 2 * records->room : 64;
    struct card_record *list = realloc(records->list, room * sizeof(*list));
    if (list == NULL) {
      writer->failed = true;
      return;
    }
    records->list = list;
    records->room = room;
  }
  records->list[records->count++] = *record;
}

/* ---- Groups ---- */

static bool is_group(const struct card_writer *writer, const struct card_group *group,
                     uint64_t hash, const struct card_folder *folder) {
  return group->hash == hash && group->length == folder->length && group->times == folder->times &&
         memcmp(writer->pool.list + group->start, folder->records,
                group->length * sizeof(*folder->records)) == 0;
}

static bool make_room(struct card_writer *writer) {
  if (writer->group_count < writer->group_room) {
    return true;
  }
  const size_t room = writer->group_room != 0 ? 2 * writer->group_room : 64;
  struct card_group *groups = realloc(writer->groups, room * sizeof(*groups));
  uint32_t *table = calloc(2 * room, sizeof(*table));
  if (groups != NULL) {
    writer->groups = groups;
  }
  if (groups == NULL || table == NULL) {
    free(table);
    writer->failed = true;
    return false;
  }
  for (size_t i = 0; i < writer->group_count; ++i) {
    size_t place = groups[i].hash & (2 * room - 1);
    while (table[place] != 0) {
      place = (place + 1) & (2 * room - 1);
    }
    table[place] = (uint32_t)i + 1;
  }
  free(writer->group_table);
  writer->group_table = table;
  writer->table_room = 2 * room;
  writer->group_room = room;
  return true;
}

/* Makes the record that represents the folder's repeat. */
static struct card_record group_of(struct card_writer *writer, const struct card_folder *folder) {
  struct card_record record;
  memset(&record, 0, sizeof(record));
  record.kind = GROUP;
  uint64_t hash = folder->times;
  for (unsigned i = 0; i < folder->length; ++i) {
    hash = (hash ^ folder->hashes[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 31;
  }
  if (!make_room(writer)) {
    return record;
  }
  size_t place = hash & (writer->table_room - 1);
  while (writer->group_table[place] != 0) {
    const uint32_t number = writer->group_table[place] - 1;
    if (is_group(writer, &writer->groups[number], hash, folder)) {
      record.repeat.count = number;
      return record;
    }
    place = (place + 1) & (writer->table_room - 1);
  }
  const struct card_group group = {hash, writer->pool.count, folder->length, folder->times};
  for (unsigned i = 0; i < folder->length; ++i) {
    append(writer, &writer->pool, &folder->records[i]);
  }
  record.repeat.count = writer->group_count;
  writer->groups[writer->group_count++] = group;
  writer->group_table[place] = (uint32_t)writer->group_count;
  return record;
}

/* ---- Folding ---- */

static void put(struct card_writer *writer, unsigned level, const struct card_record *record,
                uint64_t hash);

/* Passes the first records on to the next folder. */
static void commit(struct card_writer *writer, unsigned level, unsigned count) {
  struct card_folder *folder = &writer->folders[level];
  for (unsigned i = 0; i < count; ++i) {
    put(writer, level + 1, &folder->records[i], folder->hashes[i]);
  }
  folder->count -= count;
  memmove(folder->records, folder->records + count, folder->count * sizeof(*folder->records));
  memmove(folder->hashes, folder->hashes + count, folder->count * sizeof(*folder->hashes));
  memmove(folder->before, folder->before + count, folder->count * sizeof(*folder->before));
  folder->first += count;
}

static void add_record(struct card_folder *folder, const struct card_record *record,
                       uint64_t hash) {
  const uint64_t number = folder->first + folder->count;
  uint64_t *latest = &folder->latest[hash >> (64 - CARD_FOLD_SLOT_BITS)];
  const uint64_t distance = number + 1 - *latest;
  folder->records[folder->count] = *record;
  folder->hashes[folder->count] = hash;
  folder->before[folder->count++] = distance <= CARD_FOLD_LENGTH ? (uint8_t)distance : 0;
  *latest = number + 1;
}

/* Length of the shortest sequence at the end of the buffer that directly follows an equal one; 0:
 * none. */
static unsigned repeated_length(const struct card_folder *folder) {
  const unsigned count = folder->count;
  const uint64_t *hashes = folder->hashes;
  unsigned step = folder->before[count - 1];
  for (unsigned length = step; step != 0 && 2 * length <= count; length += step) {
    if (hashes[count - 1 - length] == hashes[count - 1] &&
        memcmp(hashes + count - 2 * length, hashes + count - length, length * sizeof(*hashes)) ==
            0 &&
        memcmp(folder->records + count - 2 * length, folder->records + count - length,
               length * sizeof(*folder->records)) == 0) {
      return length;
    }
    step = folder->before[count - 1 - length];
  }
  return 0;
}

/* Ends the repeat being recorded. Records of a partial repetition become ordinary records again. */
static void close_repeat(struct card_writer *writer, unsigned level) {
  struct card_folder *folder = &writer->folders[level];
  struct card_record rest[CARD_FOLD_LENGTH];
  uint64_t hashes[CARD_FOLD_LENGTH];
  const unsigned matched = folder->matched;
  const struct card_record group = group_of(writer, folder);
  memcpy(rest, folder->records, matched * sizeof(*rest));
  memcpy(hashes, folder->hashes, matched * sizeof(*hashes));
  folder->first += 2 * CARD_FOLD_LENGTH; /* earlier records are out of reach */
  folder->count = folder->length = folder->matched = 0;
  put(writer, level + 1, &group, hash_of(&group));
  for (unsigned i = 0; i < matched; ++i) {
    put(writer, level, &rest[i], hashes[i]);
  }
}

static void put(struct card_writer *writer, unsigned level, const struct card_record *record,
                uint64_t hash) {
  if (level == CARD_FOLD_LEVELS) {
    append(writer, &writer->top, record);
    return;
  }
  struct card_folder *folder = &writer->folders[level];
  if (folder->length != 0) {
    if (memcmp(record, &folder->records[folder->matched], sizeof(*record)) == 0) {
      if (++folder->matched == folder->length) {
        folder->matched = 0;
        ++folder->times;
      }
      return;
    }
    close_repeat(writer, level);
    put(writer, level, record, hash); /* the returned records may have begun a repeat */
    return;
  }
  if (folder->count == 2 * CARD_FOLD_LENGTH) {
    commit(writer, level, CARD_FOLD_LENGTH);
  }
  add_record(folder, record, hash);
  const unsigned length = repeated_length(folder);
  if (length != 0) {
    commit(writer, level, folder->count - 2 * length);
    folder->count = folder->length = length;
    folder->matched = 0;
    folder->times = 1;
  }
}

void card_writer_put(struct card_writer *writer, const struct card_record *record) {
  put(writer, 0, record, hash_of(record));
}

/* Writes records and expands groups among them. */
static void unfold(struct card_writer *writer, struct card_records *log,
                   const struct card_records *from, size_t start, size_t count) {
  for (size_t i = start; i < start + count && !writer->failed; ++i) {
    const struct card_record record = from->list[i];
    if (record.kind != GROUP) {
      append(writer, log, &record);
      continue;
    }
    const struct card_group *group = &writer->groups[record.repeat.count];
    const size_t before = log->count;
    unfold(writer, log, &writer->pool, group->start, group->length);
    const struct card_record repeat = {
        .kind = CARD_REPEAT,
        .repeat = {.length = (uint32_t)(log->count - before), .count = group->times}};
    append(writer, log, &repeat);
  }
}

bool card_writer_end(struct card_writer *writer, struct card_log *log) {
  struct card_records unfolded = {NULL, 0, 0};
  for (unsigned level = 0; level < CARD_FOLD_LEVELS; ++level) {
    struct card_folder *folder = &writer->folders[level];
    while (folder->length != 0) {
      close_repeat(writer, level);
    }
    commit(writer, level, folder->count);
  }
  if (!writer->failed) {
    unfold(writer, &unfolded, &writer->top, 0, writer->top.count);
  }
  const bool whole = !writer->failed;
  *log = (struct card_log){unfolded.list, unfolded.count};
  writer->top.count = writer->pool.count = writer->group_count = 0;
  if (writer->group_table != NULL) {
    memset(writer->group_table, 0, writer->table_room * sizeof(*writer->group_table));
  }
  writer->failed = false;
  return whole;
}

void card_writer_free(struct card_writer *writer) {
  free(writer->top.list);
  free(writer->pool.list);
  free(writer->groups);
  free(writer->group_table);
}
