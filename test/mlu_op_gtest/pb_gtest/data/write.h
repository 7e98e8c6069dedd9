/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_DATA_WRITE_H_
#define MLUOP_TEST_DATA_WRITE_H_

#include <stdbool.h>
#include <stdint.h>

/* Where generated elements are stored, and how. */
typedef struct mluopWrite {
  void *to;
  bool streamed;    /* non-temporal stores, see base/stream.h; for large reused memory */
  uint64_t *digest; /* NULL, or receives the mluop_digest of the bytes written */
} mluopWrite;

#endif /* MLUOP_TEST_DATA_WRITE_H_ */
