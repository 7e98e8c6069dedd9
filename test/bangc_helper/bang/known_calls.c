/* SPDX-License-Identifier: MIT
 *
 * usage: known_calls FILE
 * Writes a kernel that calls every overload in bang/known.def, except those in known/absent.def. It
 * compiles only if the headers have all of these publicly known overloads.
 */
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *operands, *types;
} rows[] = {
#define BANG_KNOWN(name, operands, types) {#name, operands, types},
#define BANG_KNOWN_WITHOUT_ABSENT
#include "bang/known.def"
};

/* Reads the next entry of a comma-separated list; returns 0 at its end. */
static int next_part(const char **list, char *part, size_t size) {
  const char *p = *list + strspn(*list, ", ");
  size_t length = strcspn(p, ",");
  if (length == 0 || length >= size) return 0;
  memcpy(part, p, length);
  part[length] = '\0';
  *list = p + length;
  return 1;
}

static void print_operand(const char *operand, const char *type) {
  size_t length = strlen(operand);
  if (operand[length - 1] == '*') {
    int is_t = strcmp(operand, "T*") == 0;
    printf("pointer<%.*s>()", is_t ? (int)strlen(type) : (int)length - 1, is_t ? type : operand);
  } else if (strcmp(operand, "real") == 0) {
    printf("1.0f");
  } else if (strcmp(operand, "int") == 0 || strcmp(operand, "int32") == 0) {
    printf("count");
  } else if (strcmp(operand, "...") != 0) {
    printf("value<%s>()", strcmp(operand, "T") == 0 ? type : operand);
  } else {
    printf("0");
  }
}

static void print_call(const char *name, const char *operands, const char *type) {
  char operand[64];
  printf("  %s(", name);
  for (const char *comma = ""; next_part(&operands, operand, sizeof operand); comma = ", ") {
    fputs(comma, stdout);
    print_operand(operand, type);
  }
  printf(");\n");
}

int main(int argc, char **argv) {
  if (argc != 2 || !freopen(argv[1], "w", stdout)) return 1;
  printf(
      "template <typename T> __mlu_func__ T *pointer() { return nullptr; }\n"
      "template <typename T> __mlu_func__ T &value() { return *pointer<T>(); }\n"
      "__mlu_global__ void everyKnownOverload(int count) {\n");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *types = rows[i].types;
    char part[64];
    while (next_part(&types, part, sizeof part)) {
      char *space = strchr(part, ' ');
      if (space) *space = '\0';
      print_call(rows[i].name, rows[i].operands, part);
    }
  }
  printf("}\n");
  return 0;
}
