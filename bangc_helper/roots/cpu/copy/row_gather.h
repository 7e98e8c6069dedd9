/* SPDX-License-Identifier: MIT
 *
 * A recorded gather of rows that are long enough to be loaded side by side with a store. It is
 * recorded as one: a record for each row would have to be written and read between two batches,
 * when memory should be kept busy. */
#ifndef BANGC_HELPER_CPU_COPY_ROW_GATHER_H_
#define BANGC_HELPER_CPU_COPY_ROW_GATHER_H_

#include <string.h>

#include "bang/vector_api.h"
#include "copy/sanitized.h"
#include "copy/segments.h"
#include "vector/transfer.h"

typedef struct RowGather {
  bangTransfer transfer;
  int64_t rows_ahead; /* distance, in rows, of the prefetch from the row being loaded */
  int64_t known;      /* offsets that name rows: those of the transfer, and some of the next one */
} RowGather;

/* About this many bytes are fetched ahead. */
#define GATHER_BYTES_AHEAD 7168
#define GATHER_ROWS_AHEAD 16

/* A list of offsets is mostly worked off in order: what comes after the offsets of a gather that
 * goes on where the one before ended names the rows of the next one. It need not be so, and may be
 * anything at the end of the list: these rows are only fetched ahead. A read in the page of the
 * last offset cannot fault. */
static inline int64_t gather_next_offsets(const RowGather *gather) {
  enum { PAGE = 4096 }; /* larger pages consist of these */
  const bangTransfer *t = &gather->transfer;
  const uintptr_t last = (uintptr_t)(t->offset + t->count - 1);
  const int64_t in_page = (int64_t)((PAGE - last % PAGE) / sizeof *t->offset) - 1;
  if (COPY_IS_SANITIZED) return 0;
  return in_page < gather->rows_ahead ? in_page : gather->rows_ahead;
}

static inline void gather_record(RowGather *gather, const bangTransfer *transfer, int goes_on) {
  /* Word by word, as the transfer was written: a read of what two stores wrote would have to wait
   * until both have left the core, after all streaming stores before them. */
  for (size_t i = 0; i < sizeof *transfer / sizeof(uint64_t); ++i) {
    uint64_t word;
    memcpy(&word, (const char *)transfer + i * sizeof word, sizeof word);
    __asm__("" : "+r"(word)); /* or the compiler joins two */
    memcpy((char *)gather + i * sizeof word, &word, sizeof word);
  }
  const int64_t rows = GATHER_BYTES_AHEAD / transfer->bytes;
  gather->rows_ahead = rows < 1 ? 1 : rows < GATHER_ROWS_AHEAD ? rows : GATHER_ROWS_AHEAD;
  gather->known = transfer->count + (goes_on ? gather_next_offsets(gather) : 0);
}

/* Row i, or the last one that is known. */
static inline const char *gather_row(const RowGather *gather, int64_t i) {
  const int64_t last = gather->known - 1;
  return gather->transfer.src + transfer_offset(&gather->transfer, i < last ? i : last);
}

static inline ByteRange gather_target(const bangTransfer *t) {
  const uintptr_t first = (uintptr_t)t->dst, last = first + (uintptr_t)((t->count - 1) * t->stride);
  return (ByteRange){first < last ? first : last, (first < last ? last : first) + (size_t)t->bytes};
}

static inline ByteRange gather_offsets(const bangTransfer *t) {
  return (ByteRange){(uintptr_t)t->offset, (uintptr_t)(t->offset + t->count)};
}

/* Whether a row overlaps the `size` bytes from dst on. */
static inline int row_overlaps(const char *src, size_t bytes, const char *dst, size_t size) {
  return (uintptr_t)src - (uintptr_t)dst + bytes - 1 < size + bytes - 1;
}

#endif /* BANGC_HELPER_CPU_COPY_ROW_GATHER_H_ */
