/* SPDX-License-Identifier: MIT */
#include "gemm.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>

/* Fortran's interface, which every BLAS has: column-major matrices, arguments by address. The
 * string lengths at the end are ignored by libraries that do not use them. */
typedef void (*sgemm_function)(const char *trans_a, const char *trans_b, const int *m, const int *n,
                               const int *k, const float *alpha, const float *a, const int *lda,
                               const float *b, const int *ldb, const float *beta, float *c,
                               const int *ldc, size_t length_a, size_t length_b);

static sgemm_function sgemm;

/* Loaded at the first product; it is optional. */
static void find_sgemm(void) {
  static const char *const names[] = {"libblas.so.3", "libopenblas.so.0"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && sgemm == NULL; ++i) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) {
      *(void **)&sgemm = dlsym(library, "sgemm_");
    }
  }
}

static void multiply_row(int64_t columns, int64_t depth, float alpha, const float *restrict a,
                         const float *restrict b, float beta, float *restrict c) {
  for (int64_t j = 0; j < columns; ++j) {
    c[j] = beta == 0.0F ? 0.0F : c[j] * beta;
  }
  for (int64_t k = 0; k < depth; ++k) {
    const float factor = alpha * a[k];
    for (int64_t j = 0; j < columns; ++j) {
      c[j] += factor * b[k * columns + j];
    }
  }
}

void cnnl_gemm(int64_t rows, int64_t columns, int64_t depth, float alpha, const float *a,
               const float *b, float beta, float *c) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_sgemm);
  const int64_t most = rows > columns ? rows : columns;
  if (sgemm != NULL && depth > 0 && most > 0 && most <= INT_MAX && depth <= INT_MAX) {
    /* Row-major a and b are the transposes of Fortran's matrices, so b times a there is c here. */
    const int m = (int)columns;
    const int n = (int)rows;
    const int k = (int)depth;
    sgemm("N", "N", &m, &n, &k, &alpha, b, &m, a, &k, &beta, c, &m, 1, 1);
    return;
  }
  for (int64_t i = 0; i < rows; ++i) {
    multiply_row(columns, depth, alpha, a + i * depth, b, beta, c + i * columns);
  }
}
