/* SPDX-License-Identifier: MIT */
#include "insert.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"

/* Indices of fields in struct card_counters, in 64-bit words. */
enum { AT_CYCLES, AT_WAITS, AT_ACCESSES, AT_NRAM_START, AT_NRAM_BYTES, AT_STRETCHES };
_Static_assert(offsetof(struct card_counters, cycles) == 8 * AT_CYCLES &&
                   offsetof(struct card_counters, waits) == 8 * AT_WAITS &&
                   offsetof(struct card_counters, accesses) == 8 * AT_ACCESSES &&
                   offsetof(struct card_counters, nram_start) == 8 * AT_NRAM_START &&
                   offsetof(struct card_counters, nram_bytes) == 8 * AT_NRAM_BYTES &&
                   offsetof(struct card_counters, stretches) == 8 * AT_STRETCHES,
               "the code that is put in counts in words");

enum { MAX_ARGUMENTS = 24 };

static LLVMValueRef word(const struct inserter *in, uint32_t value) {
  return LLVMConstInt(in->word, value, 0);
}

static LLVMValueRef hook(const struct inserter *in, const char *name, LLVMTypeRef type) {
  LLVMValueRef found = LLVMGetNamedFunction(in->unit->module, name);
  return found != NULL ? found : LLVMAddFunction(in->unit->module, name, type);
}

static void call_hook(const struct inserter *in, const char *name, LLVMTypeRef *types,
                      LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(in->unit->context), types, count, 0);
  LLVMBuildCall2(in->builder, type, hook(in, name, type), arguments, count, "");
}

/* ---- At the beginning ---- */

static LLVMValueRef counter(const struct inserter *in, unsigned place) {
  LLVMValueRef index = LLVMConstInt(in->wide, place, 0);
  return LLVMBuildInBoundsGEP2(in->builder, in->wide, in->counters, &index, 1, "");
}

static void begin_function(struct inserter *in) {
  struct unit *unit = in->unit;
  LLVMTypeRef words = LLVMPointerType(in->wide, 0);
  LLVMTypeRef module = LLVMTypeOf(unit->descriptor);
  LLVMTypeRef type = LLVMFunctionType(words, &module, 1, 0);
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(in->function));
  while (LLVMIsAAllocaInst(first) != NULL) {
    first = LLVMGetNextInstruction(first);
  }
  LLVMPositionBuilderBefore(in->builder, first);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(in->function);
  if (subprogram != NULL) {
    LLVMSetCurrentDebugLocation2(
        in->builder, LLVMDIBuilderCreateDebugLocation(
                         unit->context, LLVMDISubprogramGetLine(subprogram), 0, subprogram, NULL));
  }
  in->counters = LLVMBuildCall2(in->builder, type, hook(in, "__bang_card_enter", type),
                                &unit->descriptor, 1, "");
  LLVMValueRef list =
      LLVMBuildBitCast(in->builder, counter(in, AT_STRETCHES), LLVMPointerType(words, 0), "");
  in->stretches = LLVMBuildLoad2(in->builder, words, list, "");
}

void inserter_init(struct inserter *in, struct unit *unit, LLVMValueRef function) {
  *in = (struct inserter){.unit = unit, .function = function};
  in->builder = LLVMCreateBuilderInContext(unit->context);
  in->layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(unit->module));
  in->word = LLVMInt32TypeInContext(unit->context);
  in->wide = LLVMInt64TypeInContext(unit->context);
  in->bytes = LLVMPointerType(LLVMInt8TypeInContext(unit->context), 0);
  begin_function(in);
}

void inserter_free(struct inserter *in) {
  LLVMDisposeTargetData(in->layout);
  LLVMDisposeBuilder(in->builder);
}

/* ---- Counting ---- */

static void go_before(struct inserter *in, LLVMValueRef instruction) {
  LLVMPositionBuilderBefore(in->builder, instruction);
  LLVMSetCurrentDebugLocation2(in->builder, LLVMInstructionGetDebugLoc(instruction));
}

static void add_to(struct inserter *in, LLVMValueRef place, uint32_t amount) {
  LLVMValueRef value = LLVMBuildLoad2(in->builder, in->wide, place, "");
  value = LLVMBuildAdd(in->builder, value, LLVMConstInt(in->wide, amount, 0), "");
  LLVMBuildStore(in->builder, value, place);
}

