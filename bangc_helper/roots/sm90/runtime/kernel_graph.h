/* SPDX-License-Identifier: MIT
 *
 * Grids as graphs of one node. Relaunching such a graph takes the host 1.8 us, or 2.7 us with other
 * parameters; launching a kernel takes 4 us.
 */
#ifndef SM90_KERNEL_GRAPH_H_
#define SM90_KERNEL_GRAPH_H_

#include "bang_sm90.h"
#include "cuda_call.h"

enum { RT_GRAPH_BUCKETS = 32 };

/* A queue's graphs, hashed by kernel; initially all NULL. */
struct rt_kernel_graphs {
  struct kernel_graph *buckets[RT_GRAPH_BUCKETS];
};

/* A grid of a kernel. */
struct rt_grid {
  const bangSm90Kernel *kernel;
  unsigned blocks;
  unsigned cluster_blocks; /* of a hardware cluster; 1: no cluster */
  bool cooperative;
};

/* Launches the grid in a stream through the kernel's graph, which the first launch creates. args[0]
 * is the frame. Calls must not overlap. */
cudaError_t rt_kernel_graph_launch(struct rt_kernel_graphs *graphs, cudaStream_t stream,
                                   const struct rt_grid *grid, void **args);

/* Destroys the graphs; running ones complete. */
void rt_kernel_graphs_end(struct rt_kernel_graphs *graphs);

#endif /* SM90_KERNEL_GRAPH_H_ */
