/* SPDX-License-Identifier: MIT */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "bang/table.h"
#include "language.h"
#include "unit.h"

static void add_attribute(LLVMValueRef function, const char *name) {
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

static bool has_attribute(LLVMValueRef function, const char *name) {
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

static bool begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* ---- Functions of the language that record themselves ---- */

static int type_code(LLVMTypeRef pointer) {
  if (LLVMGetTypeKind(pointer) != LLVMPointerTypeKind) {
    return BANG_S8;
  }
  LLVMTypeRef element = LLVMGetElementType(pointer);
  switch (LLVMGetTypeKind(element)) {
    case LLVMFloatTypeKind:
      return BANG_F32;
    case LLVMHalfTypeKind:
      return BANG_F16;
    case LLVMIntegerTypeKind:
      switch (LLVMGetIntTypeWidth(element)) {
        case 16:
          return BANG_S16;
        case 32:
          return BANG_S32;
        case 64:
          return BANG_S64;
        default:
          return BANG_S8;
      }
    default:
      return BANG_S8;
  }
}

/* True if the function calls an entry point, which has its own record. */
static bool calls_entry(LLVMValueRef function, const char *own_family) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL;
         i = LLVMGetNextInstruction(i)) {
      if (LLVMIsACallInst(i) == NULL) {
        continue;
      }
      LLVMValueRef callee = LLVMGetCalledValue(i);
      size_t length = 0;
      const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
      if (language_is_entry(name) || strstr(name, own_family) != NULL) {
        return true;
      }
    }
  }
  return false;
}

static LLVMTypeRef int_type(const struct unit *unit, unsigned bits) {
  return LLVMIntTypeInContext(unit->context, bits);
}

static LLVMValueRef parameter_as(LLVMBuilderRef builder, LLVMValueRef function, int index,
                                 LLVMTypeRef type) {
  if (index < 0 || (unsigned)index >= LLVMCountParams(function)) {
    return LLVMConstNull(type);
  }
  LLVMValueRef value = LLVMGetParam(function, (unsigned)index);
  const bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
    return pointer ? LLVMBuildBitCast(builder, value, type, "") : LLVMConstNull(type);
  }
  const bool integer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
  return integer ? LLVMBuildIntCast2(builder, value, type, 1, "") : LLVMConstNull(type);
}

static LLVMValueRef elements_of(const struct unit *unit, LLVMBuilderRef builder,
                                LLVMValueRef function, const struct language_function *what) {
  LLVMTypeRef wide = int_type(unit, 64);
  LLVMValueRef product = LLVMConstInt(wide, 1, 0);
  for (int i = 0; i < 32; ++i) {
    if ((what->counts >> i & 1) != 0) {
      product = LLVMBuildMul(builder, product, parameter_as(builder, function, i, wide), "");
    }
  }
  return product;
}

enum { MAX_PARAMETERS = 16 };

/* Calls a hook with these arguments and site 0; the real site is known after inlining and set then.
 */
static void call_hook(const struct unit *unit, LLVMBuilderRef builder, const char *name,
                      LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef types[MAX_PARAMETERS];
  arguments[0] = LLVMConstInt(int_type(unit, 32), 0, 0);
  for (unsigned i = 0; i < count; ++i) {
    types[i] = LLVMTypeOf(arguments[i]);
  }
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(unit->context), types, count, 0);
  LLVMValueRef hook = LLVMGetNamedFunction(unit->module, name);
  if (hook == NULL) {
    hook = LLVMAddFunction(unit->module, name, type);
    add_attribute(hook, "nounwind");
  }
  LLVMBuildCall2(builder, type, hook, arguments, count, "");
}

/* __bang_card_function(site, function, op, type, destination, source, elements, calls) */
static void call_general_hook(const struct unit *unit, LLVMBuilderRef builder,
                              LLVMValueRef function, const struct language_function *what) {
  LLVMTypeRef word = int_type(unit, 32);
  LLVMTypeRef wide = int_type(unit, 64);
  LLVMTypeRef bytes = LLVMPointerType(int_type(unit, 8), 0);
  LLVMValueRef calls = LLVMConstInt(wide, 1, 0);
  if (what->segments >= 0) {
    calls = LLVMBuildAdd(builder, parameter_as(builder, function, what->segments, wide), calls, "");
  }
  const int code = what->destination >= 0
                       ? type_code(LLVMTypeOf(LLVMGetParam(function, (unsigned)what->destination)))
                       : BANG_S8;
  LLVMValueRef arguments[] = {NULL,
                              LLVMConstInt(word, what->function, 0),
                              LLVMConstInt(word, what->op, 0),
                              LLVMConstInt(word, (unsigned)code, 0),
                              parameter_as(builder, function, what->destination, bytes),
                              parameter_as(builder, function, what->source, bytes),
                              elements_of(unit, builder, function, what),
                              calls};
  call_hook(unit, builder, "__bang_card_function", arguments, 8);
}

static void call_own_hook(const struct unit *unit, LLVMBuilderRef builder, LLVMValueRef function,
                          const char *name) {
  LLVMValueRef arguments[MAX_PARAMETERS];
  const unsigned count = LLVMCountParams(function);
  for (unsigned i = 0; i < count && i + 1 < MAX_PARAMETERS; ++i) {
    arguments[i + 1] = LLVMGetParam(function, i);
  }
  call_hook(unit, builder, name, arguments, count + 1);
}

/* Inserts a hook call at the start of a function. */
static void insert_record(const struct unit *unit, LLVMValueRef function,
                          const struct language_function *what) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  while (LLVMIsAAllocaInst(first) != NULL) {
    first = LLVMGetNextInstruction(first);
  }
  LLVMPositionBuilderBefore(builder, first);
  LLVMSetCurrentDebugLocation2(
      builder, LLVMDIBuilderCreateDebugLocation(unit->context, LLVMDISubprogramGetLine(subprogram),
                                                0, subprogram, NULL));
  if (what->hook != NULL) {
    call_own_hook(unit, builder, function, what->hook);
  } else {
    call_general_hook(unit, builder, function, what);
  }
  LLVMDisposeBuilder(builder);
}

static void record_function(struct unit *unit, LLVMValueRef function, const char *name) {
  const struct language_function *what = language_find_function(name, LLVMCountParams(function));
  if (what == NULL) {
    return;
  }
  /* Most functions of libdevice call one entry point or another function of libdevice, which is
   * recorded. */
  if (begins_with(name, "__cn_vector_") && calls_entry(function, "__cn_vector_")) {
    return;
  }
  places_record_function(&unit->places, function);
  if (what->function != 0 || what->hook != NULL) {
    insert_record(unit, function, what);
  }
}

/* ---- Functions that must be inlined ---- */

/* True for a kernel's body: the closure's call operator. */
static bool is_kernel_body(LLVMValueRef function) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  return begins_with(name, "_ZZ") && strstr(name, "clEv") != NULL;
}

static void inline_always(LLVMValueRef function) {
  if (!has_attribute(function, "noinline") && !has_attribute(function, "optnone")) {
    add_attribute(function, "alwaysinline");
  }
}

void prepare(struct unit *unit) {
  places_name_functions(&unit->places, unit->module);
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) {
      continue;
    }
    size_t length = 0;
    if (language_is_thread_setup(LLVMGetValueName2(f, &length))) {
      add_attribute(f, "noinline"); /* inlined it would count as kernel code */
      continue;
    }
    const char *name = places_language_function(&unit->places, f);
    if (name != NULL) {
      record_function(unit, f, name);
    }
    if (name != NULL || is_kernel_body(f)) {
      inline_always(f);
    }
  }
}
