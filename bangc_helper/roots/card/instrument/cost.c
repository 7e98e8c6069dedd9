/* SPDX-License-Identifier: MIT */
#include "cost.h"

#include <string.h>

#include "events.h"
#include "language.h"

/* Cycles, by the developers' guide: additions 2, divisions 16 (8 of halves), nonlinear functions 6
 * to
 * 18. A loop of three loads, a multiplication, an addition and a store takes 30. */
enum {
  PLAIN = 1,
  FLOAT = 2,
  PRODUCT = 2,
  DIVISION = 16,
  HALF_DIVISION = 8,
  NONLINEAR = 18,
  LOAD = CARD_LOAD_TO_USE,
  BRANCH = 3, /* with its delay slots */
  CALL = 4,
};

static struct cost plain(unsigned cycles, unsigned latency) {
  return (struct cost){.slots = cycles * HALF_CYCLES, .latency = latency * HALF_CYCLES};
}

static const struct cost nothing = {0, 0, false, false};

const char *called_name(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length = 0;
  return LLVMIsAFunction(callee) != NULL ? LLVMGetValueName2(callee, &length) : "";
}

static bool is_address_work(LLVMOpcode opcode) {
  return opcode == LLVMGetElementPtr || opcode == LLVMAdd || opcode == LLVMSub ||
         opcode == LLVMMul || opcode == LLVMShl || opcode == LLVMSExt || opcode == LLVMZExt ||
         opcode == LLVMTrunc || opcode == LLVMBitCast || opcode == LLVMIntToPtr;
}

/* Does the value serve only as, or for, the address of an access? Two steps are looked at: an index
 * and its element. */
static bool only_for_addresses(LLVMValueRef value, unsigned depth) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  if (use == NULL) {
    return false;
  }
  for (; use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user) != NULL) {
      continue;
    }
    if (LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 1) == value) {
      continue;
    }
    const bool goes_on = depth != 0 && LLVMIsAInstruction(user) != NULL &&
                         is_address_work(LLVMGetInstructionOpcode(user));
    if (!goes_on || !only_for_addresses(user, depth - 1)) {
      return false;
    }
  }
  return true;
}

static bool is_half(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMHalfTypeKind;
}

bool is_builtin_variable(LLVMValueRef pointer) {
  size_t length = 0;
  return LLVMIsAGlobalVariable(pointer) != NULL && LLVMIsThreadLocal(pointer) &&
         strncmp(LLVMGetValueName2(pointer, &length), "__bang_", 7) == 0;
}

static struct cost cost_of_integer(LLVMValueRef instruction, unsigned latency) {
  const struct cost cost = plain(PLAIN, latency);
  if (only_for_addresses(instruction, 3)) {
    return (struct cost){.slots = 1, .latency = 1};
  }
  return cost;
}

/* A comparison that only decides a branch is part of it. */
static bool only_decides(LLVMValueRef comparison) {
  LLVMUseRef use = LLVMGetFirstUse(comparison);
  return use != NULL && LLVMGetNextUse(use) == NULL && LLVMIsABranchInst(LLVMGetUser(use)) != NULL;
}

static const struct {
  const char *name; /* of the intrinsic, after "llvm." */
  unsigned cycles;
} intrinsics[] = {
    {"abs", PLAIN},     {"bswap", PLAIN},   {"ceil", FLOAT},      {"copysign", PLAIN},
    {"cos", NONLINEAR}, {"ctlz", PLAIN},    {"ctpop", PLAIN},     {"cttz", PLAIN},
    {"exp", NONLINEAR}, {"fabs", PLAIN},    {"floor", FLOAT},     {"fma", FLOAT},
    {"fmuladd", FLOAT}, {"fptosi", FLOAT},  {"fptoui", FLOAT},    {"fshl", PLAIN},
    {"fshr", PLAIN},    {"log", NONLINEAR}, {"maximum", FLOAT},   {"maxnum", FLOAT},
    {"minimum", FLOAT}, {"minnum", FLOAT},  {"nearbyint", FLOAT}, {"pow", 2 * NONLINEAR},
    {"rint", FLOAT},    {"round", FLOAT},   {"sadd", PLAIN},      {"sin", NONLINEAR},
    {"smax", PLAIN},    {"smin", PLAIN},    {"smul", PRODUCT},    {"sqrt", DIVISION},
    {"ssub", PLAIN},    {"trunc", FLOAT},   {"uadd", PLAIN},      {"umax", PLAIN},
    {"umin", PLAIN},    {"umul", PRODUCT},  {"usub", PLAIN},
};

