/* SPDX-License-Identifier: MIT
 *
 * Grids as graphs of one node. The host needs 1.8 us to launch such a graph again, 2.7 us with
 * other parameters, and 4 us to launch a kernel.
 */
#ifndef SM90_KERNEL_GRAPH_H_
#define SM90_KERNEL_GRAPH_H_

#include "bang_sm90.h"
#include "cuda_call.h"

enum { RT_GRAPH_BUCKETS = 32 };

/* The graphs that a queue keeps, by their kernels; all NULL at first. */
struct rt_kernel_graphs {
  struct kernel_graph *buckets[RT_GRAPH_BUCKETS];
};

/* A grid of a kernel. */
struct rt_grid {
  const bangSm90Kernel *kernel;
  unsigned blocks;
  unsigned cluster_blocks; /* of a hardware cluster; 1: none */
  bool cooperative;
};

/* Launches the grid in a stream by the graph for the kernel, which the first launch makes. args[0]
 * is the frame. One call at a time. */
cudaError_t rt_kernel_graph_launch(struct rt_kernel_graphs *graphs, cudaStream_t stream,
                                   const struct rt_grid *grid, void **args);

/* Gives the graphs back. Those that are running are completed. */
void rt_kernel_graphs_end(struct rt_kernel_graphs *graphs);

#endif /* SM90_KERNEL_GRAPH_H_ */
