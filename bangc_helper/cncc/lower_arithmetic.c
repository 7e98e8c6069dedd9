/* SPDX-License-Identifier: MIT
 *
 * "a * b" becomes "a * (mark, b)". An operator works in double if the last factor before it or the
 * first one after it is double; where the rest of an operand makes it double, the operators in it
 * are reported. The types are asked for by __typeof__, which takes the name of a type, too.
 */
#include "lower_arithmetic.h"

#include <stdlib.h>
#include <string.h>

/* Words that are not the name of a value. */
static bool is_keyword(const Source *s, int i) {
  static const char *const words[] = {
      "return", "if",       "while",    "for",       "switch",   "case",     "else",
      "do",     "operator", "sizeof",   "alignof",   "decltype", "typename", "template",
      "new",    "delete",   "throw",    "const",     "volatile", "auto",     "goto",
      "static", "struct",   "class",    "union",     "enum",     "__null",   "typedef",
      "using",  "__typeof", "noexcept", "__typeof__"};
  return TOKEN_IS_ONE_OF(s, i, words);
}

static bool is_name(const Source *s, int i) {
  return token_kind(s, i, TOKEN_IDENTIFIER) && !is_keyword(s, i);
}

static bool ends_value(const Source *s, int i) {
  return is_name(s, i) || token_kind(s, i, TOKEN_NUMBER) || token_op(s, i, ')') ||
         token_op(s, i, ']');
}

/* The ')' of "if (...)", not of an expression. */
static bool ends_condition(const Source *s, int i) {
  static const char *const words[] = {"if", "while", "for", "switch", "constexpr"};
  return token_op(s, i, ')') && TOKEN_IS_ONE_OF(s, s->tokens[i].partner - 1, words);
}

/* ---- Operands ---- */

typedef struct Range {
  int begin, end; /* tokens; begin < 0: none */
} Range;
static const Range no_range = {-1, -1};

static bool joins_names(const Source *s, int i) {
  return token_op(s, i, '.') || token_op(s, i, OP_ARROW) || token_op(s, i, OP_SCOPE);
}

/* The first token of the name or group that ends at `i`, with what it is called or indexed by; -1:
 * it is no value. */
static int begin_of_part(const Source *s, int i) {
  while (token_op(s, i, ')') || token_op(s, i, ']')) {
    bool group = token_op(s, i, ')');
    if (ends_condition(s, i) || s->tokens[i].partner < 0) return -1;
    i = s->tokens[i].partner;
    bool of_template = group && token_op(s, i - 1, '>') && open_angle(s, i - 1) > 0;
    if (of_template) {
      i = open_angle(s, i - 1) - 1;
      return is_name(s, i) ? i : -1;
    }
    if (!ends_value(s, i - 1)) return group && !is_keyword(s, i - 1) ? i : -1;
    --i;
  }
  return is_name(s, i) || token_kind(s, i, TOKEN_NUMBER) ? i : -1;
}

/* The operand that ends before the operator, without operators of its own but "*p" and casts. */
static Range operand_before(const Source *s, int at) {
  int begin = begin_of_part(s, at - 1);
  while (begin > 0 && joins_names(s, begin - 1)) {
    if (token_op(s, begin - 2, '>') && open_angle(s, begin - 2) > 0) {
      begin = open_angle(s, begin - 2) - 1;
    } else if (token_op(s, begin - 1, OP_SCOPE) && !is_name(s, begin - 2)) {
      --begin;
    } else {
      begin = begin_of_part(s, begin - 2);
    }
  }
  if (begin < 0 || token_is(s, begin - 1, "sizeof")) return no_range;
  while (token_op(s, begin - 1, ')') && !ends_condition(s, begin - 1) &&
         s->tokens[begin - 1].partner >= 0) {
    begin = s->tokens[begin - 1].partner;
  }
  if (token_op(s, begin - 1, '*') && !ends_value(s, begin - 2)) --begin;
  return (Range){begin, at};
}

static bool is_step(const Source *s, int i) {
  return token_is(s, i, "++") || token_is(s, i, "--");
}

/* Past what follows a name or a group: calls, indices, members. */
static int skip_suffixes(const Source *s, int i) {
  for (;;) {
    if ((token_op(s, i, '(') || token_op(s, i, '[') || token_op(s, i, '{')) &&
        s->tokens[i].partner > i) {
      i = s->tokens[i].partner + 1;
    } else if (joins_names(s, i)) {
      i += token_is(s, i + 1, "template") ? 3 : 2;
    } else if (token_op(s, i, '<')) {
      int past = skip_angles(s, i);
      if (past < 0 || !(token_op(s, past, '(') || token_op(s, past, OP_SCOPE))) return i;
      i = past;
    } else if (is_step(s, i)) {
      ++i;
    } else {
      return i;
    }
  }
}

