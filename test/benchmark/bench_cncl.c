/* SPDX-License-Identifier: MIT
 *
 * Collectives between the devices of one process, compared with the machine's copy rate in one
 * interleaved run.
 *
 *   bench_cncl [ranks [megabytes per pair of ranks [rounds]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "cncl.h"

enum { MAX_RANKS = 16 };

typedef struct Ranks {
  int count;
  size_t pair_bytes; /* between each pair of ranks */
  cnclComm_t comm[MAX_RANKS];
  cnrtQueue_t queue[MAX_RANKS];
  char *send[MAX_RANKS];
  char *recv[MAX_RANKS];
  int failures;
} Ranks;

static void check(Ranks *ranks, int ok) {
  ranks->failures += !ok;
}

static void sync_all(Ranks *ranks) {
  for (int r = 0; r < ranks->count; ++r)
    check(ranks, cnrtQueueSync(ranks->queue[r]) == cnrtSuccess);
}

static void run_all_to_all(void *arg) {
  Ranks *ranks = arg;
  for (int r = 0; r < ranks->count; ++r)
    check(ranks, cnclAlltoAll(ranks->send[r], ranks->recv[r], ranks->pair_bytes, cnclInt8,
                              ranks->comm[r], ranks->queue[r]) == CNCL_RET_SUCCESS);
  sync_all(ranks);
}

static void run_pairs(void *arg) {
  Ranks *ranks = arg;
  for (int r = 0; r < ranks->count; ++r) {
    cnclGroupStart();
    for (int p = 0; p < ranks->count; ++p) {
      const size_t offset = (size_t)p * ranks->pair_bytes;
      cnclSend(ranks->send[r] + offset, ranks->pair_bytes, cnclInt8, p, ranks->comm[r],
               ranks->queue[r]);
      cnclRecv(ranks->recv[r] + offset, ranks->pair_bytes, cnclInt8, p, ranks->comm[r],
               ranks->queue[r]);
    }
    check(ranks, cnclGroupEnd() == CNCL_RET_SUCCESS);
  }
  sync_all(ranks);
}

static void run_all_gather(void *arg) {
  Ranks *ranks = arg;
  for (int r = 0; r < ranks->count; ++r)
    check(ranks, cnclAllGather(ranks->send[r], ranks->recv[r], ranks->pair_bytes, cnclInt8,
                               ranks->comm[r], ranks->queue[r]) == CNCL_RET_SUCCESS);
  sync_all(ranks);
}

static void run_all_reduce(void *arg) {
  Ranks *ranks = arg;
  for (int r = 0; r < ranks->count; ++r)
    check(ranks, cnclAllReduce(ranks->send[r], ranks->recv[r], ranks->pair_bytes / 2, cnclBfloat16,
                               cnclSum, ranks->comm[r], ranks->queue[r]) == CNCL_RET_SUCCESS);
  sync_all(ranks);
}

static void run_small(void *arg) {
  Ranks *ranks = arg;
  for (int r = 0; r < ranks->count; ++r)
    check(ranks, cnclAlltoAll(ranks->send[r], ranks->recv[r], 64, cnclInt8, ranks->comm[r],
                              ranks->queue[r]) == CNCL_RET_SUCCESS);
  sync_all(ranks);
}

static char *device_block(size_t bytes, int fill) {
  void *block = NULL;
  if (cnrtMalloc(&block, bytes) != cnrtSuccess || cnrtMemset(block, fill, bytes) != cnrtSuccess) {
    fprintf(stderr, "bench_cncl: out of memory\n");
    exit(1);
  }
  return block;
}

static void open_ranks(Ranks *ranks) {
  int devices[MAX_RANKS];
  for (int r = 0; r < ranks->count; ++r) {
    devices[r] = r;
    check(ranks, cnrtSetDevice(r) == cnrtSuccess);
    check(ranks, cnrtQueueCreate(&ranks->queue[r]) == cnrtSuccess);
    ranks->send[r] = device_block((size_t)ranks->count * ranks->pair_bytes, r + 1);
    ranks->recv[r] = device_block((size_t)ranks->count * ranks->pair_bytes, 0);
  }
  if (cnclInitComms(ranks->comm, ranks->count, devices, NULL, ranks->count, NULL) !=
      CNCL_RET_SUCCESS) {
    exit(1);
  }
}

