/* SPDX-License-Identifier: MIT
 *
 * CNNL: the part of the vendor's operator library that MLU-OPS calls. Operations go to the handle's
 * queue; descriptors may be changed or destroyed as soon as a call returns. Pointers are device
 * memory unless stated otherwise, and tensors may have strides. No operation needs a workspace.
 * Unsupported calls return CNNL_STATUS_NOT_SUPPORTED and print a line to stderr. */
#ifndef CNNL_H_
#define CNNL_H_

#include "cnnl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Handles ---- */

cnnlStatus_t cnnlCreate(cnnlHandle_t *handle);
cnnlStatus_t cnnlDestroy(cnnlHandle_t handle);
cnnlStatus_t cnnlSetQueue(cnnlHandle_t handle, cnrtQueue_t queue);
cnnlStatus_t cnnlGetQueue(cnnlHandle_t handle, cnrtQueue_t *queue);
const char *cnnlGetErrorString(cnnlStatus_t status);
void cnnlGetLibVersion(int *major, int *minor, int *patch);

/* ---- Tensors; without Ex they are dense in row-major order ---- */

cnnlStatus_t cnnlCreateTensorDescriptor(cnnlTensorDescriptor_t *desc);
cnnlStatus_t cnnlDestroyTensorDescriptor(cnnlTensorDescriptor_t desc);
cnnlStatus_t cnnlSetTensorDescriptor(cnnlTensorDescriptor_t desc, cnnlTensorLayout_t layout,
                                     cnnlDataType_t dtype, int dim_count, const int dims[]);
cnnlStatus_t cnnlSetTensorDescriptor_v2(cnnlTensorDescriptor_t desc, cnnlTensorLayout_t layout,
                                        cnnlDataType_t dtype, int dim_count, const int64_t dims[]);
cnnlStatus_t cnnlSetTensorDescriptorEx(cnnlTensorDescriptor_t desc, cnnlTensorLayout_t layout,
                                       cnnlDataType_t dtype, int dim_count, const int dims[],
                                       const int strides[]);
cnnlStatus_t cnnlSetTensorDescriptorEx_v2(cnnlTensorDescriptor_t desc, cnnlTensorLayout_t layout,
                                          cnnlDataType_t dtype, int dim_count, const int64_t dims[],
                                          const int64_t strides[]);

/* ---- Data movement: bits are copied unchanged ---- */

/* `value` has the type of the tensor. */
cnnlStatus_t cnnlFill_v3(cnnlHandle_t handle, cnnlPointerMode_t mode, const void *value,
                         const cnnlTensorDescriptor_t output_desc, void *output);

cnnlStatus_t cnnlCopy_v2(cnnlHandle_t handle, const cnnlTensorDescriptor_t input_desc,
                         const void *input, const cnnlTensorDescriptor_t output_desc, void *output,
                         void *workspace, size_t workspace_size);

cnnlStatus_t cnnlCreateTransposeDescriptor(cnnlTransposeDescriptor_t *desc);
cnnlStatus_t cnnlDestroyTransposeDescriptor(cnnlTransposeDescriptor_t desc);
/* Dimension i of the output is dimension permute[i] of the input. */
cnnlStatus_t cnnlSetTransposeDescriptor(cnnlTransposeDescriptor_t desc, int dim_count,
                                        const int permute[]);
cnnlStatus_t cnnlGetTransposeWorkspaceSize(cnnlHandle_t handle,
                                           const cnnlTensorDescriptor_t input_desc,
                                           const cnnlTransposeDescriptor_t desc, size_t *size);
cnnlStatus_t cnnlTranspose_v2(cnnlHandle_t handle, const cnnlTransposeDescriptor_t desc,
                              const cnnlTensorDescriptor_t input_desc, const void *input,
                              const cnnlTensorDescriptor_t output_desc, void *output,
                              void *workspace, size_t workspace_size);

