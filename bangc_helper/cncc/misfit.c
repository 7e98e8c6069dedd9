/* SPDX-License-Identifier: MIT */
#include "misfit.h"

#include <string.h>

#include "bang/operands.h"
#include "bang/table.h"

/* A row of the tables: operands as C writes them, with T, or D and S, for the types of the sets. */
typedef struct Row {
  const char *name;
  const char *operands;
  unsigned set, source; /* of T or D, of S */
} Row;

static const Row rows[] = {
#define BANG_UNARY(name, op, set, ...) {#name, "T *dst, T *src, n", set, 0},
#define BANG_BINARY(name, op, set, ...) {#name, "T *dst, T *a, T *b, n", set, 0},
#define BANG_SCALAR(name, op, set, ...) {#name, "T *dst, T *src, T scalar, n", set, 0},
#define BANG_CYCLE(name, op, set, ...) {#name, "T *dst, T *src, T *segment, n, segment_n", set, 0},
#define BANG_BITINDEX(name, op, set, ...) {#name, "void *bits, T *a, T *b, n", set, 0},
#define BANG_BITINDEX_SCALAR(name, op, set, ...) {#name, "void *bits, T *src, T scalar, n", set, 0},
#define CONVERSION(name, dst, src, ...) {#name, "T *dst, S *src, n", BANG_SET(dst), BANG_SET(src)},
#define BANG_CONVERT CONVERSION
#define BANG_CONVERT_FIX CONVERSION
#define BANG_CONVERT_FIX2 CONVERSION
#define BANG_FUNCTION(name, signature, set, ...) {#name, signature, set, 0},
#include "bang/all.def"
};

/* Element types by the numbers of bang/table.h, as messages name them, and as operands. */
static const struct {
  const char *name;
  int operand;
} elements[] = {
    [BANG_F16] = {"half", BANG_OPERAND_F16},     [BANG_BF16] = {"bfloat16", BANG_OPERAND_BF16},
    [BANG_F32] = {"float", BANG_OPERAND_F32},    [BANG_S8] = {"int8", BANG_OPERAND_S8},
    [BANG_U8] = {"uint8", BANG_OPERAND_U8},      [BANG_S16] = {"int16", BANG_OPERAND_S16},
    [BANG_U16] = {"uint16", BANG_OPERAND_U16},   [BANG_S32] = {"int", BANG_OPERAND_S32},
    [BANG_U32] = {"unsigned", BANG_OPERAND_U32}, [BANG_S64] = {"int64", BANG_OPERAND_S64},
    [BANG_U64] = {"uint64", BANG_OPERAND_U64},
};

static int element_of(int type) {
  int base = type % BANG_OPERAND_POINTER;
  if (base == BANG_OPERAND_CHAR) base = BANG_OPERAND_S8;
  for (int i = 0; i < BANG_TYPE_COUNT; ++i) {
    if (elements[i].operand == base) return i;
  }
  return -1;
}

static void append_set(StrBuf *out, unsigned set) {
  int left = __builtin_popcount(set);
  for (int i = 0; i < BANG_TYPE_COUNT; ++i) {
    if (!(set >> i & 1)) continue;
    strbuf_puts(out, elements[i].name);
    --left;
    if (left) strbuf_puts(out, left == 1 ? " or " : ", ");
  }
}

static void append_given(StrBuf *out, int type) {
  int element = element_of(type);
  if (element < 0) {
    Operands one = {.types = {type}, .count = 1};
    append_operands(out, &one);
  } else {
    strbuf_printf(out, "%s%s", elements[element].name, type >= BANG_OPERAND_POINTER ? "*" : "");
  }
}

/* The next operand of a list, up to the first optional one. */
static bool next_operand(const char **list, const char **begin, size_t *length) {
  const char *p = *list + strspn(*list, "(, ");
  size_t n = strcspn(p, ",[)");
  if (n == 0) return false;
  *begin = p;
  *length = n;
  *list = p + n;
  return true;
}

typedef enum Want { WANT_OTHER, WANT_T, WANT_S } Want;

/* True if the operand points to elements of the row's type. */
static Want wanted_pointer(const char *operand, size_t length) {
  if (length > 6 && strncmp(operand, "const ", 6) == 0) {
    operand += 6;
    length -= 6;
  }
  if (length < 3 || operand[1] != ' ' || operand[2] != '*') return WANT_OTHER;
  return operand[0] == 'T' || operand[0] == 'D' ? WANT_T : operand[0] == 'S' ? WANT_S : WANT_OTHER;
}

/* Describes a row that wants other types, when no row fits better. */
static bool describe_types(StrBuf *out, const Row *row, const Operands *given) {
  const char *list = row->operands, *operand;
  size_t length;
  int first = -1;
  for (int i = 0; next_operand(&list, &operand, &length) && i < given->count; ++i) {
    Want want = wanted_pointer(operand, length);
    if (want == WANT_OTHER || (want == WANT_S && !row->source)) continue;
    unsigned set = want == WANT_S ? row->source : row->set;
    int type = given->types[i], element = element_of(type);
    bool fits = type >= BANG_OPERAND_POINTER && element >= 0 && (set >> element & 1);
    if (!fits && set != 0) {
      append_set(out, set);
      strbuf_puts(out, " wanted, ");
      append_given(out, type);
      strbuf_printf(out, " given as operand %d", i + 1);
      return true;
    }
    bool differs = want == WANT_T && first >= 0 && element != element_of(given->types[first]);
    if (differs) {
      strbuf_puts(out, "operands of one type wanted, ");
      append_given(out, given->types[first]);
      strbuf_puts(out, " and ");
      append_given(out, type);
      strbuf_puts(out, " given");
      return true;
    }
    if (want == WANT_T && first < 0) first = i;
  }
  return false;
}

static int count_operands(const Row *row) {
  const char *list = row->operands, *operand;
  size_t length;
  int count = 0;
  while (next_operand(&list, &operand, &length)) ++count;
  return count;
}

bool describe_misfit(StrBuf *out, const char *name, const Operands *given) {
  const Row *shorter = NULL;
  bool fits_number = false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (strcmp(rows[i].name, name) != 0) continue;
    int count = count_operands(&rows[i]);
    bool optional = strchr(rows[i].operands, '[') != NULL || rows[i].source != 0;
    if (given->count == count || (optional && given->count > count)) {
      fits_number = true;
      if (describe_types(out, &rows[i], given)) return true;
    } else if (!shorter) {
      shorter = &rows[i];
    }
  }
  if (!shorter || fits_number) return false;
  strbuf_printf(out, "%d operands wanted, %d given", count_operands(shorter), given->count);
  return true;
}
