/* SPDX-License-Identifier: MIT */
#include "driver_context.h"

#include <pthread.h>
#include <stdlib.h>

#include "attributes.h"
#include "handles.h"
#include "launch_config.h"
#include "unions.h"

struct config {
  cn_uint64_t visible_clusters;
  KernelClass union_limit;
};

struct CNcontext_st {
  uint64_t id; /* unique among all contexts so far, since addresses are reused */
  struct rt_device *device;
  unsigned flags;
  bool shared;
  _Atomic unsigned holders; /* of a shared context */
  pthread_mutex_t lock;
  struct config config; /* for the whole process; guarded by lock */
};

/* A thread's own configuration of a context. */
struct thread_config {
  struct thread_config *next;
  uint64_t context_id;
  struct config config;
};

static struct CNcontext_st shared_contexts[RT_MAX_DEVICES];
static struct rt_handles created_contexts = RT_HANDLES_INITIALIZER;
static __thread CNcontext chosen_context;
static pthread_key_t thread_configs_key;

static unsigned cluster_count(const struct rt_device *device) {
  return (unsigned)rt_device_value(device, cnrtAttrClusterCount);
}

/* The mask of all clusters. It has 64 bits: on a device with more clusters, all bits set means all
 * clusters, and other masks choose among the first 64. */
static cn_uint64_t all_clusters(const struct rt_device *device) {
  const unsigned clusters = cluster_count(device);
  return clusters >= 64 ? ~(cn_uint64_t)0 : ((cn_uint64_t)1 << clusters) - 1;
}

/* Clusters of a named class; 0 for Block; -1 for an unknown class. */
static int class_clusters(KernelClass kernel_class) {
  const int clusters = rt_union_clusters((cnrtFunctionType_t)kernel_class);
  return rt_union_has_name(clusters) ? clusters : -1;
}

static KernelClass default_limit(const struct rt_device *device) {
  const int largest = rt_device_value(device, cnrtAttrMaxClusterPerUnionLimitTask);
  return (KernelClass)(CN_KERNEL_CLASS_UNION * largest);
}

static void set_up(CNcontext context, struct rt_device *device) {
  static _Atomic uint64_t ids;
  context->id = atomic_fetch_add(&ids, 1);
  context->device = device;
  context->config.visible_clusters = all_clusters(device);
  context->config.union_limit = default_limit(device);
  pthread_mutex_init(&context->lock, NULL);
}

static void free_thread_configs(void *pointer) {
  for (struct thread_config *entry = pointer; entry != NULL;) {
    struct thread_config *next = entry->next;
    free(entry);
    entry = next;
  }
}

static void create_shared_contexts(void) {
  pthread_key_create(&thread_configs_key, free_thread_configs);
  for (unsigned i = 0; i < rt_device_count(); ++i) {
    set_up(&shared_contexts[i], rt_device((int)i));
    shared_contexts[i].shared = true;
  }
}

static CNcontext first_shared_context(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, create_shared_contexts);
  return shared_contexts;
}

CNcontext rt_shared_context(const struct rt_device *device) {
  return first_shared_context() + rt_device_ordinal(device);
}

static void keep(void *context) {
  (void)context;
}

static bool is_valid(CNcontext context) {
  const CNcontext first = first_shared_context();
  return (context >= first && context < first + rt_device_count()) ||
         rt_handles_retain(&created_contexts, context, keep);
}

struct rt_device *rt_context_device(CNcontext context) {
  return context != NULL && is_valid(context) ? context->device : NULL;
}

/* The calling thread's context: the one it set, unless cnrtSetDevice has chosen another device
 * since. */
static CNcontext current_context(void) {
  struct rt_device *device = rt_current_device();
  if (device == NULL) {
    return NULL;
  }
  if (chosen_context != NULL && is_valid(chosen_context) && chosen_context->device == device) {
    return chosen_context;
  }
  return rt_shared_context(device);
}

/* ---- Contexts ---- */

RT_EXPORT CNresult cnCtxCreate(CNcontext *pctx, unsigned int flags, CNdev dev) {
  struct rt_device *device = dev < RT_MAX_DEVICES ? rt_device((int)dev) : NULL;
  if (pctx == NULL || flags >= CN_CTX_SCHED_SYNC_NUM) {
    return CN_ERROR_INVALID_VALUE;
  }
  if (device == NULL) {
    return CN_ERROR_INVALID_DEVICE;
  }
  CNcontext context = calloc(1, sizeof(*context));
  if (context == NULL || !rt_handles_add(&created_contexts, context)) {
    free(context);
    return CN_CONTEXT_ERROR_OUT_OF_RESOURCES;
  }
  rt_shared_context(device); /* creates the key for thread configurations as well */
  set_up(context, device);
  context->flags = flags;
  *pctx = context;
  return cnCtxSetCurrent(context);
}

