/* SPDX-License-Identifier: MIT */
#include "source.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int g_errors;

typedef struct Lexer {
  Source *source;
  const char *system_root;
  const char *at;
  const char *end;
  const char *line_start;
  int file;
  int line;
  int capacity;
} Lexer;

static bool is_ident_start(char c) {
  return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}
static bool is_ident(char c) {
  return is_ident_start(c) || isdigit((unsigned char)c);
}

bool parse_line_marker(const char *text, const char *end, LineMarker *marker) {
  const char *p = text + 1;
  while (p < end && (*p == ' ' || *p == '\t')) ++p;
  if (end - p > 4 && strncmp(p, "line", 4) == 0) {
    p += 4;
    while (p < end && (*p == ' ' || *p == '\t')) ++p;
  }
  if (p >= end || !isdigit((unsigned char)*p)) return false;
  long line = 0;
  for (; p < end && isdigit((unsigned char)*p); ++p) {
    if (line < 100000000) line = line * 10 + (*p - '0');
  }
  while (p < end && *p == ' ') ++p;
  *marker = (LineMarker){.line = (int)line};
  if (p >= end || *p != '"') return true;
  const char *open = p++;
  while (p < end && *p != '"') p += (*p == '\\' && p + 1 < end) ? 2 : 1;
  if (p >= end) return false;
  ++p;
  marker->quoted = open;
  marker->quoted_length = (size_t)(p - open);
  for (; p < end; ++p) {
    if (*p == '3') marker->system = true;
  }
  return true;
}

static char *unquote(const char *quoted, size_t length) {
  StrBuf out = {0};
  strbuf_add(&out, "", 0);
  for (size_t i = 1; i + 1 < length; ++i) {
    if (quoted[i] == '\\' && i + 2 < length) {
      unsigned value = 0;
      int digits = 0;
      while (digits < 3 && quoted[i + 1] >= '0' && quoted[i + 1] <= '7') {
        value = value * 8 + (unsigned)(quoted[++i] - '0');
        ++digits;
      }
      char c = digits ? (char)value : quoted[++i];
      strbuf_add(&out, &c, 1);
    } else {
      strbuf_add(&out, &quoted[i], 1);
    }
  }
  return out.data;
}

static int intern_file(Lexer *lx, const LineMarker *marker) {
  Source *s = lx->source;
  char *name = unquote(marker->quoted, marker->quoted_length);
  bool system = marker->system;
  if (lx->system_root) {
    size_t n = strlen(lx->system_root);
    if (strncmp(name, lx->system_root, n) == 0 && name[n] == '/') system = true;
  }
  for (int i = 0; i < s->file_count; ++i) {
    if (strcmp(s->files[i].name, name) == 0) {
      free(name);
      return i;
    }
  }
  s->files = xrealloc(s->files, (size_t)(s->file_count + 1) * sizeof *s->files);
  s->files[s->file_count] = (SourceFile){
      .name = name,
      .quoted = xstrndup(marker->quoted, marker->quoted_length),
      .system = system,
  };
  return s->file_count++;
}

static void new_line(Lexer *lx) {
  lx->line++;
  lx->line_start = lx->at;
}

static bool at_line_start(const Lexer *lx) {
  for (const char *p = lx->line_start; p < lx->at; ++p) {
    if (*p != ' ' && *p != '\t') return false;
  }
  return true;
}

static void skip_directive(Lexer *lx) {
  const char *begin = lx->at;
  const char *stop = memchr(begin, '\n', (size_t)(lx->end - begin));
  if (!stop) stop = lx->end;
  LineMarker marker;
  bool is_marker = parse_line_marker(begin, stop, &marker);
  lx->at = stop;
  if (lx->at < lx->end) {
    lx->at++;
    new_line(lx);
  }
  if (is_marker) {
    if (marker.quoted) lx->file = intern_file(lx, &marker);
    lx->line = marker.line;
  }
}

static void skip_block_comment(Lexer *lx) {
  lx->at += 2;
  while (lx->at < lx->end && !(lx->at[0] == '*' && lx->at[1] == '/')) {
    if (*lx->at++ == '\n') new_line(lx);
  }
  lx->at = lx->end - lx->at >= 2 ? lx->at + 2 : lx->end;
}

