/* SPDX-License-Identifier: MIT
 *
 * A growing string for messages. Running out of memory truncates the message; it never fails the
 * caller. */
#ifndef MLUOP_TEST_BASE_TEXT_H_
#define MLUOP_TEST_BASE_TEXT_H_

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopTestText {
  char *data; /* NULL while empty */
  size_t length;
  size_t capacity;
} mluopTestText;

void mluop_text_add(mluopTestText *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void mluop_text_add_v(mluopTestText *text, const char *format, va_list args);
void mluop_text_add_bytes(mluopTestText *text, const char *bytes, size_t size);

/* The text as a C string, "" when empty. */
const char *mluop_text_get(const mluopTestText *text);
void mluop_text_free(mluopTestText *text);

/* A string of its own; NULL when memory is short. */
char *mluop_text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_BASE_TEXT_H_ */
