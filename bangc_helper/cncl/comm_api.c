/* SPDX-License-Identifier: MIT
 *
 * The functions of cncl.h about communicators.
 */
#include <stdlib.h>

#include "clique_id.h"
#include "cliques.h"
#include "cncl_external.h"
#include "comm.h"
#include "group.h"
#include "loader.h"

enum { MAX_RANKS = 65536 };

/* Number of cliques without an id so far that reach other processes. */
static _Atomic uint64_t unnamed;

static cnclResult_t no_comm(const char *function) {
  return cncl_refuse(CNCL_RET_ERR_NOT_INIT, "%s: comm is not a communicator", function);
}

/* ---- Creation ---- */

static cnclResult_t check_lists(int num_comm, const int *dev_list, const int *rank_list,
                                int nrank) {
  unsigned devices = 0;
  if (cnrtGetDeviceCount(&devices) != cnrtSuccess) {
    return cncl_refuse(CNCL_RET_ERR_CNRT_DEVICE, "cnclInitComms: no devices");
  }
  for (int i = 0; i < num_comm; ++i) {
    if (dev_list[i] < 0 || dev_list[i] >= (int)devices) {
      return cncl_refuse(CNCL_RET_ERR_ARGUMENTS,
                         "cnclInitComms: dev_list[%d] must be a device, 0 to %u, but is %d", i,
                         devices - 1, dev_list[i]);
    }
    if (rank_list[i] < 0 || rank_list[i] >= nrank) {
      return cncl_refuse(CNCL_RET_ERR_ARGUMENTS,
                         "cnclInitComms: rank_list[%d] must be 0 to %d, but is %d", i, nrank - 1,
                         rank_list[i]);
    }
    for (int k = 0; k < i; ++k) {
      if (rank_list[k] == rank_list[i]) {
        return cncl_refuse(CNCL_RET_ERR_ARGUMENTS, "cnclInitComms: rank_list names rank %d twice",
                           rank_list[i]);
      }
    }
  }
  return CNCL_RET_SUCCESS;
}

static cnclResult_t choose_key(const struct cnclCliqueId *id, bool alone, struct cncl_key *key) {
  if (id != NULL) {
    return cncl_key_of_id(id, key)
               ? CNCL_RET_SUCCESS
               : cncl_refuse(CNCL_RET_ERR_ARGUMENTS,
                             "cnclInitComms: clique_id was not made by cnclGetCliqueId");
  }
  if (alone) {
    return cncl_key_create(key) ? CNCL_RET_SUCCESS
                                : cncl_refuse(CNCL_RET_ERR_INIT,
                                              "cnclInitComms: the system gives no random numbers");
  }
  if (!cncl_has_other_processes()) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS,
                       "cnclInitComms: without clique_id all ranks must be in this call, unless "
                       "this is a process of an MPI job");
  }
  /* All processes of the job create such cliques in the same order. */
  key->high = 0;
  key->low = atomic_fetch_add(&unnamed, 1);
  return CNCL_RET_SUCCESS;
}

static void free_list(struct cnclComm **list, int count) {
  for (int i = 0; i < count; ++i) {
    free(list[i]);
  }
}

static cnclResult_t create_comms(struct cnclComm **comms, int num_comm, const int *dev_list,
                                 const int *rank_list, int nrank, struct cncl_key key) {
  for (int i = 0; i < num_comm; ++i) {
    comms[i] = calloc(1, sizeof(*comms[i]) + (size_t)nrank * sizeof(comms[i]->pairs[0]));
    if (comms[i] == NULL) {
      free_list(comms, i);
      return CNCL_RET_ERR_SYS_MALLOC;
    }
  }
  struct cncl_clique *clique = NULL;
  const cnclResult_t result = cncl_clique_join(key, nrank, rank_list, num_comm, num_comm == nrank,
                                               cncl_choose_transport, &clique);
  if (result != CNCL_RET_SUCCESS) {
    free_list(comms, num_comm);
    return result;
  }
  for (int i = 0; i < num_comm; ++i) {
    atomic_init(&comms[i]->references, 1);
    comms[i]->clique = clique;
    comms[i]->rank = rank_list[i];
    comms[i]->device = dev_list[i];
  }
  return CNCL_RET_SUCCESS;
}