void insert_stretch(struct inserter *in, LLVMValueRef before, const struct stretch *stretch) {
  go_before(in, before);
  add_to(in, counter(in, AT_CYCLES), stretch->cycles);
  if (stretch->waits != 0) {
    add_to(in, counter(in, AT_WAITS), stretch->waits);
  }
  if (stretch->accesses != 0) {
    add_to(in, counter(in, AT_ACCESSES), stretch->accesses);
  }
  LLVMValueRef index = LLVMConstInt(in->wide, stretch->number, 0);
  add_to(in, LLVMBuildInBoundsGEP2(in->builder, in->wide, in->stretches, &index, 1, ""), 1);
}

/* ---- Accesses ---- */

/* Splits the block before an instruction. The second half keeps the block, so that phis of its
 * successors stay valid; the first half becomes a new block, which is returned without a
 * terminator. */
static LLVMBasicBlockRef split_before(struct inserter *in, LLVMValueRef instruction) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(in->unit->context, block, "");
  LLVMPositionBuilderAtEnd(in->builder, head);
  LLVMSetCurrentDebugLocation2(in->builder, NULL);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != instruction;) {
    LLVMValueRef next = LLVMGetNextInstruction(i);
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(in->builder, i);
    LLVMInstructionSetDebugLoc(i, location);
    i = next;
  }
  /* The terminator must be outside while uses of the block are replaced, else phis of the
   * successors would name the new block. */
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(end);
  LLVMInstructionRemoveFromParent(end);
  LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(head));
  LLVMPositionBuilderAtEnd(in->builder, block);
  LLVMInsertIntoBuilder(in->builder, end);
  LLVMInstructionSetDebugLoc(end, location);
  return head;
}

/* Begins a block that runs only if the condition holds, and positions the builder in it. The caller
 * ends it with a branch to the returned block. */
static LLVMBasicBlockRef begin_rare(struct inserter *in, LLVMValueRef instruction,
                                    LLVMValueRef condition) {
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  LLVMBasicBlockRef head = split_before(in, instruction);
  LLVMBasicBlockRef rest = LLVMGetInstructionParent(instruction);
  LLVMBasicBlockRef rare = LLVMAppendBasicBlockInContext(in->unit->context, in->function, "");
  LLVMPositionBuilderAtEnd(in->builder, head);
  LLVMSetCurrentDebugLocation2(in->builder, location);
  LLVMBuildCondBr(in->builder, condition, rare, rest);
  LLVMPositionBuilderAtEnd(in->builder, rare);
  LLVMSetCurrentDebugLocation2(in->builder, location);
  return rest;
}

static uint32_t what_of(const struct access *access) {
  return access->bytes | (access->writes ? CARD_ACCESS_WRITES : 0) |
         (access->is_atomic ? CARD_ACCESS_ATOMIC : 0) |
         (access->is_private || access->is_checked_later ? CARD_ACCESS_UNCHECKED : 0);
}

/* True at run time if accesses are checked. */
static LLVMValueRef is_checking(struct inserter *in) {
  LLVMValueRef bytes = LLVMBuildLoad2(in->builder, in->wide, counter(in, AT_NRAM_BYTES), "");
  return LLVMBuildICmp(in->builder, LLVMIntEQ, bytes, LLVMConstInt(in->wide, 0, 0), "");
}

static LLVMValueRef is_outside_nram(struct inserter *in, LLVMValueRef pointer) {
  LLVMValueRef address = LLVMBuildPtrToInt(in->builder, pointer, in->wide, "");
  LLVMValueRef start = LLVMBuildLoad2(in->builder, in->wide, counter(in, AT_NRAM_START), "");
  LLVMValueRef bytes = LLVMBuildLoad2(in->builder, in->wide, counter(in, AT_NRAM_BYTES), "");
  LLVMValueRef offset = LLVMBuildSub(in->builder, address, start, "");
  return LLVMBuildICmp(in->builder, LLVMIntUGE, offset, bytes, "");
}

static void call_access(struct inserter *in, LLVMValueRef before, const struct access *access,
                        uint32_t what, LLVMValueRef condition) {
  LLVMBasicBlockRef rest = begin_rare(in, before, condition);
  LLVMTypeRef types[] = {in->word, in->bytes, in->word};
  LLVMValueRef arguments[] = {word(in, access->site | (access->is_part ? PART_OF_FUNCTION : 0)),
                              LLVMBuildBitCast(in->builder, access->pointer, in->bytes, ""),
                              word(in, what)};
  call_hook(in, "__bang_card_access", types, arguments, 3);
  LLVMBuildBr(in->builder, rest);
}

