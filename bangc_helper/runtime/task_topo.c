/* SPDX-License-Identifier: MIT
 *
 * Nodes and topologies. A topology is filled by a capture and does not change afterwards.
 */
#include "task_topo.h"

#include <stdio.h>
#include <stdlib.h>

#include "handles.h"

static struct rt_handles live_topos = RT_HANDLES_INITIALIZER;
static struct rt_handles live_nodes = RT_HANDLES_INITIALIZER;

/* ---- Sets of nodes ---- */

bool rt_nodes_add(struct rt_nodes *nodes, struct CNtaskTopoNode_st *node) {
  /* The capacity doubles whenever the count is a power of two. */
  if ((nodes->count & (nodes->count - 1)) == 0) {
    const size_t room = nodes->count == 0 ? 1 : 2 * nodes->count;
    struct CNtaskTopoNode_st **list =
        realloc(nodes->list, room * sizeof(struct CNtaskTopoNode_st *));
    if (list == NULL) {
      return false;
    }
    nodes->list = list;
  }
  nodes->list[nodes->count++] = node;
  return true;
}

static bool contains(const struct rt_nodes *nodes, const struct CNtaskTopoNode_st *node) {
  size_t i = 0;
  while (i < nodes->count && nodes->list[i] != node) {
    ++i;
  }
  return i < nodes->count;
}

bool rt_nodes_unite(struct rt_nodes *nodes, const struct rt_nodes *others) {
  bool ok = true;
  for (size_t i = 0; i < others->count && ok; ++i) {
    ok = contains(nodes, others->list[i]) || rt_nodes_add(nodes, others->list[i]);
  }
  return ok;
}

void rt_nodes_clear(struct rt_nodes *nodes) {
  free(nodes->list);
  *nodes = (struct rt_nodes){NULL, 0};
}

/* ---- Topologies ---- */

static void retain(void *pointer) {
  atomic_fetch_add(&((struct CNtaskTopo_st *)pointer)->references, 1);
}

struct CNtaskTopo_st *rt_topo_acquire(cnrtTaskTopo_t handle) {
  return rt_handles_retain(&live_topos, handle, retain) ? handle : NULL;
}

void rt_topo_release(struct CNtaskTopo_st *topo) {
  if (atomic_fetch_sub(&topo->references, 1) != 1) {
    return;
  }
  for (size_t i = 0; i < topo->nodes.count; ++i) {
    struct CNtaskTopoNode_st *node = topo->nodes.list[i];
    rt_handles_remove(&live_nodes, node);
    rt_nodes_clear(&node->before);
    node->end(node);
  }
  rt_nodes_clear(&topo->nodes);
  pthread_mutex_destroy(&topo->lock);
  free(topo);
}

struct CNtaskTopo_st *rt_topo_begin(struct rt_device *device) {
  struct CNtaskTopo_st *topo = calloc(1, sizeof(*topo));
  if (topo == NULL) {
    return NULL;
  }
  pthread_mutex_init(&topo->lock, NULL);
  atomic_init(&topo->references, 1);
  atomic_init(&topo->is_captured, device != NULL);
  topo->device = device;
  if (!rt_handles_add(&live_topos, topo)) {
    rt_topo_release(topo);
    return NULL;
  }
  return topo;
}

bool rt_topo_append(struct CNtaskTopo_st *topo, struct CNtaskTopoNode_st *node) {
  pthread_mutex_lock(&topo->lock);
  node->number = topo->nodes.count;
  bool ok = rt_handles_add(&live_nodes, node);
  if (ok && !rt_nodes_add(&topo->nodes, node)) {
    rt_handles_remove(&live_nodes, node);
    ok = false;
  }
  pthread_mutex_unlock(&topo->lock);
  return ok;
}

void rt_topo_hand_over(struct CNtaskTopo_st *topo) {
  atomic_store(&topo->is_captured, false);
}

void rt_topo_drop(struct CNtaskTopo_st *topo) {
  rt_handles_remove(&live_topos, topo);
  rt_topo_release(topo);
}

bool rt_topo_covers(struct CNtaskTopo_st *topo, const struct rt_nodes *after,
                    const struct rt_nodes *before) {
  bool *is_done = calloc(topo->nodes.count + 1, sizeof(*is_done));
  bool covers = is_done != NULL;
  for (size_t i = 0; i < after->count && covers; ++i) {
    is_done[after->list[i]->number] = true;
  }
  /* Nodes come after the nodes they wait for. */
  for (size_t i = topo->nodes.count; i-- > 0 && covers;) {
    const struct rt_nodes *earlier = &topo->nodes.list[i]->before;
    for (size_t j = 0; j < earlier->count && is_done[i]; ++j) {
      is_done[earlier->list[j]->number] = true;
    }
  }
  for (size_t i = 0; i < before->count && covers; ++i) {
    covers = is_done[before->list[i]->number];
  }
  free(is_done);
  return covers;
}