/* `paddings` is host memory: two ints per dimension, the elements before and after. `padding_value`
 * is host memory too and has the type of the tensor. */
cnnlStatus_t cnnlPad(cnnlHandle_t handle, const cnnlTensorDescriptor_t input_desc,
                     const void *input, const void *paddings, const void *padding_value,
                     const cnnlTensorDescriptor_t output_desc, void *output);

/* A negative axis counts from the end. */
cnnlStatus_t cnnlConcat(cnnlHandle_t handle, int count, int axis,
                        const cnnlTensorDescriptor_t input_descs[], const void *const inputs[],
                        void *workspace, size_t workspace_size,
                        const cnnlTensorDescriptor_t output_desc, void *output);

/* Takes elements begin, begin + stride, ... up to but excluding end in each dimension. Negative
 * begin and end count from the end; the stride may be negative. */
cnnlStatus_t cnnlStridedSlice_v2(cnnlHandle_t handle, const cnnlTensorDescriptor_t input_desc,
                                 const void *input, const int64_t begin[], const int64_t end[],
                                 const int64_t stride[], const cnnlTensorDescriptor_t output_desc,
                                 void *output);

/* ---- By index: the last dimension of `indices` is a position in the leading dimensions ---- */

/* batch_dims must be 0. A position outside of `params` yields zeros. */
cnnlStatus_t cnnlGatherNd_v2(cnnlHandle_t handle, int batch_dims,
                             const cnnlTensorDescriptor_t params_desc, const void *params,
                             const cnnlTensorDescriptor_t indices_desc, const void *indices,
                             const cnnlTensorDescriptor_t output_desc, void *output);
/* `input` is first copied to `output`, unless it is NULL or the same. Positions outside of `output`
 * are skipped. */
cnnlStatus_t cnnlScatterNd_v2(cnnlHandle_t handle, cnnlScatterNdMode_t mode,
                              const cnnlTensorDescriptor_t indices_desc, const void *indices,
                              const cnnlTensorDescriptor_t updates_desc, const void *updates,
                              const cnnlTensorDescriptor_t input_desc, const void *input,
                              const cnnlTensorDescriptor_t output_desc, void *output);

/* ---- Arithmetic. Scalars are float; for complex tensors pairs of float, for integer tensors int
 * ---- */

/* output = alpha * input + beta */
cnnlStatus_t cnnlTransform_v2(cnnlHandle_t handle, cnnlPointerMode_t mode, const void *alpha,
                              const cnnlTensorDescriptor_t input_desc, const void *input,
                              const void *beta, const cnnlTensorDescriptor_t output_desc,
                              void *output);

cnnlStatus_t cnnlCreateOpTensorDescriptor(cnnlOpTensorDescriptor_t *desc);
cnnlStatus_t cnnlDestroyOpTensorDescriptor(cnnlOpTensorDescriptor_t desc);
cnnlStatus_t cnnlSetOpTensorDescriptor(cnnlOpTensorDescriptor_t desc, cnnlOpTensorDesc_t op,
                                       cnnlDataType_t compute_type, cnnlNanPropagation_t nan);
cnnlStatus_t cnnlGetOpTensorWorkspaceSize(cnnlHandle_t handle, const cnnlTensorDescriptor_t a_desc,
                                          const cnnlTensorDescriptor_t b_desc,
                                          const cnnlTensorDescriptor_t c_desc, size_t *size);
/* c = op(alpha1 * a, alpha2 * b) + beta * c; dimensions of size 1 of a and b are broadcast. */
cnnlStatus_t cnnlOpTensor(cnnlHandle_t handle, const cnnlOpTensorDescriptor_t desc,
                          const void *alpha1, const cnnlTensorDescriptor_t a_desc, const void *a,
                          const void *alpha2, const cnnlTensorDescriptor_t b_desc, const void *b,
                          void *workspace, size_t workspace_size, const void *beta,
                          const cnnlTensorDescriptor_t c_desc, void *c);

