/* SPDX-License-Identifier: MIT */
#include "late.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

/* Marks a place by a call that does nothing: the instruction there may be replaced later. */
static LLVMValueRef insert_mark(const struct unit *unit, LLVMBuilderRef builder,
                                LLVMValueRef before) {
  static const char name[] = "llvm.donothing";
  const unsigned intrinsic = LLVMLookupIntrinsicID(name, sizeof(name) - 1);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(unit->module, intrinsic, NULL, 0);
  LLVMPositionBuilderBefore(builder, before);
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(before));
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
}

/* Uses at the same place share a mark. */
static void mark_uses(const struct unit *unit, LLVMBuilderRef builder, struct late_check *check) {
  LLVMValueRef places[MAX_USES];
  for (size_t i = 0; i < check->uses.count; ++i) {
    struct speculated_use *use = &check->uses.list[i];
    size_t k = 0;
    while (k < check->mark_count && places[k] != use->before) {
      ++k;
    }
    if (k == check->mark_count) {
      places[k] = use->before;
      check->marks[check->mark_count++] = insert_mark(unit, builder, use->before);
    }
    use->before = check->marks[k];
  }
}

void late_find(struct late_checks *late, struct unit *unit, LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
  *late = (struct late_checks){0};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;
         i = LLVMGetNextInstruction(i)) {
      if (LLVMIsALoadInst(i) == NULL || !is_speculated(unit, i)) {
        continue;
      }
      late->list = grow(late->list, late->count, &late->room, sizeof(*late->list));
      struct late_check *check = &late->list[late->count++];
      *check = (struct late_check){.load = i};
      find_speculated_uses(&check->uses, i);
      mark_uses(unit, builder, check);
    }
  }
  LLVMDisposeBuilder(builder);
}

struct late_check *late_of(const struct late_checks *late, LLVMValueRef load) {
  for (size_t i = 0; i < late->count; ++i) {
    if (late->list[i].load == load) {
      return &late->list[i];
    }
  }
  return NULL;
}

uint32_t late_site(struct unit *unit, const struct late_check *check, uint32_t otherwise) {
  LLVMMetadataRef location = remembered_location(unit, check->load);
  LLVMUseRef use = LLVMGetFirstUse(check->load);
  const uint32_t site = location != NULL && use != NULL
                            ? places_remembered(&unit->places, location, LLVMGetUser(use))
                            : 0;
  return site != 0 ? site : otherwise;
}

static LLVMValueRef condition_of(const struct inserter *in, const struct speculated_use *use) {
  LLVMValueRef all = NULL;
  for (size_t i = 0; i < use->condition_count; ++i) {
    LLVMValueRef one = use->conditions[i].value;
    one = use->conditions[i].wanted ? one : LLVMBuildNot(in->builder, one, "");
    all = all == NULL ? one : LLVMBuildAnd(in->builder, all, one, "");
  }
  return all != NULL ? all : LLVMConstInt(LLVMInt1TypeInContext(in->unit->context), 1, 0);
}

static void insert_check(struct inserter *in, const struct late_check *check, LLVMValueRef mark) {
  LLVMValueRef any = NULL;
  LLVMPositionBuilderBefore(in->builder, mark);
  for (size_t i = 0; i < check->uses.count; ++i) {
    if (check->uses.list[i].before == mark) {
      LLVMValueRef one = condition_of(in, &check->uses.list[i]);
      any = any == NULL ? one : LLVMBuildOr(in->builder, any, one, "");
    }
  }
  insert_counted_access(in, mark, &check->access, any);
}

void late_insert(const struct late_checks *late, struct inserter *in) {
  for (size_t i = 0; i < late->count; ++i) {
    const struct late_check *check = &late->list[i];
    for (size_t k = 0; k < check->mark_count; ++k) {
      if (check->access.bytes != 0) {
        insert_check(in, check, check->marks[k]);
      }
      LLVMInstructionEraseFromParent(check->marks[k]);
    }
  }
}

void late_free(struct late_checks *late) {
  free(late->list);
}
