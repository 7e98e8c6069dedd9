/* SPDX-License-Identifier: MIT */
#include "group.h"

#include <stdlib.h>

#include "cliques.h"
#include "cncl_external.h"
#include "comm.h"
#include "submit.h"

/* Communicators of one clique that wait for its other ranks at the end of the group. */
struct newcomer {
  struct newcomer *next;
  cnclComm_t *places; /* the program's */
  int count;
  struct cnclComm *comms[]; /* retained */
};

static __thread struct {
  unsigned depth;
  cnclResult_t error; /* of the first call that was refused */
  struct cncl_call *calls, **end;
  struct newcomer *newcomers;
} group;

CNCL_EXPORT cnclResult_t cnclGroupStart(void) {
  if (group.depth++ == 0) {
    group.error = CNCL_RET_SUCCESS;
    group.calls = NULL;
    group.end = &group.calls;
    group.newcomers = NULL;
  }
  return CNCL_RET_SUCCESS;
}

CNCL_EXPORT cnclResult_t cnclxGetGroupDepth(int *depth) {
  if (depth == NULL) {
    return cncl_refuse(CNCL_RET_ERR_NULL_POINTER, "cnclxGetGroupDepth: depth is NULL");
  }
  *depth = (int)group.depth;
  return CNCL_RET_SUCCESS;
}

cnclResult_t cncl_group_call(struct cncl_call *call) {
  if (group.depth == 0) {
    return cncl_submit(call);
  }
  *group.end = call;
  group.end = &call->next;
  return CNCL_RET_SUCCESS;
}

cnclResult_t cncl_group_refused(cnclResult_t result) {
  if (group.error == CNCL_RET_SUCCESS) {
    group.error = result;
  }
  return result;
}

cnclResult_t cncl_group_wait(struct cnclComm *const *comms, int count, cnclComm_t *places) {
  if (group.depth == 0) {
    return cncl_clique_wait(comms[0]->clique);
  }
  struct newcomer *newcomer = malloc(sizeof(*newcomer) + (size_t)count * sizeof(comms[0]));
  if (newcomer == NULL) {
    return CNCL_RET_ERR_SYS_MALLOC;
  }
  for (int i = 0; i < count; ++i) {
    cncl_comm_retain(comms[i]);
    newcomer->comms[i] = comms[i];
  }
  newcomer->places = places;
  newcomer->count = count;
  newcomer->next = group.newcomers;
  group.newcomers = newcomer;
  return CNCL_RET_SUCCESS;
}

/* Does what cnclInitComms does outside of a group. */
static void drop_newcomer(struct newcomer *newcomer) {
  for (int i = 0; i < newcomer->count; ++i) {
    if (cncl_comm_free(newcomer->comms[i])) { /* otherwise the program has done so itself */
      newcomer->places[i] = NULL;
    }
  }
}

static void wait_for_newcomers(void) {
  while (group.newcomers != NULL) {
    struct newcomer *newcomer = group.newcomers;
    group.newcomers = newcomer->next;
    const cnclResult_t result = cncl_clique_wait(newcomer->comms[0]->clique);
    if (cncl_group_refused(result) != CNCL_RET_SUCCESS) {
      drop_newcomer(newcomer);
    }
    for (int i = 0; i < newcomer->count; ++i) {
      cncl_comm_release(newcomer->comms[i]);
    }
    free(newcomer);
  }
}

CNCL_EXPORT cnclResult_t cnclGroupEnd(void) {
  if (group.depth == 0) {
    return cncl_refuse(CNCL_RET_ERR_ARGUMENTS, "cnclGroupEnd without cnclGroupStart");
  }
  if (group.depth > 1) {
    --group.depth;
    return CNCL_RET_SUCCESS;
  }
  wait_for_newcomers();
  group.depth = 0;
  struct cncl_call *calls = group.calls;
  if (group.error == CNCL_RET_SUCCESS) {
    return cncl_submit(calls);
  }
  while (calls != NULL) { /* a part of the group's calls would only make other ranks wait */
    struct cncl_call *next = calls->next;
    cncl_call_discard(calls);
    calls = next;
  }
  return cncl_refuse(group.error, "cnclGroupEnd: a call of the group was refused, none is made");
}
