/* SPDX-License-Identifier: MIT
 *
 * Does the memory core of a cluster have work of its own in a unit?
 *
 * Work that it shares with the compute cores is done by them: copies between DRAM and shared RAM
 * need no memory core here. Running it through code that does not ask for it does harm, because it
 * has no NRAM and the task id of core 0: it would store what it never loaded, or count twice. So it
 * has work only where a branch is for it alone. Branches that make it return, and branches for the
 * compute cores, do not count.
 */
#include "lower_memory_core.h"

#include <stdlib.h>

/* The cores for which a test at a token is true. */
typedef enum Test { TEST_NONE, TEST_MEMORY_CORE, TEST_COMPUTE_CORES, TEST_UNCLEAR } Test;

static Test opposite(Test test) {
  if (test == TEST_MEMORY_CORE) return TEST_COMPUTE_CORES;
  if (test == TEST_COMPUTE_CORES) return TEST_MEMORY_CORE;
  return test;
}

/* The value of a number token, -1 for anything else. */
static long literal(const Source *s, int i) {
  if (!token_kind(s, i, TOKEN_NUMBER)) return -1;
  char *end = NULL;
  long value = strtol(s->text + s->tokens[i].offset, &end, 0);
  size_t used = (size_t)(end - (s->text + s->tokens[i].offset));
  return used + 3 >= s->tokens[i].length ? value : -1; /* the digits without a suffix such as ull */
}

enum { MEMORY_CORE_ID = 0x80 };

/* coreId OP operand at [begin, end), or mirrored. Any other use does not distinguish cores. */
static Test core_number_test(const Source *s, int i, int *begin, int *end) {
  *begin = i;
  *end = i + 1;
  bool right = token_is(s, i + 1, "==") || token_is(s, i + 1, "!=");
  bool left = token_is(s, i - 1, "==") || token_is(s, i - 1, "!=");
  if (right || left) {
    int op = right ? i + 1 : i - 1, operand = right ? i + 2 : i - 2;
    *begin = right ? i : operand;
    *end = (right ? operand : i) + 1;
    if (right && token_op(s, operand, '(') && token_op(s, operand + 2, ')')) {
      ++operand; /* names of numbers are defined with brackets */
      *end += 2;
    }
    long value = literal(s, operand);
    if (value == MEMORY_CORE_ID) {
      return token_is(s, op, "==") ? TEST_MEMORY_CORE : TEST_COMPUTE_CORES;
    }
    return value >= 0 || token_is(s, op, "!=") ? TEST_NONE : TEST_UNCLEAR;
  }
  bool below = token_op(s, i + 1, '<') || token_is(s, i + 1, ">=");
  bool up_to = token_is(s, i + 1, "<=") || token_op(s, i + 1, '>');
  long value = literal(s, i + 2); /* 3 is the last compute core of a cluster of four */
  bool beyond = token_is(s, i + 2, "coreDim") || value > 3 || (up_to && value == 3);
  return (below || up_to) && beyond ? TEST_UNCLEAR : TEST_NONE;
}

static Test test_at(const Source *s, int i, int *begin, int *end) {
  *begin = i;
  *end = i + 3;
  if (token_is(s, i, "__is_mpu")) return TEST_MEMORY_CORE;
  if (token_is(s, i, "__is_ipu")) return TEST_COMPUTE_CORES;
  if (token_is(s, i, "coreId")) return core_number_test(s, i, begin, end);
  return TEST_NONE;
}

/* True if the statement at a token only returns, with a plain value if any. */
static bool only_returns(const Source *s, int i) {
  bool braces = token_op(s, i, '{');
  if (braces) ++i;
  if (!token_is(s, i, "return")) return false;
  do ++i;
  while (i < s->count && !token_op(s, i, ';') && !token_op(s, i, '('));
  return token_op(s, i, ';') && (!braces || token_op(s, i + 1, '}'));
}

/* True if an else may follow the statement at a token. A statement without braces that contains
 * statements is not examined and counts as true. */
static bool has_else(const Source *s, int i) {
  static const char *const compound[] = {"if", "for", "while", "do", "switch", "try"};
  int end;
  if (token_op(s, i, '{')) {
    end = s->tokens[i].partner;
    if (end < 0) return true;
  } else {
    for (size_t k = 0; k < sizeof compound / sizeof *compound; ++k) {
      if (token_is(s, i, compound[k])) return true;
    }
    for (end = i; end < s->count && !token_op(s, end, ';'); ++end) {
      if (token_op(s, end, '{')) return true;
    }
  }
  return token_is(s, end + 1, "else");
}

/* True if code that depends on the test at [begin, end) may be for the memory core alone. */
static bool gives_own_work(const Source *s, Test test, int begin, int end) {
  if (test == TEST_UNCLEAR) return true;
  if (token_op(s, begin - 1, OP_SCOPE)) --begin;
  while (true) {
    if (token_op(s, begin - 1, '!')) {
      test = opposite(test);
      --begin;
    } else if (token_op(s, begin - 1, '(') && s->tokens[begin - 1].partner == end &&
               !token_is(s, begin - 2, "if")) {
      --begin;
      ++end;
    } else {
      break;
    }
  }
  /* The test must be an operand of an if's condition. */
  int open = begin - 1;
  bool has_or = token_is(s, end, "||");
  while (open >= 0 && !token_op(s, open, '(') && !token_op(s, open, ';') &&
         !token_op(s, open, '{') && !token_op(s, open, '}')) {
    has_or |= token_is(s, open, "||");
    open = token_op(s, open, ')') ? s->tokens[open].partner - 1 : open - 1;
  }
  if (!token_op(s, open, '(') || !token_is(s, open - 1, "if")) return true;
  bool joined = token_is(s, begin - 1, "||") || token_is(s, begin - 1, "&&") || begin - 1 == open;
  int close = s->tokens[open].partner;
  joined &= end == close || token_is(s, end, "||") || token_is(s, end, "&&");
  if (!joined || close < 0) return true;
  if (test == TEST_MEMORY_CORE) return !only_returns(s, close + 1) || has_else(s, close + 1);
  for (int i = end; i < close; ++i) has_or |= token_is(s, i, "||");
  return has_or || only_returns(s, close + 1) || has_else(s, close + 1);
}

static bool own_work_at(const Source *s, int i) {
  if (token_is(s, i, "__sync_all_mpu")) return true;
  int begin, end;
  Test test = test_at(s, i, &begin, &end);
  return test != TEST_NONE && gives_own_work(s, test, begin, end);
}

bool memory_core_is_idle(Lowering *lw) {
  const Source *s = lw->source;
  if (lw->memory_core == MEMORY_CORE_UNKNOWN) {
    lw->memory_core = MEMORY_CORE_IDLE;
    bool counts = false, named = false; /* coreId, and somewhere the number of a memory core */
    for (int i = 0; i < s->count; ++i) {
      if (s->files[s->tokens[i].file].system) continue;
      int begin, end;
      counts |= token_is(s, i, "coreId") && test_at(s, i, &begin, &end) == TEST_NONE;
      bool compared = token_is(s, i - 2, "coreId") || token_is(s, i + 2, "coreId") ||
                      (token_op(s, i - 1, '(') && token_is(s, i - 3, "coreId"));
      named |= token_is(s, i, "0x80") && !compared;
      if (own_work_at(s, i)) lw->memory_core = MEMORY_CORE_BUSY;
    }
    if (counts && named) lw->memory_core = MEMORY_CORE_BUSY;
  }
  return lw->memory_core == MEMORY_CORE_IDLE;
}
