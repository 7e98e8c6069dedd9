/* SPDX-License-Identifier: MIT
 *
 * Barriers that not all cores reach. The runtime's barriers count live cores only, so a kernel
 * continues where a card would hang.
 */
#include <stdio.h>

#include "cn_api.h"
#include "parts.h"
#include "runtime/group.h"
#include "runtime/launch.h"
#include "watch.h"

static const char *const names[] = {
    [BANG_BARRIER_CLUSTER] = "__sync_cluster",
    [BANG_BARRIER_CLUSTER_IPU] = "__sync_all_ipu_within_cluster",
    [BANG_BARRIER_ALL_IPU] = "__sync_all_ipu",
    [BANG_BARRIER_ALL_MPU] = "__sync_all_mpu",
    [BANG_BARRIER_ALL] = "__sync_all",
};

static const char name_of_act[] = "barrier";

static void find(struct card_core *core, uint32_t site, const char *what, bangBarrier which) {
  const struct card_act act = {.name = name_of_act, .site = site};
  struct card_finding finding = {0};
  snprintf(finding.what, sizeof(finding.what), what, names[which]);
  card_find(core, &act, CARD_CHECK_BARRIER, &finding, 0, 0);
}

/* State word of a barrier: arrived cores in bits 0 to 15, live cores in bits 16 to 31. */
static unsigned arrived(const struct rt_barrier *barrier) {
  return (unsigned)(atomic_load(&barrier->state) & 0xffff);
}

static unsigned live(const struct rt_barrier *barrier) {
  return (unsigned)(atomic_load(&barrier->state) >> 16 & 0xffff);
}

static struct rt_barrier *barrier_of(const struct rt_member *member, bangBarrier which) {
  return which <= BANG_BARRIER_CLUSTER_IPU
             ? &member->group->cluster[member->cluster].barriers[which]
             : &member->group->barriers[which - BANG_BARRIER_ALL_IPU];
}

/* Number of compute cores that take part in a barrier, or 0. */
static unsigned cores_of(const struct rt_member *member, bangBarrier which) {
  const unsigned cores = rt_members_per_cluster() - 1;
  switch (which) {
    case BANG_BARRIER_ALL_MPU:
      return 0;
    case BANG_BARRIER_CLUSTER:
    case BANG_BARRIER_CLUSTER_IPU:
      return cores;
    default:
      return cores * member->group->clusters;
  }
}

/* The barrier whose state counts the live compute cores that take part in this one. */
static bangBarrier counting(bangBarrier which) {
  return which == BANG_BARRIER_CLUSTER || which == BANG_BARRIER_CLUSTER_IPU
             ? BANG_BARRIER_CLUSTER_IPU
             : BANG_BARRIER_ALL_IPU;
}

void card_check_barrier(struct card_core *core, uint32_t site, bangBarrier which) {
  const struct rt_core *self = rt_core_self();
  if (core->watch == NULL) {
    return;
  }
  card_check_sync(core, BANG_PIPE_ALL);
  if (self->member == NULL) {
    if (card_checks(CARD_CHECK_BARRIER) && which >= BANG_BARRIER_ALL_IPU) {
      find(core, site, "%s in a block task, which waits for nobody", which);
    }
    return;
  }
  core->watch->barrier_site = card_report_number(core, site);
  atomic_store(&core->run->waiting_site, core->watch->barrier_site);
  if (card_checks(CARD_CHECK_BARRIER) &&
      live(barrier_of(self->member, counting(which))) < cores_of(self->member, which)) {
    find(core, site, "%s waits for a core that has returned", which);
  }
}

/* For a core that waits at the site; on a card it would wait forever. */
static void find_waiting_at(struct card_core *core, uint32_t site_number, bangBarrier which) {
  struct card_finding finding = {.check = CARD_CHECK_BARRIER,
                                 .site = card_report_launch_site(core->run, site_number)};
  snprintf(finding.what, sizeof(finding.what), "%s waits for a core that has returned",
           names[which]);
  core->watch->findings += card_report_add(core, &finding);
}

/* A core may return between the check above and this one's arrival. */
void card_check_barrier_passed(struct card_core *core, bangBarrier which) {
  const struct rt_member *member = rt_core_self()->member;
  if (core->watch == NULL) {
    return;
  }
  if (member != NULL && card_checks(CARD_CHECK_BARRIER) && core->watch->findings == 0 &&
      atomic_load(&barrier_of(member, which)->crossed) < cores_of(member, which)) {
    find_waiting_at(core, core->watch->barrier_site, which);
  }
  core->watch->barrier_site = 0;
  card_race_barrier(&core->watch->races, which);
}

void card_check_order(struct card_core *core) {
  if (core->watch != NULL) {
    card_race_release(&core->watch->races);
  }
}

/* ---- Ends of tasks ---- */

/* Remembers up to two places at which cores were left waiting. */
static void add_stuck(struct card_run *run, uint32_t site) {
  uint32_t none = 0;
  if (!atomic_compare_exchange_strong(&run->stuck_sites[0], &none, site) && none != site) {
    none = 0;
    atomic_compare_exchange_strong(&run->stuck_sites[1], &none, site);
  }
}

/* This core returns: others may wait for it. */
static void find_waiting(struct card_core *core, const struct rt_member *member) {
  static const bangBarrier kinds[] = {BANG_BARRIER_CLUSTER, BANG_BARRIER_CLUSTER_IPU,
                                      BANG_BARRIER_ALL_IPU, BANG_BARRIER_ALL};
  for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); ++i) {
    if (arrived(barrier_of(member, kinds[i])) != 0) {
      find_waiting_at(core, atomic_load(&core->run->waiting_site), kinds[i]);
      return;
    }
  }
}

void card_check_task_left(struct card_core *core) {
  const struct rt_core *self = rt_core_self();
  if (self->member == NULL || !card_checks(CARD_CHECK_BARRIER)) {
    return;
  }
  if (core->watch->barrier_site != 0) {
    add_stuck(core->run, core->watch->barrier_site);
  } else if (core->watch->findings == 0 && __bang_coreId != BANG_MPU_CORE_ID &&
             atomic_load(&self->launch->fault) == 0 &&
             !atomic_load(&self->member->group->aborted)) {
    find_waiting(core, self->member);
  }
}