/* The operand that begins after the operator. */
static Range operand_after(const Source *s, int at) {
  int i = at + 1;
  for (;;) {
    int op = s->tokens[i].op;
    int close = op == '(' ? s->tokens[i].partner : -1;
    bool casts = close > 0 && (token_kind(s, close + 1, TOKEN_IDENTIFIER) ||
                               token_kind(s, close + 1, TOKEN_NUMBER));
    if (casts) {
      i = close + 1;
    } else if (op == '-' || op == '+' || op == '!' || op == '~' || op == '*' || op == '&' ||
               is_step(s, i)) {
      ++i;
    } else {
      break;
    }
  }
  if (token_kind(s, i, TOKEN_NUMBER)) return (Range){at + 1, i + 1};
  if (token_op(s, i, OP_SCOPE)) ++i;
  bool group = token_op(s, i, '(') && s->tokens[i].partner > i;
  if (!group && !is_name(s, i)) return no_range;
  bool may_cast = group && s->tokens[i].partner == i + 2; /* "(T)-x" or "(x) - y" */
  if (may_cast && (token_op(s, i + 3, '-') || token_op(s, i + 3, '+'))) return no_range;
  return (Range){at + 1, skip_suffixes(s, group ? s->tokens[i].partner + 1 : i + 1)};
}

/* ---- Operators ---- */

/* "T *x" declares: a '*' multiplies if something that only comes before values precedes the name
 * before it. */
static bool multiplies(const Source *s, int left, int at) {
  if (!is_name(s, at - 1)) return true;
  int before = left - 1;
  if (token_is(s, before, "return") || token_is(s, before, "case")) return true;
  if (token_kind(s, before, TOKEN_IDENTIFIER)) return false;
  if (!token_op(s, before, '(') && !token_op(s, before, ',')) {
    int op = before >= 0 ? s->tokens[before].op : 0;
    return op && op != ';' && op != '{' && op != '}' && op != ')' && op != '<' && op != '>' &&
           op != ':' && op != OP_SCOPE;
  }
  int open = before;
  while (open > 0 && !token_op(s, open, '(') && !token_op(s, open, ';') &&
         !token_op(s, open, '{') && !token_op(s, open, '<')) {
    bool closes = s->tokens[open].partner >= 0 && s->tokens[open].partner < open;
    open = (closes ? s->tokens[open].partner : open) - 1;
  }
  bool of_function_pointer =
      token_op(s, open - 1, ')') && token_op(s, s->tokens[open - 1].partner + 1, '*');
  bool parameters = token_op(s, open - 1, ']') || of_function_pointer ||
                    token_is(s, open - 1, "for") || token_is(s, open - 1, "catch");
  return token_op(s, open, '(') && !parameters;
}

/* True for an operator between two values. */
static bool is_arithmetic(const Source *s, int i, int left) {
  static const char *const others[] = {"+=", "-=", "*=", "/=", "<=", ">=", "==", "!="};
  switch (s->tokens[i].op) {
    case '+':
    case '-':
    case '/':
      return true;
    case '*':
      return multiplies(s, left, i);
    case '<':
      return skip_angles(s, i) < 0;
    case '>':
      return open_angle(s, i) < 0 && !token_op(s, i + 1, '>') && !token_op(s, i - 1, '>');
    default:
      return TOKEN_IS_ONE_OF(s, i, others);
  }
}

/* A number such as 0.5, without a suffix. */
static bool is_double_literal(const Source *s, int i) {
  if (!token_kind(s, i, TOKEN_NUMBER)) return false;
  const Token *t = &s->tokens[i];
  const char *text = s->text + t->offset;
  bool hexadecimal = t->length > 1 && strchr("xX", text[1]);
  bool real = memchr(text, '.', t->length) ||
              (!hexadecimal && (memchr(text, 'e', t->length) || memchr(text, 'E', t->length))) ||
              (hexadecimal && (memchr(text, 'p', t->length) || memchr(text, 'P', t->length)));
  return real && strchr("0123456789.", text[t->length - 1]);
}

static bool has_double_literal(const Source *s, Range r) {
  for (int i = r.begin; i < r.end; ++i) {
    if (is_double_literal(s, i)) return true;
  }
  return false;
}

/* Text that can be repeated: no closure, no literal of the language. */
static bool can_be_repeated(const Source *s, Range r) {
  for (int i = r.begin; i < r.end; ++i) {
    const Token *t = &s->tokens[i];
    bool closure = t->op == '{' || (t->op == '[' && !ends_value(s, i - 1));
    bool half = t->kind == TOKEN_NUMBER && strchr("hH", s->text[t->offset + t->length - 1]);
    if (closure || half) return false;
  }
  return true;
}

