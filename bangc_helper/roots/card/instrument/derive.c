/* SPDX-License-Identifier: MIT */
#include "derive.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"

/* ---- Which variable ---- */

enum { MAX_DEPTH = 8 };

/* The variable that an address was computed from. */
struct origin {
  bool is_known;
  bool is_open;  /* refers to the pointer in question itself, so it does not decide the origin */
  bool is_moved; /* an offset was added */
  struct onchip variable;
};

static struct origin origin_of(LLVMValueRef address, LLVMValueRef asked, unsigned depth);

static bool is_same(const struct onchip *a, const struct onchip *b) {
  return a->space == b->space && a->at == b->at && a->bytes == b->bytes;
}

/* True if the cast serves only lifetime markers. */
static bool is_marker(LLVMValueRef cast) {
  if (LLVMIsABitCastInst(cast) == NULL) {
    return false;
  }
  for (LLVMUseRef use = LLVMGetFirstUse(cast); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) == NULL || strncmp(called_name(user), "llvm.lifetime.", 14) != 0) {
      return false;
    }
  }
  return true;
}

/* The origin of a local pointer, if all its assignments have the same one. */
static struct origin origin_of_pointer(LLVMValueRef pointer, LLVMValueRef asked, unsigned depth) {
  const struct origin unknown = {.is_known = false};
  struct origin all = unknown;
  bool is_moved = false;
  if (pointer == asked) {
    return (struct origin){.is_open = true, .is_moved = true};
  }
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user) != NULL || is_marker(user)) {
      continue;
    }
    if (LLVMIsAStoreInst(user) == NULL || LLVMGetOperand(user, 1) != pointer) {
      return unknown;
    }
    const struct origin one = origin_of(LLVMGetOperand(user, 0), pointer, depth + 1);
    is_moved |= one.is_moved;
    if (one.is_open) {
      continue;
    }
    if (!one.is_known || (all.is_known && !is_same(&all.variable, &one.variable))) {
      return unknown;
    }
    all = one;
  }
  all.is_moved = is_moved;
  return all;
}

static bool moves(LLVMValueRef element) {
  for (int i = 1; i < LLVMGetNumOperands(element); ++i) {
    LLVMValueRef index = LLVMGetOperand(element, (unsigned)i);
    if (LLVMIsAConstantInt(index) == NULL || LLVMConstIntGetZExtValue(index) != 0) {
      return true;
    }
  }
  return false;
}

static struct origin origin_of(LLVMValueRef address, LLVMValueRef asked, unsigned depth) {
  bool is_moved = false;
  struct origin origin = {.is_known = false};
  while (LLVMIsAGetElementPtrInst(address) != NULL || LLVMIsABitCastInst(address) != NULL) {
    is_moved |= LLVMIsAGetElementPtrInst(address) != NULL && moves(address);
    address = LLVMGetOperand(address, 0);
  }
  if (onchip_variable(address, &origin.variable)) {
    origin.is_known = true;
  } else if (LLVMIsALoadInst(address) != NULL && depth < MAX_DEPTH &&
             LLVMIsAAllocaInst(LLVMGetOperand(address, 0)) != NULL) {
    origin = origin_of_pointer(LLVMGetOperand(address, 0), asked, depth);
  }
  origin.is_moved |= is_moved;
  return origin;
}

/* ---- Notes ---- */

struct noting {
  struct unit *unit;
  LLVMDIBuilderRef builder;
  LLVMTargetDataRef layout;
  LLVMMetadataRef subprogram;
};

static void note(struct noting *in, LLVMValueRef address, LLVMValueRef before, uint32_t bytes,
                 bool writes) {
  struct unit *unit = in->unit;
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(before);
  if (location == NULL || LLVMGetTypeKind(LLVMTypeOf(address)) != LLVMPointerTypeKind) {
    return;
  }
  const struct origin origin = origin_of(address, NULL, 0);
  /* Variables in WRAM are spread over lanes: offsets say nothing there. */
  if (!origin.is_known || !origin.is_moved || origin.variable.space == BANG_SPACE_WRAM) {
    return;
  }
  /* Each note needs its own variable: of two values of one variable, LLVM may drop the first. */
  char name[32];
  const int length = snprintf(name, sizeof(name), "address %zu", unit->note_count);
  LLVMMetadataRef variable = LLVMDIBuilderCreateAutoVariable(
      in->builder, in->subprogram, name, (size_t)length, NULL, 0, NULL, 0, LLVMDIFlagZero, 0);
  LLVMDIBuilderInsertDbgValueBefore(in->builder, address, variable, unit->plain, location, before);
  unit->notes = grow(unit->notes, unit->note_count, &unit->note_room, sizeof(*unit->notes));
  unit->notes[unit->note_count++] =
      (struct note){.variable = origin.variable, .bytes = bytes, .writes = writes};
  *map_put(&unit->note_numbers, (uint64_t)(uintptr_t)variable, NULL) = unit->note_count;
}

static uint32_t bytes_of(const struct noting *in, LLVMValueRef value) {
  return (uint32_t)LLVMStoreSizeOfType(in->layout, LLVMTypeOf(value));
}

