/* SPDX-License-Identifier: MIT
 *
 * Preprocessed text as tokens. Line markers, pragmas and white space are not tokens: they are the
 * text between tokens, and only move the position.
 */
#ifndef CNCC_SOURCE_H_
#define CNCC_SOURCE_H_

#include <stdbool.h>
#include <stddef.h>

#include "util.h"

typedef enum TokenKind {
  TOKEN_END,
  TOKEN_IDENTIFIER,
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_CHAR,
  TOKEN_PUNCTUATOR,
} TokenKind;

/* What a punctuator is: its character, or one of these. '>' is always a token of its own, because
 * only the context tells a shift from two closing template brackets. */
enum {
  OP_SCOPE = 256, /* :: */
  OP_ARROW,       /* -> */
  OP_ARROW_STAR,  /* ->* */
  OP_DOT_STAR,    /* .* */
  OP_SHIFT_LEFT,  /* << */
  OP_LAUNCH,      /* <<< */
  OP_OTHER,
};

typedef struct Token {
  size_t offset;
  size_t length;
  TokenKind kind;
  int op; /* punctuators only, else 0 */
  int file;
  int line;
  int column;
  int partner; /* the other bracket of ( ) [ ] { }, -1 for none */
} Token;

typedef struct SourceFile {
  char *name;   /* as messages show it */
  char *quoted; /* as line markers write it, quotes included */
  int system;   /* flag 3 (and 4) of the last line marker */
} SourceFile;

typedef struct Source {
  const char *text; /* borrowed; terminated */
  size_t size;
  Token *tokens; /* the last one is TOKEN_END */
  int count;     /* without the last */
  SourceFile *files;
  int file_count;
} Source;

/* The text must outlive the source. Files below system_root are marked as system headers. */
void source_init(Source *source, const char *text, size_t size, const char *system_root);
void source_free(Source *source);

bool token_is(const Source *source, int index, const char *spelling);
bool token_is_one_of(const Source *source, int index, const char *const *words, size_t count);
#define TOKEN_IS_ONE_OF(source, index, words) \
  token_is_one_of(source, index, words, sizeof(words) / sizeof *(words))
/* True if the token is the punctuator with this code. */
static inline bool token_op(const Source *source, int index, int op) {
  return index >= 0 && index < source->count && source->tokens[index].op == op;
}
static inline bool token_kind(const Source *source, int index, TokenKind kind) {
  return index >= 0 && index < source->count && source->tokens[index].kind == kind;
}

/* A line marker "# <line> "<file>" <flags>"; false when the text is some other directive. */
typedef struct LineMarker {
  int line;
  const char *quoted;
  size_t quoted_length;
  bool system;
} LineMarker;
bool parse_line_marker(const char *text, const char *end, LineMarker *marker);

/* Tokens [begin, end) on one line, separated by single spaces; ">=" and ">>" stay whole. */
void append_tokens(StrBuf *out, const Source *source, int begin, int end);

/* Reports "file:line:column: error: ..." at a token and counts it. */
void source_error(const Source *source, int index, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int source_error_count(void);

#endif /* CNCC_SOURCE_H_ */
