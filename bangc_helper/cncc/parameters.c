/* SPDX-License-Identifier: MIT */
#include "parameters.h"

#include "declaration.h"
#include "scope.h"

static bool is_type_key(const Source *s, int index) {
  return token_is(s, index, "typename") || token_is(s, index, "class");
}

static bool is_pack(const Source *s, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    int past = token_op(s, i, '<') ? skip_angles(s, i) : -1;
    if (past > 0) {
      i = past - 1;
    } else if (token_is(s, i, "...")) {
      return true;
    }
  }
  return false;
}

/* The last token before the name, or the name itself. After it follow the bounds of an array, or
 * the rest of void (*name)(int) and int (&name)[3]. */
static int last_before_bounds(const Source *s, int begin, int end) {
  int last = begin;
  for (int i = begin; i < end; ++i) {
    if (token_op(s, i, '(') && (token_op(s, i + 1, '*') || token_op(s, i + 1, '&'))) {
      return token_kind(s, i + 2, TOKEN_IDENTIFIER) ? i + 2 : i + 1;
    }
    if (token_op(s, i, '[') && i > begin) break; /* at the beginning it is an attribute */
    int past = token_op(s, i, '<') ? skip_angles(s, i) : -1;
    if (past > 0 && past <= end) {
      i = past - 1;
    } else if (s->tokens[i].partner > i) {
      i = s->tokens[i].partner;
    }
    last = i;
  }
  return last;
}

static bool is_name(const Source *s, ParameterKind kind, int begin, int index) {
  if (!token_kind(s, index, TOKEN_IDENTIFIER) || index == begin) return false;
  if (token_op(s, index - 1, '*') && token_op(s, index - 2, '(')) return true;
  if (token_op(s, index - 1, '&') && token_op(s, index - 2, '(')) return true;
  if (kind == TEMPLATE_PARAMETER) {
    int key = token_is(s, index - 1, "...") ? index - 2 : index - 1;
    if (key >= begin && is_type_key(s, key)) return true;
  }
  return is_parameter_name(s, begin, index);
}

int read_parameter(const Source *s, ParameterKind kind, int begin, int close, Parameter *p) {
  p->begin = begin;
  p->end = -1;
  int i = begin;
  for (; i < close && !token_op(s, i, ','); ++i) {
    int past = token_op(s, i, '<') ? skip_angles(s, i) : -1;
    if (past > 0 && past <= close) {
      i = past - 1;
    } else if (s->tokens[i].partner > i) {
      i = s->tokens[i].partner;
    } else if (token_op(s, i, '=') && p->end < 0) {
      p->end = i;
    }
  }
  if (p->end < 0) p->end = i;
  p->is_pack = is_pack(s, begin, p->end);
  p->place = last_before_bounds(s, begin, p->end);
  p->name = is_name(s, kind, begin, p->place) ? p->place : -1;
  return i;
}
