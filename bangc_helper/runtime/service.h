/* SPDX-License-Identifier: MIT
 *
 * Threads for work that may block, such as host functions. Threads are created on demand and end
 * when idle, so that no job waits for another one.
 */
#ifndef RUNTIME_SERVICE_H_
#define RUNTIME_SERVICE_H_

#include "common.h"

/* A job, which stays the owner's until `run` is called. */
struct rt_service_job {
  struct rt_service_job *next;
  void (*run)(struct rt_service_job *job);
};

/* Hands a job to a service thread, a new one if all are busy. */
void rt_service_post(struct rt_service_job *job);

#endif /* RUNTIME_SERVICE_H_ */
