/* SPDX-License-Identifier: MIT
 *
 * The tables of module.h as constants of the file.
 */
#include <stdlib.h>
#include <string.h>

#include "module.h"
#include "unit.h"

static LLVMValueRef number32(const struct unit *unit, uint32_t value) {
  return LLVMConstInt(LLVMInt32TypeInContext(unit->context), value, 0);
}

static LLVMValueRef make_private(const struct unit *unit, LLVMValueRef value) {
  LLVMValueRef variable = LLVMAddGlobal(unit->module, LLVMTypeOf(value), "");
  LLVMSetInitializer(variable, value);
  LLVMSetLinkage(variable, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(variable, 1);
  return variable;
}

static LLVMValueRef text(const struct unit *unit, struct map *texts, const char *value) {
  LLVMTypeRef bytes = LLVMPointerType(LLVMInt8TypeInContext(unit->context), 0);
  bool is_new = false;
  uint64_t *known = map_put(texts, (uint64_t)(uintptr_t)value, &is_new);
  if (is_new) {
    LLVMValueRef constant =
        LLVMConstStringInContext(unit->context, value, (unsigned)strlen(value), 0);
    LLVMValueRef variable = make_private(unit, constant);
    LLVMSetUnnamedAddress(variable, LLVMGlobalUnnamedAddr);
    *known = (uint64_t)(uintptr_t)LLVMConstBitCast(variable, bytes);
  }
  return (LLVMValueRef)(uintptr_t)*known;
}

static LLVMValueRef site_table(const struct unit *unit) {
  const struct places *places = &unit->places;
  struct map texts = {0};
  LLVMValueRef *rows = allocate(places->site_count, sizeof(*rows));
  for (size_t i = 0; i < places->site_count; ++i) {
    LLVMValueRef fields[] = {text(unit, &texts, places->sites[i].file),
                             text(unit, &texts, places->sites[i].function),
                             number32(unit, places->sites[i].line)};
    rows[i] = LLVMConstStructInContext(unit->context, fields, 3, 0);
  }
  LLVMValueRef table = LLVMConstArray(LLVMTypeOf(rows[0]), rows, (unsigned)places->site_count);
  map_free(&texts);
  free(rows);
  return make_private(unit, table);
}

static LLVMValueRef part_table(const struct unit *unit) {
  LLVMTypeRef word = LLVMInt32TypeInContext(unit->context);
  const size_t width = sizeof(struct card_part) / sizeof(uint32_t);
  LLVMValueRef *words = allocate(unit->part_count * width + 1, sizeof(*words));
  _Static_assert(sizeof(struct part) == sizeof(struct card_part), "the same fields");
  for (size_t i = 0; i < unit->part_count; ++i) {
    uint32_t row[sizeof(struct card_part) / sizeof(uint32_t)];
    memcpy(row, &unit->parts[i], sizeof(row));
    for (size_t k = 0; k < width; ++k) {
      words[i * width + k] = number32(unit, row[k]);
    }
  }
  LLVMValueRef table = LLVMConstArray(word, words, (unsigned)(unit->part_count * width));
  free(words);
  return make_private(unit, table);
}

static LLVMValueRef call_table(const struct unit *unit) {
  const struct places *places = &unit->places;
  LLVMValueRef *words = allocate(2 * places->call_count + 1, sizeof(*words));
  for (size_t i = 0; i < places->call_count; ++i) {
    words[2 * i] = number32(unit, places->calls[i].site);
    words[2 * i + 1] = number32(unit, places->calls[i].caller);
  }
  LLVMValueRef table = LLVMConstArray(LLVMInt32TypeInContext(unit->context), words,
                                      (unsigned)(2 * places->call_count));
  free(words);
  return make_private(unit, table);
}

void emit_tables(struct unit *unit) {
  LLVMTypeRef bytes = LLVMPointerType(LLVMInt8TypeInContext(unit->context), 0);
  LLVMValueRef fields[] = {LLVMConstBitCast(site_table(unit), bytes),
                           LLVMConstBitCast(part_table(unit), bytes),
                           number32(unit, (uint32_t)unit->places.site_count),
                           number32(unit, (uint32_t)unit->part_count),
                           number32(unit, unit->stretch_count),
                           number32(unit, (uint32_t)unit->places.call_count),
                           LLVMConstBitCast(call_table(unit), bytes)};
  LLVMSetInitializer(unit->descriptor, LLVMConstStructInContext(unit->context, fields, 7, 0));
}