/* `places` are the program's variables, for a failure at the end of a group. */
static cnclResult_t init_ranks(cnclComm_t *comms, int num_comm, const int *dev_list,
                               const int *rank_list, int nrank, const struct cnclCliqueId *id,
                               cnclComm_t *places) {
  struct cncl_key key = {0, 0};
  cnclResult_t result = check_lists(num_comm, dev_list, rank_list, nrank);
  if (result == CNCL_RET_SUCCESS) {
    result = choose_key(id, num_comm == nrank, &key);
  }
  if (result == CNCL_RET_SUCCESS) {
    result = create_comms(comms, num_comm, dev_list, rank_list, nrank, key);
  }
  if (result != CNCL_RET_SUCCESS) {
    return result;
  }
  result = cncl_group_wait(comms, num_comm, places);
  for (int i = 0; i < num_comm; ++i) {
    if (result == CNCL_RET_SUCCESS) {
      cncl_comm_hold(comms[i]);
    } else {
      cncl_comm_release(comms[i]);
    }
  }
  return result;
}

CNCL_EXPORT cnclResult_t cnclInitComms(cnclComm_t *comms, int num_comm, const int *dev_list,
                                       const int *rank_list, int nrank,
                                       const cnclCliqueId_t clique_id) {
  if (comms == NULL || dev_list == NULL) {
    return cncl_refuse(CNCL_RET_ERR_NULL_POINTER, "cnclInitComms: %s is NULL",
                       comms == NULL ? "comms" : "dev_list");
  }
  if (nrank < 1 || nrank > MAX_RANKS || num_comm < 1 || num_comm > nrank) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS,
                       "cnclInitComms: num_comm must be 1 to nrank and nrank at most %d, but they "
                       "are %d and %d",
                       (int)MAX_RANKS, num_comm, nrank);
  }
  int *ranks = malloc((size_t)num_comm * sizeof(*ranks));
  struct cnclComm **created = calloc((size_t)num_comm, sizeof(cnclComm_t));
  cnclResult_t result = CNCL_RET_ERR_SYS_MALLOC;
  if (ranks != NULL && created != NULL) {
    for (int i = 0; i < num_comm; ++i) {
      ranks[i] = rank_list != NULL ? rank_list[i] : i;
    }
    result = init_ranks(created, num_comm, dev_list, ranks, nrank, clique_id, comms);
  }
  for (int i = 0; i < num_comm; ++i) {
    comms[i] = result == CNCL_RET_SUCCESS ? created[i] : NULL;
  }
  free(ranks);
  free(created);
  return result;
}

/* ---- End ---- */

CNCL_EXPORT cnclResult_t cnclFreeComm(cnclComm_t comm) {
  return cncl_comm_free(comm) ? CNCL_RET_SUCCESS : no_comm("cnclFreeComm");
}

CNCL_EXPORT cnclResult_t cnclDestroyComms(cnclComm_t *comms, int num_comm) {
  if (comms == NULL || num_comm < 1) {
    return cncl_refuse(comms == NULL ? CNCL_RET_ERR_NULL_POINTER : CNCL_RET_ERR_ARGUMENTS,
                       "cnclDestroyComms: comms is NULL or num_comm is %d", num_comm);
  }
  cnclResult_t first = CNCL_RET_SUCCESS;
  for (int i = 0; i < num_comm; ++i) {
    const cnclResult_t result = cnclFreeComm(comms[i]);
    if (first == CNCL_RET_SUCCESS) {
      first = result;
    }
  }
  return first;
}

