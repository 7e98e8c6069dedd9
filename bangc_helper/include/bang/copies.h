/* SPDX-License-Identifier: MIT
 *
 * Shape of a copy and the pipes that carry copies, the same on every root.
 */
#ifndef BANG_COPIES_H_
#define BANG_COPIES_H_

#include <stddef.h>

/* Strides in bytes between segment starts, counts are segments minus one, as in BANG C. */
typedef struct bangCopyShape {
  ptrdiff_t dst_stride0, dst_stride1;
  ptrdiff_t src_stride0, src_stride1;
  size_t dst_segnum1, dst_segnum2;
  size_t src_segnum1, src_segnum2;
} bangCopyShape;

enum {
  BANG_PIPE_IO = 1,      /* GDRAM/LDRAM <-> on-chip */
  BANG_PIPE_MOVE = 2,    /* on-chip <-> on-chip */
  BANG_PIPE_COMPUTE = 4, /* vector units; always synchronous here */
  BANG_PIPE_ALL = 7,
};

#endif /* BANG_COPIES_H_ */
