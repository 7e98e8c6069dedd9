/* SPDX-License-Identifier: MIT */
#include "cliques.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "agreement.h"
#include "limit_clock.h"
#include "match.h"
#include "settings.h"
#include "watchdog.h"

static struct {
  pthread_mutex_t lock;
  struct cncl_clique *list;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void check_times(void);

/* ---- Objects ---- */

static struct cncl_clique *create(struct cncl_key key, int ranks,
                                  const struct cncl_transport *transport) {
  struct cncl_clique *clique =
      calloc(1, sizeof(*clique) + (size_t)ranks * sizeof(clique->member[0]));
  if (clique == NULL) {
    return NULL;
  }
  clique->pairs = calloc((size_t)ranks, sizeof(struct cncl_match *));
  if (clique->pairs == NULL || !cncl_watchdog_acquire(check_times)) {
    free(clique->pairs);
    free(clique);
    return NULL;
  }
  clique->key = key;
  clique->ranks = ranks;
  clique->transport = transport;
  cncl_condition_init(&clique->changed);
  pthread_mutex_init(&clique->lock, NULL);
  return clique;
}

static void destroy(struct cncl_clique *clique) {
  /* Only headers of other processes are left. */
  cncl_matches_end(cncl_matches_detach(clique), cnrtErrorSys);
  pthread_mutex_destroy(&clique->lock);
  pthread_cond_destroy(&clique->changed);
  free(clique->pairs);
  free(clique);
  cncl_watchdog_release();
}

void cncl_clique_retain(struct cncl_clique *clique) {
  atomic_fetch_add(&clique->references, 1);
}

/* The last reference is dropped under the registry's lock, since others find the clique through it.
 */
void cncl_clique_release(struct cncl_clique *clique) {
  int references = atomic_load(&clique->references);
  while (references > 1) {
    if (atomic_compare_exchange_weak(&clique->references, &references, references - 1)) {
      return;
    }
  }
  pthread_mutex_lock(&registry.lock);
  const bool last = atomic_fetch_sub(&clique->references, 1) == 1;
  if (last) {
    if (clique->previous != NULL) {
      clique->previous->next = clique->next;
    } else {
      registry.list = clique->next;
    }
    if (clique->next != NULL) {
      clique->next->previous = clique->previous;
    }
  }
  pthread_mutex_unlock(&registry.lock);
  if (last) {
    destroy(clique);
  }
}

/* ---- Joining ---- */

/* Finds or creates the clique; the registry's lock is held. */
static cnclResult_t open_locked(struct cncl_key key, int ranks, bool alone, cncl_choose_t choose,
                                struct cncl_clique **opened) {
  for (struct cncl_clique *clique = registry.list; clique != NULL; clique = clique->next) {
    if (cncl_same_key(clique->key, key)) {
      if (clique->ranks != ranks) {
        return cncl_refuse(CNCL_RET_ERR_ARGUMENTS,
                           "cnclInitComms: nrank is %d, but other ranks of the clique said %d",
                           ranks, clique->ranks);
      }
      *opened = clique;
      return CNCL_RET_SUCCESS;
    }
  }
  const struct cncl_transport *transport = NULL;
  const cnclResult_t result = choose(alone, &transport);
  if (result != CNCL_RET_SUCCESS) {
    return result;
  }
  struct cncl_clique *clique = create(key, ranks, transport);
  if (clique == NULL) {
    return CNCL_RET_ERR_SYS_MALLOC;
  }
  clique->next = registry.list;
  if (registry.list != NULL) {
    registry.list->previous = clique;
  }
  registry.list = clique;
  *opened = clique;
  return CNCL_RET_SUCCESS;
}

/* Adds ranks to a clique; the registry's lock is held. */
static cnclResult_t add_members_locked(struct cncl_clique *clique, const int *rank_list,
                                       int count) {
  cnclResult_t result = CNCL_RET_SUCCESS;
  pthread_mutex_lock(&clique->lock);
  for (int i = 0; i < count && result == CNCL_RET_SUCCESS; ++i) {
    if (clique->member[rank_list[i]].local) {
      result = cncl_refuse(CNCL_RET_ERR_REINIT,
                           "cnclInitComms: rank %d of this clique exists already", rank_list[i]);
    }
  }
  if (result == CNCL_RET_SUCCESS) {
    for (int i = 0; i < count; ++i) {
      clique->member[rank_list[i]].local = true;
    }
    clique->local_ranks += count;
    atomic_fetch_add(&clique->references, count);
    const struct cncl_transport *transport = clique->transport;
    if (transport->join == NULL && clique->local_ranks == clique->ranks) {
      clique->ready = true;
      pthread_cond_broadcast(&clique->changed);
    }
  }
  pthread_mutex_unlock(&clique->lock);
  return result;
}

cnclResult_t cncl_clique_join(struct cncl_key key, int ranks, const int *rank_list, int count,
                              bool alone, cncl_choose_t choose, struct cncl_clique **joined) {
  struct cncl_clique *clique = NULL;
  pthread_mutex_lock(&registry.lock);
  cnclResult_t result = open_locked(key, ranks, alone, choose, &clique);
  if (clique != NULL) {
    result = add_members_locked(clique, rank_list, count);
  }
  pthread_mutex_unlock(&registry.lock);
  if (clique == NULL || result != CNCL_RET_SUCCESS) {
    return result;
  }
  const struct cncl_transport *transport = clique->transport;
  if (transport->join != NULL && !transport->join(clique, rank_list, count)) {
    for (int i = 0; i < count; ++i) {
      cncl_clique_leave(clique, rank_list[i]);
      cncl_clique_release(clique);
    }
    return CNCL_RET_ERR_INIT;
  }
  *joined = clique;
  return CNCL_RET_SUCCESS;
}

void cncl_clique_ready(struct cncl_clique *clique, enum cncl_place place) {
  pthread_mutex_lock(&clique->lock);
  if (place == CNCL_PLACE_HERE) {
    clique->transport = &cncl_local_transport;
  }
  atomic_store(&clique->reachable, place == CNCL_PLACE_REACHABLE);
  clique->ready = true;
  pthread_cond_broadcast(&clique->changed);
  pthread_mutex_unlock(&clique->lock);
}

/* The ranks of other processes; in a single process, those that have not joined. */
static void absent_ranks(const struct cncl_clique *clique, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int rank = 0; rank < clique->ranks && used < size; ++rank) {
    if (!clique->member[rank].local) {
      used += (size_t)snprintf(text + used, size - used, "%s%d", used == 0 ? "" : ", ", rank);
    }
  }
}

