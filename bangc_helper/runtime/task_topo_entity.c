/* SPDX-License-Identifier: MIT
 *
 * Entities: topologies that queues run. Topologies do not change, so an entity refers to its
 * topology. The work of an invocation owns everything it needs, so the entity may be destroyed
 * before it is done.
 */
#include "task_topo_entity.h"

#include <stdlib.h>

#include "capture.h"
#include "handles.h"
#include "task_topo.h"

struct CNtaskTopoEntity_st {
  _Atomic int references;
  struct CNtaskTopo_st *topo;
  pthread_mutex_t lock; /* held during one invocation; guards `done` */
  /* Placed after the latest invocation, since invocations of an entity do not overlap; NULL: there
   * was none, or the device was reset. */
  cnrtNotifier_t done;
  struct CNtaskTopoEntity_st *next, *prev; /* in the list of all */
};

static struct rt_handles live_entities = RT_HANDLES_INITIALIZER;

static struct {
  pthread_mutex_t lock;
  struct CNtaskTopoEntity_st *list;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void link_to_all(struct CNtaskTopoEntity_st *entity) {
  pthread_mutex_lock(&all.lock);
  entity->next = all.list;
  if (all.list != NULL) {
    all.list->prev = entity;
  }
  all.list = entity;
  pthread_mutex_unlock(&all.lock);
}

static void unlink_from_all(struct CNtaskTopoEntity_st *entity) {
  pthread_mutex_lock(&all.lock);
  if (entity->prev != NULL) {
    entity->prev->next = entity->next;
  } else {
    all.list = entity->next;
  }
  if (entity->next != NULL) {
    entity->next->prev = entity->prev;
  }
  pthread_mutex_unlock(&all.lock);
}

static void retain(void *pointer) {
  atomic_fetch_add(&((struct CNtaskTopoEntity_st *)pointer)->references, 1);
}

static void release(struct CNtaskTopoEntity_st *entity) {
  if (atomic_fetch_sub(&entity->references, 1) != 1) {
    return;
  }
  unlink_from_all(entity);
  if (entity->done != NULL) {
    cnrtNotifierDestroy(entity->done);
  }
  rt_topo_release(entity->topo);
  pthread_mutex_destroy(&entity->lock);
  free(entity);
}

void rt_entities_reset(const struct rt_device *device) {
  pthread_mutex_lock(&all.lock);
  for (struct CNtaskTopoEntity_st *entity = all.list; entity != NULL; entity = entity->next) {
    pthread_mutex_lock(&entity->lock);
    if (entity->done != NULL && entity->done->device == device) {
      cnrtNotifierDestroy(entity->done);
      entity->done = NULL;
    }
    pthread_mutex_unlock(&entity->lock);
  }
  pthread_mutex_unlock(&all.lock);
}

/* The entity takes over the caller's hold on the topology. */
static cnrtRet_t create(struct CNtaskTopo_st *topo, cnrtTaskTopoEntity_t *result) {
  struct CNtaskTopoEntity_st *entity = calloc(1, sizeof(*entity));
  if (entity == NULL) {
    rt_topo_release(topo);
    return cnrtErrorSysNoMem;
  }
  pthread_mutex_init(&entity->lock, NULL);
  atomic_init(&entity->references, 1);
  entity->topo = topo;
  link_to_all(entity);
  if (!rt_handles_add(&live_entities, entity)) {
    release(entity);
    return cnrtErrorSysNoMem;
  }
  *result = entity;
  return cnrtSuccess;
}

RT_EXPORT cnrtRet_t cnrtTaskTopoInstantiate(cnrtTaskTopoEntity_t *pEntity, cnrtTaskTopo_t taskTopo,
                                            cnrtTaskTopoNode_t *pErrorNode, char *logBuffer,
                                            size_t bufferSize) {
  if (pEntity == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (pErrorNode != NULL) {
    *pErrorNode = NULL; /* what was captured could be submitted */
  }
  if (logBuffer != NULL && bufferSize != 0) {
    logBuffer[0] = '\0';
  }
  const cnrtRet_t unsafe = rt_capture_refuse_unsafe();
  if (unsafe != cnrtSuccess) {
    return rt_fail(unsafe);
  }
  struct CNtaskTopo_st *topo = rt_topo_acquire(taskTopo);
  if (topo == NULL) {
    return rt_fail(cnrtErrorInvalidResourceHandle);
  }
  if (atomic_load(&topo->is_captured)) {
    rt_topo_release(topo);
    return rt_fail(cnrtErrorIllegalState);
  }
  return rt_fail(create(topo, pEntity));
}

RT_EXPORT cnrtRet_t cnrtTaskTopoEntityDestroy(cnrtTaskTopoEntity_t entity) {
  if (!rt_handles_remove(&live_entities, entity)) {
    return rt_fail(cnrtErrorInvalidResourceHandle);
  }
  release(entity);
  return cnrtSuccess;
}

/* ---- Invocations ---- */

static cnrtRet_t submit_nodes(struct CNtaskTopo_st *topo, struct CNqueue_st *queue) {
  cnrtRet_t error = cnrtSuccess;
  pthread_mutex_lock(&topo->lock);
  for (size_t i = 0; i < topo->nodes.count && error == cnrtSuccess; ++i) {
    struct CNtaskTopoNode_st *node = topo->nodes.list[i];
    error = node->submit(node, queue);
  }
  pthread_mutex_unlock(&topo->lock);
  return error;
}

/* Waits for the previous invocation; the next one waits for this one. */
static cnrtRet_t invoke_locked(struct CNtaskTopoEntity_st *entity, struct CNqueue_st *queue) {
  cnrtRet_t error = cnrtSuccess;
  if (entity->done == NULL) {
    error = cnrtNotifierCreateWithFlags(&entity->done, CNRT_NOTIFIER_DISABLE_TIMING_ALL);
  }
  if (error == cnrtSuccess) {
    error = rt_notifier_queue_wait(entity->done, queue);
  }
  if (error == cnrtSuccess) {
    error = submit_nodes(entity->topo, queue);
    const cnrtRet_t placed = rt_notifier_place(entity->done, queue);
    error = error != cnrtSuccess ? error : placed;
  }
  return error;
}

static cnrtRet_t invoke(struct CNtaskTopoEntity_st *entity, cnrtQueue_t handle) {
  cnrtRet_t error = cnrtSuccess;
  struct CNqueue_st *queue = rt_queue_acquire(handle, &error);
  if (queue == NULL) {
    return error;
  }
  const struct rt_device *device = entity->topo->device;
  error = rt_capture_refuse(queue);
  if (error == cnrtSuccess && device != NULL && device != rt_queue_device(handle, &error)) {
    error = cnrtErrorDeviceInvalid; /* kernels stay on their device */
  }
  if (error == cnrtSuccess) {
    pthread_mutex_lock(&entity->lock);
    error = invoke_locked(entity, queue);
    pthread_mutex_unlock(&entity->lock);
  }
  rt_queue_release(queue);
  return error;
}

RT_EXPORT cnrtRet_t cnrtTaskTopoEntityInvoke(cnrtTaskTopoEntity_t entity, cnrtQueue_t queue) {
  if (!rt_handles_retain(&live_entities, entity, retain)) {
    return rt_fail(cnrtErrorInvalidResourceHandle);
  }
  const cnrtRet_t error = invoke(entity, queue);
  release(entity);
  return rt_fail(error);
}
