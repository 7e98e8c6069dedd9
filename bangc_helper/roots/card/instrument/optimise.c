/* SPDX-License-Identifier: MIT */
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* Little endian, 64 bits: what all hosts have in common. Nothing here depends on the host. */
static const char layout[] = "e-m:e-i64:64-i128:128-n32:64-S128";
static const char target[] = "unknown-unknown-linux-gnu";

void optimise(struct unit *unit) {
  char *host_layout = strdup(LLVMGetDataLayoutStr(unit->module));
  char *host_target = strdup(LLVMGetTarget(unit->module));
  LLVMSetDataLayout(unit->module, layout);
  LLVMSetTarget(unit->module, target);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopInterleaving(options, 0);
  LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
  LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
  LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
  LLVMErrorRef error = LLVMRunPasses(unit->module, "default<O2>", NULL, options);
  if (error != NULL) {
    fail("optimisation: %s", LLVMGetErrorMessage(error));
  }
  LLVMDisposePassBuilderOptions(options);
  LLVMSetDataLayout(unit->module, host_layout);
  LLVMSetTarget(unit->module, host_target);
  free(host_layout);
  free(host_target);
}
