/* SPDX-License-Identifier: MIT
 *
 * Joins copies of a kernel file, compiled for different architectures, into one module.
 */
#ifndef CARD_INSTRUMENT_JOIN_H_
#define CARD_INSTRUMENT_JOIN_H_

#include <stddef.h>

#include <llvm-c/Core.h>

struct copy {
  LLVMModuleRef module; /* already instrumented */
  int architecture;
};

/* Takes ownership of the modules. The first copy serves all boards that no other copy is for. */
LLVMModuleRef join(LLVMContextRef context, const struct copy *copies, size_t count);

#endif /* CARD_INSTRUMENT_JOIN_H_ */