void insert_access(struct inserter *in, LLVMValueRef instruction, const struct access *access) {
  go_before(in, instruction);
  call_access(in, instruction, access, what_of(access),
              access->is_part ? is_checking(in) : is_outside_nram(in, access->pointer));
}

void insert_counted_access(struct inserter *in, LLVMValueRef before, const struct access *access,
                           LLVMValueRef condition) {
  go_before(in, before);
  call_access(in, before, access, what_of(access) | CARD_ACCESS_COUNTED,
              LLVMBuildAnd(in->builder, is_checking(in), condition, ""));
}

/* 0 if unknown. */
static uint64_t bytes_of_array(const struct inserter *in, LLVMValueRef array) {
  if (LLVMIsAGlobalVariable(array) != NULL) {
    return LLVMABISizeOfType(in->layout, LLVMGlobalGetValueType(array));
  }
  LLVMValueRef count = LLVMGetOperand(array, 0);
  return LLVMIsAConstantInt(count) != NULL
             ? LLVMABISizeOfType(in->layout, LLVMGetAllocatedType(array)) *
                   LLVMConstIntGetZExtValue(count)
             : 0;
}

void insert_indexed(struct inserter *in, LLVMValueRef instruction, const struct access *access,
                    LLVMValueRef array) {
  const uint64_t size = bytes_of_array(in, array);
  if (size == 0) {
    return;
  }
  go_before(in, instruction);
  LLVMBasicBlockRef rest = begin_rare(in, instruction, is_checking(in));
  LLVMTypeRef types[] = {in->word, in->bytes, in->wide, in->bytes, in->word};
  LLVMValueRef arguments[] = {
      word(in, access->site), LLVMBuildBitCast(in->builder, array, in->bytes, ""),
      LLVMConstInt(in->wide, size, 0),
      LLVMBuildBitCast(in->builder, access->pointer, in->bytes, ""), word(in, what_of(access))};
  call_hook(in, "__bang_card_indexed", types, arguments, 5);
  LLVMBuildBr(in->builder, rest);
}

void insert_derived(struct inserter *in, LLVMValueRef before, const struct note *note,
                    LLVMValueRef address, uint32_t site) {
  go_before(in, before);
  LLVMBasicBlockRef rest = begin_rare(in, before, is_checking(in));
  const struct access access = {.bytes = note->bytes, .writes = note->writes};
  LLVMTypeRef types[] = {in->word, in->word, in->wide, in->wide, in->bytes, in->word};
  LLVMValueRef arguments[] = {word(in, site),
                              word(in, note->variable.space),
                              LLVMConstInt(in->wide, note->variable.at, 0),
                              LLVMConstInt(in->wide, note->variable.bytes, 0),
                              LLVMBuildBitCast(in->builder, address, in->bytes, ""),
                              word(in, what_of(&access))};
  call_hook(in, "__bang_card_derived", types, arguments, 6);
  LLVMBuildBr(in->builder, rest);
}

void insert_stack(struct inserter *in, LLVMValueRef before, const struct stack_object *objects,
                  size_t count, enum card_stack event) {
  if (count == 0) {
    return;
  }
  go_before(in, before);
  LLVMBasicBlockRef rest = begin_rare(in, before, is_checking(in));
  LLVMTypeRef types[] = {in->bytes, in->wide, in->word};
  for (size_t i = 0; i < count; ++i) {
    LLVMValueRef arguments[] = {LLVMBuildBitCast(in->builder, objects[i].variable, in->bytes, ""),
                                LLVMConstInt(in->wide, objects[i].bytes, 0), word(in, event)};
    call_hook(in, "__bang_card_stack", types, arguments, 3);
  }
  LLVMBuildBr(in->builder, rest);
}

void insert_division(struct inserter *in, LLVMValueRef division, uint32_t site) {
  LLVMValueRef divisor = LLVMGetOperand(division, 1);
  if (LLVMGetTypeKind(LLVMTypeOf(divisor)) != LLVMIntegerTypeKind) {
    return;
  }
  go_before(in, division);
  LLVMValueRef zero =
      LLVMBuildICmp(in->builder, LLVMIntEQ, divisor, LLVMConstNull(LLVMTypeOf(divisor)), "");
  LLVMBasicBlockRef rest = begin_rare(in, division, zero);
  LLVMTypeRef types[] = {in->word};
  LLVMValueRef arguments[] = {word(in, site)};
  call_hook(in, "__bang_card_divided_by_zero", types, arguments, 1);
  LLVMBuildBr(in->builder, rest);
}

