/* SPDX-License-Identifier: MIT
 *
 * The boards this root can play, each with every constant of its rules and its clock.
 */
#ifndef CARD_BOARD_H_
#define CARD_BOARD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a value comes from. */
enum card_source {
  CARD_DOCUMENTED = 1, /* said by documents or by the device itself */
  CARD_DERIVED,        /* arithmetic on published measurements */
  CARD_FITTED,         /* by the calibration (docs/card_model.md) */
  CARD_EXTRAPOLATED,   /* taken over from another board, scaled where that makes sense */
};

struct card_board {
  const char *name;
  bool extrapolated; /* no calibration: all of its times are called extrapolations */
#define CONSTANT(name, unit, meaning) int64_t name;
#include "boards/constants.def"
#undef CONSTANT
};

/* One constant of a board, for documents and reports. */
struct card_constant {
  const char *name, *unit, *meaning;
  int64_t value;
  enum card_source source;
  const char *note;
};

/* By name, in any case; NULL: unknown. */
const struct card_board *card_board_find(const char *name);
/* The board that MLUOP_CARD names, MLU370-X4 if it is not set; NULL: unknown. Read once. */
const struct card_board *card_board_chosen(void);
/* In the order of the list, which the default begins; NULL: no more. */
const struct card_board *card_board_at(size_t index);
/* All names with ", " between them. */
const char *card_board_names(void);

/* False: no more. */
bool card_board_constant(const struct card_board *board, size_t index,
                         struct card_constant *constant);
/* Where the constant of this name is in a board, for the calibration; NULL: no such constant. */
int64_t *card_board_value(struct card_board *board, const char *name);
/* "documented", "derived", "fitted", "extrapolated". */
const char *card_source_name(enum card_source source);

#endif /* CARD_BOARD_H_ */
