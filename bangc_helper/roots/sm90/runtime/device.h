/* SPDX-License-Identifier: MIT
 *
 * The machine's GPUs as devices. A setting splits a GPU into several devices, for programs that
 * need more devices than there are GPUs.
 */
#ifndef SM90_DEVICE_H_
#define SM90_DEVICE_H_

#include <pthread.h>

#include "cuda_call.h"
#include "root.h"

struct CNqueue_st;

struct rt_device {
  int ordinal;
  int gpu;        /* CUDA's device number */
  bool is_shared; /* another device uses the same GPU */
  char name[256];
  cnrtUUID_t uuid;
  uint64_t memory_bytes;
  struct rt_device_facts facts;
  int max_shared_bytes; /* limit of dynamic shared memory per block */

  /* Protects the following members. */
  pthread_mutex_t lock;
  struct CNqueue_st *queues; /* a list through `device_next` */
  struct CNqueue_st *default_queue;
  struct CNqueue_st *side_queue; /* for copies that do not wait for other work */
  unsigned *fault; /* host memory where a kernel stores a fault code; NULL until needed */
};

/* Makes the device current for this thread's CUDA calls. */
cnrtRet_t rt_device_enter(const struct rt_device *device);

/* The code for a CUDA error of the device's work: the fault code that a task stored, if any. */
cnrtRet_t rt_device_error(struct rt_device *device, cudaError_t error);
/* Where tasks store fault codes; NULL if out of memory. */
unsigned *rt_device_fault_word(struct rt_device *device);

/* Drops everything of a device that cudaDeviceReset frees. */
void rt_device_forget_memory(struct rt_device *device);

#endif /* SM90_DEVICE_H_ */