void insert_memory(struct inserter *in, LLVMValueRef call, uint32_t site, bool is_part) {
  const bool fills = strstr(called_name(call), "memset") != NULL;
  go_before(in, call);
  LLVMBasicBlockRef rest = is_part ? begin_rare(in, call, is_checking(in)) : NULL;
  LLVMTypeRef types[] = {in->word, in->bytes, in->bytes, in->wide};
  LLVMValueRef arguments[] = {
      word(in, site | (is_part ? PART_OF_FUNCTION : 0)),
      LLVMBuildBitCast(in->builder, LLVMGetOperand(call, 0), in->bytes, ""),
      fills ? LLVMConstNull(in->bytes)
            : LLVMBuildBitCast(in->builder, LLVMGetOperand(call, 1), in->bytes, ""),
      LLVMBuildIntCast2(in->builder, LLVMGetOperand(call, 2), in->wide, 0, "")};
  call_hook(in, "__bang_card_memory", types, arguments, 4);
  if (is_part) {
    LLVMBuildBr(in->builder, rest);
  }
}

/* ---- Entry points ---- */

void set_site(struct inserter *in, LLVMValueRef call, uint32_t site) {
  LLVMSetOperand(call, 0, word(in, site));
}

void replace_call(struct inserter *in, LLVMValueRef call, uint32_t site) {
  const char *entry = called_name(call);
  LLVMTypeRef entry_type = LLVMGetCalledFunctionType(call);
  const unsigned count = LLVMCountParamTypes(entry_type);
  LLVMTypeRef types[MAX_ARGUMENTS];
  LLVMValueRef arguments[MAX_ARGUMENTS];
  char name[128];
  if (count + 1 > MAX_ARGUMENTS) {
    fail("%s has too many parameters", entry);
  }
  snprintf(name, sizeof(name), "__bang_card_%s", entry + strlen("__bang_"));
  types[0] = in->word;
  arguments[0] = word(in, site);
  LLVMGetParamTypes(entry_type, types + 1);
  for (unsigned i = 0; i < count; ++i) {
    arguments[i + 1] = LLVMGetOperand(call, i);
  }
  LLVMTypeRef type = LLVMFunctionType(LLVMGetReturnType(entry_type), types, count + 1, 0);
  LLVMValueRef target = hook(in, name, type);
  go_before(in, call);
  LLVMValueRef made = LLVMIsAInvokeInst(call) != NULL
                          ? LLVMBuildInvoke2(in->builder, type, target, arguments, count + 1,
                                             LLVMGetNormalDest(call), LLVMGetUnwindDest(call), "")
                          : LLVMBuildCall2(in->builder, type, target, arguments, count + 1, "");
  LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
}

/* ---- Tasks ---- */

void insert_needs(struct unit *unit, LLVMValueRef function, uint64_t nram_bytes) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
  LLVMTypeRef wide = LLVMInt64TypeInContext(unit->context);
  LLVMTypeRef types[] = {wide, LLVMInt32TypeInContext(unit->context)};
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(unit->context), types, 2, 0);
  LLVMValueRef hook = LLVMGetNamedFunction(unit->module, "__bang_card_needs");
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  LLVMValueRef arguments[] = {LLVMConstInt(types[0], nram_bytes, 0),
                              LLVMConstInt(types[1], (unsigned)unit->architecture, 0)};
  while (LLVMIsAAllocaInst(first) != NULL) {
    first = LLVMGetNextInstruction(first);
  }
  LLVMPositionBuilderBefore(builder, first);
  if (subprogram != NULL) {
    LLVMSetCurrentDebugLocation2(
        builder, LLVMDIBuilderCreateDebugLocation(
                     unit->context, LLVMDISubprogramGetLine(subprogram), 0, subprogram, NULL));
  }
  if (hook == NULL) {
    hook = LLVMAddFunction(unit->module, "__bang_card_needs", type);
  }
  LLVMBuildCall2(builder, type, hook, arguments, 2, "");
  LLVMDisposeBuilder(builder);
}
