/* SPDX-License-Identifier: MIT
 *
 * Handles.
 */
#include "core/context.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/env.h"
#include "core/logging.h"

/* Oldest supported versions of the libraries. */
enum { CNRT_MIN_MAJOR = 6, CNRT_MIN_MINOR = 7, CNDRV_MIN_MAJOR = 2, CNDRV_MIN_MINOR = 7 };

static bool is_new_enough(const char *name, int major, int minor, int least_major,
                          int least_minor) {
  if (major > least_major || (major == least_major && minor >= least_minor)) return true;
  LOG_ERROR(
      "[mluOpCreate] %s: wanted version %d.%d or newer, got %d.%d; "
      "MLUOP_CHECK_DEP_VERSION=0 skips this check.",
      name, least_major, least_minor, major, minor);
  return false;
}

static mluOpStatus_t check_dependencies(void) {
  if (!mluop_env_bool(MLUOP_ENV_CHECK_DEP_VERSION)) return MLUOP_STATUS_SUCCESS;
  int major = 0, minor = 0, patch = 0;
  INTERNAL_CHECK("[mluOpCreate]", cnrtGetLibVersion(&major, &minor, &patch) == cnrtSuccess);
  bool is_good = is_new_enough("CNRT", major, minor, CNRT_MIN_MAJOR, CNRT_MIN_MINOR);
  INTERNAL_CHECK("[mluOpCreate]", cnGetLibVersion(&major, &minor, &patch) == CN_SUCCESS);
  is_good = is_new_enough("CNDrv", major, minor, CNDRV_MIN_MAJOR, CNDRV_MIN_MINOR) && is_good;
  return is_good ? MLUOP_STATUS_SUCCESS : MLUOP_STATUS_NOT_INITIALIZED;
}

/* The newest architecture of the table that is not newer than the device. */
static mluOpDevType_t arch_of_isa(int isa) {
  static const mluOpDevType_t known[] = {MLUOP_MTP617, MLUOP_MTP613, MLUOP_MLU590, MLUOP_MLU370,
                                         MLUOP_MLU290, MLUOP_MLU270, MLUOP_MLU220};
  for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); ++i) {
    if (isa >= (int)known[i]) return known[i];
  }
  return MLUOP_UNKNOWN_DEVICE;
}

static mluOpStatus_t read_device(const char *api, mluOpHandle_t handle) {
  int isa = 0, memory_clock_khz = 0, bus_bits = 0;
  const struct {
    CNdevice_attribute attribute;
    int *value;
  } questions[] = {
      {CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT, &handle->cluster_num},
      {CN_DEVICE_ATTRIBUTE_MAX_CORE_COUNT_PER_CLUSTER, &handle->core_num_per_cluster},
      {CN_DEVICE_ATTRIBUTE_NRAM_SIZE_PER_CORE, &handle->nram_size},
      {CN_DEVICE_ATTRIBUTE_WEIGHT_RAM_SIZE_PER_CORE, &handle->wram_size},
      {CN_DEVICE_ATTRIBUTE_MAX_SHARED_RAM_SIZE_PER_CLUSTER, &handle->sram_size},
      {CN_DEVICE_ATTRIBUTE_MAX_L2_CACHE_SIZE, &handle->l2cache_size},
      {CN_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, &handle->persisting_l2cache_max_size},
      {CN_DEVICE_ATTRIBUTE_CLUSTER_CLOCK_RATE, &handle->clock_rate},
      {CN_DEVICE_ATTRIBUTE_MLU_ISA_VERSION, &isa},
      {CN_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, &memory_clock_khz},
      {CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, &bus_bits},
  };
  for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); ++i) {
    const CNresult result =
        cnDeviceGetAttribute(questions[i].value, questions[i].attribute, handle->device);
    if (result != CN_SUCCESS) {
      LOG_ERROR("%s device attribute 0x%x cannot be read (%d).", api,
                (unsigned)questions[i].attribute, (int)result);
      return MLUOP_STATUS_INTERNAL_ERROR;
    }
  }
  INTERNAL_CHECK(api, cnDeviceGetName(handle->device_name, MLUOP_CONTEXT_DEVICE_NAME_SIZE,
                                      handle->device) == CN_SUCCESS);
  handle->arch = arch_of_isa(isa);
  handle->facts = *mluop_device_facts_of(handle->device_name);
  mluop_device_facts_change(&handle->facts, mluop_env_string(MLUOP_ENV_DEVICE_FACTS));
  /* Two transfers per clock. */
  handle->memory_band_width = 2.0 * 1000.0 * memory_clock_khz * (bus_bits / 8.0);
  return MLUOP_STATUS_SUCCESS;
}

/* The driver context whose limits apply to the handle: that of its queue, or for the default queue
 * that of the device. */
