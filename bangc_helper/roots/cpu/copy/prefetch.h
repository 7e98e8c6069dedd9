/* SPDX-License-Identifier: MIT
 *
 * How much of the recorded loads is fetched ahead, by CPU. */
#ifndef BANGC_HELPER_CPU_COPY_PREFETCH_H_
#define BANGC_HELPER_CPU_COPY_PREFETCH_H_

/* Fetched ahead when a load is recorded: its first lines. Copying fetches the lines of later loads
 * itself, and vector functions fetch what is left (copy/ahead.h). A task that mostly loads and
 * calls none computes by itself, and memory would idle meanwhile: then up to a whole tile is
 * fetched. */
#define COMPUTED_PREFETCH_BYTES 512
#define READER_PREFETCH_BYTES (16 * 1024)
/* Cores of Arm fetch more of a row that begins somewhere else. Where loads go on from batch to
 * batch they fetch the beginning of the next one by themselves, and the rest must be asked for
 * earlier. */
#if defined(__aarch64__)
#define PREFETCH_BYTES 2048
#define SEQUENCE_PREFETCH_BYTES (4 * 1024)
#define FOLLOWS_BATCHES 1
#define FOLLOWED_BYTES_AHEAD 8192
#define JOINS_LOADS 1
#else
#define PREFETCH_BYTES 512
#define SEQUENCE_PREFETCH_BYTES READER_PREFETCH_BYTES
#define FOLLOWS_BATCHES 0
#define FOLLOWED_BYTES_AHEAD 0
#define JOINS_LOADS 0
#endif

#endif /* BANGC_HELPER_CPU_COPY_PREFETCH_H_ */
