/* SPDX-License-Identifier: MIT
 *
 * Several copies of a file of kernels, each for an architecture, in one module.
 */
#ifndef CARD_INSTRUMENT_JOIN_H_
#define CARD_INSTRUMENT_JOIN_H_

#include <stddef.h>

#include <llvm-c/Core.h>

struct copy {
  LLVMModuleRef module; /* with its hooks */
  int architecture;
};

/* Takes the modules over. The first copy is for all boards that no other one is for. */
LLVMModuleRef join(LLVMContextRef context, const struct copy *copies, size_t count);

#endif /* CARD_INSTRUMENT_JOIN_H_ */