RT_EXPORT cnrtRet_t cnrtTaskTopoCreate(cnrtTaskTopo_t *pTaskTopo, unsigned int flags) {
  if (pTaskTopo == NULL || flags != 0) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  *pTaskTopo = rt_topo_begin(NULL);
  return rt_fail(*pTaskTopo != NULL ? cnrtSuccess : cnrtErrorSysNoMem);
}

RT_EXPORT cnrtRet_t cnrtTaskTopoDestroy(cnrtTaskTopo_t taskTopo) {
  struct CNtaskTopo_st *topo = rt_topo_acquire(taskTopo);
  if (topo == NULL) {
    return rt_fail(cnrtErrorInvalidResourceHandle);
  }
  cnrtRet_t error = cnrtErrorIllegalState; /* the capture has it */
  if (!atomic_load(&topo->is_captured)) {
    const bool first = rt_handles_remove(&live_topos, topo);
    error = first ? cnrtSuccess : cnrtErrorInvalidResourceHandle;
    if (first) {
      rt_topo_release(topo); /* the program's hold */
    }
  }
  rt_topo_release(topo);
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtTaskTopoGetNodes(cnrtTaskTopo_t taskTopo, cnrtTaskTopoNode_t *nodes,
                                         size_t *numNodes) {
  struct CNtaskTopo_st *topo = numNodes != NULL ? rt_topo_acquire(taskTopo) : NULL;
  if (topo == NULL) {
    return rt_fail(numNodes != NULL ? cnrtErrorInvalidResourceHandle : cnrtErrorArgsInvalid);
  }
  pthread_mutex_lock(&topo->lock);
  const size_t count = topo->nodes.count;
  for (size_t i = 0; nodes != NULL && i < *numNodes; ++i) {
    nodes[i] = i < count ? topo->nodes.list[i] : NULL;
  }
  if (nodes == NULL || *numNodes > count) {
    *numNodes = count;
  }
  pthread_mutex_unlock(&topo->lock);
  rt_topo_release(topo);
  return cnrtSuccess;
}

/* A node lives as long as its topology, which the program must keep. */
static void retain_nothing(void *pointer) {
  (void)pointer;
}

RT_EXPORT cnrtRet_t cnrtTaskTopoNodeGetType(cnrtTaskTopoNode_t node, cnrtTaskTopoNodeType_t *type) {
  if (type == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  if (!rt_handles_retain(&live_nodes, node, retain_nothing)) {
    return rt_fail(cnrtErrorInvalidResourceHandle);
  }
  *type = node->type;
  return cnrtSuccess;
}

/* ---- Pictures ---- */

static const char *name_of(cnrtTaskTopoNodeType_t type) {
  switch (type) {
    case cnrtTaskTopoNodeTypeKernel:
      return "kernel";
    case cnrtTaskTopoNodeTypeHost:
      return "host function";
    case cnrtTaskTopoNodeTypeMemcpy:
      return "copy";
    case cnrtTaskTopoNodeTypeMemset:
      return "fill";
    default:
      return "empty";
  }
}

static void print_node(FILE *file, const struct CNtaskTopoNode_st *node) {
  fprintf(file, "  n%zu [label=\"%zu: %s", node->number, node->number, name_of(node->type));
  if (node->name != NULL) {
    fputs("\\n", file);
    for (const char *c = node->name; *c != '\0'; ++c) {
      if (*c == '"' || *c == '\\') {
        fputc('\\', file);
      }
      fputc(*c, file);
    }
  }
  fputs("\"];\n", file);
  for (size_t i = 0; i < node->before.count; ++i) {
    fprintf(file, "  n%zu -> n%zu;\n", node->before.list[i]->number, node->number);
  }
}

RT_EXPORT cnrtRet_t cnrtTaskTopoDebugDotPrint(cnrtTaskTopo_t taskTopo, const char *path,
                                              unsigned int flags) {
  (void)flags; /* flags for more detail than there is */
  struct CNtaskTopo_st *topo = path != NULL ? rt_topo_acquire(taskTopo) : NULL;
  if (topo == NULL) {
    return rt_fail(path != NULL ? cnrtErrorInvalidResourceHandle : cnrtErrorArgsInvalid);
  }
  FILE *file = fopen(path, "w");
  bool ok = file != NULL;
  if (ok) {
    fputs("digraph task_topo {\n  node [shape=box];\n", file);
    pthread_mutex_lock(&topo->lock);
    for (size_t i = 0; i < topo->nodes.count; ++i) {
      print_node(file, topo->nodes.list[i]);
    }
    pthread_mutex_unlock(&topo->lock);
    fputs("}\n", file);
    ok = ferror(file) == 0;
    ok = fclose(file) == 0 && ok;
  }
  rt_topo_release(topo);
  return rt_fail(ok ? cnrtSuccess : cnrtErrorSys);
}
