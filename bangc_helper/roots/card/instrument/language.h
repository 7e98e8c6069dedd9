/* SPDX-License-Identifier: MIT
 *
 * What bang-card knows of the language: which functions are the runtime's entry points, which
 * headers hold scalar functions, and which functions of the headers do their work by themselves.
 */
#ifndef CARD_INSTRUMENT_LANGUAGE_H_
#define CARD_INSTRUMENT_LANGUAGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Entry points of libcnrt that a card has as instructions, or that tell where on-chip variables
 * are; each has a hook whose name has "__bang_card_" for "__bang_". NULL after the last. */
extern const char *const language_entries[];
bool language_is_entry(const char *name);
/* Is it one that a card has as an instruction? */
bool language_is_instruction(const char *name);

/* A header below the include folder, with its slash, whose functions are scalar code of a card. */
bool language_file_is_scalar(const char *file);

/* A function of the headers that does its work by scalar code, or by more than one entry point. */
struct language_function {
  const char *name;
  unsigned parameters; /* 0: any number */
  const char *hook;    /* takes a site and the function's parameters; NULL: the general one */
  uint32_t function;   /* enum card_function; 0 without a hook: whoever calls it is recorded */
  uint32_t op;
  int destination, source; /* parameters, -1: none */
  uint32_t counts;         /* a mask of parameters whose product is the number of elements */
  int segments;            /* the parameter that holds the number of segments - 1; -1: none */
};

/* NULL: none such. Functions of libdevice and of vector registers are known by the beginning of
 * their names. */
const struct language_function *language_find_function(const char *name, unsigned parameters);

/* Names of functions and variables by which C++ finds out, once per thread, where a thread-local
 * variable is. A card has no such thing. */
bool language_is_thread_setup(const char *name);

/* What scalar code does, by the constants of a board. */
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

/* The class of a function of C's library in scalar code; SCALAR_NONE: not one of them. */
enum scalar_class language_library_class(const char *name);

#endif /* CARD_INSTRUMENT_LANGUAGE_H_ */
