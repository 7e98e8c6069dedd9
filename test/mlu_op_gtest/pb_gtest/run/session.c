/* SPDX-License-Identifier: MIT */
#include "run/session.h"

#include <inttypes.h>

#include "cn_api.h"

enum { LLC_BYTES_DEFAULT = 48 << 20 };

static int session_failed(mluopTestSession *session, mluopTestText *errors, const char *what,
                          const char *why) {
  mluop_text_add(errors, "%s: %s", what, why);
  mluop_session_close(session);
  return -1;
}

static size_t llc_bytes(void) {
  int device = 0, bytes = 0;
  if (cnrtGetDevice(&device) != cnrtSuccess ||
      cnrtDeviceGetAttribute(&bytes, cnrtAttrMaxL2CacheSize, device) != cnrtSuccess ||
      bytes < LLC_BYTES_DEFAULT) {
    return LLC_BYTES_DEFAULT;
  }
  return (size_t)bytes;
}

/* By MLUOP_SET_JOB_LIMIT_CAPABILITY; each has twice the clusters of the one before. */
static const KernelClass unions[] = {CN_KERNEL_CLASS_UNION, CN_KERNEL_CLASS_UNION2,
                                     CN_KERNEL_CLASS_UNION4, CN_KERNEL_CLASS_UNION8,
                                     CN_KERNEL_CLASS_UNION16};
enum { N_UNIONS = sizeof(unions) / sizeof(unions[0]) };

int mluop_session_check_limits(const mluopTestOptions *options, mluopTestText *errors) {
  int device = 0, clusters = 0;
  if (!options->job_limit && !options->cluster_limit) {
    return 0;
  }
  if (cnrtGetDevice(&device) != cnrtSuccess ||
      cnrtDeviceGetAttribute(&clusters, cnrtAttrClusterCount, device) != cnrtSuccess ||
      clusters < 1) {
    mluop_text_add(errors, "the number of the device's clusters cannot be had\n");
    return -1;
  }
  int largest_union = 1;
  while (largest_union < N_UNIONS && 1 << largest_union <= clusters) {
    ++largest_union;
  }
  const uint64_t all_clusters = clusters < 64 ? (UINT64_C(1) << clusters) - 1 : UINT64_MAX;
  if (options->job_limit > largest_union) {
    mluop_text_add(errors,
                   "MLUOP_SET_JOB_LIMIT_CAPABILITY=%d: the device has %d clusters, 0 to %d is "
                   "wanted\n",
                   options->job_limit, clusters, largest_union);
    return -1;
  }
  if (options->cluster_limit & ~all_clusters) {
    mluop_text_add(errors,
                   "MLUOP_SET_CLUSTER_LIMIT_CAPABILITY=0x%" PRIx64
                   ": the device has %d clusters, 0 to 0x%" PRIx64 " is wanted\n",
                   options->cluster_limit, clusters, all_clusters);
    return -1;
  }
  return 0;
}

/* Applies MLUOP_SET_JOB_LIMIT_CAPABILITY and MLUOP_SET_CLUSTER_LIMIT_CAPABILITY, which make the
 * device look smaller. */
static int limit_device(const mluopTestOptions *options, mluOpHandle_t handle,
                        mluopTestText *errors) {
  if (!options->job_limit && !options->cluster_limit) {
    return 0;
  }
  if (mluop_session_check_limits(options, errors)) {
    return -1;
  }
  int device = 0;
  CNcontext context = NULL;
  if (cnrtGetDevice(&device) != cnrtSuccess ||
      cnSharedContextAcquire(&context, device) != CN_SUCCESS) {
    mluop_text_add(errors, "the device's context cannot be had");
    return -1;
  }
  CNctxConfigParam limit;
  if (options->job_limit) {
    limit.unionLimit = unions[options->job_limit - 1];
    if (cnSetCtxConfigParam(context, CN_CTX_CONFIG_UNION_LIMIT, &limit) != CN_SUCCESS) {
      mluop_text_add(errors, "MLUOP_SET_JOB_LIMIT_CAPABILITY=%d is refused", options->job_limit);
      return -1;
    }
  }
  if (options->cluster_limit) {
    limit.visibleCluster = options->cluster_limit;
    if (cnSetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, &limit) != CN_SUCCESS) {
      mluop_text_add(errors, "MLUOP_SET_CLUSTER_LIMIT_CAPABILITY=0x%" PRIx64 " is refused",
                     options->cluster_limit);
      return -1;
    }
  }
  const mluOpStatus_t status = mluOpUpdateContextInformation(handle);
  if (status != MLUOP_STATUS_SUCCESS) {
    mluop_text_add(errors, "mluOpUpdateContextInformation: %s", mluOpGetErrorString(status));
    return -1;
  }
  return 0;
}

int mluop_session_open(mluopTestSession *session, const mluopTestOptions *options,
                       mluopTestText *errors) {
  *session = (mluopTestSession){0};
  mluop_block_pool_open(&session->pool, options->thread);
  mluOpStatus_t status = mluOpCreate(&session->handle);
  if (status != MLUOP_STATUS_SUCCESS) {
    session->handle = NULL;
    return session_failed(session, errors, "mluOpCreate", mluOpGetErrorString(status));
  }
  cnrtRet_t ret = cnrtSuccess;
  if (!options->use_default_queue && (ret = cnrtQueueCreate(&session->queue)) != cnrtSuccess) {
    session->queue = NULL;
    return session_failed(session, errors, "cnrtQueueCreate", cnrtGetErrorStr(ret));
  }
  status = mluOpSetQueue(session->handle, session->queue);
  if (status != MLUOP_STATUS_SUCCESS) {
    return session_failed(session, errors, "mluOpSetQueue", mluOpGetErrorString(status));
  }
  if (limit_device(options, session->handle, errors)) {
    mluop_session_close(session);
    return -1;
  }
  if ((ret = cnrtNotifierCreate(&session->begin)) != cnrtSuccess ||
      (ret = cnrtNotifierCreate(&session->end)) != cnrtSuccess) {
    return session_failed(session, errors, "cnrtNotifierCreate", cnrtGetErrorStr(ret));
  }
  if (options->test_llc) {
    session->flush_size = llc_bytes();
    if ((ret = cnrtMalloc(&session->flush, session->flush_size)) != cnrtSuccess) {
      session->flush = NULL;
      return session_failed(session, errors, "memory for --test_llc", cnrtGetErrorStr(ret));
    }
  }
  return 0;
}

void mluop_session_close(mluopTestSession *session) {
  mluop_block_pool_close(&session->pool);
  if (session->flush) {
    cnrtFree(session->flush);
  }
  if (session->begin) {
    cnrtNotifierDestroy(session->begin);
  }
  if (session->end) {
    cnrtNotifierDestroy(session->end);
  }
  if (session->handle) {
    mluOpDestroy(session->handle);
  }
  if (session->queue) {
    cnrtQueueDestroy(session->queue);
  }
  *session = (mluopTestSession){0};
}

int mluop_session_flush_cache(mluopTestSession *session) {
  if (!session->flush) {
    return 0;
  }
  return cnrtMemset(session->flush, 0, session->flush_size) == cnrtSuccess ? 0 : -1;
}
