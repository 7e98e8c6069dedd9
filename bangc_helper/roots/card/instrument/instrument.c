/* SPDX-License-Identifier: MIT
 *
 * Instruments the device functions: divides blocks into stretches of straight code between records,
 * counts them, and inserts the hooks.
 */
#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "insert.h"
#include "language.h"
#include "late.h"
#include "schedule.h"
#include "unit.h"

struct steps {
  struct step *list;
  size_t count, room;
};

/* ---- Stretches ---- */

static void add_part(struct unit *unit, const struct part *part) {
  unit->parts = grow(unit->parts, unit->part_count, &unit->part_room, sizeof(*unit->parts));
  unit->parts[unit->part_count++] = *part;
}

/* Adds up the costs of a stretch per line, in order of first appearance. */
static void add_parts(struct unit *unit, const struct steps *steps) {
  const size_t first = unit->part_count;
  for (size_t i = 0; i < steps->count; ++i) {
    const struct step *step = &steps->list[i];
    if (step->slots == 0 && step->cycles == 0) {
      continue;
    }
    size_t place = first;
    while (place < unit->part_count && unit->parts[place].site != step->site) {
      ++place;
    }
    if (place == unit->part_count) {
      add_part(unit, &(struct part){.stretch = unit->stretch_count, .site = step->site});
    }
    struct part *part = &unit->parts[place];
    part->cycles += step->cycles;
    part->waits += step->waits;
    part->instructions += step->slots != 0;
    part->loads += step->loads;
    part->stores += step->stores;
  }
}

/* Ends the current stretch before an instruction. */
static void end_stretch(struct unit *unit, struct inserter *in, struct steps *steps,
                        LLVMValueRef before) {
  struct stretch stretch = {.number = unit->stretch_count};
  schedule(steps->list, steps->count);
  for (size_t i = 0; i < steps->count; ++i) {
    stretch.cycles += steps->list[i].cycles;
    stretch.waits += steps->list[i].waits;
    stretch.accesses += steps->list[i].loads || steps->list[i].stores;
  }
  if (stretch.cycles != 0) {
    add_parts(unit, steps);
    ++unit->stretch_count;
    insert_stretch(in, before, &stretch);
  }
  steps->count = 0;
}

static void add_step(struct steps *steps, LLVMValueRef instruction, const struct place *place) {
  steps->list = grow(steps->list, steps->count, &steps->room, sizeof(*steps->list));
  steps->list[steps->count++] =
      (struct step){.instruction = instruction, .site = place->site, .layer = place->layer};
}

/* ---- Single instructions ---- */

/* What a pointer points into, as far as this function shows. */
enum base {
  BASE_UNKNOWN,
  BASE_STACK,
  BASE_STACK_INDEXED,
  BASE_GLOBAL_INDEXED,
  BASE_CONSTANT,
  BASE_BUILTIN,
  BASE_THREAD, /* a thread-local variable, which a card does not have */
};

/* Sets *array to the variable that is indexed. */
static enum base base_of(LLVMValueRef pointer, LLVMValueRef *array) {
  bool indexed = false;
  for (;;) {
    if (LLVMIsAAllocaInst(pointer) != NULL) {
      *array = pointer;
      return indexed ? BASE_STACK_INDEXED : BASE_STACK;
    }
    if (LLVMIsAGlobalVariable(pointer) != NULL) {
      if (is_builtin_variable(pointer)) {
        return BASE_BUILTIN;
      }
      if (LLVMIsThreadLocal(pointer)) {
        return BASE_THREAD;
      }
      if (indexed && !LLVMIsDeclaration(pointer)) {
        *array = pointer;
        return BASE_GLOBAL_INDEXED;
      }
      return LLVMIsGlobalConstant(pointer) && !indexed ? BASE_CONSTANT : BASE_UNKNOWN;
    }
    const bool expression = LLVMIsAConstantExpr(pointer) != NULL;
    if (!expression && LLVMIsAInstruction(pointer) == NULL) {
      return BASE_UNKNOWN;
    }
    const LLVMOpcode opcode =
        expression ? LLVMGetConstOpcode(pointer) : LLVMGetInstructionOpcode(pointer);
    if (opcode == LLVMGetElementPtr) {
      for (int i = 1; i < LLVMGetNumOperands(pointer); ++i) {
        indexed |= LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)i)) == NULL;
      }
    } else if (opcode != LLVMBitCast) {
      return BASE_UNKNOWN;
    }
    pointer = LLVMGetOperand(pointer, 0);
  }
}

