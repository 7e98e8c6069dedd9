/* SPDX-License-Identifier: MIT
 *
 * The arguments of the driver's functions as structures, as profiler callbacks receive them. */
#ifndef CNPAPI_GENERATED_CNDRV_PARAMS_H_
#define CNPAPI_GENERATED_CNDRV_PARAMS_H_

#include "cn_api.h"

typedef struct cnInvokeKernel_params_st {
  CNkernel kernel;
  unsigned int dimx;
  unsigned int dimy;
  unsigned int dimz;
  KernelClass c;
  unsigned int reserve;
  CNqueue queue;
  void **kernelParams;
  void **extra;
} cnInvokeKernel_params;

#endif /* CNPAPI_GENERATED_CNDRV_PARAMS_H_ */