CNCL_EXPORT cnclResult_t cnclAbortComm(cnclComm_t comm) {
  if (!cncl_comm_unhold(comm)) {
    return no_comm("cnclAbortComm");
  }
  cncl_clique_fail(comm->clique, CNCL_FAIL_TELL, "rank %d aborted the communicator", comm->rank);
  cncl_comm_release(comm);
  return CNCL_RET_SUCCESS;
}

/* ---- Queries ---- */

enum question { ASK_COUNT, ASK_LOCAL_COUNT, ASK_REACHABLE_COUNT, ASK_RANK, ASK_DEVICE };

static int look_up(enum question question, const struct cnclComm *comm) {
  switch (question) {
    case ASK_COUNT:
      return comm->clique->ranks;
    case ASK_LOCAL_COUNT:
      return cncl_clique_local_ranks(comm->clique);
    case ASK_REACHABLE_COUNT:
      return atomic_load(&comm->clique->reachable) ? comm->clique->ranks
                                                   : cncl_clique_local_ranks(comm->clique);
    case ASK_RANK:
      return comm->rank;
    default:
      return comm->device;
  }
}

static cnclResult_t answer(const char *function, enum question question, int *out,
                           cnclComm_t comm) {
  if (out == NULL) {
    return cncl_refuse(CNCL_RET_ERR_NULL_POINTER, "%s: the pointer to the answer is NULL",
                       function);
  }
  if (!cncl_comm_acquire(comm)) {
    return no_comm(function);
  }
  *out = look_up(question, comm);
  cncl_comm_release(comm);
  return CNCL_RET_SUCCESS;
}

CNCL_EXPORT cnclResult_t cnclGetCommCount(int *count, const cnclComm_t comm) {
  return answer("cnclGetCommCount", ASK_COUNT, count, comm);
}

CNCL_EXPORT cnclResult_t cnclxGetLocalRankCount(int *count, const cnclComm_t comm) {
  return answer("cnclxGetLocalRankCount", ASK_LOCAL_COUNT, count, comm);
}

CNCL_EXPORT cnclResult_t cnclxGetReachableRankCount(int *count, const cnclComm_t comm) {
  return answer("cnclxGetReachableRankCount", ASK_REACHABLE_COUNT, count, comm);
}

CNCL_EXPORT cnclResult_t cnclGetCommRank(int *rank, const cnclComm_t comm) {
  return answer("cnclGetCommRank", ASK_RANK, rank, comm);
}

CNCL_EXPORT cnclResult_t cnclGetCommDevice(int *device, const cnclComm_t comm) {
  return answer("cnclGetCommDevice", ASK_DEVICE, device, comm);
}

CNCL_EXPORT cnclResult_t cnclGetCommAsyncError(const cnclComm_t comm) {
  if (!cncl_comm_acquire(comm)) {
    return no_comm("cnclGetCommAsyncError");
  }
  const bool broken = atomic_load(&comm->clique->broken);
  cncl_comm_release(comm);
  return broken ? CNCL_RET_ASYNC_ERROR : CNCL_RET_SUCCESS;
}

CNCL_EXPORT cnclResult_t cnclSetCommConfig(cnclComm_t comm, const cnclCommConfig_t config) {
  if (config == NULL) {
    return cncl_refuse(CNCL_RET_ERR_NULL_POINTER, "cnclSetCommConfig: config is NULL");
  }
  const cnclPriority_t priority = config->priority;
  if (priority != CNCL_PRIORITY_DEFAULT && priority != CNCL_PRIORITY_HIGH &&
      priority != CNCL_PRIORITY_HIGH_FOR_ONCE) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS, "cnclSetCommConfig: priority %d does not exist",
                       (int)priority);
  }
  if (!cncl_comm_acquire(comm)) {
    return no_comm("cnclSetCommConfig");
  }
  /* Data moves when all ranks are there, so there is nothing to choose; the value is only stored.
   */
  atomic_store(&comm->priority, (int)priority);
  cncl_comm_release(comm);
  return CNCL_RET_SUCCESS;
}
