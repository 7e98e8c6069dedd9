/* SPDX-License-Identifier: MIT
 *
 * One kernel file for several architectures. A program plays one board, so one copy of the file is
 * used, host code included. External functions choose the copy when they are called; constructors
 * of unused copies do nothing; external variables exist once.
 */
#include "join.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/IPO.h>

#include "support.h"

/* An external function. */
struct visible {
  char *name;
  LLVMLinkage linkage;
};

struct joined {
  LLVMContextRef context;
  LLVMModuleRef module; /* external functions of the copies linked so far */
  const struct copy *copies;
  size_t count;
  struct visible *functions;
  size_t function_count, function_room;
};

static const char *name_of(LLVMValueRef value) {
  size_t length = 0;
  return LLVMGetValueName2(value, &length);
}

/* "name.mtp_592"; the caller frees it. */
static char *copy_name(const char *name, int architecture) {
  const size_t size = strlen(name) + 24;
  char *text = allocate(size, 1);
  snprintf(text, size, "%s.mtp_%d", name, architecture);
  return text;
}

/* ---- Which copy is in use ---- */

static LLVMValueRef build_is_for(const struct joined *j, LLVMModuleRef module,
                                 LLVMBuilderRef builder, int architecture) {
  static const char hook[] = "__bang_card_is_for";
  LLVMTypeRef word = LLVMInt32TypeInContext(j->context);
  LLVMTypeRef type = LLVMFunctionType(word, &word, 1, 0);
  LLVMValueRef function = LLVMGetNamedFunction(module, hook);
  if (function == NULL) {
    function = LLVMAddFunction(module, hook, type);
  }
  LLVMValueRef number = LLVMConstInt(word, (unsigned)architecture, 0);
  LLVMValueRef answer = LLVMBuildCall2(builder, type, function, &number, 1, "");
  return LLVMBuildICmp(builder, LLVMIntNE, answer, LLVMConstInt(word, 0, 0), "");
}

/* The first copy serves its own architecture and all that no other copy is for. */
static LLVMValueRef build_is_used(const struct joined *j, LLVMModuleRef module,
                                  LLVMBuilderRef builder, size_t copy) {
  if (copy != 0) {
    return build_is_for(j, module, builder, j->copies[copy].architecture);
  }
  LLVMValueRef other = LLVMConstInt(LLVMInt1TypeInContext(j->context), 0, 0);
  for (size_t i = 1; i < j->count; ++i) {
    LLVMValueRef is_for = build_is_for(j, module, builder, j->copies[i].architecture);
    other = LLVMBuildOr(builder, other, is_for, "");
  }
  return LLVMBuildNot(builder, other, "");
}

/* ---- Constructors ---- */

/* Makes a function that calls another one only if the copy is in use. */
static LLVMValueRef guard(const struct joined *j, size_t copy, LLVMValueRef constructor) {
  LLVMModuleRef module = j->copies[copy].module;
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(j->context), NULL, 0, 0);
  LLVMValueRef function = LLVMAddFunction(module, "__bang_card_constructor", type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(j->context, function, "");
  LLVMBasicBlockRef used = LLVMAppendBasicBlockInContext(j->context, function, "");
  LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(j->context, function, "");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(j->context);
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMBuildCondBr(builder, build_is_used(j, module, builder, copy), used, end);
  LLVMPositionBuilderAtEnd(builder, used);
  LLVMBuildCall2(builder, type, constructor, NULL, 0, "");
  LLVMBuildBr(builder, end);
  LLVMPositionBuilderAtEnd(builder, end);
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  return function;
}

/* `list` is llvm.global_ctors or llvm.global_dtors: entries of priority, function and data. */
static void guard_list(const struct joined *j, size_t copy, const char *list) {
  LLVMValueRef variable = LLVMGetNamedGlobal(j->copies[copy].module, list);
  LLVMValueRef entries = variable != NULL ? LLVMGetInitializer(variable) : NULL;
  const int count = entries != NULL ? LLVMGetNumOperands(entries) : 0;
  if (count == 0) {
    return;
  }
  LLVMValueRef *guarded = allocate((size_t)count, sizeof(*guarded));
  for (int i = 0; i < count; ++i) {
    LLVMValueRef entry = LLVMGetOperand(entries, (unsigned)i);
    LLVMValueRef fields[] = {LLVMGetOperand(entry, 0), guard(j, copy, LLVMGetOperand(entry, 1)),
                             LLVMGetOperand(entry, 2)};
    guarded[i] = LLVMConstStructInContext(j->context, fields, 3, 0);
  }
  LLVMSetInitializer(variable, LLVMConstArray(LLVMTypeOf(guarded[0]), guarded, (unsigned)count));
  free(guarded);
}

