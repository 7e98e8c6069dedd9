/* SPDX-License-Identifier: MIT */
#include "harmless.h"

#include <string.h>

#include "scope.h"

/* Functions that call each other so deep are taken for recursive. */
enum { MAX_DEPTH = 8 };

int assignment_operand_end(const Source *s, int i) {
  static const char *const words[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="};
  if (TOKEN_IS_ONE_OF(s, i, words)) return i;
  /* >>= is two tokens. */
  const bool is_shift = token_is(s, i, ">=") && token_op(s, i - 1, '>') &&
                        s->tokens[i - 1].offset + 1 == s->tokens[i].offset;
  return is_shift ? i - 1 : -1;
}

static bool is_forbidden_word(const Source *s, int i) {
  static const char *const words[] = {
      "break",  "return", "goto",   "continue", "asm", "__asm__",  "__asm", "throw", "new",
      "delete", "case",   "switch", "static",   "try", "volatile", "auto",  "using", "typedef"};
  return TOKEN_IS_ONE_OF(s, i, words);
}

static bool is_control_word(const Source *s, int i) {
  static const char *const words[] = {"for",    "while",   "if",       "constexpr",
                                      "sizeof", "alignof", "decltype", "return"};
  return TOKEN_IS_ONE_OF(s, i, words);
}

/* Conversions of single numbers, as __half2float and __float2half_rn. Other functions may have such
 * a digit, too. */
static bool is_conversion(const Source *s, int i) {
  static const char *const prefixes[] = {"__half2",   "__float2", "__bfloat162",
                                         "__int2",    "__uint2",  "__short2",
                                         "__ushort2", "__ll2",    "__ull2"};
  for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; ++k) {
    if (starts_with(s->text + s->tokens[i].offset, prefixes[k])) return true;
  }
  return false;
}

/* Types whose conversion looks like a call, and functions of the language and of the C library on
 * single numbers. */
static bool is_known_function(const Source *s, int i) {
  static const char *const names[] = {
      "bool",   "char",   "int",   "unsigned", "float", "half", "bfloat16_t", "fabsf",
      "fmaf",   "fmaxf",  "fminf", "sqrtf",    "expf",  "logf", "floorf",     "ceilf",
      "roundf", "truncf", "isnan", "isinf",    "min",   "max",  "abs"};
  return is_conversion(s, i) || TOKEN_IS_ONE_OF(s, i, names);
}

static bool is_harmless(const Source *s, int i, int depth);

/* True if the body at '{' is { return expression; } with a harmless expression. */
static bool only_returns(const Source *s, int open, int depth) {
  const int close = s->tokens[open].partner;
  if (close < 0 || !token_is(s, open + 1, "return")) return false;
  for (int i = open + 2; i < close; ++i) {
    const bool is_last = token_op(s, i, ';');
    if (is_last) return i + 1 == close;
    if (assignment_operand_end(s, i) >= 0 || token_is(s, i, "++") || token_is(s, i, "--"))
      return false;
    if (!is_harmless(s, i, depth)) return false;
  }
  return false;
}

/* True if all functions of this unit that have the name at a token only return an expression. */
static bool is_harmless_call(const Source *s, int name, int depth) {
  if (is_known_function(s, name)) return true;
  if (depth == MAX_DEPTH) return false;
  const Token *t = &s->tokens[name];
  bool is_defined = false;
  for (int i = 0; i < s->count; ++i) {
    const Token *other = &s->tokens[i];
    if (other->length != t->length ||
        memcmp(s->text + other->offset, s->text + t->offset, t->length) != 0)
      continue;
    int open = i + 1;
    if (token_op(s, open, '<') && skip_angles(s, open) > 0) open = skip_angles(s, open);
    if (!token_op(s, open, '(') || s->tokens[open].partner < 0) continue;
    int body = s->tokens[open].partner + 1;
    while (token_is(s, body, "const") || token_is(s, body, "noexcept")) ++body;
    if (!token_op(s, body, '{')) continue;
    if (!only_returns(s, body, depth + 1)) return false;
    is_defined = true;
  }
  return is_defined;
}

/* The token of the name in name(...) or name<...>(...) whose '(' is at a token; -1: no call. */
static int called_name(const Source *s, int open) {
  int i = open - 1;
  if (token_op(s, i, '>')) i = open_angle(s, i) - 1;
  return token_kind(s, i, TOKEN_IDENTIFIER) ? i : -1;
}

static bool is_cast(const Source *s, int i) {
  static const char *const words[] = {"static_cast", "const_cast", "reinterpret_cast"};
  return TOKEN_IS_ONE_OF(s, i, words);
}

/* True if the parentheses before '(' are a cast to a known type, or belong to an if or a loop. */
static bool follows_cast(const Source *s, int open) {
  const int before = s->tokens[open - 1].partner;
  if (is_control_word(s, before - 1)) return true;
  for (int i = before + 1; i < open - 1; ++i) {
    if (!is_known_function(s, i)) return false;
  }
  return true;
}

static bool is_harmless(const Source *s, int i, int depth) {
  if (token_kind(s, i, TOKEN_IDENTIFIER)) return !is_forbidden_word(s, i);
  if (token_op(s, i, OP_LAUNCH)) return false;
  if (token_op(s, i, '[')) { /* else a lambda or an attribute */
    return token_kind(s, i - 1, TOKEN_IDENTIFIER) || token_op(s, i - 1, ')') ||
           token_op(s, i - 1, ']');
  }
  if (!token_op(s, i, '(')) return true;
  if (token_op(s, i - 1, ']')) return false;
  if (token_op(s, i - 1, ')')) return follows_cast(s, i);
  const int name = called_name(s, i);
  if (name < 0 || is_control_word(s, name) || is_cast(s, name)) return true;
  const bool is_member = token_op(s, name - 1, '.') || token_op(s, name - 1, OP_ARROW);
  return !is_member && is_harmless_call(s, name, depth);
}

bool is_harmless_token(const Source *s, int i) {
  return is_harmless(s, i, 0);
}
