/* SPDX-License-Identifier: MIT
 *
 * Operations element by element. Floats are computed in double and rounded once, integers wrap
 * around. Complex numbers are pairs of floats.
 */
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "handle.h"
#include "walk.h"

/* A factor or a summand, as the kind of the tensors has it. */
struct scalar {
  double parts[2];
  int64_t integer;
};

static struct scalar read_scalar(const void *value, enum cnnl_kind kind) {
  struct scalar scalar = {{0, 0}, 0};
  float parts[2] = {0, 0};
  int integer;
  if (kind == CNNL_KIND_INTEGER) {
    memcpy(&integer, value, sizeof(integer));
    scalar.integer = integer;
  } else {
    memcpy(parts, value, kind == CNNL_KIND_COMPLEX ? sizeof(parts) : sizeof(parts[0]));
    scalar.parts[0] = (double)parts[0];
    scalar.parts[1] = (double)parts[1];
  }
  return scalar;
}

/* ---- output = alpha * input + beta ---- */

struct transform {
  cnnlDataType_t type;
  struct cnnl_walk walk;
  cnnlPointerMode_t mode;
  const void *alpha_address;
  const void *beta_address;
  struct scalar alpha;
  struct scalar beta;
};

static void transform_element(cnnlDataType_t type, const struct scalar *alpha,
                              const struct scalar *beta, const char *from, char *to) {
  const enum cnnl_kind kind = cnnl_kind(type);
  if (kind == CNNL_KIND_INTEGER) {
    const uint64_t product = (uint64_t)alpha->integer * (uint64_t)cnnl_get_integer(type, from);
    cnnl_put_integer(type, to, (int64_t)(product + (uint64_t)beta->integer));
  } else if (kind == CNNL_KIND_FLOAT) {
    cnnl_put(type, to, alpha->parts[0] * cnnl_get(type, from) + beta->parts[0]);
  } else {
    const cnnlDataType_t part = cnnl_part(type);
    const size_t size = cnnl_size(part);
    const double real = cnnl_get(part, from);
    const double imaginary = cnnl_get(part, from + size);
    const double *a = alpha->parts;
    cnnl_put(part, to, a[0] * real - a[1] * imaginary + beta->parts[0]);
    cnnl_put(part, to + size, a[0] * imaginary + a[1] * real + beta->parts[1]);
  }
}

static cnrtRet_t run_transform(void *arguments) {
  struct transform *call = arguments;
  if (call->mode == CNNL_POINTER_MODE_DEVICE) {
    call->alpha = read_scalar(call->alpha_address, cnnl_kind(call->type));
    call->beta = read_scalar(call->beta_address, cnnl_kind(call->type));
  }
  struct cnnl_walk *walk = &call->walk;
  for (cnnl_walk_begin(walk); !walk->over; cnnl_walk_next(walk)) {
    transform_element(call->type, &call->alpha, &call->beta, walk->at[1], walk->at[0]);
  }
  return cnrtSuccess;
}

CNNL_EXPORT cnnlStatus_t cnnlTransform_v2(cnnlHandle_t handle, cnnlPointerMode_t mode,
                                          const void *alpha,
                                          const cnnlTensorDescriptor_t input_desc,
                                          const void *input, const void *beta,
                                          const cnnlTensorDescriptor_t output_desc, void *output) {
  struct cnnl_tensor from;
  struct cnnl_tensor to;
  CNNL_CHECK(cnnl_take(__func__, "input", input_desc, input, &from));
  CNNL_CHECK(cnnl_take(__func__, "output", output_desc, output, &to));
  CNNL_CHECK(cnnl_need_same_type(__func__, &from, &to));
  CNNL_CHECK(cnnl_need_same_dims(__func__, &from, &to));
  if (alpha == NULL || beta == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: alpha or beta is NULL", __func__);
  }
  struct transform call = {.type = to.shape.type,
                           .walk = cnnl_walk_over(&to.shape),
                           .mode = mode,
                           .alpha_address = alpha,
                           .beta_address = beta};
  if (mode == CNNL_POINTER_MODE_HOST) {
    call.alpha = read_scalar(alpha, cnnl_kind(call.type));
    call.beta = read_scalar(beta, cnnl_kind(call.type));
  }
  cnnl_walk_add(&call.walk, 0, &to);
  cnnl_walk_add(&call.walk, 1, &from);
  return cnnl_submit(__func__, handle, run_transform, &call, sizeof(call), cnnl_count(&to.shape));
}

/* ---- c = op(alpha1 * a, alpha2 * b) + beta * c ---- */

struct cnnlOpTensorStruct {
  cnnlOpTensorDesc_t op;
};

struct op_tensor {
  cnnlOpTensorDesc_t op;
  cnnlDataType_t type;
  struct cnnl_walk walk;
  struct scalar alpha1;
  struct scalar alpha2;
  struct scalar beta;
  bool adds_c;
};

static double combine(cnnlOpTensorDesc_t op, double a, double b) {
  switch (op) {
    case CNNL_OP_TENSOR_ADD:
      return a + b;
    case CNNL_OP_TENSOR_SUB:
      return a - b;
    default:
      return a * b;
  }
}

