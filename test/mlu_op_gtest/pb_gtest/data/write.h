/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_DATA_WRITE_H_
#define MLUOP_TEST_DATA_WRITE_H_

#include <stdbool.h>
#include <stdint.h>

/* Where elements that are made go, and how. */
typedef struct mluopWrite {
  void *to;
  bool streamed;    /* past the caches, see base/stream.h: for large memory that was used before */
  uint64_t *digest; /* NULL, or receives what mluop_digest says of the bytes written */
} mluopWrite;

#endif /* MLUOP_TEST_DATA_WRITE_H_ */
