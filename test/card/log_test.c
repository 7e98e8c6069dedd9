/* SPDX-License-Identifier: MIT
 *
 * A log returns the records that were written to it; repeated records are stored once.
 */
#include "hooks/log.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct card_record record_of(unsigned number) {
  struct card_record record;
  memset(&record, 0, sizeof(record));
  record.kind = CARD_SYNC;
  record.sync.pipes = number;
  return record;
}

struct sequence {
  unsigned *numbers;
  size_t count, room;
};

static void add(struct sequence *sequence, unsigned number) {
  if (sequence->count == sequence->room) {
    sequence->room = sequence->room != 0 ? 2 * sequence->room : 1024;
    sequence->numbers = realloc(sequence->numbers, sequence->room * sizeof(*sequence->numbers));
  }
  sequence->numbers[sequence->count++] = number;
}

/* Writes the sequence, reads it back, and returns the number of stored records. */
static size_t go_through(struct card_writer *writer, const struct sequence *sequence) {
  struct card_log log;
  for (size_t i = 0; i < sequence->count; ++i) {
    const struct card_record record = record_of(sequence->numbers[i]);
    card_writer_put(writer, &record);
  }
  CHECK(card_writer_end(writer, &log));
  struct card_reader reader;
  card_reader_init(&reader, &log);
  size_t place = 0;
  bool same = true;
  for (const struct card_record *record = card_reader_next(&reader); record != NULL;
       record = card_reader_next(&reader)) {
    same = same && place < sequence->count && record->sync.pipes == sequence->numbers[place];
    ++place;
  }
  CHECK(same && place == sequence->count);
  free(log.records);
  return log.count;
}

static void loops_fold(struct card_writer *writer) {
  struct sequence sequence = {NULL, 0, 0};
  for (unsigned i = 0; i < 100; ++i) {
    for (unsigned j = 0; j < 50; ++j) {
      add(&sequence, 1);
      for (unsigned k = 0; k < 30; ++k) {
        add(&sequence, 2);
        add(&sequence, 3);
        add(&sequence, 2);
      }
    }
    add(&sequence, 4);
  }
  CHECK(go_through(writer, &sequence) < 20);
  sequence.count = 0;
  for (unsigned i = 0; i < 5000; ++i) { /* nothing repeats */
    add(&sequence, i);
  }
  CHECK(go_through(writer, &sequence) == 5000);
  sequence.count = 0;
  CHECK(go_through(writer, &sequence) == 0);
  free(sequence.numbers);
}

/* Loops with optional parts, so that repeats begin and end anywhere. */
static void anything_comes_back(struct card_writer *writer) {
  struct sequence sequence = {NULL, 0, 0};
  unsigned seed = 1;
  for (unsigned turn = 0; turn < 1000; ++turn) {
    sequence.count = 0;
    const unsigned outer = (unsigned)rand_r(&seed) % 6 + 1;
    for (unsigned o = 0; o < outer; ++o) {
      const unsigned middle = rand_r(&seed) % 2 ? 5 : (unsigned)rand_r(&seed) % 7;
      for (unsigned m = 0; m < middle; ++m) {
        const unsigned inner = rand_r(&seed) % 3 ? 4 : (unsigned)rand_r(&seed) % 9;
        add(&sequence, 1);
        for (unsigned i = 0; i < inner; ++i) {
          add(&sequence, 2);
          if (rand_r(&seed) % 3) {
            add(&sequence, 3);
          }
          add(&sequence, 2);
        }
        add(&sequence, (unsigned)rand_r(&seed) % 2);
      }
      for (unsigned k = 0; k < 100 && rand_r(&seed) % 64; ++k) {
        add(&sequence, k);
      }
    }
    go_through(writer, &sequence);
  }
  free(sequence.numbers);
}

int main(void) {
  static struct card_writer writer;
  loops_fold(&writer);
  anything_comes_back(&writer);
  card_writer_free(&writer);
  return check_result();
}
