/* SPDX-License-Identifier: MIT */
#include "cost.h"

#include <string.h>

#include "board.h"
#include "events.h"
#include "language.h"

static const struct card_board *board;

void cost_choose_board(int64_t architecture) {
  board = card_board_at(0);
  for (size_t i = 0; card_board_at(i) != NULL; ++i) {
    if (card_board_at(i)->architecture == architecture) {
      board = card_board_at(i);
      return;
    }
  }
}

unsigned cost_window(void) {
  return (unsigned)board->scalar_window;
}

static unsigned cycles_of(enum scalar_class class) {
  switch (class) {
    case SCALAR_FLOAT:
      return (unsigned)board->scalar_float_cycles;
    case SCALAR_PRODUCT:
      return (unsigned)board->scalar_multiply_cycles;
    case SCALAR_DIVISION:
      return (unsigned)board->scalar_divide_cycles;
    case SCALAR_HALF_DIVISION:
      return (unsigned)board->scalar_divide_fp16_cycles;
    case SCALAR_FUNCTION:
      return (unsigned)board->scalar_function_cycles;
    case SCALAR_TWO_FUNCTIONS:
      return 2 * (unsigned)board->scalar_function_cycles;
    case SCALAR_BRANCH:
      return (unsigned)board->scalar_branch_cycles;
    case SCALAR_CALL:
      return (unsigned)board->scalar_call_cycles;
    case SCALAR_LOAD:
      return CARD_LOAD_TO_USE;
    default:
      return (unsigned)board->scalar_integer_cycles;
  }
}

/* Pipelined instructions issue in one cycle; blocking ones occupy the unit until their result is
 * ready. */
static struct cost pipelined(enum scalar_class class) {
  return (struct cost){.slots = HALF_CYCLES, .latency = cycles_of(class) * HALF_CYCLES};
}

static struct cost blocking(enum scalar_class class) {
  const uint32_t halves = cycles_of(class) * HALF_CYCLES;
  return (struct cost){.slots = halves, .latency = halves};
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

/* True if the value is used only to compute addresses of accesses, through at most `depth` further
 * instructions. */
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

static struct cost cost_of_integer(LLVMValueRef instruction, enum scalar_class class) {
  const struct cost cost = pipelined(class);
  if (only_for_addresses(instruction, 3)) {
    return (struct cost){.slots = 1, .latency = 1};
  }
  return cost;
}

/* A comparison whose only use is a branch costs nothing: it is part of the branch. */
static bool only_decides(LLVMValueRef comparison) {
  LLVMUseRef use = LLVMGetFirstUse(comparison);
  return use != NULL && LLVMGetNextUse(use) == NULL && LLVMIsABranchInst(LLVMGetUser(use)) != NULL;
}

static const struct {
  const char *name; /* name of the intrinsic after "llvm." */
  enum scalar_class class;
} intrinsics[] = {
    {"abs", SCALAR_PLAIN},      {"bswap", SCALAR_PLAIN},     {"ceil", SCALAR_FLOAT},
    {"copysign", SCALAR_PLAIN}, {"cos", SCALAR_FUNCTION},    {"ctlz", SCALAR_PLAIN},
    {"ctpop", SCALAR_PLAIN},    {"cttz", SCALAR_PLAIN},      {"exp", SCALAR_FUNCTION},
    {"fabs", SCALAR_PLAIN},     {"floor", SCALAR_FLOAT},     {"fma", SCALAR_FLOAT},
    {"fmuladd", SCALAR_FLOAT},  {"fptosi", SCALAR_FLOAT},    {"fptoui", SCALAR_FLOAT},
    {"fshl", SCALAR_PLAIN},     {"fshr", SCALAR_PLAIN},      {"log", SCALAR_FUNCTION},
    {"maximum", SCALAR_FLOAT},  {"maxnum", SCALAR_FLOAT},    {"minimum", SCALAR_FLOAT},
    {"minnum", SCALAR_FLOAT},   {"nearbyint", SCALAR_FLOAT}, {"pow", SCALAR_TWO_FUNCTIONS},
    {"rint", SCALAR_FLOAT},     {"round", SCALAR_FLOAT},     {"sadd", SCALAR_PLAIN},
    {"sin", SCALAR_FUNCTION},   {"smax", SCALAR_PLAIN},      {"smin", SCALAR_PLAIN},
    {"smul", SCALAR_PRODUCT},   {"sqrt", SCALAR_DIVISION},   {"ssub", SCALAR_PLAIN},
    {"trunc", SCALAR_FLOAT},    {"uadd", SCALAR_PLAIN},      {"umax", SCALAR_PLAIN},
    {"umin", SCALAR_PLAIN},     {"umul", SCALAR_PRODUCT},    {"usub", SCALAR_PLAIN},
};

static struct cost cost_of_intrinsic(const char *name) {
  for (size_t i = 0; i < sizeof(intrinsics) / sizeof(*intrinsics); ++i) {
    if (strncmp(name + 5, intrinsics[i].name, strlen(intrinsics[i].name)) == 0) {
      return pipelined(intrinsics[i].class);
    }
  }
  return nothing; /* debug information, lifetimes, assumptions; memory functions are counted at run
                     time */
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
    return language_is_instruction(name) ? pipelined(SCALAR_PLAIN) : nothing;
  }
  const enum scalar_class library = language_library_class(name);
  if (library == SCALAR_NONE) {
    return blocking(SCALAR_CALL);
  }
  return library == SCALAR_FLOAT ? pipelined(library) : blocking(library);
}

static struct cost cost_of_arithmetic(LLVMValueRef instruction, LLVMOpcode opcode) {
  switch (opcode) {
    case LLVMMul:
      return cost_of_integer(instruction, SCALAR_PRODUCT);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
      return blocking(SCALAR_DIVISION);
    case LLVMFDiv:
    case LLVMFRem:
      return blocking(is_half(instruction) ? SCALAR_HALF_DIVISION : SCALAR_DIVISION);
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
      return pipelined(SCALAR_FLOAT);
    default:
      return cost_of_integer(instruction, SCALAR_PLAIN);
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
        return pipelined(SCALAR_PLAIN); /* a register */
      }
      struct cost cost = pipelined(SCALAR_LOAD);
      cost.loads = true;
      return cost;
    }
    case LLVMStore: {
      struct cost cost = pipelined(SCALAR_PLAIN);
      cost.stores = true;
      return cost;
    }
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: {
      struct cost cost = pipelined(SCALAR_LOAD);
      cost.loads = cost.stores = true;
      return cost;
    }
    case LLVMBr:
      return LLVMIsConditional(instruction) ? blocking(SCALAR_BRANCH) : pipelined(SCALAR_PLAIN);
    case LLVMSwitch:
    case LLVMIndirectBr: {
      struct cost cost = blocking(SCALAR_BRANCH); /* find the target, then branch */
      cost.slots *= 2;
      return cost;
    }
    case LLVMRet:
      return blocking(SCALAR_BRANCH);
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
      return only_decides(instruction) ? nothing : cost_of_integer(instruction, SCALAR_PLAIN);
    default:
      return cost_of_arithmetic(instruction, opcode);
  }
}
