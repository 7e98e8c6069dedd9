/* SPDX-License-Identifier: MIT
 *
 * The GPUs of the machine as devices. A setting makes several devices of one GPU, for programs that
 * want more devices than there are.
 */
#ifndef SM90_DEVICE_H_
#define SM90_DEVICE_H_

#include <pthread.h>

#include "cuda_call.h"
#include "root.h"

struct CNqueue_st;

struct rt_device {
  int ordinal;
  int gpu;        /* as CUDA counts */
  bool is_shared; /* another device is the same GPU */
  char name[256];
  cnrtUUID_t uuid;
  uint64_t memory_bytes;
  struct rt_device_facts facts;
  int most_shared_bytes; /* dynamic shared memory a block may have */

  /* Guards what follows. */
  pthread_mutex_t lock;
  struct CNqueue_st *queues; /* a list through `device_next` */
  struct CNqueue_st *default_queue;
  struct CNqueue_st *side_queue; /* for copies that wait for no other work */
  unsigned *fault; /* host memory where a kernel leaves a fault code, NULL until needed */
};

/* Makes CUDA calls of this thread go to the device. */
cnrtRet_t rt_device_enter(const struct rt_device *device);

/* The code of a CUDA error that came back from work of the device: the fault a task left, if one
 * did. */
cnrtRet_t rt_device_error(struct rt_device *device, cudaError_t error);
/* Where tasks leave fault codes; NULL when there is no memory for it. */
unsigned *rt_device_fault_word(struct rt_device *device);

/* Forgets everything of a device that cudaDeviceReset frees. */
void rt_device_forget_memory(struct rt_device *device);

#endif /* SM90_DEVICE_H_ */
