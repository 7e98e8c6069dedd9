/* SPDX-License-Identifier: MIT
 *
 * A recorded gather of rows that are long enough to be loaded together with a store. It has a
 * single record: one per row would have to be written and read between two batches, while memory
 * should be kept busy. */
#ifndef BANGC_HELPER_CPU_COPY_ROW_GATHER_H_
#define BANGC_HELPER_CPU_COPY_ROW_GATHER_H_

#include <string.h>

#include "bang/vector_api.h"
#include "copy/sanitized.h"
#include "copy/segments.h"
#include "vector/transfer.h"

typedef struct RowGather {
  bangTransfer transfer;
  int64_t rows_ahead; /* prefetch distance in rows */
  int64_t known;      /* readable offsets: those of this gather, and some of the next one */
} RowGather;

/* About this many bytes are prefetched. */
#define GATHER_BYTES_AHEAD 7168
#define GATHER_BYTES_AHEAD_BACKWARDS 8192
#define GATHER_ROWS_AHEAD 16

/* Cores of Arm that load a row forwards read on past its end, and memory is busy with what nobody
 * wants: a gather of 1 KB rows takes 1.6 times as long. Of shorter rows they read less ahead. The
 * last line of a row that does not end with a cache line would be missed. */
static inline int gather_is_backwards(const bangTransfer *t) {
#if defined(__aarch64__)
  enum { MIN_BYTES = 1024, LINE = 64 };
  return t->bytes >= MIN_BYTES && t->bytes % LINE == 0 && (uintptr_t)t->src % LINE == 0;
#else
  (void)t;
  return 0;
#endif
}

/* Kernels usually work through a list of offsets in order: the offsets after those of a gather that
 * continues the previous one probably belong to the next one. They may be anything, but their rows
 * are only prefetched. A read within the page of the last offset cannot fault. */
static inline int64_t gather_next_offsets(const RowGather *gather) {
  enum { PAGE = 4096 }; /* larger pages are multiples of this */
  const bangTransfer *t = &gather->transfer;
  const uintptr_t last = (uintptr_t)(t->offset + t->count - 1);
  const int64_t in_page = (int64_t)((PAGE - last % PAGE) / sizeof *t->offset) - 1;
  if (COPY_IS_SANITIZED) return 0;
  return in_page < gather->rows_ahead ? in_page : gather->rows_ahead;
}

static inline void gather_record(RowGather *gather, const bangTransfer *transfer, int goes_on) {
  /* Word by word, as it was written: a load that spans two stores waits until both have left the
   * store buffer, after all streaming stores before them. */
  for (size_t i = 0; i < sizeof *transfer / sizeof(uint64_t); ++i) {
    uint64_t word;
    memcpy(&word, (const char *)transfer + i * sizeof word, sizeof word);
    __asm__("" : "+r"(word)); /* keeps the compiler from joining two reads */
    memcpy((char *)gather + i * sizeof word, &word, sizeof word);
  }
  const int64_t bytes =
      gather_is_backwards(transfer) ? GATHER_BYTES_AHEAD_BACKWARDS : GATHER_BYTES_AHEAD;
  const int64_t rows = bytes / transfer->bytes;
  gather->rows_ahead = rows < 1 ? 1 : rows < GATHER_ROWS_AHEAD ? rows : GATHER_ROWS_AHEAD;
  gather->known = transfer->count + (goes_on ? gather_next_offsets(gather) : 0);
}

/* Row i, or the last one whose offset is known. */
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

/* True if a row overlaps the `size` bytes at dst. */
static inline int row_overlaps(const char *src, size_t bytes, const char *dst, size_t size) {
  return (uintptr_t)src - (uintptr_t)dst + bytes - 1 < size + bytes - 1;
}

#endif /* BANGC_HELPER_CPU_COPY_ROW_GATHER_H_ */