static mluOpStatus_t find_driver_context(const char *api, mluOpHandle_t handle,
                                         CNcontext *context) {
  if (handle->queue != NULL) {
    INTERNAL_CHECK(api, cnQueueGetContext((CNqueue)handle->queue, context) == CN_SUCCESS);
  } else {
    INTERNAL_CHECK(api, cnSharedContextAcquire(context, handle->device) == CN_SUCCESS);
  }
  return MLUOP_STATUS_SUCCESS;
}

/* Clusters of the largest union. Some devices allow unions of any size up to this attribute. On
 * others it has another meaning, and only sizes with a kernel class are allowed. */
static int union_clusters(CNcontext context, mluOpHandle_t handle) {
  int clusters = 0, tasks = 0;
  const bool is_free =
      cnDeviceGetAttribute(&clusters, CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT_PER_UNION_TASK,
                           handle->device) == CN_SUCCESS &&
      cnGetCtxMaxParallelUnionTasks(context, (KernelClass)(CN_KERNEL_CLASS_UNION * clusters),
                                    &tasks) == CN_SUCCESS &&
      tasks > 0;
  return is_free ? clusters : (int)handle->capability_job_limit / CN_KERNEL_CLASS_UNION;
}

static mluOpStatus_t read_limits(const char *api, mluOpHandle_t handle) {
  CNcontext context = NULL;
  CNctxConfigParam clusters, job;
  MLUOP_RETURN_IF_FAILED(find_driver_context(api, handle, &context));
  INTERNAL_CHECK(api, cnGetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM, &clusters) ==
                          CN_SUCCESS);
  INTERNAL_CHECK(api, cnGetCtxConfigParam(context, CN_CTX_CONFIG_UNION_LIMIT, &job) == CN_SUCCESS);
  handle->capability_cluster_num = (int32_t)clusters.visibleClusterNumber;
  handle->capability_job_limit = job.unionLimit;
  handle->capability_union_clusters = union_clusters(context, handle);
  return MLUOP_STATUS_SUCCESS;
}

static mluOpStatus_t fill(const char *api, mluOpHandle_t handle) {
  int ordinal = 0;
  INTERNAL_CHECK(api, cnrtGetDevice(&ordinal) == cnrtSuccess);
  INTERNAL_CHECK(api, cnDeviceGet(&handle->device, ordinal) == CN_SUCCESS);
  handle->atomics_mode = MLUOP_ATOMICS_NOT_ALLOWED;
  MLUOP_RETURN_IF_FAILED(read_device(api, handle));
  if (mluop_verbose("dispatch")) {
    char text[384];
    mluop_log(MLUOP_LOG_VLOG, __FILE__, __LINE__, "%s %s: %s.", api, handle->device_name,
              mluop_device_facts_text(&handle->facts, text, sizeof(text)));
  }
  handle->round_mode =
      handle->arch >= MLUOP_MLU370 ? MLUOP_ROUND_HALF_TO_EVEN : MLUOP_ROUND_HALF_OFF_ZERO;
  return read_limits(api, handle);
}

/* ---- Memory ---- */

/* Destroyed handles to keep before the oldest one is reused, so that using one is reported. */
enum { KEPT_HANDLES = 64 };

