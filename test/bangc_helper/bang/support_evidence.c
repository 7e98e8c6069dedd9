/* SPDX-License-Identifier: MIT */
#include "support_evidence.h"

#include <stdio.h>
#include <string.h>

typedef struct Known {
  const char *name, *operands, *types;
  int since;
} Known;

static const Known known[] = {
#define BANG_KNOWN(name, operands, types) {#name, operands, types, 0},
#define BANG_KNOWN_SINCE(arch, name, operands, types) {#name, operands, types, arch},
#define BANG_KNOWN_WITHOUT_ABSENT
#include "bang/known.def"
};
enum { KNOWN_COUNT = sizeof known / sizeof *known };

static const Known absent[] = {
#define BANG_KNOWN(name, operands, types) {#name, operands, types, 0},
#define BANG_KNOWN_SINCE(arch, name, operands, types) {#name, operands, types, arch},
#include "bang/known/absent.def"
};
enum { ABSENT_COUNT = sizeof absent / sizeof *absent };

static int count_operands(const char *operands) {
  int count = *operands != '\0';
  for (; *operands; operands++) count += *operands == ',';
  return count;
}

static int third_is_pointer(const char *operands) {
  const char *second = strchr(operands, ',');
  const char *third = second ? strchr(second + 1, ',') : NULL;
  const char *end = third ? strchr(third + 1, ',') : NULL;
  return end && end[-1] == '*';
}

static int has_shape(const Known *row, EvidenceShape shape) {
  int count = count_operands(row->operands);
  switch (shape) {
    case EVIDENCE_UNARY:
      return count == 3;
    case EVIDENCE_BINARY:
      return count == 4 && third_is_pointer(row->operands);
    case EVIDENCE_SCALAR:
      return count == 4 && !third_is_pointer(row->operands);
    case EVIDENCE_CYCLE:
      return count == 5;
    default:
      return 1;
  }
}

static void print_row(const Known *row, int with_operands) {
  if (with_operands) printf("`(%s)` ", row->operands);
  printf("%s", row->types);
  if (row->since) printf(" from mtp_%d on", row->since);
}

void print_evidence(const char *name, EvidenceShape shape) {
  const char *separator = "";
  for (int i = 0; i < KNOWN_COUNT; i++) {
    if (strcmp(known[i].name, name) != 0 || !has_shape(&known[i], shape)) continue;
    /* An entry without types is only letters: its operands show the types. */
    int with_operands = shape == EVIDENCE_ANY || !strchr(known[i].types, ' ');
    printf("%s", separator);
    print_row(&known[i], with_operands);
    separator = "; ";
  }
}

int print_letters(const char *before, const char *name) {
  char letters[8] = "";
  size_t used = 0;
  for (int i = 0; i < KNOWN_COUNT; i++) {
    if (strcmp(known[i].name, name) != 0) continue;
    for (const char *p = known[i].types; *p; p++) {
      if (strchr("HMITO", *p) && !strchr(letters, *p) && used + 1 < sizeof letters) {
        letters[used++] = *p;
        letters[used] = '\0';
      }
    }
  }
  if (used) printf("%s%s", before, letters);
  return used != 0;
}

void print_absent(void) {
  for (int i = 0; i < ABSENT_COUNT; i++) {
    printf("| `%s` | ", absent[i].name);
    print_row(&absent[i], 1);
    printf(" |\n");
  }
}
