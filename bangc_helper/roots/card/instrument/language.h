/* SPDX-License-Identifier: MIT
 *
 * What bang-card knows of the language: the runtime's entry points, the headers with scalar
 * functions, and the header functions that are recorded as a whole.
 */
#ifndef CARD_INSTRUMENT_LANGUAGE_H_
#define CARD_INSTRUMENT_LANGUAGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Entry points of libcnrt that are instructions on a card or that return the address of an on-chip
 * variable. The hook of "__bang_NAME" is "__bang_card_NAME". NULL ends the list. */
extern const char *const language_entries[];
bool language_is_entry(const char *name);
/* True if the entry point is an instruction on a card. */
bool language_is_instruction(const char *name);

/* True if a header's functions are scalar code on a card. `file` is the path below the include
 * folder, with its leading slash. */
bool language_file_is_scalar(const char *file);

/* A header function that consists of scalar code or of several entry points. */
struct language_function {
  const char *name;
  unsigned parameters; /* 0: any number */
  const char *hook;  /* called with a site and the function's parameters; NULL: the general hook */
  uint32_t function; /* enum card_function; 0 without a hook: its caller is recorded */
  uint32_t op;
  int destination, source; /* parameter numbers; -1: none */
  uint32_t counts;         /* a mask of parameters whose product is the number of elements */
  int segments;            /* the parameter that holds the number of segments - 1; -1: none */
};

/* NULL if the function is none of these. Functions of libdevice and of vector registers are
 * recognised by the start of their names. */
const struct language_function *language_find_function(const char *name, unsigned parameters);

/* True for functions and variables that C++ uses to initialise thread-local variables once per
 * thread. A card has none. */
bool language_is_thread_setup(const char *name);

/* Classes of scalar instructions; a board has a constant for each. */
enum scalar_class {
  SCALAR_NONE,
  SCALAR_PLAIN,
  SCALAR_FLOAT,
  SCALAR_PRODUCT,
  SCALAR_DIVISION,
  SCALAR_HALF_DIVISION,
  SCALAR_FUNCTION,
  SCALAR_TWO_FUNCTIONS,
  SCALAR_BRANCH,
  SCALAR_CALL,
  SCALAR_LOAD,
};

/* The class of a C library function; SCALAR_NONE if it is unknown. */
enum scalar_class language_library_class(const char *name);

#endif /* CARD_INSTRUMENT_LANGUAGE_H_ */