static struct {
  pthread_mutex_t lock;
  mluOpHandle_t oldest, newest;
  int count;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static mluOpHandle_t take_memory(void) {
  mluOpHandle_t handle = NULL;
  pthread_mutex_lock(&kept.lock);
  if (kept.count == KEPT_HANDLES) {
    handle = kept.oldest;
    kept.oldest = handle->next_kept;
    --kept.count;
  }
  pthread_mutex_unlock(&kept.lock);
  if (handle == NULL) return (mluOpHandle_t)calloc(1, sizeof(*handle));
  memset(handle, 0, sizeof(*handle));
  return handle;
}

/* False if the handle was kept already. */
static bool keep_memory(mluOpHandle_t handle, uint32_t life) {
  pthread_mutex_lock(&kept.lock);
  const bool is_first = handle->life == life;
  if (is_first) {
    handle->life = ~MLUOP_CONTEXT_LIVE;
    handle->next_kept = NULL;
    if (kept.count == 0) {
      kept.oldest = handle;
    } else {
      kept.newest->next_kept = handle;
    }
    kept.newest = handle;
    ++kept.count;
  }
  pthread_mutex_unlock(&kept.lock);
  return is_first;
}

mluOpStatus_t MLUOP_WIN_API mluOpCreate(mluOpHandle_t *handle) {
  const char *api = "[mluOpCreate]";
  CHECK_NOT_NULL(api, handle);
  MLUOP_RETURN_IF_FAILED(check_dependencies());
  mluOpHandle_t created = take_memory();
  if (created == NULL) {
    LOG_ERROR("%s cannot allocate a handle.", api);
    return MLUOP_STATUS_ALLOC_FAILED;
  }
  const mluOpStatus_t status = fill(api, created);
  if (status != MLUOP_STATUS_SUCCESS) {
    keep_memory(created, created->life);
    return status;
  }
  created->life = MLUOP_CONTEXT_LIVE;
  *handle = created;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpUpdateContextInformation(mluOpHandle_t handle) {
  const char *api = "[mluOpUpdateContextInformation]";
  CHECK_HANDLE(api, handle);
  return read_limits(api, handle);
}

mluOpStatus_t MLUOP_WIN_API mluOpDestroy(mluOpHandle_t handle) {
  const char *api = "[mluOpDestroy]";
  CHECK_HANDLE(api, handle);
  return keep_memory(handle, MLUOP_CONTEXT_LIVE) ? MLUOP_STATUS_SUCCESS
                                                 : mluop_check_handle(api, handle);
}

/* ---- Settings ---- */

/* The queue must belong to the handle's device. Small numbers are predefined queues, which belong
 * to every device. */
static mluOpStatus_t check_queue(const char *api, mluOpHandle_t handle, cnrtQueue_t queue) {
  enum { SMALLEST_ADDRESS = 4096 };
  CNcontext context = NULL, before = NULL;
  CNdev device = 0;
  if ((uintptr_t)queue < SMALLEST_ADDRESS) return MLUOP_STATUS_SUCCESS;
  CHECK_VALUE(api, queue, cnQueueGetContext((CNqueue)queue, &context) == CN_SUCCESS,
              "a queue that exists");
  (void)cnCtxGetCurrent(&before);
  const bool is_known =
      cnCtxSetCurrent(context) == CN_SUCCESS && cnCtxGetDevice(&device) == CN_SUCCESS;
  (void)cnCtxSetCurrent(before);
  CHECK_VALUE(api, queue, !is_known || device == handle->device, "a queue of the handle's device");
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSetQueue(mluOpHandle_t handle, cnrtQueue_t queue) {
  const char *api = "[mluOpSetQueue]";
  CHECK_HANDLE(api, handle);
  MLUOP_RETURN_IF_FAILED(check_queue(api, handle, queue));
  handle->queue = queue;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetQueue(mluOpHandle_t handle, cnrtQueue_t *queue) {
  const char *api = "[mluOpGetQueue]";
  CHECK_HANDLE(api, handle);
  CHECK_NOT_NULL(api, queue);
  *queue = handle->queue;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetDevice(mluOpHandle_t handle, CNdev *device) {
  const char *api = "[mluOpGetDevice]";
  CHECK_HANDLE(api, handle);
  CHECK_NOT_NULL(api, device);
  *device = handle->device;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetContextParam(mluOpHandle_t handle, CNctxConfigParamType type,
                                                 CNctxConfigParam *param) {
  const char *api = "[mluOpGetContextParam]";
  CHECK_HANDLE(api, handle);
  CHECK_VALUE(api, type, (unsigned)type < (unsigned)CN_CTX_CONFIG_NUM, "a configuration type");
  CHECK_NOT_NULL(api, param);
  CNcontext context = NULL;
  MLUOP_RETURN_IF_FAILED(find_driver_context(api, handle, &context));
  INTERNAL_CHECK(api, cnGetCtxConfigParam(context, type, param) == CN_SUCCESS);
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSetAtomicsMode(mluOpHandle_t handle,
                                                mluOpAtomicsMode_t atomics_mode) {
  const char *api = "[mluOpSetAtomicsMode]";
  CHECK_HANDLE(api, handle);
  CHECK_VALUE(api, atomics_mode,
              atomics_mode == MLUOP_ATOMICS_NOT_ALLOWED || atomics_mode == MLUOP_ATOMICS_ALLOWED,
              "MLUOP_ATOMICS_NOT_ALLOWED or MLUOP_ATOMICS_ALLOWED");
  handle->atomics_mode = atomics_mode;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetAtomicsMode(mluOpHandle_t handle,
                                                mluOpAtomicsMode_t *atomics_mode) {
  const char *api = "[mluOpGetAtomicsMode]";
  CHECK_HANDLE(api, handle);
  CHECK_NOT_NULL(api, atomics_mode);
  *atomics_mode = handle->atomics_mode;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpSetQuantizeRoundMode(mluOpHandle_t handle,
                                                      mluOpQuantizeRoundMode_t round_mode) {
  const char *api = "[mluOpSetQuantizeRoundMode]";
  CHECK_HANDLE(api, handle);
  CHECK_VALUE(api, round_mode, (unsigned)round_mode <= (unsigned)MLUOP_ROUND_HALF_OFF_ZERO,
              "a rounding mode");
  handle->round_mode = round_mode;
  return MLUOP_STATUS_SUCCESS;
}

mluOpStatus_t MLUOP_WIN_API mluOpGetQuantizeRoundMode(mluOpHandle_t handle,
                                                      mluOpQuantizeRoundMode_t *round_mode) {
  const char *api = "[mluOpGetQuantizeRoundMode]";
  CHECK_HANDLE(api, handle);
  CHECK_NOT_NULL(api, round_mode);
  *round_mode = handle->round_mode;
  return MLUOP_STATUS_SUCCESS;
}
