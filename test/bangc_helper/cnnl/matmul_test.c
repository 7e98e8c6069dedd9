/* SPDX-License-Identifier: MIT
 *
 * Matrix products: transposed operands, types, batches.
 */
#include <math.h>

#include "bed.h"

enum { M = 3, K = 5, N = 4, BATCH = 2 };

static float a_value(int i, int k) {
  return (float)(i - 2 * k);
}

static float b_value(int batch, int k, int j) {
  return (float)(k + j + batch);
}

static float product(int batch, int i, int j) {
  float sum = 0;
  for (int k = 0; k < K; ++k) {
    sum += a_value(i, k) * b_value(batch, k, j);
  }
  return sum;
}

static cnnlMatMulDescriptor_t describe(bool trans_a, bool trans_b) {
  cnnlMatMulDescriptor_t desc = NULL;
  const int32_t a = trans_a;
  const int32_t b = trans_b;
  const int32_t type = CNNL_DTYPE_FLOAT;
  CHECK_CNNL(cnnlCreateMatMulDescriptor(&desc));
  CHECK_CNNL(cnnlSetMatMulDescAttr(desc, CNNL_MATMUL_DESC_TRANSA, &a, sizeof(a)));
  CHECK_CNNL(cnnlSetMatMulDescAttr(desc, CNNL_MATMUL_DESC_TRANSB, &b, sizeof(b)));
  CHECK_CNNL(cnnlSetMatMulDescAttr(desc, CNNL_MATMUL_DESC_COMPUTE_TYPE, &type, sizeof(type)));
  CHECK_CNNL(cnnlSetMatMulDescAttr(desc, CNNL_MATMUL_ALLOW_TF32, &a, sizeof(a)));
  CHECK_EQ(cnnlSetMatMulDescAttr(desc, (cnnlMatMulDescAttribute_t)99, &a, sizeof(a)),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_EQ(cnnlSetMatMulDescAttr(desc, CNNL_MATMUL_DESC_TRANSA, &a, 1), CNNL_STATUS_BAD_PARAM);
  return desc;
}

static void transposed(void) {
  struct bed bed = bed_make();
  for (int way = 0; way < 4; ++way) {
    const bool trans_a = (way & 1) != 0;
    const bool trans_b = (way & 2) != 0;
    float a_host[M * K];
    float b_host[K * N];
    float host[M * N];
    for (int k = 0; k < K; ++k) {
      for (int i = 0; i < M; ++i) {
        a_host[trans_a ? k * M + i : i * K + k] = a_value(i, k);
      }
      for (int j = 0; j < N; ++j) {
        b_host[trans_b ? j * K + k : k * N + j] = b_value(0, k, j);
      }
    }
    for (int i = 0; i < M * N; ++i) {
      host[i] = (float)i;
    }
    void *a = upload(a_host, sizeof(a_host));
    void *b = upload(b_host, sizeof(b_host));
    void *d = upload(host, sizeof(host));
    cnnlTensorDescriptor_t a_desc = DENSE(CNNL_DTYPE_FLOAT, trans_a ? K : M, trans_a ? M : K);
    cnnlTensorDescriptor_t b_desc = DENSE(CNNL_DTYPE_FLOAT, trans_b ? N : K, trans_b ? K : N);
    cnnlTensorDescriptor_t d_desc = DENSE(CNNL_DTYPE_FLOAT, M, N);
    cnnlMatMulDescriptor_t desc = describe(trans_a, trans_b);
    const float alpha = 2;
    const float beta = way == 3 ? 0.5F : 0;
    CHECK_EQ(cnnlMatMul_v2(bed.handle, desc, NULL, &alpha, d_desc, d, b_desc, b, &beta, d_desc, d,
                           NULL, 0, d_desc, d),
             CNNL_STATUS_BAD_PARAM);
    CHECK_CNNL(cnnlMatMul_v2(bed.handle, desc, NULL, &alpha, a_desc, a, b_desc, b, &beta, d_desc, d,
                             NULL, 0, d_desc, d));
    fetch(&bed, d, host, sizeof(host));
    for (int i = 0; i < M * N; ++i) {
      CHECK(host[i] == 2 * product(0, i / N, i % N) + beta * (float)i);
    }
    CHECK_CNNL(cnnlDestroyMatMulDescriptor(desc));
    CHECK_OK(cnrtFree(a));
    CHECK_OK(cnrtFree(b));
    CHECK_CNNL(cnnlDestroyTensorDescriptor(a_desc));
    CHECK_CNNL(cnnlDestroyTensorDescriptor(b_desc));
    CHECK_CNNL(cnnlDestroyTensorDescriptor(d_desc));
  }
  bed_free(&bed);
}

/* One operand is a single matrix for all batches of the other; the result is half. */
static void batches(void) {
  struct bed bed = bed_make();
  float a_host[M * K];
  float b_host[BATCH * K * N];
  uint16_t host[BATCH * M * N];
  for (int i = 0; i < M * K; ++i) {
    a_host[i] = a_value(i / K, i % K);
  }
  for (int i = 0; i < BATCH * K * N; ++i) {
    b_host[i] = b_value(i / (K * N), i / N % K, i % N);
  }
  void *a = upload(a_host, sizeof(a_host));
  void *b = upload(b_host, sizeof(b_host));
  void *c = upload(host, sizeof(host));
  cnnlTensorDescriptor_t a_desc = DENSE(CNNL_DTYPE_FLOAT, M, K);
  cnnlTensorDescriptor_t b_desc = DENSE(CNNL_DTYPE_FLOAT, BATCH, K, N);
  cnnlTensorDescriptor_t c_desc = DENSE(CNNL_DTYPE_BFLOAT16, BATCH, M, N);
  cnnlTensorDescriptor_t integers = DENSE(CNNL_DTYPE_INT32, M, K);
  cnnlMatMulDescriptor_t desc = describe(false, false);
  cnnlMatMulAlgo_t algo = NULL;
  cnnlMatMulHeuristicResult_t way = NULL;
  int ways = 0;
  size_t size = 1;
  const float alpha = 1;
  const float beta = 0;
  CHECK_CNNL(cnnlCreateMatMulAlgo(&algo));
  CHECK_CNNL(cnnlCreateMatMulHeuristicResult(&way));
  CHECK_CNNL(cnnlGetBatchMatMulExAlgoHeuristic(bed.handle, desc, a_desc, b_desc, c_desc, NULL, 1,
                                               &way, &ways));
  CHECK_EQ(ways, 1);
  CHECK_CNNL(cnnlGetBatchMatMulExHeuristicResult(way, algo, &size));
  CHECK_EQ(size, 0);
  CHECK_EQ(cnnlBatchMatMulEx(bed.handle, desc, algo, &alpha, integers, a, b_desc, b, &beta, c_desc,
                             c, NULL, 0),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_CNNL(cnnlBatchMatMulEx(bed.handle, desc, algo, &alpha, a_desc, a, b_desc, b, &beta, c_desc,
                               c, NULL, 0));
  fetch(&bed, c, host, sizeof(host));
  for (int i = 0; i < BATCH * M * N; ++i) {
    const uint32_t bits = (uint32_t)host[i] << 16;
    float value;
    __builtin_memcpy(&value, &bits, sizeof(value));
    CHECK(fabsf(value - product(i / (M * N), i / N % M, i % N)) <= 0.5F);
  }
  CHECK_CNNL(cnnlDestroyMatMulAlgo(algo));
  CHECK_CNNL(cnnlDestroyMatMulHeuristicResult(way));
  CHECK_CNNL(cnnlDestroyMatMulDescriptor(desc));
  CHECK_OK(cnrtFree(a));
  CHECK_OK(cnrtFree(b));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(a_desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(b_desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(c_desc));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(integers));
  bed_free(&bed);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {{"transposed", transposed}, {"batches", batches}};
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}
