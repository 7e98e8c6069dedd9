/* SPDX-License-Identifier: MIT
 *
 * Allocations that this process offers to others, in an unnamed file that they map. Each entry has
 * CUDA's handle, which is longer than CNRT's, and the processes that have it open. CUDA does not
 * define what happens if an allocation is freed while another process has it open, so its pages are
 * freed only after all have closed it.
 */
#ifndef SM90_OFFERS_H_
#define SM90_OFFERS_H_

#include <cuda_runtime_api.h>

#include "ipc_handle.h"
#include "root.h"

enum { OFFER_MAX_OPENERS = 64 };

struct offer {
  _Atomic uint32_t serial; /* 0: the entry is unused */
  uint64_t start;          /* address in the offering process */
  uint64_t size;
  cudaIpcMemHandle_t handle;
  _Atomic int32_t openers[OFFER_MAX_OPENERS]; /* process ids, 0 if unused */
};

/* Whether the file could be created. */
bool offers_exist(void);

/* Offers an allocation, once; pages->heap_offset becomes its index. False if CUDA cannot export it
 * or the file is full. */
bool offer_pages(struct rt_pages *pages);
/* The handle of an offered allocation. */
cnrtIpcMemHandle offer_handle(const struct rt_pages *pages);
/* Withdraws an offer. False if other processes have it open; the pages must then stay until
 * offers_collect. */
bool offer_withdraw(const struct rt_device *device, const struct rt_pages *pages);
/* Frees withdrawn pages that are no longer open anywhere. */
void offers_collect(void);

/* The offer of any process at a place; NULL if there is none. */
struct offer *offer_find(const struct rt_ipc_place *place);
/* Records that this process has it open, or closed it. Opening fails if too many processes have it
 * open. */
bool offer_open(struct offer *offer);
void offer_close(struct offer *offer);

#endif /* SM90_OFFERS_H_ */