RT_EXPORT CNresult cnCtxDestroy(CNcontext ctx) {
  if (!rt_handles_remove(&created_contexts, ctx)) {
    return CN_CONTEXT_ERROR_INVALID;
  }
  pthread_mutex_destroy(&ctx->lock);
  free(ctx);
  if (chosen_context == ctx) {
    chosen_context = NULL;
  }
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnCtxGetCurrent(CNcontext *pctx) {
  if (pctx == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  *pctx = current_context();
  return *pctx != NULL ? CN_SUCCESS : CN_ERROR_NO_DEVICE;
}

RT_EXPORT CNresult cnCtxSetCurrent(CNcontext ctx) {
  if (ctx == NULL) {
    chosen_context = NULL;
    return CN_SUCCESS;
  }
  if (!is_valid(ctx)) {
    return CN_CONTEXT_ERROR_INVALID;
  }
  chosen_context = ctx;
  return (CNresult)rt_set_current_device(rt_device_ordinal(ctx->device));
}

RT_EXPORT CNresult cnCtxGetFlags(unsigned int *pflags) {
  if (pflags == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const CNcontext context = current_context();
  if (context == NULL) {
    return CN_ERROR_NO_DEVICE;
  }
  *pflags = context->flags;
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnCtxGetApiVersion(CNcontext context, unsigned int *pversion) {
  if (pversion == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  if (context == NULL || !is_valid(context)) {
    return CN_CONTEXT_ERROR_INVALID;
  }
  *pversion = CN_VERSION;
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnCtxGetDevice(CNdev *dev) {
  if (dev == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const struct rt_device *device = rt_current_device();
  if (device == NULL) {
    return CN_ERROR_NO_DEVICE;
  }
  *dev = (CNdev)rt_device_ordinal(device);
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnCtxSync(void) {
  return (CNresult)cnrtSyncDevice();
}

RT_EXPORT CNresult cnCtxGetQueuePriorityRange(int *leastPriority, int *greatestPriority) {
  return (CNresult)cnrtDeviceGetQueuePriorityRange(leastPriority, greatestPriority);
}

static CNresult shared_context_of(CNdev dev, CNcontext *context) {
  const struct rt_device *device = dev < RT_MAX_DEVICES ? rt_device((int)dev) : NULL;
  if (device == NULL) {
    return CN_ERROR_INVALID_DEVICE;
  }
  *context = rt_shared_context(device);
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnSharedContextAcquire(CNcontext *pctx, CNdev dev) {
  CNcontext context = NULL;
  const CNresult error = pctx != NULL ? shared_context_of(dev, &context) : CN_ERROR_INVALID_VALUE;
  if (error == CN_SUCCESS) {
    atomic_fetch_add(&context->holders, 1);
    *pctx = context;
  }
  return error;
}

RT_EXPORT CNresult cnSharedContextRelease(CNdev dev) {
  CNcontext context = NULL;
  const CNresult error = shared_context_of(dev, &context);
  if (error != CN_SUCCESS) {
    return error;
  }
  unsigned holders = atomic_load(&context->holders);
  while (holders != 0 && !atomic_compare_exchange_weak(&context->holders, &holders, holders - 1)) {
  }
  return holders != 0 ? CN_SUCCESS : CN_CONTEXT_ERROR_INVALID;
}

RT_EXPORT CNresult cnSharedContextGetState(CNdev dev, unsigned int *flags, int *active) {
  CNcontext context = NULL;
  const CNresult error = shared_context_of(dev, &context);
  if (error != CN_SUCCESS) {
    return error;
  }
  if (flags != NULL) {
    *flags = context->flags;
  }
  if (active != NULL) {
    *active =
        atomic_load(&context->holders) != 0 ? CN_CONTEXT_STATE_ACTIVE : CN_CONTEXT_STATE_INACTIVE;
  }
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnQueueGetContext(CNqueue queue, CNcontext *pctx) {
  cnrtRet_t error = cnrtErrorArgsInvalid;
  const struct rt_device *device = pctx != NULL ? rt_queue_device(queue, &error) : NULL;
  if (device == NULL) {
    return (CNresult)error;
  }
  *pctx = device == rt_current_device() ? current_context() : rt_shared_context(device);
  return CN_SUCCESS;
}

/* ---- Configuration ---- */

static struct thread_config *find_thread_config(CNcontext context) {
  struct thread_config *entry = pthread_getspecific(thread_configs_key);
  while (entry != NULL && entry->context_id != context->id) {
    entry = entry->next;
  }
  return entry;
}

static struct config process_config(CNcontext context) {
  pthread_mutex_lock(&context->lock);
  const struct config config = context->config;
  pthread_mutex_unlock(&context->lock);
  return config;
}

/* The calling thread's configuration, or else the process's. */
static struct config effective_config(CNcontext context) {
  const struct thread_config *own = find_thread_config(context);
  return own != NULL ? own->config : process_config(context);
}

static unsigned visible_count(const struct rt_device *device, const struct config *config) {
  return config->visible_clusters == all_clusters(device)
             ? cluster_count(device)
             : (unsigned)__builtin_popcountll(config->visible_clusters);
}

static CNresult change(const struct rt_device *device, struct config *config,
                       CNctxConfigParamType type, const CNctxConfigParam *param) {
  switch (type) {
    case CN_CTX_CONFIG_VISIBLE_CLUSTER:
      if (param->visibleCluster == 0 || (param->visibleCluster & ~all_clusters(device)) != 0) {
        return CN_ERROR_INVALID_VALUE;
      }
      config->visible_clusters = param->visibleCluster;
      return CN_SUCCESS;
    case CN_CTX_CONFIG_UNION_LIMIT: {
      const int clusters = class_clusters(param->unionLimit);
      if (clusters < 0 || (unsigned)clusters > cluster_count(device)) {
        return CN_ERROR_INVALID_VALUE;
      }
      config->union_limit = param->unionLimit;
      return CN_SUCCESS;
    }
    default:
      return CN_ERROR_INVALID_VALUE;
  }
}

static CNresult read(const struct rt_device *device, const struct config *config,
                     CNctxConfigParamType type, CNctxConfigParam *param) {
  switch (type) {
    case CN_CTX_CONFIG_VISIBLE_CLUSTER:
      param->visibleCluster = config->visible_clusters;
      return CN_SUCCESS;
    case CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM:
      param->visibleClusterNumber = visible_count(device, config);
      return CN_SUCCESS;
    case CN_CTX_CONFIG_UNION_LIMIT:
      param->unionLimit = config->union_limit;
      return CN_SUCCESS;
    default:
      return CN_ERROR_INVALID_VALUE;
  }
}

static CNresult check(CNcontext ctx, const CNctxConfigParam *param) {
  if (param == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  return ctx != NULL && is_valid(ctx) ? CN_SUCCESS : CN_CONTEXT_ERROR_INVALID;
}

RT_EXPORT CNresult cnSetCtxConfigParam_pp(CNcontext ctx, CNctxConfigParamType type,
                                          CNctxConfigParam *param) {
  CNresult error = check(ctx, param);
  if (error == CN_SUCCESS) {
    pthread_mutex_lock(&ctx->lock);
    error = change(ctx->device, &ctx->config, type, param);
    pthread_mutex_unlock(&ctx->lock);
  }
  return error;
}

RT_EXPORT CNresult cnGetCtxConfigParam_pp(CNcontext ctx, CNctxConfigParamType type,
                                          CNctxConfigParam *param) {
  const CNresult error = check(ctx, param);
  if (error != CN_SUCCESS) {
    return error;
  }
  const struct config config = process_config(ctx);
  return read(ctx->device, &config, type, param);
}

RT_EXPORT CNresult cnSetCtxConfigParam_pt(CNcontext ctx, CNctxConfigParamType type,
                                          CNctxConfigParam *param) {
  CNresult error = check(ctx, param);
  if (error != CN_SUCCESS) {
    return error;
  }
  struct config config = effective_config(ctx);
  error = change(ctx->device, &config, type, param);
  if (error != CN_SUCCESS) {
    return error;
  }
  struct thread_config *entry = find_thread_config(ctx);
  if (entry == NULL) {
    entry = malloc(sizeof(*entry));
    if (entry == NULL) {
      return CN_ERROR_SYSTEM_OUT_OF_MEMORY;
    }
    entry->context_id = ctx->id;
    entry->next = pthread_getspecific(thread_configs_key);
    pthread_setspecific(thread_configs_key, entry);
  }
  entry->config = config;
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnGetCtxConfigParam_pt(CNcontext ctx, CNctxConfigParamType type,
                                          CNctxConfigParam *param) {
  const CNresult error = check(ctx, param);
  if (error != CN_SUCCESS) {
    return error;
  }
  const struct config config = effective_config(ctx);
  return read(ctx->device, &config, type, param);
}

/* Clusters of the largest unnamed union; 0 if there are none, or if the configuration asks for
 * fewer clusters than the device has. */
static unsigned free_union_clusters(const struct rt_device *device, const struct config *config) {
  const bool is_limited = config->union_limit != default_limit(device) ||
                          visible_count(device, config) != cluster_count(device);
  return is_limited ? 0 : (unsigned)rt_device_facts(device)->union_clusters;
}

RT_EXPORT CNresult cnGetCtxMaxParallelUnionTasks(CNcontext ctx, KernelClass c, int *number) {
  const int clusters = rt_union_clusters((cnrtFunctionType_t)c);
  if (number == NULL || clusters < 0) {
    return CN_ERROR_INVALID_VALUE;
  }
  if (ctx == NULL || !is_valid(ctx)) {
    return CN_CONTEXT_ERROR_INVALID;
  }
  const struct config config = effective_config(ctx);
  const unsigned visible = visible_count(ctx->device, &config);
  if (!rt_union_has_name(clusters)) {
    const unsigned most = free_union_clusters(ctx->device, &config);
    if (most == 0) {
      return CN_ERROR_INVALID_VALUE;
    }
    *number = (int)(most / (unsigned)clusters);
    return CN_SUCCESS;
  }
  *number = (int)(clusters == 0
                      ? visible * (unsigned)rt_device_value(ctx->device, cnrtAttrMcorePerCluster)
                      : visible / (unsigned)clusters);
  return CN_SUCCESS;
}
