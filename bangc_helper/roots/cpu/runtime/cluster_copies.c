/* SPDX-License-Identifier: MIT */
#include "cluster_copies.h"

#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "settings.h"

/* Number of different copies between two barriers that can be told apart. */
enum { REMEMBERED = 32 };

struct rt_cluster_copy {
  struct rt_copy_key key;
  unsigned done;
  unsigned issued[RT_MAX_CORES + 1]; /* by core, the memory core last */
};

struct rt_copy_list {
  unsigned count;
  struct rt_cluster_copy copies[REMEMBERED];
};

static unsigned own_place(void) {
  return __bang_coreId == BANG_MPU_CORE_ID ? RT_MAX_CORES : (unsigned)__bang_coreId;
}

void rt_cluster_copies_init(struct rt_cluster_copies *copies) {
  rt_brief_mutex_init(&copies->lock);
  atomic_init(&copies->list, NULL);
}

void rt_cluster_copies_fini(struct rt_cluster_copies *copies) {
  pthread_mutex_destroy(&copies->lock);
  free(atomic_load(&copies->list));
}

/* NULL when there is no room. */
static struct rt_cluster_copy *find_locked(struct rt_cluster_copies *copies,
                                           const struct rt_copy_key *key) {
  struct rt_copy_list *known = atomic_load(&copies->list);
  if (known == NULL) {
    known = calloc(1, sizeof(*known));
    if (known == NULL) {
      return NULL;
    }
    atomic_store(&copies->list, known);
  }
  for (unsigned i = 0; i < known->count; ++i) {
    if (memcmp(&known->copies[i].key, key, sizeof(*key)) == 0) {
      return &known->copies[i];
    }
  }
  if (known->count == REMEMBERED) {
    return NULL;
  }
  struct rt_cluster_copy *copy = &known->copies[known->count++];
  memset(copy, 0, sizeof(*copy));
  copy->key = *key;
  return copy;
}

rt_copy_claim rt_cluster_copy_begin(const struct rt_copy_key *key) {
  struct rt_core *core = rt_core_self();
  if (core == NULL || core->copies == NULL) {
    return RT_COPY_ALONE;
  }
  pthread_mutex_lock(&core->copies->lock);
  struct rt_cluster_copy *copy = find_locked(core->copies, key);
  if (copy != NULL && ++copy->issued[own_place()] > copy->done) {
    ++copy->done;
    core->is_copying = true; /* the others wait until it is done */
    return RT_COPY_MINE;
  }
  pthread_mutex_unlock(&core->copies->lock);
  return copy == NULL ? RT_COPY_ALONE : RT_COPY_ISSUED;
}

void rt_cluster_copy_end(void) {
  struct rt_core *core = rt_core_self();
  if (core->is_copying) {
    core->is_copying = false;
    pthread_mutex_unlock(&core->copies->lock);
  }
}

void rt_cluster_copies_forget(struct rt_cluster_copies *copies, const struct rt_barrier_set *set) {
  struct rt_copy_list *known = atomic_load(&copies->list);
  if (known == NULL) {
    return;
  }
  pthread_mutex_lock(&copies->lock);
  const bool is_for_all =
      (set->is_for_cores || !set->has_cores) && (set->is_for_memory_core || !set->has_memory_core);
  if (is_for_all) {
    known->count = 0;
  }
  /* Cores that were not at the barrier may still issue copies that the others have issued before.
   */
  for (unsigned i = 0; i < known->count; ++i) {
    struct rt_cluster_copy *copy = &known->copies[i];
    const unsigned first = set->is_for_cores ? 0 : RT_MAX_CORES;
    const unsigned end = set->is_for_cores ? RT_MAX_CORES : RT_MAX_CORES + 1;
    for (unsigned place = first; place < end; ++place) {
      copy->issued[place] = copy->done;
    }
  }
  pthread_mutex_unlock(&copies->lock);
}