cnnlStatus_t cnnlGetAddNWorkspaceSize(cnnlHandle_t handle,
                                      const cnnlTensorDescriptor_t input_descs[], uint32_t count,
                                      const cnnlTensorDescriptor_t output_desc, size_t *size);
cnnlStatus_t cnnlAddN_v2(cnnlHandle_t handle, const cnnlTensorDescriptor_t input_descs[],
                         const void *const inputs[], uint32_t count,
                         const cnnlTensorDescriptor_t output_desc, void *output, void *workspace,
                         size_t workspace_size);

cnnlStatus_t cnnlCreateReduceDescriptor(cnnlReduceDescriptor_t *desc);
cnnlStatus_t cnnlDestroyReduceDescriptor(cnnlReduceDescriptor_t desc);
cnnlStatus_t cnnlSetReduceDescriptor_v2(cnnlReduceDescriptor_t desc, const int axis[], int axes,
                                        cnnlReduceOp_t op, cnnlDataType_t compute_type,
                                        cnnlNanPropagation_t nan, cnnlReduceIndices_t indices,
                                        cnnlIndicesType_t indices_type, float p);
cnnlStatus_t cnnlGetReduceOpWorkspaceSize_v2(cnnlHandle_t handle,
                                             const cnnlTensorDescriptor_t input_desc,
                                             const cnnlTensorDescriptor_t output_desc,
                                             const cnnlTensorDescriptor_t indices_desc,
                                             const cnnlReduceDescriptor_t desc, size_t *size);
/* Indices, alpha and beta are not supported and must be NULL. */
cnnlStatus_t cnnlReduce_v2(cnnlHandle_t handle, const cnnlReduceDescriptor_t desc,
                           const cnnlTensorDescriptor_t input_desc, const void *input,
                           const void *alpha, const void *beta, void *workspace,
                           size_t workspace_size, const cnnlTensorDescriptor_t output_desc,
                           void *output, const cnnlTensorDescriptor_t indices_desc, void *indices);

/* ---- Order ---- */

cnnlStatus_t cnnlGetTopKTensorWorkspaceSize(cnnlHandle_t handle,
                                            const cnnlTensorDescriptor_t input_desc, int k, int dim,
                                            bool largest, const cnnlTensorDescriptor_t output_desc,
                                            const cnnlTensorDescriptor_t index_desc, size_t *size);
/* The k largest or smallest elements of each line along `dim`, sorted; of equal elements the lower
 * index comes first. */
cnnlStatus_t cnnlTopKTensor_v3(cnnlHandle_t handle, const cnnlTensorDescriptor_t input_desc,
                               const void *input, int k, int dim, bool largest, bool sorted,
                               bool lower_index_first, void *workspace, size_t workspace_size,
                               const cnnlTensorDescriptor_t output_desc, void *output,
                               const cnnlTensorDescriptor_t index_desc, void *index);

cnnlStatus_t cnnlCreateUniqueDescriptor(cnnlUniqueDescriptor_t *desc);
cnnlStatus_t cnnlDestroyUniqueDescriptor(cnnlUniqueDescriptor_t desc);
cnnlStatus_t cnnlSetUniqueDescriptor(cnnlUniqueDescriptor_t desc, cnnlUniqueSort_t mode, int dim,
                                     bool return_inverse, bool return_counts);
cnnlStatus_t cnnlGetUniqueWorkspaceSize(cnnlHandle_t handle, const cnnlUniqueDescriptor_t desc,
                                        const cnnlTensorDescriptor_t input_desc, size_t *size);
/* The distinct slices of dimension 0, in ascending order (CNNL_SORT_ASCEND). Device memory receives
 * their number *output_num, for each slice its output position, and for each output position the
 * number of equal slices. */
cnnlStatus_t cnnlUnique_v2(cnnlHandle_t handle, const cnnlUniqueDescriptor_t desc,
                           const cnnlTensorDescriptor_t input_desc, const void *input,
                           void *workspace, size_t workspace_size, int *output_num,
                           const cnnlTensorDescriptor_t output_desc, void *output,
                           const cnnlTensorDescriptor_t indices_desc, void *indices,
                           const cnnlTensorDescriptor_t counts_desc, void *counts);

