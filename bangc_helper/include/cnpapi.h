/* SPDX-License-Identifier: MIT
 *
 * CNPAPI, the vendor's profiler interface: only its version and result codes, so that programs that
 * use them compile. It has no functions here; MLUOP_CPU_TRACE records what a launch did. */
#ifndef CNPAPI_H_
#define CNPAPI_H_

#include "cn_api.h"

typedef enum {
  CNPAPI_SUCCESS = 0,
  CNPAPI_ERROR_INVALID_PARAMETER = 1,
  CNPAPI_ERROR_NOT_SUPPORTED = 2,
} cnpapiResult;

#endif /* CNPAPI_H_ */
