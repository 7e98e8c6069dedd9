/* SPDX-License-Identifier: MIT
 *
 * Runs cncc on a source in memory.
 */
#ifndef CNRTC_COMPILE_H_
#define CNRTC_COMPILE_H_

#include <stddef.h>

#include "cnrtc.h"

typedef struct Bytes {
  char *data; /* allocated by malloc, with a final zero that is not counted; NULL if empty */
  size_t size;
} Bytes;

/* Fills both outputs; the library is empty unless the result is CNRTC_SUCCESS. */
cnrtcStatus compile_library(const char *source, int option_count, const char **options,
                            Bytes *library, Bytes *log);

#endif /* CNRTC_COMPILE_H_ */
