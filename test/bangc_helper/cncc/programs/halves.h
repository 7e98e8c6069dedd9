/* SPDX-License-Identifier: MIT
 *
 * Functions with 16-bit floats, defined in a kernel file and called in a host file.
 */
#ifndef HALVES_H_
#define HALVES_H_

#include <bang_bf16.h>
#include <bang_fp16.h>
#include <cnrt.h>

/* y = a * x + y for n numbers in device memory. */
template <typename T>
void axpy(T a, const T *x, T *y, int n, cnrtQueue_t queue);

extern template void axpy<__half>(__half, const __half *, __half *, int, cnrtQueue_t);
extern template void axpy<__bang_bfloat16>(__bang_bfloat16, const __bang_bfloat16 *,
                                           __bang_bfloat16 *, int, cnrtQueue_t);
extern template void axpy<float>(float, const float *, float *, int, cnrtQueue_t);

#endif /* HALVES_H_ */
