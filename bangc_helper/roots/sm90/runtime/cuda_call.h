/* SPDX-License-Identifier: MIT
 *
 * Calls of the CUDA runtime and, for what only it has, of the CUDA driver: their errors as CNRT
 * codes.
 */
#ifndef SM90_CUDA_CALL_H_
#define SM90_CUDA_CALL_H_

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "common.h"

/* The CNRT code of a CUDA error. The thread's pending CUDA error is forgotten: CNRT keeps its own.
 */
cnrtRet_t rt_cuda(cudaError_t error);

/* Driver functions, found at run time so that programs start where there is no driver. */
struct rt_cuda_driver {
  CUresult (*fill16)(CUdeviceptr address, unsigned short value, size_t count, CUstream stream);
  CUresult (*fill32)(CUdeviceptr address, unsigned value, size_t count, CUstream stream);
};

/* NULL when the driver lacks one of them. */
const struct rt_cuda_driver *rt_cuda_driver(void);

/* The CNRT code of a driver result. */
cnrtRet_t rt_cuda_result(CUresult result);

#endif /* SM90_CUDA_CALL_H_ */
