/* SPDX-License-Identifier: MIT */
#include "homes.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "derive.h"

/* DWARF operation: the value is in memory at the address. */
enum { DW_OP_DEREF = 0x06 };

struct homes {
  struct unit *unit;
  LLVMDIBuilderRef debug;
  LLVMBuilderRef builder;
  LLVMMetadataRef in_memory;
  struct map slots; /* of one function; the key is made of variable, inlined call and type */
};

static uint64_t mix(uint64_t hash, const void *pointer) {
  return (hash ^ (uint64_t)(uintptr_t)pointer) * 1099511628211u;
}

/* Each inlined call has its own instances of the variables. */
static LLVMValueRef slot_of(struct homes *homes, LLVMMetadataRef variable, LLVMMetadataRef location,
                            LLVMTypeRef type, LLVMBasicBlockRef entry, bool *is_new) {
  uint64_t key = mix(14695981039346656037u, variable);
  key = mix(mix(key, LLVMDILocationGetInlinedAt(location)), type);
  uint64_t *slot = map_put(&homes->slots, key, is_new);
  if (*is_new) {
    LLVMPositionBuilderBefore(homes->builder, LLVMGetFirstInstruction(entry));
    LLVMSetCurrentDebugLocation2(homes->builder, NULL);
    *slot = (uint64_t)(uintptr_t)LLVMBuildAlloca(homes->builder, type, "");
  }
  return (LLVMValueRef)(uintptr_t)*slot;
}

static void give_home(struct homes *homes, LLVMValueRef described) {
  LLVMValueRef value = described_value(homes->unit, described);
  if (value == NULL) {
    return;
  }
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(described);
  LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(described, 1));
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(described));
  bool is_new = false;
  LLVMValueRef slot = slot_of(homes, variable, location, LLVMTypeOf(value),
                              LLVMGetEntryBasicBlock(function), &is_new);
  /* A debugger stops at the first instruction with a location, and parameters must have values
   * there. So these stores have no location, and those of parameters stand at the function's start.
   */
  LLVMValueRef before =
      is_new && LLVMIsAArgument(value) != NULL ? LLVMGetNextInstruction(slot) : described;
  LLVMPositionBuilderBefore(homes->builder, before);
  LLVMSetCurrentDebugLocation2(homes->builder, NULL);
  LLVMBuildStore(homes->builder, value, slot);
  LLVMDIBuilderInsertDbgValueBefore(homes->debug, slot, variable, homes->in_memory, location,
                                    before);
  LLVMInstructionEraseFromParent(described);
}

static void give_function(struct homes *homes, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;) {
      LLVMValueRef next = LLVMGetNextInstruction(i);
      if (LLVMIsACallInst(i) != NULL && strcmp(called_name(i), "llvm.dbg.value") == 0) {
        give_home(homes, i);
      }
      i = next;
    }
  }
  map_free(&homes->slots);
}

void give_homes(struct unit *unit) {
  uint64_t in_memory[] = {DW_OP_DEREF};
  struct homes homes = {.unit = unit,
                        .debug = LLVMCreateDIBuilderDisallowUnresolved(unit->module),
                        .builder = LLVMCreateBuilderInContext(unit->context)};
  homes.in_memory = LLVMDIBuilderCreateExpression(homes.debug, in_memory, 1);
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (map_find(&unit->devices, (uint64_t)(uintptr_t)f) != NULL) {
      give_function(&homes, f);
    }
  }
  LLVMDisposeBuilder(homes.builder);
  LLVMDisposeDIBuilder(homes.debug);
}
