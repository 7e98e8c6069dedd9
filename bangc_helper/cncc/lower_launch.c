/* SPDX-License-Identifier: MIT
 *
 * kernel<<<dim, type, queue>>>(args) becomes (configure(dim, type, queue), kernel(args)).
 */
#include "lower_launch.h"

/* Keywords that look like a function name in front of parentheses, or end an expression to the
 * left. */
static bool is_statement_word(const Source *s, int index) {
  static const char *const words[] = {"return", "if",   "while", "for",    "switch", "else",
                                      "do",     "case", "throw", "sizeof", "goto",   "co_return"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (token_is(s, index, words[i])) return true;
  }
  return false;
}

/* First token of the postfix expression that ends at `index`; -1 when there is none. */
static int postfix_begin(const Source *s, int index) {
  int i = index;
  for (;;) {
    /* One primary, from its last token to its first. */
    if (token_op(s, i, '>')) {
      int open = open_angle(s, i);
      if (open < 1 || !token_kind(s, open - 1, TOKEN_IDENTIFIER)) return -1;
      i = open - 1;
    } else if (token_op(s, i, ')') || token_op(s, i, ']')) {
      bool is_index = token_op(s, i, ']');
      i = s->tokens[i].partner;
      if (i < 0) return -1;
      int before = i - 1;
      bool callee = token_kind(s, before, TOKEN_IDENTIFIER) && !is_statement_word(s, before);
      bool chained =
          token_op(s, before, ')') || token_op(s, before, ']') || token_op(s, before, '>');
      if (chained && token_op(s, before, ')')) {
        /* "if (x) (*fp)<<<...": the parentheses belong to the statement. */
        int open = s->tokens[before].partner;
        chained = open > 0 && !is_statement_word(s, open - 1);
      }
      if (callee || chained || is_index) {
        if (!callee && !chained) return -1;
        i = before;
        continue;
      }
      return i;
    } else if (token_kind(s, i, TOKEN_IDENTIFIER) && !is_statement_word(s, i)) {
      /* a name */
    } else {
      return -1;
    }
    /* What connects it to the tokens on its left. */
    if (token_is(s, i - 1, "template")) --i;
    if (token_op(s, i - 1, OP_SCOPE)) {
      bool named = (token_kind(s, i - 2, TOKEN_IDENTIFIER) && !is_statement_word(s, i - 2)) ||
                   token_op(s, i - 2, '>');
      if (!named) return i - 1;
      i -= 2;
    } else if (token_op(s, i - 1, '.') || token_op(s, i - 1, OP_ARROW) ||
               token_op(s, i - 1, OP_ARROW_STAR) || token_op(s, i - 1, OP_DOT_STAR)) {
      i -= 2;
    } else {
      return i;
    }
  }
}

static bool adjacent_closers(const Source *s, int index, int count) {
  for (int k = 0; k < count; ++k) {
    if (!token_op(s, index + k, '>')) return false;
    if (k && s->tokens[index + k].offset != s->tokens[index + k - 1].offset + 1) return false;
  }
  return true;
}

typedef struct Configuration {
  int close; /* first of the three '>' */
  int count; /* number of expressions, -1 when a '<' made it uncertain */
} Configuration;

/* Finds the >>> of the <<< at `open`. Template argument lists inside are counted; a longer run of
 * '>' than they need ends the configuration. */
static bool find_close(const Source *s, int open, Configuration *found) {
  int angles = 0, commas = 0;
  bool doubtful = false, empty = true;
  for (int i = open + 1; i < s->count; ++i) {
    int op = s->tokens[i].op;
    if (op == '(' || op == '[' || op == '{') {
      if (s->tokens[i].partner < 0) return false;
      i = s->tokens[i].partner;
    } else if (op == '<' && token_kind(s, i - 1, TOKEN_IDENTIFIER)) {
      ++angles;
      doubtful = true;
    } else if (op == '>') {
      int run = 1;
      while (adjacent_closers(s, i, run + 1)) ++run;
      int extra = run - angles;
      bool closes = run >= 3 && (extra >= 3 || angles < 3);
      if (closes) {
        *found = (Configuration){.close = i + run - 3, .count = empty ? 0 : commas + 1};
        if (doubtful) found->count = -1;
        return true;
      }
      angles = angles > run ? angles - run : 0;
      i += run - 1;
    } else if (op == ',') {
      if (angles == 0) ++commas;
    } else if (op == ';' || op == '}' || op == ')' || op == ']' || op == OP_LAUNCH) {
      return false;
    }
    empty = false;
  }
  return false;
}

void lower_launch(Lowering *lw, int index) {
  const Source *s = lw->source;
  int begin = postfix_begin(s, index - 1);
  if (begin < 0) {
    source_error(s, index, "no kernel in front of '<<<'");
    return;
  }
  Configuration config;
  if (!find_close(s, index, &config)) {
    source_error(s, index, "kernel launch without its '>>>'");
    return;
  }
  int args = config.close + 3;
  if (!token_op(s, args, '(') || s->tokens[args].partner < 0) {
    source_error(s, config.close, "'(' with the kernel's arguments is missing after '>>>'");
    return;
  }
  if (config.count == 0 || config.count == 1 || config.count > 3) {
    source_error(s, index, "a launch takes <<<dim, type, queue>>>, not %d expression%s",
                 config.count, config.count == 1 ? "" : "s");
    return;
  }
  int end = s->tokens[args].partner + 1;
  Replacement *r = rewrite_range(lw->rewrite, begin, end);
  replacement_text(r, "(::__bang_launch(");
  replacement_tokens(r, index + 1, config.close);
  replacement_text(r, "), ");
  replacement_tokens(r, begin, index);
  replacement_tokens(r, args, end);
  replacement_text(r, ")");
}
