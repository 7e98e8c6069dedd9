/* SPDX-License-Identifier: MIT
 *
 * The device functions and on-chip variables of a translation unit, and the calls between them, by
 * name: overloads count as one function.
 */
#ifndef CNCC_STRICT_UNIT_H_
#define CNCC_STRICT_UNIT_H_

#include "declaration.h"

typedef struct UnitFunction {
  int name; /* token */
  int params, body, end;
  bool is_kernel;
} UnitFunction;

typedef struct UnitVariable {
  int name;      /* token */
  int qualifier; /* a qualifier that names a memory, such as __nram__ */
  int function;  /* the function around it; -1: none */
  bool is_pointer;
} UnitVariable;

/* A name of a device function in the body of another, usually a call. */
typedef struct UnitCall {
  int token;
  int function; /* one that has the name */
} UnitCall;

typedef struct Unit {
  const Source *source;
  UnitFunction *functions;
  int function_count;
  UnitVariable *variables;
  int variable_count;
  UnitCall *calls;
  int call_count;
} Unit;

void unit_init(Unit *unit, const Source *source);
void unit_free(Unit *unit);

/* The device function whose parameters or body contain the token; NULL: none. */
const UnitFunction *unit_function_at(const Unit *unit, int token);
/* The same for a line of a file. */
const UnitFunction *unit_function_at_line(const Unit *unit, const char *file, int line);

/* Marks `function` and every function it calls, directly or not. `reached` has an element per
 * function. */
void unit_reach(const Unit *unit, int function, bool *reached);

/* True if two tokens have the same text. */
bool same_text(const Source *source, int a, int b);

#endif /* CNCC_STRICT_UNIT_H_ */
