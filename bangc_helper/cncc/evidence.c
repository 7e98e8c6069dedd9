/* SPDX-License-Identifier: MIT */
#include "evidence.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "bang/table.h"

typedef struct Known {
  const char *name;
  const char *operands;
  const char *types;
  int since;
} Known;

static const Known known[] = {
#define BANG_KNOWN(name, operands, types) {#name, operands, types, 0},
#define BANG_KNOWN_SINCE(arch, name, operands, types) {#name, operands, types, arch},
#include "bang/known.def"
};
enum { KNOWN_COUNT = sizeof known / sizeof *known };

/* The functions of the tables, with their operands as the support table shows them. */
typedef struct Function {
  const char *name;
  const char *signature;
} Function;

static const Function functions[] = {
#define BANG_UNARY(name, ...) {#name, "(dst, src, n)"},
#define BANG_BINARY(name, ...) {#name, "(dst, a, b, n)"},
#define BANG_SCALAR(name, ...) {#name, "(dst, src, scalar, n)"},
#define BANG_CYCLE(name, ...) {#name, "(dst, src, segment, n, segment_n)"},
#define BANG_BITINDEX(name, ...) {#name, "(bits, a, b, n)"},
#define BANG_BITINDEX_SCALAR(name, ...) {#name, "(bits, src, scalar, n)"},
#define BANG_CONVERT(name, ...) {#name, "(dst, src, n)"},
#define BANG_CONVERT_FIX(name, ...) {#name, "(dst, src, n, position)"},
#define BANG_CONVERT_FIX2(name, ...) {#name, "(dst, src, n, dst_position, src_position)"},
#define BANG_ONE(name, ...) {#name, "(x)"},
#define BANG_FUNCTION(name, signature, ...) {#name, signature},
#include "bang/all.def"
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

/* The first architecture with bfloat16_t. */
enum { ARCH_OF_BFLOAT16 = 592 };

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the tables and of known.def, in order. */
static const char *const *all_names(size_t *count) {
  static const char *names[FUNCTION_COUNT + KNOWN_COUNT];
  static size_t used;
  if (used == 0) {
    for (int i = 0; i < FUNCTION_COUNT; ++i) names[used++] = functions[i].name;
    for (int i = 0; i < KNOWN_COUNT; ++i) names[used++] = known[i].name;
    qsort(names, used, sizeof *names, compare_names);
  }
  *count = used;
  return names;
}

bool is_language_function(const char *name, size_t length) {
  if (length < 3 || name[0] != '_' || name[1] != '_') return false;
  char *key = xstrndup(name, length);
  size_t count;
  const char *const *names = all_names(&count);
  bool found = bsearch(&key, names, count, sizeof *names, compare_names) != NULL;
  free(key);
  return found;
}

/* True if the operand that ends at `end` has a name that counts elements or bytes. */
static bool names_length(const char *begin, const char *end) {
  static const char *const names[] = {"n", "bytes", "size", "count"};
  while (end > begin && end[-1] == ' ') --end;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    size_t length = strlen(names[i]);
    if ((size_t)(end - begin) < length || memcmp(end - length, names[i], length) != 0) continue;
    char before = end[-(long)length - 1];
    if (before == ' ' || before == '(' || before == ',') return true;
  }
  return false;
}

int count_operand(const char *name, size_t length) {
  for (int i = 0; i < FUNCTION_COUNT; ++i) {
    const char *known_name = functions[i].name;
    if (strlen(known_name) != length || memcmp(known_name, name, length) != 0) continue;
    const char *p = functions[i].signature + 1;
    for (int operand = 0; *p && *p != '['; ++operand) {
      const char *end = p + strcspn(p, ",[)");
      if (names_length(p - 1, end)) return operand;
      if (*end != ',') break;
      p = end + 1;
    }
  }
  return -1;
}

/* ---- One row, with T replaced ---- */

/* Takes the next word of a list apart by commas; false at the end. */
static bool next_part(const char **list, char *word, size_t size) {
  const char *p = *list + strspn(*list, ", ");
  size_t length = strcspn(p, ",");
  if (length == 0) return false;
  if (length >= size) length = size - 1;
  memcpy(word, p, length);
  word[length] = '\0';
  *list = p + length;
  return true;
}

/* "half HM" -> "half"; letters alone give "". */
static void type_of_part(char *part) {
  char *space = strchr(part, ' ');
  *(space ? space : part) = '\0';
}

