/* SPDX-License-Identifier: MIT
 *
 * Matrix products. Operands are first copied to dense matrices of float, so that one product serves
 * all types, strides and transpositions.
 */
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "gemm.h"
#include "handle.h"
#include "values.h"

struct cnnlMatMulStruct {
  bool transposes_a;
  bool transposes_b;
};

/* There is only one algorithm, so there is nothing to choose. */
struct cnnlMatMulAlgoStruct {
  int unused;
};

struct cnnlMatMulHeuristicResultStruct {
  int unused;
};

CNNL_EXPORT cnnlStatus_t cnnlCreateMatMulDescriptor(cnnlMatMulDescriptor_t *desc) {
  return cnnl_create(__func__, (void **)desc, sizeof(**desc));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroyMatMulDescriptor(cnnlMatMulDescriptor_t desc) {
  return cnnl_destroy(__func__, desc);
}

CNNL_EXPORT cnnlStatus_t cnnlSetMatMulDescAttr(cnnlMatMulDescriptor_t desc,
                                               cnnlMatMulDescAttribute_t attribute,
                                               const void *value, size_t size) {
  int32_t number = 0;
  if (desc == NULL || value == NULL || size != sizeof(number)) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL, or no int32_t", __func__);
  }
  memcpy(&number, value, sizeof(number));
  switch (attribute) {
    case CNNL_MATMUL_DESC_TRANSA:
      desc->transposes_a = number != 0;
      return CNNL_STATUS_SUCCESS;
    case CNNL_MATMUL_DESC_TRANSB:
      desc->transposes_b = number != 0;
      return CNNL_STATUS_SUCCESS;
    case CNNL_MATMUL_DESC_COMPUTE_TYPE:
    case CNNL_MATMUL_ALLOW_TF32: /* permitted, but ignored: products are computed in float */
      return CNNL_STATUS_SUCCESS;
    default:
      return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: there is no attribute %d", __func__,
                         (int)attribute);
  }
}