cnclResult_t cncl_clique_wait(struct cncl_clique *clique) {
  /* A transport that asks other processes has a time limit of its own and knows the reason, so it
   * fails first. */
  const struct cncl_transport *transport = clique->transport;
  const uint64_t grace = transport->join != NULL ? 2000000000u : 0;
  const uint64_t end = cncl_limit_clock_ns() + cncl_settings()->timeout_ns + grace;
  char absent[256] = "";
  pthread_mutex_lock(&clique->lock);
  uint64_t now = cncl_limit_clock_ns();
  while (!clique->ready && !atomic_load(&clique->broken) && now < end) {
    const uint64_t left = end - now;
    const uint64_t step = left < CNCL_LIMIT_CLOCK_PERIOD_NS ? left : CNCL_LIMIT_CLOCK_PERIOD_NS;
    cncl_wait_until(&clique->changed, &clique->lock, cncl_now_ns() + step);
    now = cncl_limit_clock_ns();
  }
  const bool ready = clique->ready && !atomic_load(&clique->broken);
  absent_ranks(clique, absent, sizeof(absent));
  pthread_mutex_unlock(&clique->lock);
  if (!ready) {
    cncl_clique_fail(clique, CNCL_FAIL_TELL,
                     "cnclInitComms gave up after %llu ms: not all of ranks %s came",
                     (unsigned long long)(cncl_settings()->timeout_ns / 1000000u), absent);
  }
  return ready ? CNCL_RET_SUCCESS : CNCL_RET_ERR_INIT;
}

