/* SPDX-License-Identifier: MIT */
#include "union.h"

#include "cluster_threads.h"
#include "order.h"
#include "pool.h"
#include "settings.h"

/* Cores of one group. */
static unsigned group_width(const struct rt_launch *launch) {
  return rt_settings()->cores * launch->union_clusters;
}

static void set_coordinates(struct rt_group *group, uint64_t index) {
  const struct rt_launch *launch = group->launch;
  const uint64_t columns = launch->dim.x / group_width(launch);
  const uint64_t place = rt_ordered_index(index, launch->groups);
  group->first.x = (int)(place % columns * group_width(launch));
  group->first.y = (int)(place / columns % launch->dim.y);
  group->first.z = (int)(place / columns / launch->dim.y);
  group->first.cluster_dim = (int)launch->union_clusters;
}

static void append_waiting_locked(struct rt_device *device, struct rt_launch *launch) {
  launch->waiting_next = NULL;
  if (device->waiting_tail != NULL) {
    device->waiting_tail->waiting_next = launch;
  } else {
    device->waiting_head = launch;
  }
  device->waiting_tail = launch;
}

static void remove_waiting_locked(struct rt_device *device, struct rt_launch *launch) {
  struct rt_launch *before = NULL;
  for (struct rt_launch *other = device->waiting_head; other != NULL;
       before = other, other = other->waiting_next) {
    if (other != launch) {
      continue;
    }
    if (before != NULL) {
      before->waiting_next = launch->waiting_next;
    } else {
      device->waiting_head = launch->waiting_next;
    }
    if (device->waiting_tail == launch) {
      device->waiting_tail = before;
    }
    return;
  }
}

/* Picks a launch with a group that may start now and reserves its clusters; *index is the group.
 * Waiting launches are served in order, so that small ones do not overtake a large one forever. */
static struct rt_launch *take_group_locked(struct rt_device *device, uint64_t *index) {
  struct rt_launch *launch = device->waiting_head;
  while (launch != NULL && launch->running_groups >= launch->most_groups) {
    launch = launch->waiting_next;
  }
  if (launch == NULL || launch->union_clusters > device->free_clusters) {
    return NULL;
  }
  device->free_clusters -= launch->union_clusters;
  ++launch->running_groups;
  *index = launch->next_group++;
  if (launch->next_group == launch->groups) {
    remove_waiting_locked(device, launch);
  }
  return launch;
}

/* Updates the counts at the end of a group, which may end its launch. True when others wait for its
 * clusters. */
static bool end_group(struct rt_device *device, struct rt_launch *launch) {
  pthread_mutex_lock(&device->cluster_lock);
  device->free_clusters += launch->union_clusters;
  --launch->running_groups;
  if (rt_launch_result(launch) != cnrtSuccess && launch->next_group < launch->groups) {
    remove_waiting_locked(device, launch);
    launch->next_group = launch->groups;
  }
  const bool done = launch->running_groups == 0 && launch->next_group == launch->groups;
  const bool more = device->waiting_head != NULL;
  pthread_mutex_unlock(&device->cluster_lock);
  if (done) {
    rt_op_complete(&launch->op, rt_launch_result(launch));
  }
  return more;
}

static void start_groups(struct rt_device *device, struct rt_launch *added);

static void group_done(struct rt_group *group) {
  struct rt_launch *launch = group->launch;
  struct rt_device *device = launch->op.queue->device;
  rt_cluster_threads_release(group);
  rt_group_destroy(group);
  if (end_group(device, launch)) {
    start_groups(device, NULL);
  }
}

static const struct rt_group_owner owner = {.run_member = rt_cluster_threads_run_member,
                                            .call_next = rt_cluster_threads_call_next,
                                            .done = group_done,
                                            .memory = &rt_clusters.group_memory};

static struct rt_group *create_group(struct rt_launch *launch, uint64_t index) {
  struct rt_group *group = rt_group_create(launch, launch->union_clusters, &owner);
  if (group != NULL && !rt_cluster_threads_acquire(group)) {
    rt_group_destroy(group);
    group = NULL;
  }
  if (group != NULL) {
    set_coordinates(group, index);
  }
  return group;
}

/* Starts groups of waiting launches; `added`, if not NULL, comes after all others. */
static void start_groups(struct rt_device *device, struct rt_launch *added) {
  for (bool more = true; more;) {
    uint64_t index = 0;
    pthread_mutex_lock(&device->cluster_lock);
    if (added != NULL) {
      append_waiting_locked(device, added);
      added = NULL;
    }
    struct rt_launch *launch = take_group_locked(device, &index);
    more = device->waiting_head != NULL;
    pthread_mutex_unlock(&device->cluster_lock);
    if (launch == NULL) {
      return;
    }
    struct rt_group *group = create_group(launch, index);
    if (group != NULL) {
      rt_cluster_threads_start(group);
    } else {
      atomic_store(&launch->fault, CN_INVOKE_ERROR_OUT_OF_RESOURCES);
      more = end_group(device, launch);
    }
  }
}

enum rt_op_state rt_union_start(struct rt_launch *launch) {
  struct rt_device *device = launch->op.queue->device;
  const unsigned width = group_width(launch);
  launch->groups = (uint64_t)(launch->dim.x / width) * launch->dim.y * launch->dim.z;
  /* Several groups at a time pay only if there are CPUs for them. */
  launch->most_groups = rt_pool_job_threads() / width;
  if (launch->most_groups == 0 || rt_settings()->order != RT_ORDER_PARALLEL) {
    launch->most_groups = 1;
  }
  start_groups(device, launch);
  return RT_OP_PENDING;
}
