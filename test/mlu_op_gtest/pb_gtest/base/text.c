/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int text_reserve(mluopTestText *text, size_t more) {
  const size_t needed = text->length + more + 1;
  if (needed <= text->capacity) {
    return 1;
  }
  size_t capacity = text->capacity ? text->capacity : 128;
  while (capacity < needed) {
    capacity *= 2;
  }
  char *data = realloc(text->data, capacity);
  if (!data) {
    return 0;
  }
  text->data = data;
  text->capacity = capacity;
  return 1;
}

void mluop_text_add_bytes(mluopTestText *text, const char *bytes, size_t size) {
  if (!text_reserve(text, size)) {
    return;
  }
  memcpy(text->data + text->length, bytes, size);
  text->length += size;
  text->data[text->length] = '\0';
}

void mluop_text_add_v(mluopTestText *text, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  const int size = vsnprintf(NULL, 0, format, args);
  if (size > 0 && text_reserve(text, (size_t)size)) {
    vsnprintf(text->data + text->length, (size_t)size + 1, format, again);
    text->length += (size_t)size;
  }
  va_end(again);
}

void mluop_text_add(mluopTestText *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  mluop_text_add_v(text, format, args);
  va_end(args);
}

const char *mluop_text_get(const mluopTestText *text) {
  return text->data ? text->data : "";
}

void mluop_text_free(mluopTestText *text) {
  free(text->data);
  *text = (mluopTestText){0};
}

char *mluop_text_format(const char *format, ...) {
  mluopTestText text = {0};
  va_list args;
  va_start(args, format);
  mluop_text_add_v(&text, format, args);
  va_end(args);
  if (!text.data) {
    text.data = calloc(1, 1);
  }
  return text.data;
}
