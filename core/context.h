/* SPDX-License-Identifier: MIT
 *
 * What a handle holds: the device's properties, read once by mluOpCreate, and the caller's
 * settings.
 */
#ifndef CORE_CONTEXT_H_
#define CORE_CONTEXT_H_

#include <stddef.h>
#include <stdint.h>

#include "core/device_facts.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mluopVariantTable mluopVariantTable; /* core/variant.h */

/* Architectures, numbered by their instruction sets; compare with < and >=. */
typedef enum mluOpDevType {
  MLUOP_UNKNOWN_DEVICE = 0,
  MLUOP_MLU220 = 220,
  MLUOP_MLU270 = 270,
  MLUOP_MLU290 = 290,
  MLUOP_MLU370 = 372,
  MLUOP_MLU590 = 592,
  MLUOP_MTP613 = 613,
  MLUOP_MTP617 = 617,
} mluOpDevType_t;

#define MLUOP_CONTEXT_DEVICE_NAME_SIZE 64

/* First word of a handle that was created and not destroyed. */
#define MLUOP_CONTEXT_LIVE 0x6d6c756fu

struct mluOpContext {
  uint32_t life;                  /* MLUOP_CONTEXT_LIVE, until it is destroyed */
  struct mluOpContext *next_kept; /* in the list of destroyed handles */
  CNdev device;
  char device_name[MLUOP_CONTEXT_DEVICE_NAME_SIZE];
  mluOpDevType_t arch;
  int cluster_num; /* of the device */
  int core_num_per_cluster;
  int nram_size; /* bytes per core */
  int wram_size; /* bytes per core */
  int sram_size; /* bytes per cluster */
  int l2cache_size;
  int persisting_l2cache_max_size;
  int clock_rate;           /* of the clusters, kHz */
  double memory_band_width; /* peak, bytes per second */
  /* Limits of the driver context; mluOpUpdateContextInformation reads them again. */
  int32_t capability_cluster_num;
  KernelClass capability_job_limit; /* largest union with a KernelClass */
  int capability_union_clusters;    /* clusters of the largest union */

  mluopDeviceFacts facts;
  /* Forms of kernels, see core/variant.h. */
  struct {
    int forced;                     /* index in the operator's table plus 1; 0: not forced */
    const mluopVariantTable *table; /* of the last call, whose form `ran`; NULL: no call yet */
    int ran;
  } variant;

  cnrtQueue_t queue; /* NULL: the default queue */
  mluOpQuantizeRoundMode_t round_mode;
  mluOpAtomicsMode_t atomics_mode;
};

/* Cores a kernel may use at the same time. */
static inline int mluop_context_core_num(mluOpHandle_t handle) {
  return handle->capability_cluster_num * handle->core_num_per_cluster;
}

/* Tasks for this many bytes of work: each gets at least `min_bytes`, and there are at most as
 * many as cores. */
static inline unsigned mluop_context_tasks(mluOpHandle_t handle, size_t bytes, size_t min_bytes) {
  const size_t useful = bytes / min_bytes + (bytes % min_bytes != 0);
  const size_t cores = (size_t)mluop_context_core_num(handle);
  return (unsigned)(useful < cores ? useful : cores);
}

/* The same as launch dimensions, with at least one task and at most one per item. */
static inline cnrtDim3_t mluop_context_task_dim(mluOpHandle_t handle, size_t bytes,
                                                size_t min_bytes, int64_t items) {
  unsigned tasks = mluop_context_tasks(handle, bytes, min_bytes);
  if (tasks > items) tasks = (unsigned)items;
  const cnrtDim3_t dim = {tasks > 0 ? tasks : 1, 1, 1};
  return dim;
}

/* Size of the largest union with at most `clusters` clusters. It is a power of two unless the
 * device allows any number. */
static inline int mluop_context_union_of(mluOpHandle_t handle, size_t clusters) {
  const int most = handle->capability_union_clusters;
  if (clusters > (size_t)most) clusters = (size_t)most;
  if (most <= (int)handle->capability_job_limit / CN_KERNEL_CLASS_UNION) {
    while ((clusters & (clusters - 1)) != 0) clusters &= clusters - 1;
  }
  return (int)clusters;
}

#ifdef __cplusplus
}
#endif
#endif /* CORE_CONTEXT_H_ */
