/* SPDX-License-Identifier: MIT
 *
 * The product of dense matrices of float, by a BLAS library where the system has one.
 */
#ifndef CNNL_GEMM_H_
#define CNNL_GEMM_H_

#include <stdint.h>

/* c[rows][columns] = alpha * a[rows][depth] b[depth][columns] + beta * c */
void cnnl_gemm(int64_t rows, int64_t columns, int64_t depth, float alpha, const float *a,
               const float *b, float beta, float *c);

#endif /* CNNL_GEMM_H_ */
