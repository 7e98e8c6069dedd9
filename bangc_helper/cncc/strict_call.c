/* SPDX-License-Identifier: MIT */
#include "strict_call.h"

void read_call(const Source *s, int open, Call *call) {
  *call = (Call){0};
  int close = s->tokens[open].partner;
  int begin = open + 1;
  for (int i = begin; i <= close && call->count < MAX_ARGUMENTS; ++i) {
    if (i < close && s->tokens[i].partner > i) {
      i = s->tokens[i].partner;
    } else if (i == close || token_op(s, i, ',')) {
      if (i > begin) {
        call->begin[call->count] = begin;
        call->end[call->count++] = i;
      }
      begin = i + 1;
    }
  }
}

int skip_cast(const Source *s, int index, int end) {
  if (!token_op(s, index, '(')) return index;
  int close = s->tokens[index].partner;
  return close > index && close + 1 < end && token_op(s, close - 1, '*') ? close + 1 : index;
}
