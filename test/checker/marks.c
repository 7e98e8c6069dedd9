/* SPDX-License-Identifier: MIT */
#include "marks.h"

#include <stdio.h>
#include <string.h>

static void add_kernel(struct marks *marks, const char *name) {
  if (marks->kernel_count < MAX_MARKS) {
    snprintf(marks->kernels[marks->kernel_count++], MARK_NAME_BYTES, "%s", name);
  }
}

static void add_mark(struct marks *marks, const char *kernel, const char *check, unsigned line) {
  if (marks->count < MAX_MARKS) {
    struct mark *mark = &marks->items[marks->count++];
    snprintf(mark->kernel, sizeof(mark->kernel), "%s", kernel);
    snprintf(mark->check, sizeof(mark->check), "%s", check);
    mark->line = line;
  }
}

/* "finds: CHECK", "finds: CHECK for KERNEL" or "other" at the end of a line. */
static void read_mark(struct marks *marks, const char *text, const char *kernel, unsigned line) {
  char check[16] = "", other_kernel[MARK_NAME_BYTES] = "";
  const char *comment = strstr(text, "// finds: ");
  if (comment != NULL) {
    const int fields = sscanf(comment, "// finds: %15s for %95s", check, other_kernel);
    add_mark(marks, fields == 2 ? other_kernel : kernel, check, line);
  } else if (strstr(text, "// other\n") != NULL) {
    add_mark(marks, kernel, "", line);
  }
}

const char *marks_check(const struct marks *marks, const char *kernel) {
  for (size_t i = 0; i < marks->count; ++i) {
    if (marks->items[i].check[0] != 0 && strcmp(marks->items[i].kernel, kernel) == 0) {
      return marks->items[i].check;
    }
  }
  return NULL;
}

bool marks_allow(const struct marks *marks, const char *kernel, unsigned line, bool beside) {
  for (size_t i = 0; i < marks->count; ++i) {
    const struct mark *mark = &marks->items[i];
    if (mark->line == line && strcmp(mark->kernel, kernel) == 0 &&
        (beside || mark->check[0] != 0)) {
      return true;
    }
  }
  return false;
}

bool marks_read(struct marks *marks, const char *path) {
  char text[512], kernel[MARK_NAME_BYTES] = "";
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    perror(path);
    return false;
  }
  *marks = (struct marks){0};
  for (unsigned line = 1; fgets(text, sizeof(text), file) != NULL; ++line) {
    if (sscanf(text, "__mlu_global__ void %95[A-Za-z0-9_](", kernel) == 1) {
      add_kernel(marks, kernel);
    }
    read_mark(marks, text, kernel, line);
  }
  fclose(file);
  for (size_t i = 0; i < marks->kernel_count; ++i) {
    if (marks_check(marks, marks->kernels[i]) == NULL) {
      printf("%s: kernel %s says nowhere what is found\n", path, marks->kernels[i]);
      return false;
    }
  }
  return marks->kernel_count > 0;
}
