/* SPDX-License-Identifier: MIT */
#include "support.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("bang-card: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

void *allocate(size_t count, size_t size) {
  void *memory = calloc(count != 0 ? count : 1, size);
  if (memory == NULL) {
    fail("no memory");
  }
  return memory;
}

char *copy_text(const char *text) {
  char *copy = strdup(text);
  if (copy == NULL) {
    fail("no memory");
  }
  return copy;
}

void *grow(void *array, size_t count, size_t *room, size_t size) {
  if (count < *room) {
    return array;
  }
  *room = *room != 0 ? 2 * *room : 16;
  array = realloc(array, *room * size);
  if (array == NULL) {
    fail("no memory");
  }
  return array;
}
