/* SPDX-License-Identifier: MIT */
#include "findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of the JSON value that begins here; NULL if the text ends before it. */
static const char *skip_value(const char *at) {
  int depth = 0;
  do {
    if (*at == '"') {
      for (++at; *at != '"'; ++at) {
        at += *at == '\\';
        if (*at == 0) {
          return NULL;
        }
      }
      ++at;
    } else if (*at == '{' || *at == '[') {
      ++depth;
      ++at;
    } else if (*at == '}' || *at == ']') {
      --depth;
      ++at;
    } else if (*at == 0) {
      return NULL;
    } else {
      at += depth > 0 ? 1 : strcspn(at, ",}] \n");
    }
  } while (depth > 0);
  return at;
}

/* The value of a member of the JSON object that begins here; NULL if it has no such member. */
static const char *member(const char *object, const char *name) {
  const char *at = object + 1;
  while (at != NULL && *(at += strspn(at, " \n\t,")) == '"') {
    const char *key = at + 1;
    at = skip_value(at);
    if (at == NULL) {
      return NULL;
    }
    const size_t length = (size_t)(at - key) - 1;
    at += strspn(at, " :");
    if (length == strlen(name) && strncmp(key, name, length) == 0) {
      return at;
    }
    at = skip_value(at);
  }
  return NULL;
}

static void read_text(const char *object, const char *name, char *to, size_t bytes) {
  const char *value = member(object, name);
  size_t length = 0;
  if (value != NULL && *value == '"') {
    for (++value; *value != 0 && *value != '"' && length + 1 < bytes; ++value) {
      value += *value == '\\';
      to[length++] = *value;
    }
  }
  to[length] = 0;
}

static unsigned long read_number(const char *object, const char *name) {
  const char *value = member(object, name);
  return value != NULL ? strtoul(value, NULL, 10) : 0;
}

static void read_finding(struct finding *f, const char *object) {
  read_text(object, "check", f->check, sizeof(f->check));
  read_text(object, "what", f->what, sizeof(f->what));
  read_text(object, "kernel", f->kernel, sizeof(f->kernel));
  read_text(object, "file", f->file, sizeof(f->file));
  read_text(object, "function", f->function, sizeof(f->function));
  read_text(object, "object", f->object, sizeof(f->object));
  f->line = (unsigned)read_number(object, "line");
  f->task = read_number(object, "task");
  f->count = read_number(object, "count");
  const char *other = member(object, "other");
  f->other_line = other != NULL && *other == '{' ? (unsigned)read_number(other, "line") : 0;
}

static char *read_all(const char *path) {
  static char text[1 << 20];
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    return NULL;
  }
  text[fread(text, 1, sizeof(text) - 1, file)] = 0;
  fclose(file);
  return text;
}

int findings_read(struct finding *list, const char *path) {
  const char *at = read_all(path);
  int count = 0;
  if (at == NULL) {
    return 0;
  }
  at += strspn(at, " \n");
  if (*at++ != '[') {
    return -1;
  }
  while (*(at += strspn(at, " \n,")) == '{') {
    if (count < MAX_FINDINGS) {
      read_finding(&list[count], at);
    }
    ++count;
    at = skip_value(at);
    if (at == NULL) {
      return -1;
    }
  }
  return *at == ']' ? count : -1;
}