static void substitute(char *word, size_t size, const char *type) {
  bool pointer = strcmp(word, "T*") == 0;
  if (!pointer && strcmp(word, "T") != 0) return;
  size_t length = strlen(type);
  if (length + 2 > size) return;
  memcpy(word, type, length);
  word[length] = pointer ? '*' : '\0';
  word[length + 1] = '\0';
}

enum { WORD_SIZE = 32, FAR = 100 };

/* Number of operands that do not fit; a different operand count is a large distance. */
static int distance(const Known *row, const char *type, const Operands *given) {
  const char *list = row->operands;
  char word[WORD_SIZE];
  int count = 0, misfits = 0;
  while (next_part(&list, word, sizeof word)) {
    if (strcmp(word, "...") == 0) return misfits;
    substitute(word, sizeof word, type);
    if (count >= given->count || !operand_fits(given->types[count], word)) misfits++;
    count++;
  }
  return count == given->count ? misfits : FAR + misfits + abs(count - given->count);
}

static int first_arch(const Known *row, const char *type) {
  bool bfloat16 = strcmp(type, "bfloat16_t") == 0 || strstr(row->operands, "bfloat16_t");
  return bfloat16 && row->since < ARCH_OF_BFLOAT16 ? ARCH_OF_BFLOAT16 : row->since;
}

static void append_row(StrBuf *out, const Known *row, const char *type) {
  const char *list = row->operands;
  char word[WORD_SIZE];
  strbuf_printf(out, "%s(", row->name);
  for (const char *comma = ""; next_part(&list, word, sizeof word); comma = ", ") {
    substitute(word, sizeof word, type);
    strbuf_printf(out, "%s%s", comma, word);
  }
  strbuf_puts(out, ")");
}

/* ---- The nearest known overload ---- */

/* Edit distance between two names. */
static int name_distance(const char *a, const char *b) {
  enum { LONGEST = 80 };
  size_t n = strlen(a), m = strlen(b);
  if (n >= LONGEST || m >= LONGEST) return INT_MAX;
  int row[LONGEST + 1];
  for (size_t j = 0; j <= m; ++j) row[j] = (int)j;
  for (size_t i = 1; i <= n; ++i) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= m; ++j) {
      int exchange = diagonal + (a[i - 1] != b[j - 1]);
      int other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      diagonal = row[j];
      row[j] = exchange < other ? exchange : other;
    }
  }
  return row[m];
}

static const char *nearest_name(const char *name) {
  const char *best = known[0].name;
  int least = INT_MAX;
  for (int i = 0; i < KNOWN_COUNT; ++i) {
    int steps = name_distance(name, known[i].name);
    if (steps < least) {
      least = steps;
      best = known[i].name;
    }
  }
  return best;
}

/* A row that the architecture does not have is never chosen. */
enum { RECENT = 1, ABSENT = 2, STEP = 4 };

typedef struct Nearest {
  const Known *row;
  char type[WORD_SIZE];
  int misfits;
} Nearest;

/* The best row of a name. Of equally good rows, one that all architectures have is preferred, then
 * one that this architecture has. */
static Nearest find_nearest(const char *name, const Operands *given, const Arch *arch) {
  Nearest best = {.misfits = INT_MAX};
  for (int i = 0; i < KNOWN_COUNT; ++i) {
    if (strcmp(known[i].name, name) != 0) continue;
    const char *list = known[i].types;
    char part[WORD_SIZE];
    while (next_part(&list, part, sizeof part)) {
      type_of_part(part);
      int since = first_arch(&known[i], part);
      int misfits = STEP * distance(&known[i], part, given);
      misfits += since > arch->number ? ABSENT : since > 0 ? RECENT : 0;
      if (misfits >= best.misfits) continue;
      best.row = &known[i];
      best.misfits = misfits;
      memcpy(best.type, part, sizeof best.type);
    }
  }
  return best;
}

bool has_evidence(const char *name, const Operands *given, const Arch *arch, StrBuf *hint) {
  Nearest best = find_nearest(name, given, arch);
  if (best.misfits < ABSENT) return true;
  if (!best.row) {
    const char *other = nearest_name(name);
    strbuf_puts(hint, "nothing of this name is known, nearest: ");
    best = find_nearest(other, given, arch);
  } else {
    strbuf_puts(hint, "known: ");
  }
  append_row(hint, best.row, best.type);
  int since = first_arch(best.row, best.type);
  if (since > arch->number) {
    strbuf_printf(hint, ", for mtp_%d and later, not for %s", since, arch->name);
  }
  return false;
}