/* White space, comments, line markers and pragmas. */
static void skip_trivia(Lexer *lx) {
  while (lx->at < lx->end) {
    char c = *lx->at;
    if (c == '\n') {
      lx->at++;
      new_line(lx);
    } else if (isspace((unsigned char)c)) {
      lx->at++;
    } else if (c == '\\' && lx->at[1] == '\n') {
      lx->at += 2;
      new_line(lx);
    } else if (c == '/' && lx->at[1] == '/') {
      while (lx->at < lx->end && *lx->at != '\n') lx->at++;
    } else if (c == '/' && lx->at[1] == '*') {
      skip_block_comment(lx);
    } else if (c == '#' && at_line_start(lx)) {
      skip_directive(lx);
    } else {
      return;
    }
  }
}

static void lex_quoted(Lexer *lx, char quote) {
  lx->at++;
  while (lx->at < lx->end && *lx->at != quote && *lx->at != '\n') {
    lx->at += (*lx->at == '\\' && lx->at + 1 < lx->end) ? 2 : 1;
  }
  if (lx->at < lx->end && *lx->at == quote) lx->at++;
}

/* At the quote of R"tag( ... )tag". */
static void lex_raw_string(Lexer *lx) {
  const char *tag = ++lx->at;
  while (lx->at < lx->end && *lx->at != '(' && *lx->at != '\n') lx->at++;
  size_t length = (size_t)(lx->at - tag);
  while (lx->at < lx->end) {
    if (*lx->at == ')' && (size_t)(lx->end - lx->at) > length + 1 &&
        strncmp(lx->at + 1, tag, length) == 0 && lx->at[1 + length] == '"') {
      lx->at += length + 2;
      return;
    }
    if (*lx->at++ == '\n') new_line(lx);
  }
}

static void lex_number(Lexer *lx) {
  while (lx->at < lx->end) {
    char c = *lx->at;
    if (strchr("eEpP", c) && (lx->at[1] == '+' || lx->at[1] == '-')) {
      lx->at += 2;
    } else if (is_ident(c) || c == '.' || (c == '\'' && is_ident(lx->at[1]))) {
      lx->at++;
    } else {
      return;
    }
  }
}

static bool is_one_of(const char *text, size_t length, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (strlen(words[i]) == length && memcmp(text, words[i], length) == 0) return true;
  }
  return false;
}

static TokenKind lex_word(Lexer *lx) {
  static const char *const raw[] = {"R", "LR", "uR", "UR", "u8R"};
  static const char *const prefix[] = {"L", "u", "U", "u8"};
  const char *begin = lx->at;
  while (lx->at < lx->end && is_ident(*lx->at)) lx->at++;
  const size_t length = (size_t)(lx->at - begin);
  if (*lx->at == '"' && is_one_of(begin, length, raw, sizeof raw / sizeof *raw)) {
    lex_raw_string(lx);
    return TOKEN_STRING;
  }
  if ((*lx->at == '"' || *lx->at == '\'') &&
      is_one_of(begin, length, prefix, sizeof prefix / sizeof *prefix)) {
    TokenKind kind = *lx->at == '"' ? TOKEN_STRING : TOKEN_CHAR;
    lex_quoted(lx, *lx->at);
    return kind;
  }
  return TOKEN_IDENTIFIER;
}

static int lex_punctuator(Lexer *lx) {
  static const struct {
    const char *spelling;
    int op;
  } table[] = {
      {"<<<", OP_LAUNCH},  {"<<=", OP_OTHER},     {"->*", OP_ARROW_STAR}, {"...", OP_OTHER},
      {"<=>", OP_OTHER},   {"<<", OP_SHIFT_LEFT}, {"::", OP_SCOPE},       {"->", OP_ARROW},
      {".*", OP_DOT_STAR}, {"<=", OP_OTHER},      {">=", OP_OTHER},       {"==", OP_OTHER},
      {"!=", OP_OTHER},    {"&&", OP_OTHER},      {"||", OP_OTHER},       {"++", OP_OTHER},
      {"--", OP_OTHER},    {"+=", OP_OTHER},      {"-=", OP_OTHER},       {"*=", OP_OTHER},
      {"/=", OP_OTHER},    {"%=", OP_OTHER},      {"&=", OP_OTHER},       {"|=", OP_OTHER},
      {"^=", OP_OTHER},
  };
  const Source *s = lx->source;
  bool after_operator = s->count > 0 && token_is(s, s->count - 1, "operator");
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    size_t n = strlen(table[i].spelling);
    /* operator<<<int> names an operator template: "<<" then "<". */
    if (table[i].op == OP_LAUNCH && after_operator) continue;
    if ((size_t)(lx->end - lx->at) >= n && strncmp(lx->at, table[i].spelling, n) == 0) {
      lx->at += n;
      return table[i].op;
    }
  }
  return (unsigned char)*lx->at++;
}

