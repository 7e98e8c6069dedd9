/* SPDX-License-Identifier: MIT */
#include "names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A unit that names more gets the whole language. */
#define MAX_NAMES 200

/* Headers that a unit needs only if it names something that contains the word. */
static const struct {
  const char *word, *macro;
} families[] = {
    {"atomic", "-D__BANG_NO_ATOMICS__"},
    {"vv_", "-D__BANG_NO_VECTOR_REGISTERS__"},
    {"__cn_", "-D__BANG_NO_LIBDEVICE__"},
};

static bool is_word_char(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static bool has(const StrList *names, const char *begin, size_t length) {
  for (size_t i = 0; i < names->count; ++i) {
    const char *name = names->items[i];
    if (strncmp(name, begin, length) == 0 && name[length] == '\0') return true;
  }
  return false;
}

static bool has_like(const StrList *names, const char *word) {
  for (size_t i = 0; i < names->count; ++i) {
    if (strstr(names->items[i], word)) return true;
  }
  return false;
}

/* Every name of the language in the text, once; false if there are too many. */
static bool collect(const char *text, StrList *names) {
  while (*text) {
    const char *begin = text;
    while (is_word_char(*text)) ++text;
    if (text == begin) {
      ++text;
    } else if (starts_with(begin, "__") || starts_with(begin, "vv_")) {
      const size_t length = (size_t)(text - begin);
      if (has(names, begin, length)) continue;
      if (names->count == MAX_NAMES) return false;
      strlist_take(names, xasprintf("%.*s", (int)length, begin));
    }
  }
  return true;
}

/* As in __bang_half2float and __float2int_rn. */
static bool may_be_conversion(const char *name) {
  return strchr(name, '2') != NULL;
}

void add_names(const char *text, StrList *command) {
  StrList names = {0};
  if (collect(text, &names)) {
    for (size_t i = 0; i < sizeof families / sizeof *families; ++i) {
      if (!has_like(&names, families[i].word)) strlist_add(command, families[i].macro);
    }
    strlist_add(command, "-D__BANG_NAMES__");
    for (size_t i = 0; i < names.count; ++i) {
      if (!may_be_conversion(names.items[i])) continue;
      strlist_take(command, xasprintf("-D__BANG_NAMED_%s=BANG_NAMED", names.items[i]));
    }
  }
  strlist_free(&names);
}
