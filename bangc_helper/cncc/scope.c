/* SPDX-License-Identifier: MIT */
#include "scope.h"

#include <stdlib.h>

static void push(ScopeStack *stack, ScopeKind kind, int open) {
  if (stack->depth == stack->capacity) {
    stack->capacity = stack->capacity ? stack->capacity * 2 : 64;
    stack->items = xrealloc(stack->items, (size_t)stack->capacity * sizeof *stack->items);
  }
  stack->items[stack->depth++] = (Scope){.kind = kind, .start = open + 1, .open = open};
}

void scope_init(ScopeStack *stack) {
  *stack = (ScopeStack){0};
  push(stack, SCOPE_NAMESPACE, -1);
}

void scope_free(ScopeStack *stack) {
  free(stack->items);
  *stack = (ScopeStack){0};
}

/* Limits the backtracking over whether a '<' is a bracket or a less-than sign. */
enum { ANGLE_STEPS = 20000 };

/* First token after the '>' that brings the depth to 0; -1 when the text ends before. */
static int close_angles(const Source *s, int index, int depth, int *steps) {
  for (int i = index; i < s->count && ++*steps < ANGLE_STEPS; ++i) {
    int op = s->tokens[i].op;
    if (op == '<' && token_kind(s, i - 1, TOKEN_IDENTIFIER)) {
      int past = close_angles(s, i + 1, depth + 1, steps);
      if (past > 0) return past;
    } else if (op == '>') {
      if (--depth == 0) return i + 1;
    } else if (op == '(' || op == '[' || (op == '{' && !token_op(s, i - 1, ')'))) {
      if (s->tokens[i].partner < 0) return -1;
      i = s->tokens[i].partner;
    } else if (op == ';' || op == ')' || op == ']' || op == '{' || op == '}' || op == OP_LAUNCH) {
      return -1;
    }
  }
  return -1;
}

int skip_angles(const Source *s, int index) {
  int steps = 0;
  return close_angles(s, index + 1, 1, &steps);
}

/* The '<' that matches the '>' at `index`, if the first `skipped` candidates are less-than signs.
 */
static int angle_candidate(const Source *s, int index, int skipped) {
  int depth = 0;
  for (int i = index; i >= 0; --i) {
    int op = s->tokens[i].op;
    if (op == '>') {
      ++depth;
    } else if (op == '<') {
      if (depth > 1) {
        --depth;
      } else if (skipped-- == 0) {
        return i;
      }
    } else if (op == ')' || op == ']' || op == '}') {
      if (s->tokens[i].partner < 0) return -1;
      i = s->tokens[i].partner;
    } else if (op == ';' || op == '(' || op == '[' || op == '{') {
      return -1;
    }
  }
  return -1;
}

/* Signs of less-than: spaces around it, no name before it, or an operator before the name ("a < b",
 * "x == n<5"). */
static bool looks_like_less_than(const Source *s, int index) {
  if (!token_kind(s, index - 1, TOKEN_IDENTIFIER)) return true;
  const Token *name = &s->tokens[index - 1];
  if (name->offset + name->length != s->tokens[index].offset) return true;
  int before = index >= 2 ? s->tokens[index - 2].op : 0;
  return before == OP_OTHER || before == '<' || before == '+' || before == '-' || before == '/' ||
         before == '%' || before == '!' || before == '|' || before == '^';
}

int open_angle(const Source *s, int index) {
  for (int skipped = 0;; ++skipped) {
    int open = angle_candidate(s, index, skipped);
    if (open < 0) break;
    if (!looks_like_less_than(s, open)) return open;
  }
  return angle_candidate(s, index, 0);
}