static Token *new_token(Lexer *lx) {
  Source *s = lx->source;
  if (s->count + 1 >= lx->capacity) {
    lx->capacity = lx->capacity ? lx->capacity * 2 : 4096;
    s->tokens = xrealloc(s->tokens, (size_t)lx->capacity * sizeof *s->tokens);
  }
  Token *token = &s->tokens[s->count];
  *token = (Token){
      .offset = (size_t)(lx->at - s->text),
      .file = lx->file,
      .line = lx->line,
      .column = (int)(lx->at - lx->line_start) + 1,
      .partner = -1,
  };
  return token;
}

static void lex_token(Lexer *lx) {
  Token *token = new_token(lx);
  const char *begin = lx->at;
  char c = *begin;
  if (is_ident_start(c)) {
    token->kind = lex_word(lx);
  } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)begin[1]))) {
    token->kind = TOKEN_NUMBER;
    lex_number(lx);
  } else if (c == '"' || c == '\'') {
    token->kind = c == '"' ? TOKEN_STRING : TOKEN_CHAR;
    lex_quoted(lx, c);
  } else {
    token->kind = TOKEN_PUNCTUATOR;
    token->op = lex_punctuator(lx);
  }
  token->length = (size_t)(lx->at - begin);
  lx->source->count++;
}

static void pair_brackets(Source *s) {
  int *open = xmalloc(((size_t)s->count + 1) * sizeof *open);
  int depth = 0;
  for (int i = 0; i < s->count; ++i) {
    int op = s->tokens[i].op;
    if (op == '(' || op == '[' || op == '{') {
      open[depth++] = i;
    } else if (op == ')' || op == ']' || op == '}') {
      int wanted = op == ')' ? '(' : op == ']' ? '[' : '{';
      /* The host compiler reports a missing bracket; a brace resynchronises. */
      int match = depth - 1;
      while (op == '}' && match >= 0 && s->tokens[open[match]].op != wanted) --match;
      if (match >= 0 && s->tokens[open[match]].op == wanted) {
        s->tokens[i].partner = open[match];
        s->tokens[open[match]].partner = i;
        depth = match;
      }
    }
  }
  free(open);
}

void source_init(Source *source, const char *text, size_t size, const char *system_root) {
  *source = (Source){.text = text, .size = size};
  Lexer lx = {
      .source = source,
      .system_root = system_root,
      .at = text,
      .end = text + size,
      .line_start = text,
      .line = 1,
  };
  LineMarker unnamed = {.quoted = "\"<input>\"", .quoted_length = 9};
  lx.file = intern_file(&lx, &unnamed);
  skip_trivia(&lx);
  while (lx.at < lx.end) {
    lex_token(&lx);
    skip_trivia(&lx);
  }
  new_token(&lx)->kind = TOKEN_END;
  pair_brackets(source);
}

void source_free(Source *source) {
  for (int i = 0; i < source->file_count; ++i) {
    free(source->files[i].name);
    free(source->files[i].quoted);
  }
  free(source->files);
  free(source->tokens);
  *source = (Source){0};
}

bool token_is_one_of(const Source *source, int index, const char *const *words, size_t count) {
  if (index < 0 || index >= source->count) return false;
  const Token *t = &source->tokens[index];
  return is_one_of(source->text + t->offset, t->length, words, count);
}

bool token_is(const Source *source, int index, const char *spelling) {
  return token_is_one_of(source, index, &spelling, 1);
}

void append_tokens(StrBuf *out, const Source *source, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    const Token *t = &source->tokens[i];
    bool of_operator = i > begin && t[-1].op == '>' && t[-1].offset + t[-1].length == t->offset;
    if (i > begin && !of_operator) strbuf_add(out, " ", 1);
    strbuf_add(out, source->text + t->offset, t->length);
  }
}

void source_error(const Source *source, int index, const char *format, ...) {
  const Token *t = &source->tokens[index];
  va_list args;
  va_start(args, format);
  fprintf(stderr, "%s:%d:%d: error: ", source->files[t->file].name, t->line, t->column);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  ++g_errors;
}

int source_error_count(void) {
  return g_errors;
}
