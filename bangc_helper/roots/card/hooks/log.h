/* SPDX-License-Identifier: MIT
 *
 * Writes a log and folds repetitions, since loops of a kernel give the same records again and
 * again. A folder finds the shortest repeating sequence at the end of its buffer and passes it on
 * as one record, a group. A chain of folders folds nested loops.
 */
#ifndef CARD_HOOKS_LOG_H_
#define CARD_HOOKS_LOG_H_

#include <stdbool.h>

#include "events.h"

enum {
  CARD_FOLD_LENGTH = 64, /* longest sequence that is folded, in records */
  CARD_FOLD_LEVELS = 5,
  CARD_FOLD_SLOT_BITS = 10, /* bits of a record's hash that select its slot */
};

struct card_folder {
  /* Records that may become part of a repeat, and their hashes. */
  struct card_record records[2 * CARD_FOLD_LENGTH];
  uint64_t hashes[2 * CARD_FOLD_LENGTH];
  unsigned count;
  /* Distance to the previous record in the same slot; 0: too far away. */
  uint8_t before[2 * CARD_FOLD_LENGTH];
  uint64_t first; /* number of records[0], counted from the first record written */
  uint64_t latest[1 << CARD_FOLD_SLOT_BITS]; /* number + 1 of the latest record of a slot */
  /* The repeat being recorded; records[0 .. length) are its body. */
  unsigned length; /* 0: none */
  unsigned matched;
  uint64_t times; /* repetitions after the first */
};

/* A repeating sequence; equal ones are stored once. */
struct card_group {
  uint64_t hash;
  size_t start; /* start of its body in the pool */
  unsigned length;
  uint64_t times;
};

struct card_records {
  struct card_record *list;
  size_t count, room;
};

struct card_writer {
  struct card_folder folders[CARD_FOLD_LEVELS];
  struct card_records top; /* output of the last folder */
  struct card_records pool;
  struct card_group *groups;
  size_t group_count, group_room;
  uint32_t *group_table; /* group number + 1 by hash; 0: none */
  size_t table_room;
  bool failed; /* memory was short, the log is incomplete */
};

/* A writer is large, so each core keeps one. It starts zeroed. */
void card_writer_put(struct card_writer *writer, const struct card_record *record);
/* Returns the log, which the caller frees, and resets the writer; false if memory was short. */
bool card_writer_end(struct card_writer *writer, struct card_log *log);
void card_writer_free(struct card_writer *writer);

#endif /* CARD_HOOKS_LOG_H_ */
