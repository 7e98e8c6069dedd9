/* SPDX-License-Identifier: MIT
 *
 * How much NRAM each kernel takes: the thread-local variables that its task can reach, but for
 * those of this root itself and those in LDRAM, of which cncc leaves a note in the file.
 */
#include <stdlib.h>
#include <string.h>

#include "insert.h"
#include "unit.h"

enum { MAX_NAME = 256 };

static const char *name_of(LLVMValueRef value) {
  size_t length = 0;
  return LLVMGetValueName2(value, &length);
}

/* Does a note __bang_ldram_N hold the variable's name? Mangled names have its length before it. */
static bool is_in_ldram(const struct unit *unit, const char *variable) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module); g != NULL; g = LLVMGetNextGlobal(g)) {
    LLVMValueRef text = strstr(name_of(g), "__bang_ldram_") != NULL ? LLVMGetInitializer(g) : NULL;
    if (text == NULL || !LLVMIsConstantString(text)) {
      continue;
    }
    size_t length = 0;
    char mangled[MAX_NAME];
    const char *name = LLVMGetAsString(text, &length);
    snprintf(mangled, sizeof(mangled), "%zu%s", strlen(name), name);
    if (strstr(variable, mangled) != NULL) {
      return true;
    }
  }
  return false;
}

static uint64_t bytes_of(const struct unit *unit, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  const char *name = name_of(variable);
  const bool is_reference = LLVMGetTypeKind(type) == LLVMPointerTypeKind; /* WRAM or SRAM */
  if (!LLVMIsThreadLocal(variable) || LLVMIsDeclaration(variable) || is_reference ||
      strstr(name, "__bang_") != NULL || is_in_ldram(unit, name)) {
    return 0;
  }
  return LLVMABISizeOfType(LLVMGetModuleDataLayout(unit->module), type);
}

struct sum {
  const struct unit *unit;
  uint64_t bytes;
};

static void add_variable(void *argument, LLVMValueRef variable) {
  struct sum *sum = argument;
  sum->bytes += bytes_of(sum->unit, variable);
}

void check_nram(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (!starts_task(f) || LLVMIsDeclaration(f)) {
      continue;
    }
    struct sum sum = {.unit = unit};
    struct map functions = {0};
    reach(f, &functions, add_variable, &sum);
    map_free(&functions);
    insert_nram(unit, f, sum.bytes);
  }
}