int cncl_clique_local_ranks(struct cncl_clique *clique) {
  pthread_mutex_lock(&clique->lock);
  const int ranks = clique->local_ranks;
  pthread_mutex_unlock(&clique->lock);
  return ranks;
}

/* ---- Leaving and failing ---- */

static bool lacks_rank_that_left(const struct cncl_match *match, const void *argument) {
  int rank = 0;
  return cncl_match_is_lost(argument, match, &rank);
}

static void member_left(struct cncl_clique *clique, int rank) {
  pthread_mutex_lock(&clique->lock);
  clique->member[rank].left = true;
  const bool lost = cncl_match_find(clique, lacks_rank_that_left, clique) != NULL;
  pthread_mutex_unlock(&clique->lock);
  if (lost) {
    cncl_clique_fail(clique, CNCL_FAIL_TELL,
                     "a call waits for rank %d, which has freed its communicator", rank);
  }
}

void cncl_clique_leave(struct cncl_clique *clique, int rank) {
  member_left(clique, rank);
  const struct cncl_transport *transport = clique->transport;
  if (transport->leave != NULL) {
    transport->leave(clique, rank);
  }
}

void cncl_clique_peer_left(struct cncl_clique *clique, int rank) {
  member_left(clique, rank);
}

void cncl_clique_fail(struct cncl_clique *clique, int tell, const char *format, ...) {
  char reason[640];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof(reason), format, args);
  va_end(args);
  cncl_clique_retain(clique); /* ending calls may release the others */
  struct cncl_match *detached = NULL;
  pthread_mutex_lock(&clique->lock);
  const bool first = !atomic_load(&clique->broken);
  if (first) {
    atomic_store(&clique->broken, true);
    detached = cncl_matches_detach(clique);
    pthread_cond_broadcast(&clique->changed);
  }
  pthread_mutex_unlock(&clique->lock);
  if (first) {
    cncl_log("%s", reason);
    const struct cncl_transport *transport = clique->transport;
    if (transport->fail != NULL) {
      transport->fail(clique, tell == CNCL_FAIL_TELL, reason);
    }
  }
  cncl_matches_end(detached, cnrtErrorSys);
  cncl_clique_release(clique);
}

/* ---- Time limits ---- */

static bool is_late(const struct cncl_match *match, const void *now) {
  return match->since != 0 && match->since + cncl_settings()->timeout_ns < *(const uint64_t *)now;
}

static void check_time(struct cncl_clique *clique) {
  const uint64_t timeout = cncl_settings()->timeout_ns;
  const uint64_t now = cncl_limit_clock_ns();
  char call[128] = "";
  char absent[256] = "";
  pthread_mutex_lock(&clique->lock);
  const struct cncl_match *late = cncl_match_find(clique, is_late, &now);
  if (late != NULL) {
    for (int party = 0; party < late->parties && call[0] == '\0'; ++party) {
      if (late->calls[party] != NULL) {
        cncl_describe(late->headers[party], call, sizeof(call));
      }
    }
    cncl_match_absent(late, absent, sizeof(absent));
  }
  pthread_mutex_unlock(&clique->lock);
  if (late != NULL) {
    cncl_clique_fail(clique, CNCL_FAIL_TELL, "%s gave up after %llu ms: %s did not call it", call,
                     (unsigned long long)(timeout / 1000000u), absent);
  }
}

/* Breaks the cliques whose calls have waited too long. A check releases the lock, so each clique is
 * retained during its check. */
static void check_times(void) {
  pthread_mutex_lock(&registry.lock);
  struct cncl_clique *clique = registry.list;
  if (clique != NULL) {
    cncl_clique_retain(clique);
  }
  pthread_mutex_unlock(&registry.lock);
  while (clique != NULL) {
    check_time(clique);
    pthread_mutex_lock(&registry.lock);
    struct cncl_clique *next = clique->next;
    if (next != NULL) {
      cncl_clique_retain(next);
    }
    pthread_mutex_unlock(&registry.lock);
    cncl_clique_release(clique);
    clique = next;
  }
}