/* "(x)" may be a cast: the parentheses are left out. */
static void append_type(StrBuf *out, const Source *s, Range r) {
  if (token_op(s, r.begin, '(') && s->tokens[r.begin].partner == r.end - 1) {
    r = (Range){r.begin + 1, r.end - 1};
  }
  strbuf_puts(out, "__typeof__(");
  append_tokens(out, s, r.begin, r.end);
  strbuf_puts(out, ")");
}

/* Constants such as 0.5 do not make an operator wrong: kernels that cards run have them. */
static void append_marks(StrBuf *out, const Source *s, const Range *operands, int count,
                         int place) {
  StrBuf types = {0}, condition = {0};
  bool constant = false;
  for (int i = 0; i < count; ++i) {
    bool literal = has_double_literal(s, operands[i]);
    constant |= literal;
    if (literal || token_kind(s, operands[i].end - 1, TOKEN_NUMBER)) continue;
    if (types.size) strbuf_puts(&types, ", ");
    append_type(&types, s, operands[i]);
  }
  if (types.size) {
    strbuf_printf(&condition, "::__bang_survey::is_double<%s>::value", types.data);
    survey_append_mark(out, SURVEY_DOUBLE, place, condition.data);
  }
  if (types.size && constant) {
    condition.size = 0;
    strbuf_printf(&condition, "::std::is_integral<%s>::value", types.data);
    survey_append_mark(out, SURVEY_CONSTANT, place, condition.data);
  }
  strbuf_free(&types);
  strbuf_free(&condition);
}

/* Marks what the token at `index` does with the operands, at the last one. */
static void mark(Lowering *lw, int index, const Range *operands, int count, int function) {
  const Source *s = lw->source;
  for (int i = 0; i < count; ++i) {
    if (operands[i].begin < 0 || !can_be_repeated(s, operands[i])) return;
  }
  Range last = operands[count - 1];
  StrBuf text = {0};
  append_marks(&text, s, operands, count, lw->options->survey->place_count);
  if (text.size) {
    survey_add_place(lw->options->survey, s, index, function);
    rewrite_before(lw->rewrite, last.begin, "(");
    rewrite_before(lw->rewrite, last.begin, text.data);
    rewrite_after(lw->rewrite, last.end - 1, ")");
  }
  strbuf_free(&text);
}

static void mark_operator(Lowering *lw, int index, int function) {
  const Source *s = lw->source;
  const Range right = operand_after(s, index);
  if (!ends_value(s, index - 1)) {
    bool negates = token_op(s, index, '-') && !token_is(s, index - 1, "operator");
    if (negates || is_step(s, index)) mark(lw, index, &right, 1, function);
    return;
  }
  const Range operands[] = {operand_before(s, index), right};
  /* A zero that a pointer is compared with has to stay a literal. */
  bool zero = token_is(s, index + 1, "0") && right.end == index + 2;
  if (operands[0].begin < 0 || zero || !is_arithmetic(s, index, operands[0].begin)) return;
  mark(lw, index, operands, 2, function);
}

/* Functions of <cmath> that have an overload for double. */
static void mark_call(Lowering *lw, int index, int function) {
  static const char *const names[] = {"sqrt",  "cbrt", "pow",  "exp",   "exp2",  "log",   "log2",
                                      "log10", "sin",  "cos",  "tan",   "tanh",  "atan",  "atan2",
                                      "erf",   "fabs", "abs",  "floor", "ceil",  "round", "rint",
                                      "trunc", "fmod", "fmax", "fmin",  "hypot", "fma"};
  const Source *s = lw->source;
  if (!token_op(s, index + 1, '(') || !TOKEN_IS_ONE_OF(s, index, names)) return;
  int begin = index;
  if (token_op(s, begin - 1, OP_SCOPE)) begin -= token_is(s, begin - 2, "std") ? 2 : 1;
  if (joins_names(s, begin - 1) || ends_value(s, begin - 1)) return;
  const Range call = {begin, s->tokens[index + 1].partner + 1};
  if (call.end > call.begin) mark(lw, index, &call, 1, function);
}

void lower_surveyed_arithmetic(Lowering *lw, const Declaration *d) {
  const Source *s = lw->source;
  if (d->body < 0 || s->files[s->tokens[d->body].file].system) return;
  for (int i = d->body; i < d->end; ++i) {
    if (s->tokens[i].kind == TOKEN_PUNCTUATOR) mark_operator(lw, i, d->name);
    if (s->tokens[i].kind == TOKEN_IDENTIFIER) mark_call(lw, i, d->name);
  }
}