static void note_operands(struct noting *in, LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(called) == NULL || LLVMIsDeclaration(called) ||
      places_language_function(&in->unit->places, called) == NULL) {
    return;
  }
  const unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; ++i) {
    note(in, LLVMGetOperand(call, i), call, 0, false);
  }
}

static void note_instruction(struct noting *in, LLVMValueRef instruction) {
  if (LLVMIsALoadInst(instruction) != NULL) {
    note(in, LLVMGetOperand(instruction, 0), instruction, bytes_of(in, instruction), false);
  } else if (LLVMIsAStoreInst(instruction) != NULL) {
    note(in, LLVMGetOperand(instruction, 1), instruction,
         bytes_of(in, LLVMGetOperand(instruction, 0)), true);
  } else if (LLVMIsACallInst(instruction) != NULL || LLVMIsAInvokeInst(instruction) != NULL) {
    note_operands(in, instruction);
  }
}

void note_addresses(struct unit *unit) {
  struct noting in = {.unit = unit,
                      .builder = LLVMCreateDIBuilderDisallowUnresolved(unit->module),
                      .layout = LLVMGetModuleDataLayout(unit->module)};
  unit->plain = LLVMDIBuilderCreateExpression(in.builder, NULL, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f != NULL; f = LLVMGetNextFunction(f)) {
    in.subprogram = LLVMIsDeclaration(f) ? NULL : LLVMGetSubprogram(f);
    if (in.subprogram == NULL || places_language_function(&unit->places, f) != NULL) {
      continue;
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;
           i = LLVMGetNextInstruction(i)) {
        note_instruction(&in, i);
      }
    }
  }
  LLVMDisposeDIBuilder(in.builder);
}

/* ---- After optimisation ---- */

static LLVMMetadataRef metadata_at(LLVMValueRef call, unsigned operand) {
  return LLVMValueAsMetadata(LLVMGetOperand(call, operand));
}

const struct note *note_of(const struct unit *unit, LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction) == NULL ||
      strcmp(called_name(instruction), "llvm.dbg.value") != 0) {
    return NULL;
  }
  const uint64_t *number =
      map_find(&unit->note_numbers, (uint64_t)(uintptr_t)metadata_at(instruction, 1));
  return number != NULL ? &unit->notes[*number - 1] : NULL;
}

/* True if a path from the entry to `block` avoids `other`. */
static bool is_reached_without(LLVMBasicBlockRef block, LLVMBasicBlockRef other) {
  size_t count = 0;
  size_t room = 0;
  struct map seen = {0};
  LLVMBasicBlockRef *open = grow(NULL, count, &room, sizeof(*open));
  open[count++] = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
  bool is_reached = false;
  while (count > 0 && !is_reached) {
    LLVMBasicBlockRef one = open[--count];
    bool is_new = false;
    map_put(&seen, (uint64_t)(uintptr_t)one, &is_new);
    if (!is_new || one == other) {
      continue;
    }
    is_reached = one == block;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(one);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); ++i) {
      open = grow(open, count, &room, sizeof(*open));
      open[count++] = LLVMGetSuccessor(end, i);
    }
  }
  map_free(&seen);
  free(open);
  return is_reached;
}

/* Optimisation may leave a debug value where its operand is not available. */
static bool is_known_at(LLVMValueRef value, LLVMValueRef place) {
  if (LLVMIsAInstruction(value) == NULL) {
    return true;
  }
  LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
  if (block != LLVMGetInstructionParent(place)) {
    return LLVMIsATerminatorInst(value) == NULL &&
           !is_reached_without(LLVMGetInstructionParent(place), block);
  }
  while (value != NULL && value != place) {
    value = LLVMGetNextInstruction(value);
  }
  return value != NULL;
}

LLVMValueRef described_value(const struct unit *unit, LLVMValueRef instruction) {
  LLVMMetadataRef location = metadata_at(instruction, 0);
  const LLVMMetadataKind kind = LLVMGetMetadataKind(location);
  if (metadata_at(instruction, 2) != unit->plain ||
      (kind != LLVMLocalAsMetadataMetadataKind && kind != LLVMConstantAsMetadataMetadataKind)) {
    return NULL;
  }
  LLVMValueRef value = NULL;
  LLVMGetMDNodeOperands(LLVMGetOperand(instruction, 0), &value);
  return !LLVMIsUndef(value) && is_known_at(value, instruction) ? value : NULL;
}

LLVMValueRef noted_address(const struct unit *unit, LLVMValueRef instruction) {
  LLVMValueRef address = described_value(unit, instruction);
  return address != NULL && LLVMGetTypeKind(LLVMTypeOf(address)) == LLVMPointerTypeKind ? address
                                                                                        : NULL;
}

void remove_notes(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f != NULL; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;) {
        LLVMValueRef next = LLVMGetNextInstruction(i);
        if (note_of(unit, i) != NULL) {
          LLVMInstructionEraseFromParent(i);
        }
        i = next;
      }
    }
  }
}
