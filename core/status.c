/* SPDX-License-Identifier: MIT
 *
 * Names of the status codes and version of the library.
 */
#include "core/logging.h"
#include "mlu_op.h"

const char *MLUOP_WIN_API mluOpGetErrorString(mluOpStatus_t status) {
#define STATUS_NAME(name) [name] = #name
  static const char *const names[] = {
      STATUS_NAME(MLUOP_STATUS_SUCCESS),
      STATUS_NAME(MLUOP_STATUS_NOT_INITIALIZED),
      STATUS_NAME(MLUOP_STATUS_ALLOC_FAILED),
      STATUS_NAME(MLUOP_STATUS_BAD_PARAM),
      STATUS_NAME(MLUOP_STATUS_INTERNAL_ERROR),
      STATUS_NAME(MLUOP_STATUS_ARCH_MISMATCH),
      STATUS_NAME(MLUOP_STATUS_EXECUTION_FAILED),
      STATUS_NAME(MLUOP_STATUS_NOT_SUPPORTED),
      STATUS_NAME(MLUOP_STATUS_NUMERICAL_OVERFLOW),
  };
#undef STATUS_NAME
  const size_t index = (size_t)status;
  return names[index < sizeof(names) / sizeof(names[0]) ? index : MLUOP_STATUS_BAD_PARAM];
}

void MLUOP_WIN_API mluOpGetLibVersion(int *major, int *minor, int *patch) {
  if (major != NULL) *major = MLUOP_MAJOR;
  if (minor != NULL) *minor = MLUOP_MINOR;
  if (patch != NULL) *patch = MLUOP_PATCHLEVEL;
}

size_t MLUOP_WIN_API mluOpGetVersion(void) {
  return MLUOP_VERSION;
}

const char *MLUOP_WIN_API mluOpGetLastErrorMessage(void) {
  return mluop_last_error();
}
