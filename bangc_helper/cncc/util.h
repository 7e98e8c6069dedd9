/* SPDX-License-Identifier: MIT
 *
 * Memory, strings and messages for every part of the driver. An allocation failure ends the program
 * with a message.
 */
#ifndef CNCC_UTIL_H_
#define CNCC_UTIL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Prints "cncc: error: ..." and ends the program with status 1. */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A function to call before that; it must not call fatal itself. */
void before_fatal(void (*function)(void));
void warning(const char *format, ...) __attribute__((format(printf, 1, 2)));

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool starts_with(const char *s, const char *prefix);
bool ends_with(const char *s, const char *suffix);

/* FNV-1a over strings one after another; "ab", "c" and "a", "bc" differ. */
#define HASH_START 14695981039346656037u
uint64_t hash_text(uint64_t hash, const char *text);

/* Growable string; data is always terminated once something was added. */
typedef struct StrBuf {
  char *data;
  size_t size;
  size_t capacity;
} StrBuf;

void strbuf_add(StrBuf *buf, const char *data, size_t size);
void strbuf_puts(StrBuf *buf, const char *s);
void strbuf_printf(StrBuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_free(StrBuf *buf);

/* List of owned strings, kept NULL-terminated so that it can serve as an argv. */
typedef struct StrList {
  char **items;
  size_t count;
  size_t capacity;
} StrList;

void strlist_add(StrList *list, const char *s);
void strlist_add2(StrList *list, const char *first, const char *second);
void strlist_take(StrList *list, char *s);
void strlist_add_all(StrList *list, const StrList *other);
void strlist_free(StrList *list);

/* Reads a whole file; false (with errno set) when it cannot be read. */
bool read_file(const char *path, StrBuf *out);
bool write_file(const char *path, const StrBuf *content);

#endif /* CNCC_UTIL_H_ */
