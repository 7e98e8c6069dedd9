/* SPDX-License-Identifier: MIT
 *
 * CNPAPI, the vendor's interface for profilers: its version and results, so that programs that name
 * them compile. It has no functions here; MLUOP_CPU_TRACE writes what a launch did. */
#ifndef CNPAPI_H_
#define CNPAPI_H_

#include "cn_api.h"

typedef enum {
  CNPAPI_SUCCESS = 0,
  CNPAPI_ERROR_INVALID_PARAMETER = 1,
  CNPAPI_ERROR_NOT_SUPPORTED = 2,
} cnpapiResult;

#endif /* CNPAPI_H_ */