static struct cost cost_of_intrinsic(const char *name) {
  for (size_t i = 0; i < sizeof(intrinsics) / sizeof(*intrinsics); ++i) {
    if (strncmp(name + 5, intrinsics[i].name, strlen(intrinsics[i].name)) == 0) {
      return plain(PLAIN, intrinsics[i].cycles);
    }
  }
  return nothing; /* debug information, lifetimes, assumptions; memory functions are counted when
                     run */
}

static struct cost cost_of_call(LLVMValueRef call) {
  const char *name = called_name(call);
  if (strncmp(name, "llvm.", 5) == 0) {
    return cost_of_intrinsic(name);
  }
  if (language_is_thread_setup(name)) {
    return nothing;
  }
  if (strncmp(name, "__bang_", 7) == 0) {
    return language_is_instruction(name) ? plain(PLAIN, PLAIN) : nothing;
  }
  const unsigned library = language_library_cycles(name);
  return library != 0 ? plain(library > FLOAT ? library : PLAIN, library) : plain(CALL, CALL);
}

static struct cost cost_of_arithmetic(LLVMValueRef instruction, LLVMOpcode opcode) {
  switch (opcode) {
    case LLVMMul:
      return cost_of_integer(instruction, PRODUCT);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
      return plain(DIVISION, DIVISION);
    case LLVMFDiv:
    case LLVMFRem:
      return is_half(instruction) ? plain(HALF_DIVISION, HALF_DIVISION) : plain(DIVISION, DIVISION);
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFNeg:
    case LLVMFCmp:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
    case LLVMFPTrunc:
      return plain(PLAIN, FLOAT);
    default:
      return cost_of_integer(instruction, PLAIN);
  }
}

struct cost cost_of(LLVMValueRef instruction, enum layer layer) {
  if (layer != LAYER_KERNEL) {
    return nothing;
  }
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  switch (opcode) {
    case LLVMLoad: {
      if (is_builtin_variable(LLVMGetOperand(instruction, 0))) {
        return plain(PLAIN, PLAIN); /* a register */
      }
      struct cost cost = plain(PLAIN, LOAD);
      cost.loads = true;
      return cost;
    }
    case LLVMStore: {
      struct cost cost = plain(PLAIN, PLAIN);
      cost.stores = true;
      return cost;
    }
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: {
      struct cost cost = plain(PLAIN, LOAD);
      cost.loads = cost.stores = true;
      return cost;
    }
    case LLVMBr:
      return LLVMIsConditional(instruction) ? plain(BRANCH, BRANCH) : plain(PLAIN, PLAIN);
    case LLVMSwitch:
    case LLVMIndirectBr:
      return plain(2 * BRANCH, BRANCH);
    case LLVMRet:
      return plain(BRANCH, BRANCH);
    case LLVMCall:
    case LLVMInvoke:
      return cost_of_call(instruction);
    case LLVMPHI:
    case LLVMAlloca:
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMFreeze:
    case LLVMFence:
    case LLVMUnreachable:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMAddrSpaceCast:
      return nothing;
    case LLVMICmp:
      return only_decides(instruction) ? nothing : cost_of_integer(instruction, PLAIN);
    default:
      return cost_of_arithmetic(instruction, opcode);
  }
}