static uint64_t combine_integers(cnnlOpTensorDesc_t op, uint64_t a, uint64_t b) {
  switch (op) {
    case CNNL_OP_TENSOR_ADD:
      return a + b;
    case CNNL_OP_TENSOR_SUB:
      return a - b;
    default:
      return a * b;
  }
}

/* Also used for the parts of complex numbers: sums and differences work part by part, and factors
 * are real. */
static void op_element(const struct op_tensor *call, cnnlDataType_t type, char *c, const char *a,
                       const char *b) {
  if (cnnl_kind(type) == CNNL_KIND_INTEGER) {
    uint64_t value = combine_integers(
        call->op, (uint64_t)call->alpha1.integer * (uint64_t)cnnl_get_integer(type, a),
        (uint64_t)call->alpha2.integer * (uint64_t)cnnl_get_integer(type, b));
    if (call->adds_c) {
      value += (uint64_t)call->beta.integer * (uint64_t)cnnl_get_integer(type, c);
    }
    cnnl_put_integer(type, c, (int64_t)value);
    return;
  }
  double value = combine(call->op, call->alpha1.parts[0] * cnnl_get(type, a),
                         call->alpha2.parts[0] * cnnl_get(type, b));
  if (call->adds_c) {
    value += call->beta.parts[0] * cnnl_get(type, c);
  }
  cnnl_put(type, c, value);
}

static cnrtRet_t run_op_tensor(void *arguments) {
  struct op_tensor *call = arguments;
  const cnnlDataType_t part = cnnl_part(call->type);
  const size_t size = cnnl_size(part);
  const size_t parts = cnnl_size(call->type) / size;
  struct cnnl_walk *walk = &call->walk;
  for (cnnl_walk_begin(walk); !walk->over; cnnl_walk_next(walk)) {
    for (size_t i = 0; i < parts; ++i) {
      op_element(call, part, walk->at[0] + i * size, walk->at[1] + i * size,
                 walk->at[2] + i * size);
    }
  }
  return cnrtSuccess;
}

CNNL_EXPORT cnnlStatus_t cnnlCreateOpTensorDescriptor(cnnlOpTensorDescriptor_t *desc) {
  return cnnl_create(__func__, (void **)desc, sizeof(**desc));
}

CNNL_EXPORT cnnlStatus_t cnnlDestroyOpTensorDescriptor(cnnlOpTensorDescriptor_t desc) {
  return cnnl_destroy(__func__, desc);
}

CNNL_EXPORT cnnlStatus_t cnnlSetOpTensorDescriptor(cnnlOpTensorDescriptor_t desc,
                                                   cnnlOpTensorDesc_t op,
                                                   cnnlDataType_t compute_type,
                                                   cnnlNanPropagation_t nan) {
  (void)compute_type;
  (void)nan;
  if (desc == NULL || (int)op < CNNL_OP_TENSOR_ADD || op > CNNL_OP_TENSOR_MUL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: desc is NULL, or op %d does not exist", __func__,
                       (int)op);
  }
  desc->op = op;
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlGetOpTensorWorkspaceSize(cnnlHandle_t handle,
                                                      const cnnlTensorDescriptor_t a_desc,
                                                      const cnnlTensorDescriptor_t b_desc,
                                                      const cnnlTensorDescriptor_t c_desc,
                                                      size_t *size) {
  (void)a_desc;
  (void)b_desc;
  (void)c_desc;
  return cnnl_no_workspace(__func__, handle, size);
}

CNNL_EXPORT cnnlStatus_t cnnlOpTensor(cnnlHandle_t handle, const cnnlOpTensorDescriptor_t desc,
                                      const void *alpha1, const cnnlTensorDescriptor_t a_desc,
                                      const void *a, const void *alpha2,
                                      const cnnlTensorDescriptor_t b_desc, const void *b,
                                      void *workspace, size_t workspace_size, const void *beta,
                                      const cnnlTensorDescriptor_t c_desc, void *c) {
  (void)workspace;
  (void)workspace_size;
  struct cnnl_tensor left;
  struct cnnl_tensor right;
  struct cnnl_tensor to;
  CNNL_CHECK(cnnl_take(__func__, "a", a_desc, a, &left));
  CNNL_CHECK(cnnl_take(__func__, "b", b_desc, b, &right));
  CNNL_CHECK(cnnl_take(__func__, "c", c_desc, c, &to));
  CNNL_CHECK(cnnl_need_same_type(__func__, &left, &to));
  CNNL_CHECK(cnnl_need_same_type(__func__, &right, &to));
  if (desc == NULL || alpha1 == NULL || alpha2 == NULL || beta == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: an argument is NULL", __func__);
  }
  struct op_tensor call = {
      .op = desc->op, .type = to.shape.type, .walk = cnnl_walk_over(&to.shape)};
  const enum cnnl_kind kind = cnnl_kind(call.type);
  if (kind == CNNL_KIND_COMPLEX && call.op == CNNL_OP_TENSOR_MUL) {
    return cnnl_refuse(CNNL_STATUS_NOT_SUPPORTED, "%s: no products of complex numbers", __func__);
  }
  call.alpha1 = read_scalar(alpha1, kind == CNNL_KIND_COMPLEX ? CNNL_KIND_FLOAT : kind);
  call.alpha2 = read_scalar(alpha2, kind == CNNL_KIND_COMPLEX ? CNNL_KIND_FLOAT : kind);
  call.beta = read_scalar(beta, kind == CNNL_KIND_COMPLEX ? CNNL_KIND_FLOAT : kind);
  call.adds_c = call.beta.parts[0] != 0.0 || call.beta.integer != 0;
  cnnl_walk_add(&call.walk, 0, &to);
  if (!cnnl_walk_add(&call.walk, 1, &left) || !cnnl_walk_add(&call.walk, 2, &right)) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the tensors' dimensions do not fit", __func__);
  }
  return cnnl_submit(__func__, handle, run_op_tensor, &call, sizeof(call), cnnl_count(&to.shape));
}