CNNL_EXPORT cnnlStatus_t cnnlCreateMatMulAlgo(cnnlMatMulAlgo_t *algo) {
  return cnnl_create(__func__, (void **)algo, sizeof(**algo));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroyMatMulAlgo(cnnlMatMulAlgo_t algo) {
  return cnnl_destroy(__func__, algo);
}

CNNL_EXPORT cnnlStatus_t cnnlCreateMatMulHeuristicResult(cnnlMatMulHeuristicResult_t *result) {
  return cnnl_create(__func__, (void **)result, sizeof(**result));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroyMatMulHeuristicResult(cnnlMatMulHeuristicResult_t result) {
  return cnnl_destroy(__func__, result);
}

static cnnlStatus_t one_way(const char *function, int requested,
                            cnnlMatMulHeuristicResult_t results[], int *returned) {
  if (results == NULL || returned == NULL || requested < 1) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: there is no room for a result", function);
  }
  *returned = 1;
  return CNNL_STATUS_SUCCESS;
}

static cnnlStatus_t needs_nothing(const char *function, cnnlMatMulHeuristicResult_t result,
                                  cnnlMatMulAlgo_t algo, size_t *size) {
  if (result == NULL || algo == NULL || size == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL", function);
  }
  *size = 0;
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlGetMatMulAlgoHeuristic(
    cnnlHandle_t handle, const cnnlMatMulDescriptor_t desc, const cnnlTensorDescriptor_t a_desc,
    const cnnlTensorDescriptor_t b_desc, const cnnlTensorDescriptor_t c_desc,
    const cnnlTensorDescriptor_t d_desc, const cnnlMatMulPrefer_t preference, int requested,
    cnnlMatMulHeuristicResult_t results[], int *returned) {
  (void)handle;
  (void)desc;
  (void)a_desc;
  (void)b_desc;
  (void)c_desc;
  (void)d_desc;
  (void)preference;
  return one_way(__func__, requested, results, returned);
}

CNNL_EXPORT cnnlStatus_t cnnlGetBatchMatMulExAlgoHeuristic(
    cnnlHandle_t handle, const cnnlMatMulDescriptor_t desc, const cnnlTensorDescriptor_t a_desc,
    const cnnlTensorDescriptor_t b_desc, const cnnlTensorDescriptor_t c_desc,
    const cnnlMatMulPrefer_t preference, int requested, cnnlMatMulHeuristicResult_t results[],
    int *returned) {
  (void)handle;
  (void)desc;
  (void)a_desc;
  (void)b_desc;
  (void)c_desc;
  (void)preference;
  return one_way(__func__, requested, results, returned);
}

CNNL_EXPORT cnnlStatus_t cnnlGetMatMulHeuristicResult(const cnnlMatMulHeuristicResult_t result,
                                                      cnnlMatMulAlgo_t algo,
                                                      size_t *workspace_size) {
  return needs_nothing(__func__, result, algo, workspace_size);
}

CNNL_EXPORT cnnlStatus_t cnnlGetBatchMatMulExHeuristicResult(
    const cnnlMatMulHeuristicResult_t result, cnnlMatMulAlgo_t algo, size_t *workspace_size) {
  return needs_nothing(__func__, result, algo, workspace_size);
}

/* ---- The product ---- */

struct product {
  struct cnnl_tensor a; /* as they are multiplied, transpositions done */
  struct cnnl_tensor b;
  struct cnnl_tensor c; /* data is NULL when it is not used */
  struct cnnl_tensor d;
  float alpha;
  float beta;
};

/* The matrices of a tensor, in the batches of `d`. */
static int64_t matrix_offset(const struct cnnlTensorStruct *shape, const struct cnnlTensorStruct *d,
                             int64_t batch) {
  int64_t offset = 0;
  for (int i = d->rank - 3; i >= 0; --i) {
    const int64_t index = batch % d->dims[i];
    batch /= d->dims[i];
    const int own = i - (d->rank - shape->rank);
    if (own >= 0 && shape->dims[own] != 1) {
      offset += index * shape->strides[own];
    }
  }
  return offset;
}

static struct cnnl_tensor matrix(const struct cnnl_tensor *tensor, const struct cnnlTensorStruct *d,
                                 int64_t batch) {
  const struct cnnlTensorStruct *shape = &tensor->shape;
  struct cnnl_tensor one = {.shape = {.type = shape->type, .rank = 2}};
  for (int i = 0; i < 2; ++i) {
    one.shape.dims[i] = shape->dims[shape->rank - 2 + i];
    one.shape.strides[i] = shape->strides[shape->rank - 2 + i];
  }
  one.data = tensor->data + matrix_offset(shape, d, batch) * (int64_t)cnnl_size(shape->type);
  return one;
}

static cnrtRet_t multiply(const struct product *call, int64_t batch, float *out) {
  const struct cnnlTensorStruct *d_shape = &call->d.shape;
  const struct cnnl_tensor a = matrix(&call->a, d_shape, batch);
  const struct cnnl_tensor b = matrix(&call->b, d_shape, batch);
  const struct cnnl_tensor d = matrix(&call->d, d_shape, batch);
  float *left = cnnl_read(&a);
  float *right = cnnl_read(&b);
  cnrtRet_t result = cnrtErrorNoMem;
  if (left != NULL && right != NULL) {
    cnnl_gemm(d.shape.dims[0], d.shape.dims[1], a.shape.dims[1], call->alpha, left, right,
              call->c.data != NULL ? call->beta : 0.0F, out);
    cnnl_write(&d, out);
    result = cnrtSuccess;
  }
  free(left);
  free(right);
  return result;
}

static cnrtRet_t run_product(void *arguments) {
  const struct product *call = arguments;
  const struct cnnlTensorStruct *d = &call->d.shape;
  const int64_t size = d->dims[d->rank - 2] * d->dims[d->rank - 1];
  const int64_t batches = size > 0 ? cnnl_count(d) / size : 0;
  for (int64_t i = 0; i < batches; ++i) {
    float *out = NULL;
    if (call->c.data != NULL) {
      const struct cnnl_tensor c = matrix(&call->c, d, i);
      out = cnnl_read(&c);
    } else {
      out = calloc((size_t)size, sizeof(*out));
    }
    const cnrtRet_t result = out != NULL ? multiply(call, i, out) : cnrtErrorNoMem;
    free(out);
    if (result != cnrtSuccess) {
      return result;
    }
  }
  return cnrtSuccess;
}

static void transpose(struct cnnlTensorStruct *shape) {
  const int row = shape->rank - 2;
  const int64_t dim = shape->dims[row];
  const int64_t stride = shape->strides[row];
  shape->dims[row] = shape->dims[row + 1];
  shape->strides[row] = shape->strides[row + 1];
  shape->dims[row + 1] = dim;
  shape->strides[row + 1] = stride;
}

/* True if an operand has the batches of `d`, or a single matrix for all. */
static bool batches_fit(const struct cnnlTensorStruct *shape, const struct cnnlTensorStruct *d) {
  const int lack = d->rank - shape->rank;
  if (lack < 0) {
    return false;
  }
  for (int i = 0; i < shape->rank - 2; ++i) {
    if (shape->dims[i] != 1 && shape->dims[i] != d->dims[lack + i]) {
      return false;
    }
  }
  return true;
}

static cnnlStatus_t submit_product(const char *function, cnnlHandle_t handle,
                                   cnnlMatMulDescriptor_t desc, struct product *call,
                                   const void *alpha, const void *beta) {
  if (desc == NULL || alpha == NULL || beta == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL", function);
  }
  memcpy(&call->alpha, alpha, sizeof(call->alpha));
  memcpy(&call->beta, beta, sizeof(call->beta));
  struct cnnl_tensor *const tensors[] = {&call->a, &call->b, &call->d};
  for (size_t i = 0; i < sizeof(tensors) / sizeof(tensors[0]); ++i) {
    CNNL_CHECK(cnnl_need_float(function, "a matrix", tensors[i]));
    if (tensors[i]->shape.rank < 2) {
      return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: a matrix has one dimension", function);
    }
  }
  if (desc->transposes_a) {
    transpose(&call->a.shape);
  }
  if (desc->transposes_b) {
    transpose(&call->b.shape);
  }
  const struct cnnlTensorStruct *a = &call->a.shape;
  const struct cnnlTensorStruct *b = &call->b.shape;
  const struct cnnlTensorStruct *d = &call->d.shape;
  if (a->dims[a->rank - 1] != b->dims[b->rank - 2] ||
      a->dims[a->rank - 2] != d->dims[d->rank - 2] ||
      b->dims[b->rank - 1] != d->dims[d->rank - 1] || !batches_fit(a, d) || !batches_fit(b, d)) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the matrices' dimensions do not fit", function);
  }
  if (call->beta == 0.0F) { /* c is not read then */
    call->c.data = NULL;
  } else {
    CNNL_CHECK(cnnl_need_float(function, "c", &call->c));
    CNNL_CHECK(cnnl_need_same_dims(function, &call->c, &call->d));
  }
  return cnnl_submit(function, handle, run_product, call, sizeof(*call),
                     cnnl_count(d) * (1 + a->dims[a->rank - 1]));
}

CNNL_EXPORT cnnlStatus_t cnnlMatMul_v2(cnnlHandle_t handle, const cnnlMatMulDescriptor_t desc,
                                       const cnnlMatMulAlgo_t algo, const void *alpha,
                                       const cnnlTensorDescriptor_t a_desc, const void *a,
                                       const cnnlTensorDescriptor_t b_desc, const void *b,
                                       const void *beta, const cnnlTensorDescriptor_t c_desc,
                                       const void *c, void *workspace, size_t workspace_size,
                                       const cnnlTensorDescriptor_t d_desc, void *d) {
  (void)algo;
  (void)workspace;
  (void)workspace_size;
  struct product call;
  CNNL_CHECK(cnnl_take(__func__, "a", a_desc, a, &call.a));
  CNNL_CHECK(cnnl_take(__func__, "b", b_desc, b, &call.b));
  CNNL_CHECK(cnnl_take_optional(__func__, "c", c_desc, c, &call.c));
  CNNL_CHECK(cnnl_take(__func__, "d", d_desc, d, &call.d));
  CNNL_CHECK(cnnl_need_rank(__func__, "d", &call.d, 2));
  return submit_product(__func__, handle, desc, &call, alpha, beta);
}

CNNL_EXPORT cnnlStatus_t cnnlBatchMatMulEx(cnnlHandle_t handle, const cnnlMatMulDescriptor_t desc,
                                           const cnnlMatMulAlgo_t algo, const void *alpha,
                                           const cnnlTensorDescriptor_t a_desc, const void *a,
                                           const cnnlTensorDescriptor_t b_desc, const void *b,
                                           const void *beta, const cnnlTensorDescriptor_t c_desc,
                                           void *c, void *workspace, size_t workspace_size) {
  (void)algo;
  (void)workspace;
  (void)workspace_size;
  struct product call;
  CNNL_CHECK(cnnl_take(__func__, "a", a_desc, a, &call.a));
  CNNL_CHECK(cnnl_take(__func__, "b", b_desc, b, &call.b));
  CNNL_CHECK(cnnl_take(__func__, "c", c_desc, c, &call.c));
  call.d = call.c;
  return submit_product(__func__, handle, desc, &call, alpha, beta);
}
