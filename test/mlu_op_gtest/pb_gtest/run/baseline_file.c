/* SPDX-License-Identifier: MIT */
#include "run/baseline_file.h"

#include <stdlib.h>
#include <string.h>

static mluopBaselineCase *find_case(const mluopBaselineFile *file, const char *key) {
  for (size_t i = 0; i < file->n; ++i) {
    if (!strcmp(file->cases[i].key, key)) {
      return &file->cases[i];
    }
  }
  return NULL;
}

static mluopBaselineNumber *find_number(const mluopBaselineCase *item, const char *name) {
  for (size_t i = 0; item && i < item->n; ++i) {
    if (!strcmp(item->numbers[i].name, name)) {
      return &item->numbers[i];
    }
  }
  return NULL;
}

const double *mluop_baseline_file_get(const mluopBaselineFile *file, const char *key,
                                      const char *name) {
  const mluopBaselineNumber *number = find_number(find_case(file, key), name);
  return number ? &number->value : NULL;
}

void mluop_baseline_file_set(mluopBaselineFile *file, const char *key, const char *name,
                             double value) {
  mluopBaselineCase *item = find_case(file, key);
  if (!item) {
    mluopBaselineCase *cases = realloc(file->cases, (file->n + 1) * sizeof(*cases));
    char *copy = mluop_text_format("%s", key);
    if (!cases || !copy) {
      file->cases = cases ? cases : file->cases;
      free(copy);
      return;
    }
    file->cases = cases;
    item = &cases[file->n++];
    *item = (mluopBaselineCase){.key = copy};
  }
  mluopBaselineNumber *number = find_number(item, name);
  if (!number) {
    mluopBaselineNumber *numbers = realloc(item->numbers, (item->n + 1) * sizeof(*numbers));
    char *copy = mluop_text_format("%s", name);
    if (!numbers || !copy) {
      item->numbers = numbers ? numbers : item->numbers;
      free(copy);
      return;
    }
    item->numbers = numbers;
    number = &numbers[item->n++];
    number->name = copy;
  }
  number->value = value;
  number->changed = true;
}

void mluop_baseline_file_free(mluopBaselineFile *file) {
  for (size_t i = 0; i < file->n; ++i) {
    for (size_t k = 0; k < file->cases[i].n; ++k) {
      free(file->cases[i].numbers[k].name);
    }
    free(file->cases[i].numbers);
    free(file->cases[i].key);
  }
  free(file->cases);
  *file = (mluopBaselineFile){0};
}
