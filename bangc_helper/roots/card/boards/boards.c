/* SPDX-License-Identifier: MIT
 *
 * The list of boards, built once from their tables.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "boards/table.h"

/* The default first. */
static const struct card_table *const tables[] = {
    &card_table_mlu370_x4, &card_table_mlu370_x8, &card_table_mlu370_m8, &card_table_mlu590_m9,
    &card_table_mlu590_h8, &card_table_mlu290,    &card_table_mlu270};
enum { BOARD_COUNT = sizeof tables / sizeof *tables };

static const struct {
  const char *name, *unit, *meaning;
  size_t offset;
} constants[CARD_CONSTANT_COUNT] = {
#define CONSTANT(name, unit, meaning) {#name, unit, meaning, offsetof(struct card_board, name)},
#include "boards/constants.def"
#undef CONSTANT
};

static struct card_board boards[BOARD_COUNT];
static char names[BOARD_COUNT * 16];
static const struct card_board *chosen;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static int64_t *field(struct card_board *board, size_t constant) {
  return (int64_t *)((char *)board + constants[constant].offset);
}

static const struct card_board *find(const char *name) {
  for (size_t i = 0; i < BOARD_COUNT; ++i) {
    if (strcasecmp(boards[i].name, name) == 0) return &boards[i];
  }
  return NULL;
}

/* A board's own value, or the one it inherits from its base. The note of an inherited value names
 * the board for which it was found. */
static struct card_table_value value_of(const struct card_table *table, size_t constant) {
  struct card_table_value value = table->values[constant];
  if (value.note != NULL || table->base == NULL) return value;
  value = value_of(table->base, constant);
  if (value.source == CARD_FITTED || value.source == CARD_DERIVED) {
    value.source = CARD_EXTRAPOLATED;
    value.note = table->base->as_on_it;
  }
  return value;
}

static void make(void) {
  size_t length = 0;
  for (size_t i = 0; i < BOARD_COUNT; ++i) {
    boards[i].name = tables[i]->name;
    boards[i].extrapolated = tables[i]->extrapolated;
    for (size_t k = 0; k < CARD_CONSTANT_COUNT; ++k) {
      *field(&boards[i], k) = value_of(tables[i], k).value;
    }
    const char *parts[] = {i > 0 ? ", " : "", tables[i]->name};
    for (size_t k = 0; k < 2 && length + strlen(parts[k]) < sizeof names; ++k) {
      memcpy(names + length, parts[k], strlen(parts[k]));
      length += strlen(parts[k]);
    }
  }
  const char *name = getenv("MLUOP_CARD");
  chosen = name == NULL || *name == '\0' ? &boards[0] : find(name);
}

const struct card_board *card_board_find(const char *name) {
  pthread_once(&made, make);
  return find(name);
}

const struct card_board *card_board_chosen(void) {
  pthread_once(&made, make);
  return chosen;
}

const struct card_board *card_board_at(size_t index) {
  pthread_once(&made, make);
  return index < BOARD_COUNT ? &boards[index] : NULL;
}

const char *card_board_names(void) {
  pthread_once(&made, make);
  return names;
}

bool card_board_constant(const struct card_board *board, size_t index,
                         struct card_constant *constant) {
  if (index >= CARD_CONSTANT_COUNT) return false;
  size_t which = 0;
  while (which < BOARD_COUNT && strcmp(tables[which]->name, board->name) != 0) ++which;
  if (which == BOARD_COUNT) return false;
  const struct card_table_value value = value_of(tables[which], index);
  *constant = (struct card_constant){
      .name = constants[index].name,
      .unit = constants[index].unit,
      .meaning = constants[index].meaning,
      .value = *(const int64_t *)((const char *)board + constants[index].offset),
      .source = value.source,
      .note = value.note,
  };
  return true;
}

int64_t *card_board_value(struct card_board *board, const char *name) {
  for (size_t i = 0; i < CARD_CONSTANT_COUNT; ++i) {
    if (strcmp(constants[i].name, name) == 0) return field(board, i);
  }
  return NULL;
}

const char *card_source_name(enum card_source source) {
  switch (source) {
    case CARD_DOCUMENTED:
      return "documented";
    case CARD_DERIVED:
      return "derived";
    case CARD_FITTED:
      return "fitted";
    case CARD_EXTRAPOLATED:
      return "extrapolated";
  }
  return "unknown";
}
