/* SPDX-License-Identifier: MIT
 *
 * Grids as graphs of one node. The host needs 1.8 us to launch such a graph again, 2.7 us with
 * other parameters, and 4 us to launch a kernel.
 */
#ifndef SM90_KERNEL_GRAPH_H_
#define SM90_KERNEL_GRAPH_H_

#include "bang_sm90.h"
#include "queue.h"

/* A grid of a kernel. */
struct rt_grid {
  const bangSm90Kernel *kernel;
  unsigned blocks;
  unsigned cluster_blocks; /* of a hardware cluster; 1: none */
  bool cooperative;
};

/* Launches the grid by the graph that the queue keeps for the kernel, which the first launch makes.
 * args[0] is the frame. Under the queue's lock. */
cudaError_t rt_kernel_graph_launch(struct CNqueue_st *queue, const struct rt_grid *grid,
                                   void **args);

/* Gives the graphs of a queue back. Those that are running are completed. */
void rt_kernel_graphs_end(struct CNqueue_st *queue);

#endif /* SM90_KERNEL_GRAPH_H_ */
