/* SPDX-License-Identifier: MIT
 *
 * The boards that this root can simulate, each with all constants of its limits and its clock.
 */
#ifndef CARD_BOARD_H_
#define CARD_BOARD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a value comes from. */
enum card_source {
  CARD_DOCUMENTED = 1, /* from documents or reported by the device */
  CARD_DERIVED,        /* arithmetic on published measurements */
  CARD_FITTED,         /* found by the calibration (docs/card_model.md) */
  CARD_EXTRAPOLATED,   /* from another board, scaled where that makes sense */
};

struct card_board {
  const char *name;
  bool extrapolated; /* not calibrated: all its times are reported as extrapolated */
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

/* Finds a board by name, ignoring case; NULL: unknown. */
const struct card_board *card_board_find(const char *name);
/* The board that MLUOP_CARD names, or the MLU370-X4 if it is not set; NULL: unknown. The variable
 * is read once. */
const struct card_board *card_board_chosen(void);
/* Boards by index, the default first; NULL: past the last one. */
const struct card_board *card_board_at(size_t index);
/* All names with ", " between them. */
const char *card_board_names(void);

/* Constants by index; false: past the last one. */
bool card_board_constant(const struct card_board *board, size_t index,
                         struct card_constant *constant);
/* The address of a constant in a board, for the calibration; NULL: no such constant. */
int64_t *card_board_value(struct card_board *board, const char *name);
/* "documented", "derived", "fitted", "extrapolated". */
const char *card_source_name(enum card_source source);

#endif /* CARD_BOARD_H_ */
