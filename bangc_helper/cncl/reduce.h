/* SPDX-License-Identifier: MIT
 *
 * Reduction of buffers, element by element.
 */
#ifndef CNCL_REDUCE_H_
#define CNCL_REDUCE_H_

#include "common.h"

/* targets[*][i] = sources[0][i] op sources[1][i] op ... for first <= i < first + count, always in
 * this order. Half and bfloat16 are combined as float and rounded once. A NaN in any source makes
 * the result NaN. Targets may be sources: each element is read from all sources before it is
 * written. */
void cncl_reduce(char *const *targets, int target_count, const char *const *sources,
                 int source_count, size_t first, size_t count, uint32_t type, uint32_t op);

#endif /* CNCL_REDUCE_H_ */
