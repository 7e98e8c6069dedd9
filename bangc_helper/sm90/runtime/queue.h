/* SPDX-License-Identifier: MIT
 *
 * Queues: streams that do not wait for each other. rt_queue_acquire enters the queue's device, too.
 */
#ifndef SM90_QUEUE_H_
#define SM90_QUEUE_H_

#include "device.h"
#include "queues.h"

struct CNqueue_st {
  struct rt_device *device;
  cudaStream_t stream;
  int priority;
  _Atomic int references;

  /* Guards what follows, and that what belongs together follows each other in the stream. */
  pthread_mutex_t lock;
  cnrtRet_t first_error; /* of what CUDA knows nothing of */
  /* Operations that the host completes: the stream waits until *word reaches the number of one. */
  _Atomic uint32_t *word;
  uint32_t word_sequence;
  /* Memory that kernels of this queue use one after another. */
  char *scratch;
  size_t scratch_bytes;
  /* Words that barriers of unions count in, and the launches that did. */
  unsigned long long *barriers;
  size_t barrier_words;
  unsigned long long barrier_launches;

  struct CNqueue_st *device_next, *device_prev; /* in the device's list */
};

/* The queue for copies that wait for no other work of the device, retained and entered. */
struct CNqueue_st *rt_queue_acquire_side(struct rt_device *device, cnrtRet_t *error);

/* Waits for the queues of the device, and for no other work of its GPU. */
cnrtRet_t rt_device_wait_queues(struct rt_device *device);

/* Remembers an error for the next synchronisation. */
void rt_queue_set_error(struct CNqueue_st *queue, cnrtRet_t error);

/* At least `bytes` bytes for the kernel that is enqueued next; under the queue's lock. */
cnrtRet_t rt_queue_scratch(struct CNqueue_st *queue, size_t bytes, char **memory);

/* At least `words` words for the barriers of the kernel that is enqueued next, all of them less
 * than *start; under the queue's lock. */
cnrtRet_t rt_queue_barriers(struct CNqueue_st *queue, size_t words, unsigned long long **barriers,
                            unsigned long long *start);

#endif /* SM90_QUEUE_H_ */