static bool is_access(LLVMValueRef instruction) {
  return LLVMIsALoadInst(instruction) != NULL || LLVMIsAStoreInst(instruction) != NULL ||
         LLVMIsAAtomicRMWInst(instruction) != NULL || LLVMIsAAtomicCmpXchgInst(instruction) != NULL;
}

static void hook_access(struct inserter *in, LLVMValueRef instruction, uint32_t site, bool is_part,
                        struct late_check *late) {
  struct access access = {.site = site, .is_part = is_part};
  LLVMTypeRef type = NULL;
  if (LLVMIsALoadInst(instruction) != NULL) {
    access.pointer = LLVMGetOperand(instruction, 0);
    type = LLVMTypeOf(instruction);
  } else if (LLVMIsAStoreInst(instruction) != NULL) {
    access.pointer = LLVMGetOperand(instruction, 1);
    type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    access.writes = true;
  } else {
    access.pointer = LLVMGetOperand(instruction, 0);
    type = LLVMTypeOf(LLVMGetOperand(instruction, 1));
    access.writes = access.is_atomic = true;
  }
  LLVMValueRef array = NULL;
  const enum base base = base_of(access.pointer, &array);
  if (base == BASE_STACK || base == BASE_CONSTANT || base == BASE_BUILTIN) {
    return;
  }
  if (is_part && (base == BASE_STACK_INDEXED || base == BASE_THREAD)) {
    return;
  }
  access.bytes = (uint32_t)LLVMStoreSizeOfType(in->layout, type);
  access.is_private = base == BASE_THREAD;
  if (late != NULL) {
    access.site = late_site(in->unit, late, site);
    late->access = access;
    access.is_checked_later = true;
  }
  if (late == NULL || !is_part) {
    insert_access(in, instruction, &access);
  }
  if (base == BASE_STACK_INDEXED || (base == BASE_GLOBAL_INDEXED && !is_part)) {
    insert_indexed(in, instruction, &access, array);
  }
}

static bool is_division(LLVMOpcode opcode) {
  return opcode == LLVMSDiv || opcode == LLVMUDiv || opcode == LLVMSRem || opcode == LLVMURem;
}

static bool is_memory_function(const char *name) {
  static const char *const names[] = {"memcpy",       "memmove",       "memset",
                                      "llvm.memcpy.", "llvm.memmove.", "llvm.memset."};
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i) {
    const bool intrinsic = names[i][0] == 'l';
    if (intrinsic ? strncmp(name, names[i], strlen(names[i])) == 0 : strcmp(name, names[i]) == 0) {
      return true;
    }
  }
  return false;
}

/* True for hook calls that prepare() inserted. */
static bool is_record(const char *name) {
  return strncmp(name, "__bang_card_", 12) == 0;
}

/* True if a call ends the stretch: it has its own record or is counted at run time. */
static bool interrupts(const char *name) {
  if (strncmp(name, "llvm.", 5) == 0) {
    return is_memory_function(name);
  }
  if (strncmp(name, "__bang_", 7) == 0) {
    return language_is_entry(name) || is_record(name);
  }
  return language_library_class(name) == SCALAR_NONE && !language_is_thread_setup(name);
}

/* True if a memory function only accesses the stack. Scalar operands are passed this way. */
static bool is_on_stack(LLVMValueRef call) {
  LLVMValueRef array = NULL;
  const bool fills = strstr(called_name(call), "memset") != NULL;
  return base_of(LLVMGetOperand(call, 0), &array) == BASE_STACK &&
         (fills || base_of(LLVMGetOperand(call, 1), &array) == BASE_STACK);
}

static void hook_call(struct inserter *in, LLVMValueRef call, const struct place *place) {
  const char *name = called_name(call);
  if (is_record(name)) {
    const bool part = place->functions > 1;
    set_site(in, call, place->hooked | (part ? PART_OF_FUNCTION : 0));
  } else if (language_is_entry(name)) {
    const bool hidden =
        place->functions != 0 || (strcmp(name, "__bang_sync_pipes") == 0 && !place->in_sync &&
                                  place->layer != LAYER_KERNEL); /* two syncs that were merged */
    replace_call(in, call, place->hooked | (hidden ? PART_OF_FUNCTION : 0));
  } else if (is_memory_function(name) && (place->layer == LAYER_KERNEL || !is_on_stack(call))) {
    insert_memory(in, call, place->hooked, place->layer != LAYER_KERNEL);
  }
}

