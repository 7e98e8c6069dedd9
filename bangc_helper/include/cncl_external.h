/* SPDX-License-Identifier: MIT
 *
 * For libraries that work beside this CNCL, not for programs: what other implementations cannot
 * tell. Use it through a weak symbol.
 */
#ifndef CNCL_EXTERNAL_H_
#define CNCL_EXTERNAL_H_

#include "cncl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many ranks of the communicator's clique live in this process. */
cnclResult_t cnclxGetLocalRankCount(int *count, const cnclComm_t comm);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* CNCL_EXTERNAL_H_ */
