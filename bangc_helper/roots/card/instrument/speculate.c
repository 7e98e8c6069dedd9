/* SPDX-License-Identifier: MIT */
#include "speculate.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "cost.h"
#include "language.h"

/* ---- Loads and their source locations ---- */

/* Every load gets a number in its name. Optimisation keeps names, and passes that move an
 * instruction above a branch drop or replace its debug location. */
static const char load_name[] = "load %zu of the source";

void remember_loads(struct unit *unit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f != NULL; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;
           i = LLVMGetNextInstruction(i)) {
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
        if (LLVMIsALoadInst(i) == NULL || location == NULL) {
          continue;
        }
        char name[64];
        const int length = snprintf(name, sizeof(name), load_name, unit->load_count);
        LLVMSetValueName2(i, name, (size_t)length);
        unit->loads = grow(unit->loads, unit->load_count, &unit->load_room, sizeof(*unit->loads));
        unit->loads[unit->load_count++] = location;
      }
    }
  }
}

LLVMMetadataRef remembered_location(const struct unit *unit, LLVMValueRef load) {
  size_t length = 0;
  size_t number = 0;
  const bool is_named = sscanf(LLVMGetValueName2(load, &length), load_name, &number) == 1;
  return is_named && number < unit->load_count ? unit->loads[number] : NULL;
}

bool is_speculated(const struct unit *unit, LLVMValueRef load) {
  LLVMMetadataRef then = remembered_location(unit, load);
  LLVMMetadataRef now = LLVMInstructionGetDebugLoc(load);
  if (then == NULL || now == NULL) {
    return true;
  }
  /* Line 0 marks two loads that were merged into one, which runs in both cases. */
  const unsigned line = LLVMDILocationGetLine(now);
  return line != 0 && (line != LLVMDILocationGetLine(then) ||
                       LLVMDILocationGetColumn(now) != LLVMDILocationGetColumn(then) ||
                       LLVMDILocationGetScope(now) != LLVMDILocationGetScope(then));
}

/* ---- Where values are used ---- */

/* Part of a block without side effects; `end` is the first instruction that has one. */
struct window {
  LLVMBasicBlockRef block;
  LLVMValueRef end;
};

static bool is_computation(LLVMValueRef call) {
  static const char attribute[] = "readnone";
  LLVMValueRef called = LLVMGetCalledValue(call);
  const unsigned kind = LLVMGetEnumAttributeKindForName(attribute, sizeof(attribute) - 1);
  return LLVMIsAFunction(called) != NULL &&
         (LLVMGetEnumAttributeAtIndex(called, LLVMAttributeFunctionIndex, kind) != NULL ||
          strncmp(called_name(call), "llvm.dbg.", 9) == 0 ||
          strncmp(called_name(call), "llvm.lifetime.", 14) == 0 ||
          strcmp(called_name(call), "llvm.donothing") == 0);
}

static bool ends_window(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
      return true;
    case LLVMCall:
      return !is_computation(instruction);
    default:
      return LLVMIsATerminatorInst(instruction) != NULL;
  }
}

static struct window window_from(LLVMValueRef first) {
  struct window window = {LLVMGetInstructionParent(first), first};
  while (!ends_window(window.end)) {
    window.end = LLVMGetNextInstruction(window.end);
  }
  return window;
}

static bool is_in_window(LLVMValueRef instruction, const struct window *window) {
  while (instruction != NULL && instruction != window->end) {
    instruction = LLVMGetNextInstruction(instruction);
  }
  return instruction != NULL;
}

enum { MAX_STEPS = 16 };

struct search {
  struct speculated_uses *uses;
  struct window window;
  struct speculated_use path; /* the conditions of the selects passed so far */
  unsigned steps;
};

static void follow_value(struct search search, LLVMValueRef value);

static bool is_same_use(const struct speculated_use *a, const struct speculated_use *b) {
  bool is_same = a->before == b->before && a->condition_count == b->condition_count;
  for (size_t i = 0; is_same && i < a->condition_count; ++i) {
    is_same = a->conditions[i].value == b->conditions[i].value &&
              a->conditions[i].wanted == b->conditions[i].wanted;
  }
  return is_same;
}

