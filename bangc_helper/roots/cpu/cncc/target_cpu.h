/* SPDX-License-Identifier: MIT
 *
 * Kernels for the host's own processor: plain C++ for its compiler, with a thread as a core. A root
 * that lowers the same way and only compiles differently uses these functions for its own target.
 */
#ifndef CNCC_TARGET_CPU_H_
#define CNCC_TARGET_CPU_H_

#include "job.h"

extern const Target target_cpu;

void cpu_add_preprocess_flags(const Job *job, bool for_reading, StrList *command);
void cpu_append_attributes(StrBuf *out, const Lowering *lowering, const Declaration *decl,
                           bool member);
void cpu_wrap_kernel(Lowering *lowering, const Declaration *decl, const char *itself, StrBuf *open,
                     StrBuf *close);

/* The words of the host compiler's command, without those for input and output. */
void cpu_begin_compile(const Job *job, StrList *command);

#endif /* CNCC_TARGET_CPU_H_ */
