/* SPDX-License-Identifier: MIT
 *
 * The arguments of a call, as tokens.
 */
#ifndef CNCC_STRICT_CALL_H_
#define CNCC_STRICT_CALL_H_

#include "source.h"

enum { MAX_ARGUMENTS = 16 };
typedef struct Call {
  int begin[MAX_ARGUMENTS], end[MAX_ARGUMENTS];
  int count;
} Call;

/* Reads the call whose '(' is at `open`. */
void read_call(const Source *source, int open, Call *call);

/* The token after a cast "(T *)" at `index`; `index` if there is none. */
int skip_cast(const Source *source, int index, int end);

#endif /* CNCC_STRICT_CALL_H_ */