/* ---- Functions ---- */

static bool is_call(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) != NULL || LLVMIsAInvokeInst(instruction) != NULL;
}

/* Conversions of one scalar are scalar instructions on a card, although an entry point does them
 * here. */
static bool is_conversion(LLVMValueRef instruction, const struct place *place) {
  return place->in_conversion && is_call(instruction) &&
         language_is_entry(called_name(instruction));
}

/* Scalar operands are passed to entry points through the stack; optimisation may drop the location
 * of these stores. */
static bool is_argument_slot(LLVMValueRef instruction) {
  LLVMValueRef array = NULL;
  return LLVMInstructionGetDebugLoc(instruction) == NULL && LLVMIsAStoreInst(instruction) != NULL &&
         base_of(LLVMGetOperand(instruction, 1), &array) == BASE_STACK;
}

/* True if the block initialises a thread-local variable, once per thread. */
static bool sets_thread_up(LLVMBasicBlockRef block) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL; i = LLVMGetNextInstruction(i)) {
    size_t length = 0;
    LLVMValueRef target = LLVMIsAStoreInst(i) != NULL ? LLVMGetOperand(i, 1) : NULL;
    if (target != NULL && LLVMIsAGlobalVariable(target) != NULL &&
        language_is_thread_setup(LLVMGetValueName2(target, &length))) {
      return true;
    }
  }
  return false;
}

/* The instructions of a block before hooks are inserted. */
struct block {
  bool is_setup; /* initialises a thread-local variable: not counted */
  LLVMValueRef *instructions;
  size_t count, room;
};

static void list_instructions(LLVMBasicBlockRef block, struct block *list) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL; i = LLVMGetNextInstruction(i)) {
    list->instructions =
        grow(list->instructions, list->count, &list->room, sizeof(*list->instructions));
    list->instructions[list->count++] = i;
  }
}

/* What is found in a function before hooks are inserted. */
struct known {
  struct map addresses; /* addresses of notes, by their instructions */
  struct stack stack;
  struct late_checks late;
};

static void find_addresses(const struct unit *unit, const struct block *block,
                           struct map *addresses) {
  for (size_t i = 0; i < block->count; ++i) {
    LLVMValueRef note = block->instructions[i];
    LLVMValueRef address = note_of(unit, note) != NULL ? noted_address(unit, note) : NULL;
    if (address != NULL) {
      *map_put(addresses, (uint64_t)(uintptr_t)note, NULL) = (uint64_t)(uintptr_t)address;
    }
  }
}

static void hook_note(struct unit *unit, struct inserter *in, const struct known *known,
                      LLVMValueRef instruction) {
  const uint64_t *address = map_find(&known->addresses, (uint64_t)(uintptr_t)instruction);
  if (address != NULL) {
    insert_derived(in, instruction, note_of(unit, instruction), (LLVMValueRef)(uintptr_t)*address,
                   places_of(&unit->places, instruction).hooked);
  }
}

static void begin_stack(struct inserter *in, const struct stack *stack) {
  for (size_t i = 0; i < stack->count; ++i) {
    if (!stack->objects[i].is_marked) {
      insert_stack(in, stack->after, &stack->objects[i], 1, CARD_STACK_BEGINS);
    }
  }
}

/* The report of a variable stands between its lifetime markers, so that no other variable has its
 * stack slot then. */
static void hook_stack(struct inserter *in, const struct stack *stack, LLVMValueRef instruction) {
  bool begins = false;
  const struct stack_object *object = stack_marked(stack, instruction, &begins);
  if (object != NULL) {
    insert_stack(in, begins ? LLVMGetNextInstruction(instruction) : instruction, object, 1,
                 begins ? CARD_STACK_BEGINS : CARD_STACK_ENDS);
  } else if (LLVMIsAReturnInst(instruction) != NULL) {
    insert_stack(in, instruction, stack->objects, stack->count, CARD_STACK_RETURNS);
  }
}

