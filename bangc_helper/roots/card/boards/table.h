/* SPDX-License-Identifier: MIT
 *
 * The format of a board's file: one line per constant of constants.def. A board may name a base and
 * then lists only the constants that differ. Inherited constants stay documented if they are so for
 * the base; all others count as extrapolated.
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
  const struct card_table *base; /* NULL: the board lists every constant */
  const char *as_on_it;          /* note for constants that other boards inherit */
  bool extrapolated;
  struct card_table_value {
    int64_t value;
    enum card_source source;
    const char *note; /* NULL: inherited from the base */
  } values[CARD_CONSTANT_COUNT];
};

/* A value and its source: DOCUMENTED, DERIVED, FITTED or EXTRAPOLATED. */
#define VALUE(name, value, source, note) [CARD_CONSTANT_##name] = {value, CARD_##source, note}

extern const struct card_table card_table_mlu370_x4, card_table_mlu370_x8, card_table_mlu370_m8,
    card_table_mlu590_m9, card_table_mlu590_h8, card_table_mlu290, card_table_mlu270;

#endif /* CARD_BOARDS_TABLE_H_ */
