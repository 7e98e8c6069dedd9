/* SPDX-License-Identifier: MIT */
#include "onchip.h"

#include <stdlib.h>
#include <string.h>

uint64_t onchip_bytes(LLVMValueRef function) {
  static const char size[] = "dereferenceable";
  LLVMAttributeRef bytes = LLVMGetEnumAttributeAtIndex(
      function, LLVMAttributeReturnIndex, LLVMGetEnumAttributeKindForName(size, sizeof(size) - 1));
  return bytes != NULL ? LLVMGetEnumAttributeValue(bytes) : 0;
}

/* The offset of a file's variable in its memory is a field of a constant structure. */
static LLVMValueRef constant_place(LLVMValueRef value) {
  if (LLVMIsALoadInst(value) == NULL) {
    return value;
  }
  LLVMValueRef object = LLVMGetOperand(value, 0);
  while (LLVMIsAConstantExpr(object) != NULL) {
    object = LLVMGetOperand(object, 0);
  }
  LLVMValueRef reach_of_it =
      LLVMIsAGlobalVariable(object) != NULL ? LLVMGetInitializer(object) : NULL;
  return reach_of_it != NULL && LLVMGetNumOperands(reach_of_it) > 0 ? LLVMGetOperand(reach_of_it, 0)
                                                                    : value;
}

bool onchip_variable(LLVMValueRef call, struct onchip *variable) {
  static const char space[] = "L9bangSpace";
  size_t length = 0;
  const bool calls = LLVMIsACallInst(call) != NULL || LLVMIsAInvokeInst(call) != NULL;
  LLVMValueRef called = calls ? LLVMGetCalledValue(call) : NULL;
  if (called == NULL || LLVMIsAFunction(called) == NULL) {
    return false;
  }
  const char *name = LLVMGetValueName2(called, &length);
  const char *number = strstr(name, space);
  if (number == NULL || strstr(name, "13__bang_onchip") == NULL) {
    return false;
  }
  LLVMValueRef place = constant_place(LLVMGetOperand(call, 0));
  if (LLVMIsAConstantInt(place) == NULL) {
    return false;
  }
  variable->space = (bangSpace)atoi(number + sizeof(space) - 1);
  variable->at = LLVMConstIntGetZExtValue(place);
  variable->bytes = onchip_bytes(called);
  return variable->bytes != 0;
}
