/* SPDX-License-Identifier: MIT
 *
 * Reads a log and expands its repeats.
 */
#include <stdbool.h>

#include "events.h"

void card_reader_init(struct card_reader *reader, const struct card_log *log) {
  *reader = (struct card_reader){.log = log};
}

/* At a repeat record: jumps back to its first record, or continues after the last repetition. */
static void turn(struct card_reader *reader, const struct card_repeat *repeat) {
  const size_t here = reader->next;
  const bool is_under_way = reader->depth > 0 && reader->level[reader->depth - 1].repeat == here;
  if (!is_under_way && repeat->count > 0 && reader->depth < CARD_REPEAT_DEPTH) {
    reader->level[reader->depth].repeat = here;
    reader->level[reader->depth++].left = repeat->count;
  } else if (!is_under_way) {
    ++reader->next;
    return;
  }
  if (reader->level[reader->depth - 1].left > 0) {
    --reader->level[reader->depth - 1].left;
    reader->next = here - repeat->length;
  } else {
    --reader->depth;
    ++reader->next;
  }
}

const struct card_record *card_reader_next(struct card_reader *reader) {
  while (reader->next < reader->log->count) {
    const struct card_record *record = &reader->log->records[reader->next];
    if (record->kind != CARD_REPEAT) {
      ++reader->next;
      return record;
    }
    turn(reader, &record->repeat);
  }
  return NULL;
}