static void close_ranks(Ranks *ranks) {
  cnclDestroyComms(ranks->comm, ranks->count);
  for (int r = 0; r < ranks->count; ++r) {
    cnrtQueueDestroy(ranks->queue[r]);
    cnrtFree(ranks->send[r]);
    cnrtFree(ranks->recv[r]);
  }
}

static void report(const char *name, BenchTime time, double bytes, double copy_rate) {
  const double rate = bytes / time.median_us * 1e-3;
  printf("  %-34s %10.1f us  [%10.1f .. %10.1f]  %6.2f GB/s  %5.2f of the copy rate\n", name,
         time.median_us, time.p10_us, time.p90_us, rate, rate / copy_rate);
}

int main(int argc, char **argv) {
  Ranks ranks;
  memset(&ranks, 0, sizeof ranks);
  ranks.count = argc > 1 ? atoi(argv[1]) : 8;
  ranks.pair_bytes = (size_t)((argc > 2 ? atof(argv[2]) : 2) * 1e6) / 64 * 64;
  const int rounds = argc > 3 ? atoi(argv[3]) : 15;
  unsigned devices = 0;
  cnrtGetDeviceCount(&devices);
  if (ranks.count < 1 || ranks.count > MAX_RANKS || ranks.count > (int)devices ||
      ranks.pair_bytes < 64 || rounds < 1) {
    fprintf(stderr, "usage: bench_cncl [ranks, up to %u [megabytes per pair [rounds]]]\n", devices);
    return 2;
  }
  open_ranks(&ranks);
  const size_t moved = (size_t)ranks.count * (size_t)ranks.count * ranks.pair_bytes;
  BenchCopy copy = {bench_alloc(moved), bench_alloc(moved), moved};
  const BenchContender contenders[] = {{"AlltoAll", run_all_to_all, &ranks},
                                       {"Send and Recv in groups", run_pairs, &ranks},
                                       {"AllGather", run_all_gather, &ranks},
                                       {"AllReduce bfloat16", run_all_reduce, &ranks},
                                       {"AlltoAll of 64 bytes", run_small, &ranks},
                                       {"copy: memcpy", bench_copy_memcpy, &copy},
                                       {"copy: streaming stores", bench_copy_streaming, &copy}};
  enum { ALL_TO_ALL, PAIRS, ALL_GATHER, ALL_REDUCE, SMALL, COPY_MEMCPY, COPY_STREAMING, COUNT };
  BenchTime times[COUNT];
  bench_interleaved(contenders, COUNT, 2, rounds, times);

  /* Bytes read and written. */
  const double bytes = 2.0 * (double)moved;
  const double reduced = 2.0 * ranks.count * (double)ranks.pair_bytes;
  const double best = times[COPY_MEMCPY].median_us < times[COPY_STREAMING].median_us
                          ? times[COPY_MEMCPY].median_us
                          : times[COPY_STREAMING].median_us;
  const double copy_rate = bytes / best * 1e-3;
  printf("CNCL in one process: %d ranks, %.2f MB per pair, %d threads; copy rate %.2f GB/s\n",
         ranks.count, (double)ranks.pair_bytes * 1e-6, bench_threads(), copy_rate);
  for (int i = 0; i < COUNT; ++i) {
    const double own = i == ALL_REDUCE ? reduced
                       : i == SMALL    ? 2.0 * 64 * ranks.count * ranks.count
                                       : bytes;
    report(contenders[i].name, times[i], own, copy_rate);
  }
  run_all_to_all(&ranks);
  int same = ranks.failures == 0;
  for (int r = 0; r < ranks.count; ++r)
    for (int p = 0; p < ranks.count; ++p)
      same = same && ranks.recv[r][(size_t)p * ranks.pair_bytes] == p + 1 &&
             ranks.recv[r][(size_t)(p + 1) * ranks.pair_bytes - 1] == p + 1;
  printf("  result: %s\n", same ? "right" : "WRONG");
  close_ranks(&ranks);
  free(copy.dst);
  free((void *)copy.src);
  return same ? 0 : 1;
}
