/* SPDX-License-Identifier: MIT */
#include "operand.h"

#include <string.h>

#include "bang/operands.h"

static const char *const names[] = {
#define BANG_OPERAND_NAME(tag, type) #type,
    BANG_OPERAND_LIST(BANG_OPERAND_NAME)
#undef BANG_OPERAND_NAME
        "an enumeration",
    "another type",
};

static const char *type_name(int type) {
  return names[type % BANG_OPERAND_POINTER];
}

void append_operands(StrBuf *out, const Operands *given) {
  for (int i = 0; i < given->count; ++i) {
    int type = given->types[i];
    strbuf_printf(out, "%s%s%s", i ? ", " : "", type_name(type),
                  type >= BANG_OPERAND_POINTER ? "*" : "");
  }
}

static bool is_integer(int type) {
  return (type >= BANG_OPERAND_BOOL && type <= BANG_OPERAND_U64) ||
         (type >= BANG_OPERAND_DIRECTION && type <= BANG_OPERAND_POOL_OVERLAP) ||
         type == BANG_OPERAND_ENUM;
}

static bool is_short_integer(int type) {
  return is_integer(type) && type != BANG_OPERAND_S64 && type != BANG_OPERAND_U64;
}

/* Types that convert to a real number; it is open which overload a 64-bit integer would choose. */
static bool is_number(int type) {
  return is_short_integer(type) || type == BANG_OPERAND_F16 || type == BANG_OPERAND_F32 ||
         type == BANG_OPERAND_F64;
}

bool operand_fits(int given, const char *wanted) {
  size_t length = strlen(wanted);
  if (length > 0 && wanted[length - 1] == '*') {
    if (given < BANG_OPERAND_POINTER) return false;
    if (strcmp(wanted, "void*") == 0) return true;
    const char *name = type_name(given);
    return strlen(name) == length - 1 && strncmp(name, wanted, length - 1) == 0;
  }
  if (given >= BANG_OPERAND_POINTER) return false;
  if (strcmp(wanted, "int32") == 0) return is_short_integer(given);
  bool wants_integer = strcmp(wanted, "int") == 0 || strcmp(wanted, "int8_t") == 0;
  if (wants_integer) return is_integer(given);
  if (strcmp(wanted, "real") == 0) return is_number(given);
  if (strcmp(wanted, "bfloat16_t") == 0) return given == BANG_OPERAND_BF16 || is_number(given);
  return strcmp(type_name(given), wanted) == 0;
}
