/* SPDX-License-Identifier: MIT
 *
 * cnclAlltoAllv between the devices of several processes, alternating with MPI_Alltoallv of the
 * same bytes in host memory.
 *
 *   mpirun -n <processes> bench_cncl_mpi [kilobytes per pair of processes [rounds]]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "cncl.h"

typedef struct Exchange {
  int processes;
  int pair_bytes;
  cnclComm_t comm;
  char *send; /* device memory, like recv */
  char *recv;
  char *host_send;
  char *host_recv;
  const void **send_buffers;
  void **recv_buffers;
  uint32_t *counts;
  cnclDataType_t *types;
  int *mpi_counts;
  int *offsets;
  int failures;
} Exchange;

static void run_cncl(void *arg) {
  Exchange *x = arg;
  x->failures += cnclAlltoAllv(x->send_buffers, x->counts, x->types, x->recv_buffers, x->counts,
                               x->types, x->comm, NULL) != CNCL_RET_SUCCESS;
  x->failures += cnrtQueueSync(NULL) != cnrtSuccess;
  MPI_Barrier(MPI_COMM_WORLD); /* so that both end together on all processes */
}

static void run_mpi(void *arg) {
  Exchange *x = arg;
  MPI_Alltoallv(x->host_send, x->mpi_counts, x->offsets, MPI_BYTE, x->host_recv, x->mpi_counts,
                x->offsets, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void *list_of(int count, size_t size) {
  void *list = calloc((size_t)count, size);
  if (!list) exit(1);
  return list;
}

static void open_exchange(Exchange *x, int process) {
  const int device = 0;
  const size_t bytes = (size_t)x->processes * (size_t)x->pair_bytes;
  if (cnrtMalloc((void **)&x->send, bytes) != cnrtSuccess ||
      cnrtMalloc((void **)&x->recv, bytes) != cnrtSuccess ||
      cnrtHostMalloc((void **)&x->host_send, bytes) != cnrtSuccess ||
      cnrtHostMalloc((void **)&x->host_recv, bytes) != cnrtSuccess ||
      cnclInitComms(&x->comm, 1, &device, &process, x->processes, NULL) != CNCL_RET_SUCCESS) {
    exit(1);
  }
  cnrtMemset(x->send, process + 1, bytes);
  cnrtMemset(x->recv, 0, bytes);
  memset(x->host_send, process + 1, bytes);
  x->send_buffers = list_of(x->processes, sizeof *x->send_buffers);
  x->recv_buffers = list_of(x->processes, sizeof *x->recv_buffers);
  x->counts = list_of(x->processes, sizeof *x->counts);
  x->types = list_of(x->processes, sizeof *x->types);
  x->mpi_counts = list_of(x->processes, sizeof *x->mpi_counts);
  x->offsets = list_of(x->processes, sizeof *x->offsets);
  for (int p = 0; p < x->processes; ++p) {
    x->offsets[p] = p * x->pair_bytes;
    x->send_buffers[p] = x->send + x->offsets[p];
    x->recv_buffers[p] = x->recv + x->offsets[p];
    x->counts[p] = (uint32_t)x->pair_bytes;
    x->mpi_counts[p] = x->pair_bytes;
    x->types[p] = cnclInt8;
  }
}

static void close_exchange(Exchange *x) {
  cnclFreeComm(x->comm);
  cnrtFree(x->send);
  cnrtFree(x->recv);
  cnrtFreeHost(x->host_send);
  cnrtFreeHost(x->host_recv);
  free(x->send_buffers);
  free(x->recv_buffers);
  free(x->counts);
  free(x->types);
  free(x->mpi_counts);
  free(x->offsets);
}

int main(int argc, char **argv) {
  Exchange x;
  int level = 0, process = 0;
  memset(&x, 0, sizeof x);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &x.processes);
  x.pair_bytes = (argc > 1 ? atoi(argv[1]) : 4000) * 1000;
  const int rounds = argc > 2 ? atoi(argv[2]) : 15;
  if (x.pair_bytes <= 0 || x.pair_bytes > INT32_MAX / x.processes || rounds < 1) {
    fprintf(stderr, "usage: bench_cncl_mpi [kilobytes per pair of processes [rounds]]\n");
    MPI_Finalize();
    return 2;
  }
  open_exchange(&x, process);
  const BenchContender contenders[] = {{"cnclAlltoAllv", run_cncl, &x},
                                       {"MPI_Alltoallv", run_mpi, &x}};
  BenchTime times[2];
  bench_interleaved(contenders, 2, 3, rounds, times);
  const size_t bytes = (size_t)x.processes * (size_t)x.pair_bytes;
  cnrtMemset(x.recv, 0, bytes);
  run_cncl(&x);
  cnrtMemcpy(x.host_recv, x.recv, bytes, cnrtMemcpyDevToHost);
  int wrong = x.failures;
  for (int p = 0; p < x.processes; ++p) {
    const char *part = x.host_recv + x.offsets[p];
    wrong += part[0] != p + 1 || part[x.pair_bytes - 1] != p + 1;
  }
  if (process == 0) {
    printf("%d processes, %.3f MB per pair\n", x.processes, x.pair_bytes * 1e-6);
    for (int i = 0; i < 2; ++i)
      printf("  %-16s %10.1f us  [%10.1f .. %10.1f]  %5.2f of MPI's time\n", contenders[i].name,
             times[i].median_us, times[i].p10_us, times[i].p90_us,
             times[i].median_us / times[1].median_us);
    printf("  result: %s\n", wrong == 0 ? "right" : "WRONG");
  }
  close_exchange(&x);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