static void instrument_block(struct unit *unit, struct inserter *in, const struct block *block,
                             const struct known *known, struct steps *steps) {
  uint32_t site = 0;
  uint32_t hooked = 0;
  for (size_t k = 0; k < block->count; ++k) {
    LLVMValueRef instruction = block->instructions[k];
    if (instruction == known->stack.after) {
      begin_stack(in, &known->stack);
    }
    if (note_of(unit, instruction) != NULL) {
      hook_note(unit, in, known, instruction);
      continue;
    }
    hook_stack(in, &known->stack, instruction);
    struct place place = places_of(&unit->places, instruction);
    if (block->is_setup || is_argument_slot(instruction)) {
      place.layer = LAYER_LANGUAGE;
    }
    site = place.site != 0 ? place.site : site;
    hooked = place.site != 0 ? place.hooked : hooked;
    place.site = site;
    place.hooked = hooked;
    if (is_conversion(instruction, &place)) {
      place.layer = LAYER_KERNEL;
      add_step(steps, instruction, &place);
      continue;
    }
    const bool calls = is_call(instruction);
    const bool entry = calls && language_is_instruction(called_name(instruction));
    struct place own = place;
    if (entry && place.functions == 0 && !block->is_setup) {
      own.layer = LAYER_KERNEL; /* an instruction on a card */
    }
    add_step(steps, instruction, &own);
    if (LLVMIsATerminatorInst(instruction) != NULL ||
        (calls && interrupts(called_name(instruction)))) {
      end_stretch(unit, in, steps, instruction);
    }
    if (calls) {
      hook_call(in, instruction, &place);
    } else if (is_access(instruction)) {
      hook_access(in, instruction, hooked, place.layer != LAYER_KERNEL,
                  late_of(&known->late, instruction));
    } else if (is_division(LLVMGetInstructionOpcode(instruction)) &&
               LLVMIsAConstantInt(LLVMGetOperand(instruction, 1)) == NULL) {
      insert_division(in, instruction, hooked);
    }
  }
}

/* Sums up the parts from `first` on. */
static void list_function(const struct unit *unit, const char *name, size_t first) {
  uint64_t half_cycles = 0, instructions = 0, accesses = 0;
  for (size_t i = first; i < unit->part_count; ++i) {
    half_cycles += unit->parts[i].cycles;
    instructions += unit->parts[i].instructions;
    accesses += unit->parts[i].loads + unit->parts[i].stores;
  }
  fprintf(unit->list, "%s half_cycles=%" PRIu64 " instructions=%" PRIu64 " accesses=%" PRIu64 "\n",
          name, half_cycles, instructions, accesses);
}

static void instrument_function(struct unit *unit, LLVMValueRef function) {
  size_t count = 0;
  size_t length = 0;
  const size_t first_part = unit->part_count;
  const char *name = LLVMGetValueName2(function, &length);
  const bool is_setup = language_is_thread_setup(name);
  struct known known = {0};
  struct block *blocks = allocate(LLVMCountBasicBlocks(function), sizeof(*blocks));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    blocks[count].is_setup = is_setup || sets_thread_up(block);
    list_instructions(block, &blocks[count]);
    find_addresses(unit, &blocks[count++], &known.addresses);
  }
  struct inserter in;
  struct steps steps = {0};
  stack_find(&known.stack, function, LLVMGetModuleDataLayout(unit->module));
  late_find(&known.late, unit, function);
  inserter_init(&in, unit, function);
  for (size_t i = 0; i < count; ++i) {
    instrument_block(unit, &in, &blocks[i], &known, &steps);
    free(blocks[i].instructions);
  }
  late_insert(&known.late, &in);
  late_free(&known.late);
  map_free(&known.addresses);
  stack_free(&known.stack);
  inserter_free(&in);
  free(steps.list);
  free(blocks);
  if (unit->list != NULL) {
    list_function(unit, name, first_part);
  }
}

void instrument(struct unit *unit) {
  size_t count = 0;
  size_t room = 0;
  LLVMValueRef *functions = NULL;
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (map_find(&unit->devices, (uint64_t)(uintptr_t)f) != NULL) {
      functions = grow(functions, count, &room, sizeof(*functions));
      functions[count++] = f;
    }
  }
  for (size_t i = 0; i < count; ++i) {
    instrument_function(unit, functions[i]);
  }
  free(functions);
}
