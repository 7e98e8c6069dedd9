/* SPDX-License-Identifier: MIT */
#include "run/session.h"

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

/* MLUOP_SET_JOB_LIMIT_CAPABILITY and MLUOP_SET_CLUSTER_LIMIT_CAPABILITY: a device smaller than it
 * is. */
static int limit_device(const mluopTestOptions *options, mluOpHandle_t handle,
                        mluopTestText *errors) {
  static const KernelClass unions[] = {CN_KERNEL_CLASS_UNION, CN_KERNEL_CLASS_UNION2,
                                       CN_KERNEL_CLASS_UNION4, CN_KERNEL_CLASS_UNION8,
                                       CN_KERNEL_CLASS_UNION16};
  enum { N_UNIONS = sizeof(unions) / sizeof(unions[0]) };
  if (!options->job_limit && !options->cluster_limit) {
    return 0;
  }
  int device = 0;
  CNcontext context = NULL;
  if (cnrtGetDevice(&device) != cnrtSuccess ||
      cnSharedContextAcquire(&context, device) != CN_SUCCESS) {
    mluop_text_add(errors, "the device's context cannot be had");
    return -1;
  }
  if (options->job_limit > N_UNIONS) {
    mluop_text_add(errors, "MLUOP_SET_JOB_LIMIT_CAPABILITY=%d: 1 to %d is wanted",
                   options->job_limit, N_UNIONS);
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
    limit.visibleCluster = (cn_uint64_t)options->cluster_limit;
    if (cnSetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER, &limit) != CN_SUCCESS) {
      mluop_text_add(errors, "MLUOP_SET_CLUSTER_LIMIT_CAPABILITY=%d is refused",
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
