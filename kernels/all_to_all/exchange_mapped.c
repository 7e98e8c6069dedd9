/* SPDX-License-Identifier: MIT
 *
 * Ranks in processes that can map each other's device memory:
 *
 *   announce with handles, gather; the host maps the memory of the group; fill the output from the
 *   memory of the ranks, gather again
 *
 * The steps are those of ranks in one process, but the host waits for the handles, because only the
 * host can open them. */
#include <stdlib.h>

#include "core/check.h"
#include "core/context.h"
#include "kernels/all_to_all/exchange_host.h"
#include "kernels/kernel.h"

/* Sets handle and offset of this rank's data for other processes; leaves them if it cannot be
 * mapped. */
static void offer(const void *data, int64_t *handle, int64_t *offset) {
  cnrtPointerAttributes_t attributes;
  cnrtIpcMemHandle acquired = NULL;
  if (cnrtPointerGetAttributes(&attributes, (void *)data) != cnrtSuccess ||
      attributes.deviceBasePointer == NULL ||
      cnrtAcquireMemHandle(&acquired, attributes.deviceBasePointer) != cnrtSuccess) {
    return;
  }
  *handle = (int64_t)(uintptr_t)acquired;
  *offset = (const char *)data - (const char *)attributes.deviceBasePointer;
}

static bool are_all_offered(const A2aCall *call) {
  for (int rank = 0; rank < call->args.geometry.ranks; ++rank) {
    const A2aRecord *record = a2a_record(&call->args, call->records, rank);
    if (record->word[A2A_RECORD_INPUT_HANDLE] == 0 || record->word[A2A_RECORD_IDS_HANDLE] == 0) {
      return false;
    }
  }
  return true;
}

typedef struct Mappings {
  void **address;
  int count;
} Mappings;

/* Maps the memory that a word of a record refers to, and puts its local address there. */
static mluOpStatus_t map_word(const A2aCall *call, int rank, int word, int handle_word,
                              Mappings *mappings) {
  A2aRecord *record = a2a_record(&call->args, call->records, rank);
  void *base = NULL;
  const cnrtIpcMemHandle handle = (cnrtIpcMemHandle)(uintptr_t)record->word[handle_word];
  const cnrtRet_t result = cnrtMapMemHandle(&base, handle, 0);
  CHECK_ELSE(EXECUTION_FAILED, result == cnrtSuccess, "%s memory of rank %d cannot be mapped: %s.",
             call->api, rank, cnrtGetErrorStr(result));
  mappings->address[mappings->count++] = base;
  const int64_t offset = record->word[handle_word + 1];
  record->word[word] = (int64_t)(uintptr_t)((char *)base + offset);
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t map_group(const A2aCall *call, Mappings *mappings) {
  const A2aGeometry *g = &call->args.geometry;
  for (int position = 0; position < g->group_size; ++position) {
    const int rank = a2a_rank_at(g, position);
    if (rank == g->rank) continue;
    MLUOP_RETURN_IF_FAILED(
        map_word(call, rank, A2A_RECORD_INPUT, A2A_RECORD_INPUT_HANDLE, mappings));
    MLUOP_RETURN_IF_FAILED(map_word(call, rank, A2A_RECORD_IDS, A2A_RECORD_IDS_HANDLE, mappings));
  }
  return MLUOP_STATUS_SUCCESS;
}

/* The kernel reads the local addresses from the gathered records. */
static mluOpStatus_t store_records(const A2aCall *call) {
  const size_t bytes = (size_t)(call->args.record_bytes * call->args.geometry.ranks);
  MLUOP_RETURN_IF_FAILED(
      a2a_cnrt_status(call->api, "copying the addresses",
                      cnrtMemcpyAsync(call->args.gathered, call->records, bytes,
                                      call->handle->queue, cnrtMemcpyHostToDev)));
  return a2a_cnrt_status(call->api, "copying the addresses", cnrtQueueSync(call->handle->queue));
}

static mluOpStatus_t map_and_fill(const A2aCall *call, Mappings *mappings) {
  const int group_size = call->args.geometry.group_size;
  mappings->address = malloc(2 * (size_t)group_size * sizeof(void *));
  CHECK_ELSE(ALLOC_FAILED, mappings->address != NULL, "%s no memory for the mappings of %d ranks.",
             call->api, group_size);
  MLUOP_RETURN_IF_FAILED(map_group(call, mappings));
  MLUOP_RETURN_IF_FAILED(store_records(call));
  MLUOP_RETURN_IF_FAILED(KernelA2aFill(call->fill_dim, call->handle->queue, &call->args));
  return a2a_gather_records(call);
}

mluOpStatus_t a2a_exchange_mapped(A2aCall *call, bool *is_done) {
  int64_t *own = call->args.own.word;
  offer(call->args.input, &own[A2A_RECORD_INPUT_HANDLE], &own[A2A_RECORD_INPUT_OFFSET]);
  offer(call->args.ids, &own[A2A_RECORD_IDS_HANDLE], &own[A2A_RECORD_IDS_OFFSET]);
  MLUOP_RETURN_IF_FAILED(a2a_announce(call));
  MLUOP_RETURN_IF_FAILED(a2a_fetch_records(call));
  *is_done = are_all_offered(call);
  if (!*is_done) return MLUOP_STATUS_SUCCESS;
  Mappings mappings = {NULL, 0};
  const mluOpStatus_t status = map_and_fill(call, &mappings);
  /* Queued work keeps the mappings alive. */
  for (int i = 0; i < mappings.count; ++i) cnrtUnMapMemHandle(mappings.address[i]);
  free(mappings.address);
  return status;
}
