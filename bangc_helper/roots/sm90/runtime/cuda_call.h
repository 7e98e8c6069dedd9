/* SPDX-License-Identifier: MIT
 *
 * Calls of the CUDA runtime, and of the CUDA driver for functions that only it has; errors become
 * CNRT codes.
 */
#ifndef SM90_CUDA_CALL_H_
#define SM90_CUDA_CALL_H_

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "common.h"

/* The CNRT code of a CUDA error. Clears the thread's pending CUDA error, since CNRT keeps its own.
 */
cnrtRet_t rt_cuda(cudaError_t error);

/* Driver functions, looked up at run time so that programs start even without a driver. */
struct rt_cuda_driver {
  CUresult (*fill16)(CUdeviceptr address, unsigned short value, size_t count, CUstream stream);
  CUresult (*fill32)(CUdeviceptr address, unsigned value, size_t count, CUstream stream);
};

/* NULL if the driver lacks one of them. */
const struct rt_cuda_driver *rt_cuda_driver(void);

/* The CNRT code of a driver result. */
cnrtRet_t rt_cuda_result(CUresult result);

#endif /* SM90_CUDA_CALL_H_ */
