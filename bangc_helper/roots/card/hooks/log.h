/* SPDX-License-Identifier: MIT
 *
 * Writes a log and folds what repeats: loops of a kernel give the same records again and again. A
 * folder finds the shortest repeating sequence at its end and hands it on as one record, a group.
 * Several of them, one after another, fold loops in loops.
 */
#ifndef CARD_HOOKS_LOG_H_
#define CARD_HOOKS_LOG_H_

#include <stdbool.h>

#include "events.h"

enum {
  CARD_FOLD_LENGTH = 64, /* records of the longest sequence that is found */
  CARD_FOLD_LEVELS = 5,
  CARD_FOLD_SLOT_BITS = 10, /* records are found by so many bits of their hashes */
};

struct card_folder {
  /* Records that may become part of a repeat, and their hashes. */
  struct card_record records[2 * CARD_FOLD_LENGTH];
  uint64_t hashes[2 * CARD_FOLD_LENGTH];
  unsigned count;
  /* Where the record before it in its slot is, so many records earlier; 0: too far. */
  uint8_t before[2 * CARD_FOLD_LENGTH];
  uint64_t first;                            /* number of records[0] among all there were */
  uint64_t latest[1 << CARD_FOLD_SLOT_BITS]; /* number + 1 of the latest record of a slot */
  /* A repeat that is being recorded: records[0 .. length) are its body. */
  unsigned length; /* 0: none */
  unsigned matched;
  uint64_t times; /* more than the first time */
};

/* A sequence that repeats, kept once however often it comes. */
struct card_group {
  uint64_t hash;
  size_t start; /* of its body in the pool */
  unsigned length;
  uint64_t times;
};

struct card_records {
  struct card_record *list;
  size_t count, room;
};

struct card_writer {
  struct card_folder folders[CARD_FOLD_LEVELS];
  struct card_records top; /* what the last folder handed on */
  struct card_records pool;
  struct card_group *groups;
  size_t group_count, group_room;
  uint32_t *group_table; /* by hash: number + 1 of a group, 0: none */
  size_t table_room;
  bool failed; /* memory was short: the log is not complete */
};

/* Writers are large: they stay with a core. A writer begins zeroed. */
void card_writer_put(struct card_writer *writer, const struct card_record *record);
/* Takes the log out, which the caller frees, and makes the writer ready for another; false when
 * memory was short. */
bool card_writer_end(struct card_writer *writer, struct card_log *log);
void card_writer_free(struct card_writer *writer);

#endif /* CARD_HOOKS_LOG_H_ */
