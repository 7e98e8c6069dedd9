/* SPDX-License-Identifier: MIT */
#include "kernel_graph.h"

#include <stdlib.h>
#include <string.h>

#include "kernel_registry.h"

/* An executable graph runs one launch at a time, so each queue has its own. */
struct kernel_graph {
  struct kernel_graph *next;
  struct rt_grid grid; /* the last launch; its `kernel` is no longer valid */
  const void *function;
  unsigned generation; /* of the kernel registry; graphs of older generations stay unused until the
                        * queue is destroyed */
  size_t onchip_bytes;
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  unsigned char values[]; /* parameter values of the last launch */
};

/* ---- Parameters ---- */

/* Bytes of all parameters, the frame first. */
static size_t values_size(const bangSm90Kernel *kernel) {
  size_t bytes = sizeof(bangSm90Frame);
  for (const size_t *size = kernel->arg_bytes; *size != 0; ++size) {
    bytes += *size;
  }
  return bytes;
}

/* Copies the parameters to `values`; returns whether any changed. */
static bool renew_values(unsigned char *values, const bangSm90Kernel *kernel, void **args) {
  bool is_new = false;
  size_t size = sizeof(bangSm90Frame);
  for (size_t i = 0; size != 0; size = kernel->arg_bytes[i++]) {
    if (memcmp(values, args[i], size) != 0) {
      memcpy(values, args[i], size);
      is_new = true;
    }
    values += size;
  }
  return is_new;
}

static void describe(const struct rt_grid *grid, void **args, struct cudaKernelNodeParams *node) {
  *node = (struct cudaKernelNodeParams){.func = (void *)grid->kernel->function,
                                        .gridDim = {grid->blocks, 1, 1},
                                        .blockDim = {grid->kernel->threads, 1, 1},
                                        .sharedMemBytes = (unsigned)grid->kernel->onchip_bytes,
                                        .kernelParams = args};
}

/* ---- Graphs ---- */

static struct kernel_graph **bucket_of(struct rt_kernel_graphs *graphs, const void *function) {
  return &graphs->buckets[((uintptr_t)function >> 4) % RT_GRAPH_BUCKETS];
}

static void destroy(struct kernel_graph *graph) {
  if (graph->exec != NULL) {
    rt_cuda(cudaGraphExecDestroy(graph->exec));
  }
  if (graph->graph != NULL) {
    rt_cuda(cudaGraphDestroy(graph->graph));
  }
  free(graph);
}

static cudaError_t set_shape(cudaGraphNode_t node, const struct rt_grid *grid) {
  cudaError_t error = cudaSuccess;
  if (grid->cluster_blocks > 1) {
    cudaLaunchAttributeValue value;
    memset(&value, 0, sizeof(value));
    value.clusterDim.x = grid->cluster_blocks;
    value.clusterDim.y = 1;
    value.clusterDim.z = 1;
    error = cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value);
  }
  if (error == cudaSuccess && grid->cooperative) {
    cudaLaunchAttributeValue value;
    memset(&value, 0, sizeof(value));
    value.cooperative = 1;
    error = cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value);
  }
  return error;
}

static cudaError_t build(struct kernel_graph *graph, const struct rt_grid *grid, void **args) {
  struct cudaKernelNodeParams params;
  describe(grid, args, &params);
  cudaError_t error = cudaGraphCreate(&graph->graph, 0);
  if (error == cudaSuccess) {
    error = cudaGraphAddKernelNode(&graph->node, graph->graph, NULL, 0, &params);
  }
  if (error == cudaSuccess) {
    error = set_shape(graph->node, grid);
  }
  if (error == cudaSuccess) {
    error = cudaGraphInstantiate(&graph->exec, graph->graph, 0);
  }
  return error;
}

static cudaError_t make(const struct rt_grid *grid, void **args, struct kernel_graph **made) {
  struct kernel_graph *graph = calloc(1, sizeof(*graph) + values_size(grid->kernel));
  if (graph == NULL) {
    return cudaErrorMemoryAllocation;
  }
  graph->grid = *grid;
  graph->function = grid->kernel->function;
  graph->generation = rt_kernel_generation();
  graph->onchip_bytes = grid->kernel->onchip_bytes;
  renew_values(graph->values, grid->kernel, args);
  const cudaError_t error = build(graph, grid, args);
  if (error != cudaSuccess) {
    destroy(graph);
    return error;
  }
  *made = graph;
  return cudaSuccess;
}

static bool is_for(const struct kernel_graph *graph, const struct rt_grid *grid) {
  return graph->function == grid->kernel->function && graph->generation == rt_kernel_generation() &&
         graph->grid.cluster_blocks == grid->cluster_blocks &&
         graph->grid.cooperative == grid->cooperative;
}

/* Launches already in the stream keep their parameters. */
static cudaError_t update(struct kernel_graph *graph, const struct rt_grid *grid, void **args) {
  const bool is_new = renew_values(graph->values, grid->kernel, args);
  if (!is_new && graph->grid.blocks == grid->blocks &&
      graph->onchip_bytes == grid->kernel->onchip_bytes) {
    return cudaSuccess;
  }
  struct cudaKernelNodeParams params;
  describe(grid, args, &params);
  const cudaError_t error = cudaGraphExecKernelNodeSetParams(graph->exec, graph->node, &params);
  graph->grid.blocks = error == cudaSuccess ? grid->blocks : 0; /* 0: no parameters are set */
  graph->onchip_bytes = grid->kernel->onchip_bytes;
  return error;
}

cudaError_t rt_kernel_graph_launch(struct rt_kernel_graphs *graphs, cudaStream_t stream,
                                   const struct rt_grid *grid, void **args) {
  struct kernel_graph **bucket = bucket_of(graphs, grid->kernel->function);
  struct kernel_graph *graph = *bucket;
  while (graph != NULL && !is_for(graph, grid)) {
    graph = graph->next;
  }
  cudaError_t error = cudaSuccess;
  if (graph != NULL) {
    error = update(graph, grid, args);
  } else {
    error = make(grid, args, &graph);
    if (error == cudaSuccess) {
      graph->next = *bucket;
      *bucket = graph;
    }
  }
  return error == cudaSuccess ? cudaGraphLaunch(graph->exec, stream) : error;
}

void rt_kernel_graphs_end(struct rt_kernel_graphs *graphs) {
  for (size_t i = 0; i < RT_GRAPH_BUCKETS; ++i) {
    while (graphs->buckets[i] != NULL) {
      struct kernel_graph *graph = graphs->buckets[i];
      graphs->buckets[i] = graph->next;
      destroy(graph);
    }
  }
}
