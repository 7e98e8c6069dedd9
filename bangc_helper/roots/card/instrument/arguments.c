/* SPDX-License-Identifier: MIT
 *
 * Structures that are passed by value. Some targets pass the address of a copy without saying that
 * it is one, and their code would be optimised less. Here every such parameter is marked: memory
 * that the caller made for one call only has no other users.
 */
#include <llvm-c/Target.h>
#include <string.h>

#include "cost.h"
#include "unit.h"

/* True if the address is used only by this call and by the code that fills the memory before it. */
static bool is_for_one_call(LLVMValueRef address, LLVMValueRef call) {
  for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (user == call || LLVMIsALoadInst(user) != NULL) {
      continue;
    }
    if (LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) != address) {
      continue;
    }
    if ((LLVMIsABitCastInst(user) != NULL || LLVMIsAGetElementPtrInst(user) != NULL) &&
        is_for_one_call(user, call)) {
      continue;
    }
    const bool is_intrinsic =
        LLVMIsACallInst(user) != NULL && strncmp(called_name(user), "llvm.", 5) == 0;
    if (!is_intrinsic) {
      return false;
    }
  }
  return true;
}

static bool calls(LLVMValueRef user, LLVMValueRef function) {
  return LLVMIsACallInst(user) != NULL && LLVMGetCalledValue(user) == function;
}

/* Kernels are called only by the function that starts a task; other uses take their address to
 * identify them. */
static bool is_kernel(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (calls(user, function)) {
      size_t length = 0;
      LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
      const char *name = LLVMGetValueName2(caller, &length);
      if (strncmp(name, "_ZNK15__bang_function", 21) == 0) {
        return true;
      }
    }
  }
  return false;
}

/* True if all calls of the function are in this file. Device functions carry the file's tag in
 * their names, so inline ones of several files are not merged. */
static bool is_of_this_file(LLVMValueRef function) {
  size_t length = 0;
  const LLVMLinkage linkage = LLVMGetLinkage(function);
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
         strstr(LLVMGetValueName2(function, &length), "B20mlu_") != NULL || is_kernel(function);
}

/* True if the parameter is private memory in all calls. */
static bool is_private(LLVMValueRef function, unsigned index) {
  bool is_called = false;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!calls(call, function)) {
      if (is_kernel(function)) {
        continue;
      }
      return false;
    }
    LLVMValueRef address = LLVMGetOperand(call, index);
    if (LLVMIsAAllocaInst(address) == NULL || !is_for_one_call(address, call)) {
      return false;
    }
    is_called = true;
  }
  return is_called;
}

static bool is_structure(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
         LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMStructTypeKind;
}

static void add_attribute(struct unit *unit, LLVMValueRef function, unsigned index,
                          const char *name, uint64_t value) {
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(unit->context, kind, value));
}

void mark_private_arguments(struct unit *unit) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(unit->module);
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !is_of_this_file(f)) {
      continue;
    }
    const unsigned count = LLVMCountParams(f);
    for (unsigned i = 0; i < count; ++i) {
      LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(f, i));
      if (is_structure(type) && is_private(f, i)) {
        LLVMTypeRef structure = LLVMGetElementType(type);
        add_attribute(unit, f, i + 1, "noalias", 0);
        add_attribute(unit, f, i + 1, "dereferenceable", LLVMABISizeOfType(layout, structure));
        add_attribute(unit, f, i + 1, "align", LLVMABIAlignmentOfType(layout, structure));
      }
    }
  }
}
