/* SPDX-License-Identifier: MIT
 *
 * What this process offers to others, in a file without a name that they map: one entry per
 * allocation, with CUDA's handle, which is longer than CNRT's, and with the processes that have it
 * open. CUDA leaves undefined what happens when an allocation is freed that another process still
 * has open, so its pages wait until nobody has.
 */
#ifndef SM90_OFFERS_H_
#define SM90_OFFERS_H_

#include <cuda_runtime_api.h>

#include "ipc_handle.h"
#include "root.h"

enum { OFFER_MAX_OPENERS = 64 };

struct offer {
  _Atomic uint32_t serial; /* 0: nothing is offered here */
  uint64_t start;          /* where it lies in the process that offers it */
  uint64_t size;
  cudaIpcMemHandle_t handle;
  _Atomic int32_t openers[OFFER_MAX_OPENERS]; /* process numbers, 0 for none */
};

/* Whether there is such a file. */
bool offers_exist(void);

/* Offers an allocation, once: pages->heap_offset says where. False when CUDA cannot export it or
 * the file is full. */
bool offer_pages(struct rt_pages *pages);
/* The handle of an allocation that is offered. */
cnrtIpcMemHandle offer_handle(const struct rt_pages *pages);
/* Takes an offer back; false when others have it open, and the pages must stay until
 * offers_collect. */
bool offer_withdraw(const struct rt_device *device, const struct rt_pages *pages);
/* Frees the withdrawn pages that nobody has open any more. */
void offers_collect(void);

/* The offer of another process, or of this one, at a place; NULL when there is none. */
struct offer *offer_find(const struct rt_ipc_place *place);
/* Says that this process has it open, or no longer has. Opening fails where too many have. */
bool offer_open(struct offer *offer);
void offer_close(struct offer *offer);

#endif /* SM90_OFFERS_H_ */