/* ---- Matrix products ---- */

cnnlStatus_t cnnlCreateMatMulDescriptor(cnnlMatMulDescriptor_t *desc);
cnnlStatus_t cnnlDestroyMatMulDescriptor(cnnlMatMulDescriptor_t desc);
/* Attributes are int32_t. Products are always computed in float, whatever the compute type. */
cnnlStatus_t cnnlSetMatMulDescAttr(cnnlMatMulDescriptor_t desc, cnnlMatMulDescAttribute_t attribute,
                                   const void *value, size_t size);
cnnlStatus_t cnnlCreateMatMulAlgo(cnnlMatMulAlgo_t *algo);
cnnlStatus_t cnnlDestroyMatMulAlgo(cnnlMatMulAlgo_t algo);
cnnlStatus_t cnnlCreateMatMulHeuristicResult(cnnlMatMulHeuristicResult_t *result);
cnnlStatus_t cnnlDestroyMatMulHeuristicResult(cnnlMatMulHeuristicResult_t result);
cnnlStatus_t cnnlGetMatMulAlgoHeuristic(cnnlHandle_t handle, const cnnlMatMulDescriptor_t desc,
                                        const cnnlTensorDescriptor_t a_desc,
                                        const cnnlTensorDescriptor_t b_desc,
                                        const cnnlTensorDescriptor_t c_desc,
                                        const cnnlTensorDescriptor_t d_desc,
                                        const cnnlMatMulPrefer_t preference, int requested,
                                        cnnlMatMulHeuristicResult_t results[], int *returned);
cnnlStatus_t cnnlGetMatMulHeuristicResult(const cnnlMatMulHeuristicResult_t result,
                                          cnnlMatMulAlgo_t algo, size_t *workspace_size);
/* d = alpha * a b + beta * c */
cnnlStatus_t cnnlMatMul_v2(cnnlHandle_t handle, const cnnlMatMulDescriptor_t desc,
                           const cnnlMatMulAlgo_t algo, const void *alpha,
                           const cnnlTensorDescriptor_t a_desc, const void *a,
                           const cnnlTensorDescriptor_t b_desc, const void *b, const void *beta,
                           const cnnlTensorDescriptor_t c_desc, const void *c, void *workspace,
                           size_t workspace_size, const cnnlTensorDescriptor_t d_desc, void *d);
cnnlStatus_t cnnlGetBatchMatMulExAlgoHeuristic(
    cnnlHandle_t handle, const cnnlMatMulDescriptor_t desc, const cnnlTensorDescriptor_t a_desc,
    const cnnlTensorDescriptor_t b_desc, const cnnlTensorDescriptor_t c_desc,
    const cnnlMatMulPrefer_t preference, int requested, cnnlMatMulHeuristicResult_t results[],
    int *returned);
cnnlStatus_t cnnlGetBatchMatMulExHeuristicResult(const cnnlMatMulHeuristicResult_t result,
                                                 cnnlMatMulAlgo_t algo, size_t *workspace_size);
/* The last two dimensions are matrices; the other dimensions of a and b may be missing or 1. */
cnnlStatus_t cnnlBatchMatMulEx(cnnlHandle_t handle, const cnnlMatMulDescriptor_t desc,
                               const cnnlMatMulAlgo_t algo, const void *alpha,
                               const cnnlTensorDescriptor_t a_desc, const void *a,
                               const cnnlTensorDescriptor_t b_desc, const void *b, const void *beta,
                               const cnnlTensorDescriptor_t c_desc, void *c, void *workspace,
                               size_t workspace_size);

#ifdef __cplusplus
} /* extern "C" */
#endif

#include "cnnl_vision.h"

#endif /* CNNL_H_ */