/* What the brace at `index` opens, judged by the declaration or statement before it. */
static ScopeKind classify_brace(const Scope *outer, const Source *s, int index) {
  bool callable = false, type = false;
  if (outer->kind == SCOPE_PARENTHESES || outer->kind == SCOPE_INITIALISER) {
    bool body = token_op(s, index - 1, ')') || token_op(s, index - 1, ']') ||
                token_is(s, index - 1, "mutable") || token_is(s, index - 1, "noexcept");
    for (int i = outer->start; i < index; ++i) { /* a lambda with a trailing return type */
      if (token_op(s, i, '(')) i = s->tokens[i].partner > i ? s->tokens[i].partner : i;
      if (token_op(s, i, ',')) body = false;
      if (token_op(s, i, OP_ARROW) && token_op(s, i - 1, ')')) body = true;
    }
    return body ? SCOPE_FUNCTION : SCOPE_INITIALISER;
  }
  for (int i = outer->start; i < index; ++i) {
    const Token *t = &s->tokens[i];
    if (t->kind == TOKEN_IDENTIFIER) {
      if (token_is(s, i, "namespace")) return SCOPE_NAMESPACE;
      if (token_is(s, i, "extern") && token_kind(s, i + 1, TOKEN_STRING) && i + 2 == index) {
        return SCOPE_NAMESPACE;
      }
      if (token_is(s, i, "template") && token_op(s, i + 1, '<')) {
        int past = skip_angles(s, i + 1);
        if (past > 0 && past <= index) i = past - 1;
      } else if (token_is(s, i, "enum")) {
        type = true;
        if (!callable) return SCOPE_INITIALISER;
      } else if (token_is(s, i, "class") || token_is(s, i, "struct") || token_is(s, i, "union")) {
        type = true;
      } else if (token_is(s, i, "__attribute__") || token_is(s, i, "alignas") ||
                 token_is(s, i, "decltype") || token_is(s, i, "__declspec")) {
        if (token_op(s, i + 1, '(') && s->tokens[i + 1].partner > 0) i = s->tokens[i + 1].partner;
      } else if (token_is(s, i, "operator")) {
        callable = true;
        while (i + 1 < index && !token_op(s, i + 1, '(')) ++i;
      }
    } else if (t->op == '<' && type && !callable) {
      int past = skip_angles(s, i); /* struct function<R(Args...)> */
      if (past > 0 && past <= index) i = past - 1;
    } else if (t->op == '(' || t->op == '[') {
      if (t->op == '(') callable = true;
      if (t->partner > i) i = t->partner;
    } else if (t->op == '=' && outer->kind != SCOPE_FUNCTION) {
      return SCOPE_INITIALISER;
    } else if (t->op == ':' && type && !callable) {
      return SCOPE_CLASS; /* base classes may carry parentheses */
    }
  }
  if (type && !callable) return SCOPE_CLASS;
  if (outer->kind == SCOPE_FUNCTION) {
    /* "T x{1}", "return {1}", "= {1}": there are no statements inside. Treating them as a block is
     * harmless, except that a list after "=" must not end the statement. */
    if (token_op(s, index - 1, '=') || token_op(s, index - 1, ',') ||
        (token_kind(s, index - 1, TOKEN_IDENTIFIER) && !token_is(s, index - 1, "else") &&
         !token_is(s, index - 1, "do") && !token_is(s, index - 1, "try") &&
         !token_is(s, index - 1, "mutable") && !token_is(s, index - 1, "noexcept") &&
         index > outer->start)) {
      return SCOPE_INITIALISER;
    }
    return SCOPE_FUNCTION;
  }
  return callable ? SCOPE_FUNCTION : SCOPE_INITIALISER;
}

static bool ends_label(const Scope *scope, const Source *s, int index) {
  int first = scope->start;
  if (scope->kind == SCOPE_CLASS) {
    return token_is(s, first, "public") || token_is(s, first, "private") ||
           token_is(s, first, "protected");
  }
  return scope->kind == SCOPE_FUNCTION &&
         (token_is(s, first, "case") || token_is(s, first, "default") ||
          (index == first + 1 && token_kind(s, first, TOKEN_IDENTIFIER)));
}

void scope_advance(ScopeStack *stack, const Source *s, int index) {
  Scope *top = scope_top(stack);
  switch (s->tokens[index].op) {
    case '(':
    case '[':
      push(stack, SCOPE_PARENTHESES, index);
      break;
    case '{':
      push(stack, classify_brace(top, s, index), index);
      break;
    case ')':
    case ']':
      if (top->kind == SCOPE_PARENTHESES && stack->depth > 1) stack->depth--;
      break;
    case '}': {
      while (stack->depth > 1 && scope_top(stack)->kind == SCOPE_PARENTHESES) stack->depth--;
      ScopeKind closed = scope_top(stack)->kind;
      if (stack->depth > 1) stack->depth--;
      if (closed == SCOPE_NAMESPACE || closed == SCOPE_FUNCTION) {
        Scope *outer = scope_top(stack);
        if (outer->kind != SCOPE_PARENTHESES && outer->kind != SCOPE_INITIALISER) {
          outer->start = index + 1;
        }
      }
      break;
    }
    case ';':
      if (top->kind != SCOPE_PARENTHESES) top->start = index + 1;
      break;
    case ':':
      if (ends_label(top, s, index)) top->start = index + 1;
      break;
    default:
      break;
  }
}
