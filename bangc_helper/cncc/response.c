/* SPDX-License-Identifier: MIT
 *
 * @file on the command line, with the quoting rules of the GNU tools.
 */
#include "response.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

enum { DEEPEST_NESTING = 16 };

static void add_word(const char *word, int depth, StrList *out);

static void add_words_of(const char *path, int depth, StrList *out) {
  StrBuf text = {0};
  if (!read_file(path, &text)) fatal("cannot read response file '%s': %s", path, strerror(errno));
  const char *p = text.data;
  for (;;) {
    while (isspace((unsigned char)*p)) ++p;
    if (!*p) break;
    StrBuf word = {0};
    strbuf_add(&word, "", 0);
    char quote = 0;
    for (; *p && (quote || !isspace((unsigned char)*p)); ++p) {
      if (*p == '\\' && p[1] && quote != '\'') {
        strbuf_add(&word, ++p, 1);
      } else if (quote ? *p == quote : (*p == '"' || *p == '\'')) {
        quote = quote ? 0 : *p;
      } else {
        strbuf_add(&word, p, 1);
      }
    }
    add_word(word.data, depth + 1, out);
    strbuf_free(&word);
  }
  strbuf_free(&text);
}

static void add_word(const char *word, int depth, StrList *out) {
  if (word[0] != '@' || !word[1]) {
    strlist_add(out, word);
  } else if (depth > DEEPEST_NESTING) {
    fatal("response files nest too deeply at '%s'", word);
  } else {
    add_words_of(word + 1, depth, out);
  }
}

void expand_response_files(int argc, char **argv, StrList *out) {
  for (int i = 1; i < argc; ++i) add_word(argv[i], 0, out);
}
