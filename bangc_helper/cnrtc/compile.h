/* SPDX-License-Identifier: MIT
 *
 * One run of cncc over a source in memory.
 */
#ifndef CNRTC_COMPILE_H_
#define CNRTC_COMPILE_H_

#include <stddef.h>

#include "cnrtc.h"

typedef struct Bytes {
  char *data; /* of malloc, ended by a zero that is not counted; NULL: nothing */
  size_t size;
} Bytes;

/* Fills both; the library is empty unless the result is CNRTC_SUCCESS. */
cnrtcStatus compile_library(const char *source, int option_count, const char **options,
                            Bytes *library, Bytes *log);

#endif /* CNRTC_COMPILE_H_ */
