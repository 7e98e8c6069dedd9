/* SPDX-License-Identifier: MIT */
#include "comm.h"

#include <pthread.h>
#include <stdlib.h>

#include "cliques.h"

/* Communicators that the program holds. */
static struct {
  pthread_mutex_t lock;
  struct cnclComm *list;
} held = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- Objects ---- */

void cncl_comm_retain(struct cnclComm *comm) {
  atomic_fetch_add(&comm->references, 1);
}

void cncl_comm_release(struct cnclComm *comm) {
  if (atomic_fetch_sub(&comm->references, 1) == 1) {
    struct cncl_clique *clique = comm->clique;
    cncl_clique_leave(clique, comm->rank);
    free(comm);
    cncl_clique_release(clique);
  }
}

bool cncl_comm_acquire(struct cnclComm *comm) {
  pthread_mutex_lock(&held.lock);
  struct cnclComm *found = held.list;
  while (found != NULL && found != comm) {
    found = found->next;
  }
  if (found != NULL) {
    cncl_comm_retain(found);
  }
  pthread_mutex_unlock(&held.lock);
  return found != NULL;
}

void cncl_comm_hold(struct cnclComm *comm) {
  pthread_mutex_lock(&held.lock);
  comm->next = held.list;
  held.list = comm;
  pthread_mutex_unlock(&held.lock);
}

bool cncl_comm_unhold(struct cnclComm *comm) {
  pthread_mutex_lock(&held.lock);
  struct cnclComm **place = &held.list;
  while (*place != NULL && *place != comm) {
    place = &(*place)->next;
  }
  const bool found = *place != NULL;
  if (found) {
    *place = comm->next;
  }
  pthread_mutex_unlock(&held.lock);
  return found;
}

bool cncl_comm_free(struct cnclComm *comm) {
  const bool found = cncl_comm_unhold(comm);
  if (found) {
    cncl_comm_release(comm);
  }
  return found;
}