static void add_use(struct search *search) {
  struct speculated_uses *uses = search->uses;
  search->path.before = search->window.end;
  for (size_t i = 0; i < uses->count; ++i) {
    if (is_same_use(&uses->list[i], &search->path)) {
      return;
    }
  }
  if (uses->count < MAX_USES) {
    uses->list[uses->count++] = search->path;
  }
}

static void add_condition(struct search *search, LLVMValueRef value, bool wanted) {
  struct speculated_use *path = &search->path;
  if (path->condition_count < MAX_CONDITIONS) {
    path->conditions[path->condition_count].value = value;
    path->conditions[path->condition_count++].wanted = wanted;
  }
}

static bool is_truth(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 1;
}

/* True if the instruction only computes another value. */
static bool computes(LLVMValueRef instruction) {
  if (LLVMIsACallInst(instruction) != NULL) {
    return is_computation(instruction);
  }
  return LLVMIsABinaryOperator(instruction) != NULL || LLVMIsAUnaryOperator(instruction) != NULL ||
         LLVMIsACastInst(instruction) != NULL || LLVMIsACmpInst(instruction) != NULL ||
         LLVMIsASelectInst(instruction) != NULL || LLVMIsAGetElementPtrInst(instruction) != NULL ||
         LLVMIsAFreezeInst(instruction) != NULL || LLVMIsAExtractValueInst(instruction) != NULL ||
         LLVMIsAInsertValueInst(instruction) != NULL;
}

/* A select replaces a branch: the value is used only if the condition chooses it. */
static void follow_choice(struct search search, LLVMValueRef user, unsigned operand) {
  if (LLVMIsASelectInst(user) != NULL && operand != 0 && is_truth(LLVMGetOperand(user, 0))) {
    add_condition(&search, LLVMGetOperand(user, 0), operand == 1);
  } else if (is_truth(user) && (LLVMGetInstructionOpcode(user) == LLVMAnd ||
                                LLVMGetInstructionOpcode(user) == LLVMOr)) {
    add_condition(&search, LLVMGetOperand(user, 1 - operand),
                  LLVMGetInstructionOpcode(user) == LLVMAnd);
  }
  follow_value(search, user);
}

static void follow_use(struct search search, LLVMValueRef user, LLVMBasicBlockRef block,
                       LLVMValueRef value) {
  /* Without a select in between, the source reads the value in the user's block. */
  if (block != search.window.block && search.path.condition_count == 0) {
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(first) != NULL) {
      first = LLVMGetNextInstruction(first);
    }
    search.window = window_from(first);
  }
  const bool is_inside = LLVMIsAPHINode(user) == NULL && block == search.window.block &&
                         is_in_window(user, &search.window);
  if (!is_inside || user == search.window.end || !computes(user) || search.steps == MAX_STEPS) {
    add_use(&search);
    return;
  }
  ++search.steps;
  for (int i = 0; i < LLVMGetNumOperands(user); ++i) {
    if (LLVMGetOperand(user, (unsigned)i) == value) {
      follow_choice(search, user, (unsigned)i);
    }
  }
}

static void follow_value(struct search search, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAPHINode(user) == NULL) {
      follow_use(search, user, LLVMGetInstructionParent(user), value);
      continue;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(user); ++i) {
      if (LLVMGetIncomingValue(user, i) == value) {
        follow_use(search, user, LLVMGetIncomingBlock(user, i), value);
      }
    }
  }
}

void find_speculated_uses(struct speculated_uses *uses, LLVMValueRef load) {
  struct search search = {.uses = uses, .window = window_from(load)};
  uses->count = 0;
  follow_value(search, load);
  if (uses->count == MAX_USES) { /* too many uses: check at the load */
    uses->count = 1;
    uses->list[0] = (struct speculated_use){.before = search.window.end};
  }
}