/* ---- Functions ---- */

static void copy_attributes(LLVMValueRef from, LLVMValueRef to) {
  const unsigned parameters = LLVMCountParams(from);
  for (unsigned i = 0; i <= parameters + 1; ++i) {
    const LLVMAttributeIndex at =
        i <= parameters ? i : (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    const unsigned count = LLVMGetAttributeCountAtIndex(from, at);
    LLVMAttributeRef *attributes = allocate(count, sizeof(LLVMAttributeRef));
    LLVMGetAttributesAtIndex(from, at, attributes);
    for (unsigned k = 0; k < count; ++k) {
      LLVMAddAttributeAtIndex(to, at, attributes[k]);
    }
    free(attributes);
  }
}

static void remember(struct joined *j, const char *name, LLVMLinkage linkage) {
  for (size_t i = 0; i < j->function_count; ++i) {
    if (strcmp(j->functions[i].name, name) == 0) {
      return;
    }
  }
  j->functions = grow(j->functions, j->function_count, &j->function_room, sizeof(*j->functions));
  j->functions[j->function_count++] = (struct visible){.name = copy_text(name), .linkage = linkage};
}

/* Renames the copy's function; the old name, which callers use, becomes a function that chooses the
 * copy. */
static void rename_visible(struct joined *j, size_t copy, LLVMValueRef function) {
  LLVMModuleRef module = j->copies[copy].module;
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  char *name = copy_text(name_of(function));
  char *own = copy_name(name, j->copies[copy].architecture);
  if (LLVMIsFunctionVarArg(type)) {
    fail("'%s' takes any number of arguments: not for several architectures in one file", name);
  }
  remember(j, name, LLVMGetLinkage(function));
  LLVMSetValueName2(function, own, strlen(own));
  LLVMValueRef chooser = LLVMAddFunction(module, name, type);
  LLVMSetVisibility(chooser, LLVMGetVisibility(function));
  LLVMSetFunctionCallConv(chooser, LLVMGetFunctionCallConv(function));
  copy_attributes(function, chooser);
  LLVMReplaceAllUsesWith(function, chooser);
  LLVMSetLinkage(function, LLVMExternalLinkage);
  LLVMSetVisibility(function, LLVMHiddenVisibility);
  LLVMSetComdat(function, NULL);
  free(own);
  free(name);
}

static bool is_own(LLVMLinkage linkage) {
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static bool is_inline(LLVMLinkage linkage) {
  return linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMLinkOnceODRLinkage;
}

static void separate_functions(struct joined *j, size_t copy) {
  for (LLVMValueRef f = LLVMGetFirstFunction(j->copies[copy].module), next; f != NULL; f = next) {
    next = LLVMGetNextFunction(f);
    const LLVMLinkage linkage = LLVMGetLinkage(f);
    if (LLVMIsDeclaration(f) || is_own(linkage) || linkage == LLVMAvailableExternallyLinkage) {
      continue;
    }
    if (is_inline(linkage)) { /* compiled for this architecture */
      LLVMSetLinkage(f, LLVMInternalLinkage);
      LLVMSetComdat(f, NULL);
    } else {
      rename_visible(j, copy, f);
    }
  }
}

/* Calls the copy's function with the arguments of the choosing function. */
static void build_call(LLVMBuilderRef builder, LLVMValueRef chooser, LLVMValueRef callee) {
  LLVMTypeRef type = LLVMGlobalGetValueType(chooser);
  const unsigned count = LLVMCountParams(chooser);
  LLVMValueRef *arguments = allocate(count, sizeof(*arguments));
  LLVMGetParams(chooser, arguments);
  callee = LLVMConstBitCast(callee, LLVMTypeOf(chooser)); /* structure types may have other names */
  LLVMValueRef call = LLVMBuildCall2(builder, type, callee, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(chooser));
  for (unsigned i = 0; i <= count; ++i) { /* attributes that say how arguments are passed */
    const unsigned attribute_count = LLVMGetAttributeCountAtIndex(chooser, i);
    LLVMAttributeRef *attributes = allocate(attribute_count, sizeof(LLVMAttributeRef));
    LLVMGetAttributesAtIndex(chooser, i, attributes);
    for (unsigned k = 0; k < attribute_count; ++k) {
      LLVMAddCallSiteAttribute(call, i, attributes[k]);
    }
    free(attributes);
  }
  const bool returns = LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind;
  if (returns) {
    LLVMBuildRet(builder, call);
  } else {
    LLVMBuildRetVoid(builder);
  }
  free(arguments);
}

/* A function may exist for some architectures only; the first copy that has it serves the others.
 */
static void define_chooser(const struct joined *j, const struct visible *function) {
  LLVMValueRef chooser = LLVMGetNamedFunction(j->module, function->name);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(j->context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(j->context, chooser, ""));
  LLVMValueRef otherwise = NULL;
  for (size_t i = 0; i < j->count; ++i) {
    char *name = copy_name(function->name, j->copies[i].architecture);
    LLVMValueRef callee = LLVMGetNamedFunction(j->module, name);
    free(name);
    if (callee == NULL) {
      continue;
    }
    LLVMSetVisibility(callee, LLVMDefaultVisibility);
    LLVMSetLinkage(callee, LLVMInternalLinkage);
    if (otherwise == NULL) {
      otherwise = callee;
      continue;
    }
    LLVMBasicBlockRef used = LLVMAppendBasicBlockInContext(j->context, chooser, "");
    LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(j->context, chooser, "");
    LLVMBuildCondBr(builder, build_is_for(j, j->module, builder, j->copies[i].architecture), used,
                    next);
    LLVMPositionBuilderAtEnd(builder, used);
    build_call(builder, chooser, callee);
    LLVMPositionBuilderAtEnd(builder, next);
  }
  build_call(builder, chooser, otherwise);
  LLVMDisposeBuilder(builder);
  LLVMSetLinkage(chooser, function->linkage);
}

/* ---- Variables ---- */

/* External variables exist once: the first copy's. */
static void share_variables(const struct joined *j, size_t copy) {
  for (LLVMValueRef v = LLVMGetFirstGlobal(j->copies[copy].module); v != NULL;
       v = LLVMGetNextGlobal(v)) {
    const LLVMLinkage linkage = LLVMGetLinkage(v);
    if (LLVMIsDeclaration(v) || is_own(linkage) || is_inline(linkage) ||
        linkage == LLVMAppendingLinkage) {
      continue;
    }
    LLVMValueRef first = LLVMGetNamedGlobal(j->module, name_of(v));
    if (first != NULL && !LLVMIsDeclaration(first)) {
      LLVMSetInitializer(v, NULL);
      LLVMSetLinkage(v, LLVMExternalLinkage);
      LLVMSetComdat(v, NULL);
    }
  }
}

static void refuse_aliases(LLVMModuleRef module) {
  LLVMValueRef alias = LLVMGetFirstGlobalAlias(module);
  if (alias != NULL) {
    fail("'%s' is another name: not for several architectures in one file", name_of(alias));
  }
}

/* Removes functions that only unused choosing functions called. */
static void remove_unused(LLVMModuleRef module) {
  LLVMPassManagerRef passes = LLVMCreatePassManager();
  LLVMAddGlobalDCEPass(passes);
  LLVMRunPassManager(passes, module);
  LLVMDisposePassManager(passes);
}

LLVMModuleRef join(LLVMContextRef context, const struct copy *copies, size_t count) {
  struct joined j = {.context = context, .copies = copies, .count = count};
  for (size_t i = 0; i < count; ++i) {
    LLVMModuleRef module = copies[i].module;
    refuse_aliases(module);
    separate_functions(&j, i);
    guard_list(&j, i, "llvm.global_ctors");
    guard_list(&j, i, "llvm.global_dtors");
    if (i == 0) {
      j.module = module;
    } else {
      share_variables(&j, i);
      if (LLVMLinkModules2(j.module, module)) {
        fail("the copies for several architectures do not fit together");
      }
    }
  }
  for (size_t i = 0; i < j.function_count; ++i) {
    define_chooser(&j, &j.functions[i]);
    free(j.functions[i].name);
  }
  free(j.functions);
  remove_unused(j.module);
  return j.module;
}
