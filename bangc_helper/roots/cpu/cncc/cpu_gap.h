/* SPDX-License-Identifier: MIT
 *
 * Gaps between on-chip variables, for the address sanitizer.
 */
#ifndef CNCC_CPU_GAP_H_
#define CNCC_CPU_GAP_H_

#include "lowering.h"

/* Where it looks: puts a gap after every variable of a declaration, the last one's into `after`.
 * Returns the number of the first, 0 for none; the others count on. */
int lower_gaps(Lowering *lowering, const Declaration *decl, const char *storage, bool in_function,
               StrBuf *after);

#endif /* CNCC_CPU_GAP_H_ */
