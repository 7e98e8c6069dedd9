/* SPDX-License-Identifier: MIT
 *
 * The context of tokens: a namespace, a class, a function, parentheses, or the angle brackets of a
 * template.
 */
#ifndef CNCC_SCOPE_H_
#define CNCC_SCOPE_H_

#include "source.h"

typedef enum ScopeKind {
  SCOPE_NAMESPACE,
  SCOPE_CLASS,
  SCOPE_FUNCTION, /* bodies and the blocks in them */
  SCOPE_INITIALISER /* braces of initialisers and enumerations */,
  SCOPE_PARENTHESES /* ( ) and [ ] */,
} ScopeKind;

typedef struct Scope {
  ScopeKind kind;
  int start; /* first token of the current declaration or statement */
  int open;  /* the bracket that opened it, -1 for the outermost */
} Scope;

typedef struct ScopeStack {
  Scope *items;
  int depth;
  int capacity;
} ScopeStack;

void scope_init(ScopeStack *stack);
void scope_free(ScopeStack *stack);
static inline Scope *scope_top(const ScopeStack *stack) {
  return &stack->items[stack->depth - 1];
}
/* To be called for every token in order, after it was examined. */
void scope_advance(ScopeStack *stack, const Source *source, int index);

/* Past the template argument list that starts at '<'; -1 when it is not one. */
int skip_angles(const Source *source, int index);
/* From the last '>' of a template argument list back to its '<'; -1 when there is none. */
int open_angle(const Source *source, int index);

#endif /* CNCC_SCOPE_H_ */