/* ---- Sums of several tensors ---- */

struct add_n {
  struct cnnl_tensor to;
  uint32_t count;
  struct cnnl_tensor inputs[];
};

/* All inputs are read before the element is written, since the output may be one of them. */
static cnrtRet_t run_add_n(void *arguments) {
  struct add_n *call = arguments;
  const cnnlDataType_t type = call->to.shape.type;
  const cnnlDataType_t part = cnnl_part(type);
  const size_t size = cnnl_size(part);
  const size_t parts = cnnl_size(type) / size;
  const bool integers = cnnl_kind(part) == CNNL_KIND_INTEGER;
  struct cnnl_walk *walks = malloc((call->count + 1) * sizeof(*walks));
  if (walks == NULL) {
    return cnrtErrorNoMem;
  }
  for (uint32_t i = 0; i <= call->count; ++i) {
    walks[i] = cnnl_walk_over(&call->to.shape);
    cnnl_walk_add(&walks[i], 0, i == call->count ? &call->to : &call->inputs[i]);
    cnnl_walk_begin(&walks[i]);
  }
  struct cnnl_walk *out = &walks[call->count];
  while (!out->over) {
    for (size_t p = 0; p < parts; ++p) {
      double sum = 0;
      uint64_t total = 0;
      for (uint32_t i = 0; i < call->count; ++i) {
        const char *element = walks[i].at[0] + p * size;
        if (integers) {
          total += (uint64_t)cnnl_get_integer(part, element);
        } else {
          sum += cnnl_get(part, element);
        }
      }
      if (integers) {
        cnnl_put_integer(part, out->at[0] + p * size, (int64_t)total);
      } else {
        cnnl_put(part, out->at[0] + p * size, sum);
      }
    }
    for (uint32_t i = 0; i <= call->count; ++i) {
      cnnl_walk_next(&walks[i]);
    }
  }
  free(walks);
  return cnrtSuccess;
}

CNNL_EXPORT cnnlStatus_t cnnlGetAddNWorkspaceSize(cnnlHandle_t handle,
                                                  const cnnlTensorDescriptor_t input_descs[],
                                                  uint32_t count,
                                                  const cnnlTensorDescriptor_t output_desc,
                                                  size_t *size) {
  (void)input_descs;
  (void)count;
  (void)output_desc;
  return cnnl_no_workspace(__func__, handle, size);
}

static cnnlStatus_t take_inputs(const char *function, const cnnlTensorDescriptor_t input_descs[],
                                const void *const inputs[], struct add_n *call) {
  for (uint32_t i = 0; i < call->count; ++i) {
    CNNL_CHECK(cnnl_take(function, "an input", input_descs[i], inputs[i], &call->inputs[i]));
    CNNL_CHECK(cnnl_need_same_type(function, &call->inputs[i], &call->to));
    CNNL_CHECK(cnnl_need_same_dims(function, &call->inputs[i], &call->to));
  }
  return CNNL_STATUS_SUCCESS;
}

CNNL_EXPORT cnnlStatus_t cnnlAddN_v2(cnnlHandle_t handle,
                                     const cnnlTensorDescriptor_t input_descs[],
                                     const void *const inputs[], uint32_t count,
                                     const cnnlTensorDescriptor_t output_desc, void *output,
                                     void *workspace, size_t workspace_size) {
  (void)workspace;
  (void)workspace_size;
  if (input_descs == NULL || inputs == NULL || count == 0) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: there are no inputs", __func__);
  }
  const size_t bytes = sizeof(struct add_n) + count * sizeof(struct cnnl_tensor);
  struct add_n *call = calloc(1, bytes);
  if (call == NULL) {
    return CNNL_STATUS_ALLOC_FAILED;
  }
  call->count = count;
  cnnlStatus_t status = cnnl_take(__func__, "output", output_desc, output, &call->to);
  if (status == CNNL_STATUS_SUCCESS) {
    status = take_inputs(__func__, input_descs, inputs, call);
  }
  if (status == CNNL_STATUS_SUCCESS) {
    status =
        cnnl_submit(__func__, handle, run_add_n, call, bytes, cnnl_count(&call->to.shape) * count);
  }
  free(call);
  return status;
}
