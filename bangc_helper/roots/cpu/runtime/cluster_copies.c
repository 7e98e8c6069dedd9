/* SPDX-License-Identifier: MIT */
#include "cluster_copies.h"

#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "settings.h"

/* Different copies between two barriers that are told apart. */
enum { REMEMBERED = 32 };

struct rt_cluster_copy {
  struct rt_copy_key key;
  unsigned done;
  unsigned issued[RT_MAX_CORES + 1]; /* by core, the memory core last */
};

struct rt_cluster_copies {
  unsigned count;
  struct rt_cluster_copy copies[REMEMBERED];
};

static unsigned place_of(const struct rt_member *member) {
  return member->core_id == BANG_MPU_CORE_ID ? RT_MAX_CORES : (unsigned)member->core_id;
}

void rt_cluster_copies_init(struct rt_group *group, unsigned cluster) {
  rt_brief_mutex_init(&group->cluster[cluster].copies_lock);
  atomic_init(&group->cluster[cluster].copies, NULL);
}

void rt_cluster_copies_fini(struct rt_group *group, unsigned cluster) {
  pthread_mutex_destroy(&group->cluster[cluster].copies_lock);
  free(atomic_load(&group->cluster[cluster].copies));
}

/* NULL when there is no room. */
static struct rt_cluster_copy *find_locked(struct rt_cluster *cluster,
                                           const struct rt_copy_key *key) {
  struct rt_cluster_copies *known = atomic_load(&cluster->copies);
  if (known == NULL) {
    known = calloc(1, sizeof(*known));
    if (known == NULL) {
      return NULL;
    }
    atomic_store(&cluster->copies, known);
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
  if (core == NULL || core->member == NULL) {
    return RT_COPY_ALONE;
  }
  struct rt_cluster *cluster = &core->member->group->cluster[core->member->cluster];
  pthread_mutex_lock(&cluster->copies_lock);
  struct rt_cluster_copy *copy = find_locked(cluster, key);
  if (copy != NULL && ++copy->issued[place_of(core->member)] > copy->done) {
    ++copy->done;
    core->copying = &cluster->copies_lock; /* the others wait until it is done */
    return RT_COPY_MINE;
  }
  pthread_mutex_unlock(&cluster->copies_lock);
  return copy == NULL ? RT_COPY_ALONE : RT_COPY_ISSUED;
}

void rt_cluster_copy_end(void) {
  struct rt_core *core = rt_core_self();
  if (core->copying != NULL) {
    pthread_mutex_t *lock = core->copying;
    core->copying = NULL;
    pthread_mutex_unlock(lock);
  }
}

static void forget_in(struct rt_group *group, bangBarrier which, unsigned cluster) {
  struct rt_cluster_copies *known = atomic_load(&group->cluster[cluster].copies);
  if (known == NULL) {
    return;
  }
  const bool cores_only = which == BANG_BARRIER_CLUSTER_IPU || which == BANG_BARRIER_ALL_IPU;
  const bool memory_cores_only = which == BANG_BARRIER_ALL_MPU;
  const bool cores = rt_group_has_cores(group, cluster);
  const bool memory_core = rt_group_has_memory_core(group, cluster);
  pthread_mutex_lock(&group->cluster[cluster].copies_lock);
  if (!(cores_only && memory_core) && !(memory_cores_only && cores)) {
    known->count = 0;
  }
  /* Those who did not take part may still come to copies that the others have issued. */
  for (unsigned i = 0; i < known->count; ++i) {
    struct rt_cluster_copy *copy = &known->copies[i];
    const unsigned first = cores_only ? 0 : RT_MAX_CORES;
    const unsigned end = cores_only ? RT_MAX_CORES : RT_MAX_CORES + 1;
    for (unsigned place = first; place < end; ++place) {
      copy->issued[place] = copy->done;
    }
  }
  pthread_mutex_unlock(&group->cluster[cluster].copies_lock);
}

void rt_cluster_copies_forget(struct rt_group *group, bangBarrier which, unsigned cluster) {
  if (which <= BANG_BARRIER_CLUSTER_IPU) {
    forget_in(group, which, cluster);
    return;
  }
  for (unsigned c = 0; c < group->clusters; ++c) {
    forget_in(group, which, c);
  }
}
