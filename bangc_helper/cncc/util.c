/* SPDX-License-Identifier: MIT */
#include "util.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void (*g_before_fatal)(void);

void before_fatal(void (*function)(void)) {
  g_before_fatal = function;
}

void fatal(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("cncc: error: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  if (g_before_fatal) g_before_fatal();
  exit(1);
}

void warning(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("cncc: warning: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

void *xrealloc(void *old, size_t size) {
  void *p = realloc(old, size ? size : 1);
  if (!p) fatal("out of memory (%zu bytes)", size);
  return p;
}

void *xmalloc(size_t size) {
  return xrealloc(NULL, size);
}

void *xcalloc(size_t count, size_t size) {
  void *p = calloc(count ? count : 1, size ? size : 1);
  if (!p) fatal("out of memory (%zu x %zu bytes)", count, size);
  return p;
}

char *xstrndup(const char *s, size_t n) {
  char *copy = xmalloc(n + 1);
  memcpy(copy, s, n);
  copy[n] = '\0';
  return copy;
}

char *xstrdup(const char *s) {
  return xstrndup(s, strlen(s));
}

static void strbuf_vprintf(StrBuf *buf, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int needed = vsnprintf(NULL, 0, format, args);
  if (needed < 0) fatal("cannot format a message");
  char *text = xmalloc((size_t)needed + 1);
  vsnprintf(text, (size_t)needed + 1, format, again);
  va_end(again);
  strbuf_add(buf, text, (size_t)needed);
  free(text);
}

char *xasprintf(const char *format, ...) {
  StrBuf buf = {0};
  va_list args;
  va_start(args, format);
  strbuf_vprintf(&buf, format, args);
  va_end(args);
  return buf.data;
}

bool starts_with(const char *s, const char *prefix) {
  return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool ends_with(const char *s, const char *suffix) {
  size_t n = strlen(s), m = strlen(suffix);
  return n >= m && strcmp(s + n - m, suffix) == 0;
}

uint64_t hash_text(uint64_t hash, const char *text) {
  const uint64_t prime = 1099511628211u;
  for (; *text; ++text) hash = (hash ^ (unsigned char)*text) * prime;
  return (hash ^ 1) * prime;
}

void strbuf_add(StrBuf *buf, const char *data, size_t size) {
  if (size >= SIZE_MAX / 2 - buf->size) fatal("text too long");
  if (buf->size + size + 1 > buf->capacity) {
    size_t capacity = buf->capacity ? buf->capacity : 64;
    while (capacity < buf->size + size + 1) capacity *= 2;
    buf->data = xrealloc(buf->data, capacity);
    buf->capacity = capacity;
  }
  if (size) memcpy(buf->data + buf->size, data, size);
  buf->size += size;
  buf->data[buf->size] = '\0';
}

void strbuf_puts(StrBuf *buf, const char *s) {
  strbuf_add(buf, s, strlen(s));
}

void strbuf_printf(StrBuf *buf, const char *format, ...) {
  va_list args;
  va_start(args, format);
  strbuf_vprintf(buf, format, args);
  va_end(args);
}

void strbuf_free(StrBuf *buf) {
  free(buf->data);
  *buf = (StrBuf){0};
}

void strlist_take(StrList *list, char *s) {
  if (list->count + 2 > list->capacity) {
    list->capacity = list->capacity ? list->capacity * 2 : 16;
    list->items = xrealloc(list->items, list->capacity * sizeof *list->items);
  }
  list->items[list->count++] = s;
  list->items[list->count] = NULL;
}

void strlist_add(StrList *list, const char *s) {
  strlist_take(list, xstrdup(s));
}

void strlist_add2(StrList *list, const char *first, const char *second) {
  strlist_add(list, first);
  strlist_add(list, second);
}

void strlist_add_all(StrList *list, const StrList *other) {
  for (size_t i = 0; i < other->count; ++i) strlist_add(list, other->items[i]);
}

void strlist_free(StrList *list) {
  for (size_t i = 0; i < list->count; ++i) free(list->items[i]);
  free(list->items);
  *list = (StrList){0};
}

bool read_file(const char *path, StrBuf *out) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  char chunk[65536];
  size_t got;
  while ((got = fread(chunk, 1, sizeof chunk, file)) > 0) strbuf_add(out, chunk, got);
  strbuf_add(out, "", 0);
  bool ok = !ferror(file);
  int saved = errno;
  fclose(file);
  errno = saved;
  return ok;
}

bool write_file(const char *path, const StrBuf *content) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  bool ok = fwrite(content->data, 1, content->size, file) == content->size;
  if (fclose(file) != 0) ok = false;
  return ok;
}
