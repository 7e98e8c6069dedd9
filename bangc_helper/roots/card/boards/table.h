/* SPDX-License-Identifier: MIT
 *
 * The form of a board's file: one line per constant of constants.def. A board may name another one
 * and then only what differs: a documented constant is documented for it as well, all others are
 * extrapolated.
 */
#ifndef CARD_BOARDS_TABLE_H_
#define CARD_BOARDS_TABLE_H_

#include "board.h"

enum {
#define CONSTANT(name, unit, meaning) CARD_CONSTANT_##name,
#include "boards/constants.def"
#undef CONSTANT
  CARD_CONSTANT_COUNT
};

struct card_table {
  const char *name;
  const struct card_table *base; /* NULL: it names every constant */
  const char *as_on_it;          /* note of what other boards take over */
  bool extrapolated;
  struct card_table_value {
    int64_t value;
    enum card_source source;
    const char *note; /* NULL: as the base has it */
  } values[CARD_CONSTANT_COUNT];
};

/* A value and its source: DOCUMENTED, DERIVED, FITTED or EXTRAPOLATED. */
#define VALUE(name, value, source, note) [CARD_CONSTANT_##name] = {value, CARD_##source, note}

extern const struct card_table card_table_mlu370_x4, card_table_mlu370_x8, card_table_mlu370_m8,
    card_table_mlu590_m9, card_table_mlu590_h8, card_table_mlu290, card_table_mlu270;

#endif /* CARD_BOARDS_TABLE_H_ */
