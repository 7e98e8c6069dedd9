/* SPDX-License-Identifier: MIT
 *
 * Results as text, and the version.
 */
#include "common.h"

static const struct {
  cnclResult_t result;
  const char *text;
} texts[] = {
    {CNCL_RET_SUCCESS, "success"},
    {CNCL_RET_ERR_UNSUPPORTED, "not supported"},
    {CNCL_RET_ERR_NULL_POINTER, "null pointer"},
    {CNCL_RET_ERR_BUILD_RING, "ring cannot be built"},
    {CNCL_RET_ERR_BUILD_TREE, "tree cannot be built"},
    {CNCL_RET_ERR_INIT, "initialisation failed"},
    {CNCL_RET_ERR_NOT_INIT, "communicator is not initialised"},
    {CNCL_RET_ERR_REINIT, "initialised twice"},
    {CNCL_RET_ERR_NO_ALGO, "no algorithm for this call"},
    {CNCL_RET_ERR_INVALID_VERSION, "versions do not fit"},
    {CNCL_RET_ERR_SYS_MALLOC, "out of host memory"},
    {CNCL_RET_ERR_SYS_SOCKET, "network failure"},
    {CNCL_RET_ERR_SYS_IBV, "InfiniBand failure"},
    {CNCL_RET_ERR_CNRT_DEVICE, "device or queue failure in the runtime"},
    {CNCL_RET_ERR_CNRT_MEMCOPY, "copy failed in the runtime"},
    {CNCL_RET_ERR_CNRT_MALLOC, "device memory allocation failed in the runtime"},
    {CNCL_RET_ASYNC_IN_PROGRESS, "work in progress"},
    {CNCL_RET_ASYNC_ERROR, "a call failed in a queue"},
    {CNCL_RET_ERR_UNKNOWN, "unknown error"},
    {CNCL_RET_ERR_ARGUMENTS, "invalid argument"},
    {CNCL_RET_ERR_MLU_ALLOCATE, "device memory allocation failed"},
    {CNCL_RET_ERR_MLU_DEALLOCATE, "device memory cannot be freed"},
    {CNCL_RET_ERR_IB_RECV_NOTREADY, "InfiniBand receiver is not ready"},
};

CNCL_EXPORT const char *cnclGetErrorStr(cnclResult_t result) {
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
    if (texts[i].result == result) {
      return texts[i].text;
    }
  }
  return "not a result of CNCL";
}

CNCL_EXPORT cnclResult_t cnclGetLibVersion(int *major, int *minor, int *patch) {
  if (major == NULL || minor == NULL || patch == NULL) {
    return cncl_refuse(CNCL_RET_ERR_NULL_POINTER, "cnclGetLibVersion: an argument is NULL");
  }
  *major = CNCL_MAJOR_VERSION;
  *minor = CNCL_MINOR_VERSION;
  *patch = CNCL_PATCH_VERSION;
  return CNCL_RET_SUCCESS;
}
