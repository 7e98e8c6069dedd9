/* SPDX-License-Identifier: MIT
 *
 * The operations of cnnl.h for images: boxes, regions, deformable convolution, normalisation.
 * Images are NHWC. */
#ifndef CNNL_VISION_H_
#define CNNL_VISION_H_

#include "cnnl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Non-maximum suppression ---- */

cnnlStatus_t cnnlCreateNmsDescriptor(cnnlNmsDescriptor_t *desc);
cnnlStatus_t cnnlDestroyNmsDescriptor(cnnlNmsDescriptor_t desc);
/* The value of an attribute has the attribute's own type: float, int, bool or an enumeration. */
cnnlStatus_t cnnlSetNmsDescAttr(cnnlNmsDescriptor_t desc, cnnlNmsDescAttribute_t attribute,
                                const void *value, size_t size);
cnnlStatus_t cnnlGetNmsWorkspaceSize_v4(cnnlHandle_t handle, const cnnlNmsDescriptor_t desc,
                                        const cnnlTensorDescriptor_t boxes_desc,
                                        const cnnlTensorDescriptor_t confidence_desc, size_t *size);
/* Without confidences, boxes have 7 numbers (x, y, z, three lengths, an angle about z) and are
 * sorted by confidence. */
cnnlStatus_t cnnlNms_v2(cnnlHandle_t handle, const cnnlNmsDescriptor_t desc,
                        const cnnlTensorDescriptor_t boxes_desc, const void *boxes,
                        const cnnlTensorDescriptor_t confidence_desc, const void *confidence,
                        void *workspace, size_t workspace_size,
                        const cnnlTensorDescriptor_t output_desc, void *output, void *output_size);

/* ---- Regions: a box is a row of batch index, x1, y1, x2, y2 ---- */

cnnlStatus_t cnnlCreateRoiAlignDescriptor(cnnlRoiAlignDescriptor_t *desc);
cnnlStatus_t cnnlDestroyRoiAlignDescriptor(cnnlRoiAlignDescriptor_t desc);
/* pool_mode: 0 for the maximum, 1 for the average of a bin's samples. */
cnnlStatus_t cnnlSetRoiAlignDescriptor_v2(cnnlRoiAlignDescriptor_t desc, int pooled_height,
                                          int pooled_width, int sampling_ratio, float spatial_scale,
                                          int pool_mode, bool aligned);
/* argmax_x and argmax_y are NULL when averaging. */
cnnlStatus_t cnnlRoiAlign_v2(cnnlHandle_t handle, const cnnlRoiAlignDescriptor_t desc,
                             const cnnlTensorDescriptor_t input_desc, const void *input,
                             const cnnlTensorDescriptor_t boxes_desc, const void *boxes,
                             const cnnlTensorDescriptor_t output_desc, void *output,
                             const cnnlTensorDescriptor_t argmax_x_desc, void *argmax_x,
                             const cnnlTensorDescriptor_t argmax_y_desc, void *argmax_y);
cnnlStatus_t cnnlRoiAlignBackward_v2(cnnlHandle_t handle, const cnnlTensorDescriptor_t grads_desc,
                                     const void *grads, const cnnlTensorDescriptor_t boxes_desc,
                                     const void *boxes, const cnnlTensorDescriptor_t argmax_x_desc,
                                     const void *argmax_x,
                                     const cnnlTensorDescriptor_t argmax_y_desc,
                                     const void *argmax_y, float spatial_scale, int sampling_ratio,
                                     bool aligned, int pool_mode,
                                     const cnnlTensorDescriptor_t grads_image_desc,
                                     void *grads_image);
/* Only CNNL_POOLING_MAX. argmax is the pixel y * width + x in the image, or -1. */
cnnlStatus_t cnnlRoiPoolingForward(cnnlHandle_t handle, cnnlPoolingMode_t mode,
                                   const cnnlTensorDescriptor_t input_desc, const void *input,
                                   const cnnlTensorDescriptor_t rois_desc, const void *rois,
                                   float spatial_scale, const cnnlTensorDescriptor_t output_desc,
                                   void *output, int *argmax);
cnnlStatus_t cnnlRoiPoolingBackward(cnnlHandle_t handle, cnnlPoolingMode_t mode,
                                    const cnnlTensorDescriptor_t grads_desc, const void *grads,
                                    const cnnlTensorDescriptor_t rois_desc, const void *rois,
                                    const cnnlTensorDescriptor_t argmax_desc, const int *argmax,
                                    float spatial_scale,
                                    const cnnlTensorDescriptor_t grads_image_desc,
                                    void *grads_image);

/* ---- Deformable convolution ---- */

cnnlStatus_t cnnlCreateDCNDescriptor(cnnlDCNDescriptor_t *desc);
cnnlStatus_t cnnlDestroyDCNDescriptor(cnnlDCNDescriptor_t desc);
/* pad: top, bottom, left, right; stride and dilation: height, width. */
cnnlStatus_t cnnlSetDCNDescriptor(cnnlDCNDescriptor_t desc, int dim_count, const int pad[],
                                  const int stride[], const int dilation[], int deformable_group,
                                  int conv_group, int im2col_step, cnnlDataType_t compute_type);
cnnlStatus_t cnnlGetDCNForwardWorkspaceSize(cnnlHandle_t handle, const cnnlDCNDescriptor_t desc,
                                            const cnnlTensorDescriptor_t input_desc,
                                            const cnnlTensorDescriptor_t offset_desc,
                                            const cnnlTensorDescriptor_t mask_desc,
                                            const cnnlTensorDescriptor_t filter_desc,
                                            const cnnlTensorDescriptor_t bias_desc,
                                            const cnnlTensorDescriptor_t output_desc, size_t *size);
/* mask and bias may be NULL. */
cnnlStatus_t cnnlDCNForward(cnnlHandle_t handle, const cnnlDCNDescriptor_t desc,
                            const cnnlTensorDescriptor_t input_desc, const void *input,
                            const cnnlTensorDescriptor_t offset_desc, const void *offset,
                            const cnnlTensorDescriptor_t mask_desc, const void *mask,
                            const cnnlTensorDescriptor_t filter_desc, const void *filter,
                            const cnnlTensorDescriptor_t bias_desc, const void *bias,
                            void *workspace, size_t workspace_size,
                            const cnnlTensorDescriptor_t output_desc, void *output);
/* The vendor's spelling. */
cnnlStatus_t cnnlGetDCNBakcwardDataWorkspaceSize(
    cnnlHandle_t handle, const cnnlDCNDescriptor_t desc, const cnnlTensorDescriptor_t input_desc,
    const cnnlTensorDescriptor_t offset_desc, const cnnlTensorDescriptor_t mask_desc,
    const cnnlTensorDescriptor_t filter_desc, const cnnlTensorDescriptor_t grad_output_desc,
    const cnnlTensorDescriptor_t grad_input_desc, const cnnlTensorDescriptor_t grad_offset_desc,
    const cnnlTensorDescriptor_t grad_mask_desc, size_t *size);
cnnlStatus_t cnnlDCNBackwardData(cnnlHandle_t handle, const cnnlDCNDescriptor_t desc,
                                 const cnnlTensorDescriptor_t input_desc, const void *input,
                                 const cnnlTensorDescriptor_t offset_desc, const void *offset,
                                 const cnnlTensorDescriptor_t mask_desc, const void *mask,
                                 const cnnlTensorDescriptor_t filter_desc, const void *filter,
                                 const cnnlTensorDescriptor_t grad_output_desc,
                                 const void *grad_output, void *workspace, size_t workspace_size,
                                 const cnnlTensorDescriptor_t grad_input_desc, void *grad_input,
                                 const cnnlTensorDescriptor_t grad_offset_desc, void *grad_offset,
                                 const cnnlTensorDescriptor_t grad_mask_desc, void *grad_mask);
cnnlStatus_t cnnlGetDCNBackwardWeightWorkspaceSize(
    cnnlHandle_t handle, const cnnlDCNDescriptor_t desc, const cnnlTensorDescriptor_t input_desc,
    const cnnlTensorDescriptor_t offset_desc, const cnnlTensorDescriptor_t mask_desc,
    const cnnlTensorDescriptor_t grad_output_desc, const cnnlTensorDescriptor_t grad_filter_desc,
    const cnnlTensorDescriptor_t grad_bias_desc, size_t *size);
cnnlStatus_t cnnlDCNBackwardWeight(cnnlHandle_t handle, const cnnlDCNDescriptor_t desc,
                                   const cnnlTensorDescriptor_t input_desc, const void *input,
                                   const cnnlTensorDescriptor_t offset_desc, const void *offset,
                                   const cnnlTensorDescriptor_t mask_desc, const void *mask,
                                   const cnnlTensorDescriptor_t grad_output_desc,
                                   const void *grad_output, void *workspace, size_t workspace_size,
                                   const cnnlTensorDescriptor_t grad_filter_desc, void *grad_filter,
                                   const cnnlTensorDescriptor_t grad_bias_desc, void *grad_bias);

/* ---- Batch normalisation across devices; the channel is the last dimension ---- */

cnnlStatus_t cnnlGetSyncBatchNormStatsWorkspaceSize(cnnlHandle_t handle,
                                                    const cnnlTensorDescriptor_t x_desc,
                                                    size_t *size);
cnnlStatus_t cnnlSyncBatchNormStats_v2(cnnlHandle_t handle, const cnnlTensorDescriptor_t x_desc,
                                       const void *x, void *workspace, size_t workspace_size,
                                       float eps, const cnnlTensorDescriptor_t mean_desc,
                                       void *mean, const cnnlTensorDescriptor_t invstd_desc,
                                       void *invstd);
/* moving_mean and moving_var may be NULL. */
cnnlStatus_t cnnlSyncBatchNormGatherStatsWithCounts(
    cnnlHandle_t handle, const cnnlTensorDescriptor_t mean_all_desc, const void *mean_all,
    const cnnlTensorDescriptor_t invstd_all_desc, const void *invstd_all,
    const cnnlTensorDescriptor_t moving_mean_desc, void *moving_mean,
    const cnnlTensorDescriptor_t moving_var_desc, void *moving_var, float momentum, float eps,
    const cnnlTensorDescriptor_t count_all_desc, const void *count_all,
    const cnnlTensorDescriptor_t mean_desc, void *mean, const cnnlTensorDescriptor_t invstd_desc,
    void *invstd);
/* filter and bias may be NULL. */
cnnlStatus_t cnnlSyncBatchNormElemt(cnnlHandle_t handle, const cnnlTensorDescriptor_t x_desc,
                                    const void *x, const cnnlTensorDescriptor_t mean_desc,
                                    const void *mean, const cnnlTensorDescriptor_t invstd_desc,
                                    const void *invstd, const cnnlTensorDescriptor_t filter_desc,
                                    const void *filter, const cnnlTensorDescriptor_t bias_desc,
                                    const void *bias, const cnnlTensorDescriptor_t y_desc, void *y);
cnnlStatus_t cnnlGetSyncBatchnormBackwardReduceWorkspaceSize(cnnlHandle_t handle,
                                                             const cnnlTensorDescriptor_t x_desc,
                                                             size_t *size);
cnnlStatus_t cnnlSyncBatchnormBackwardReduce_v2(
    cnnlHandle_t handle, const cnnlTensorDescriptor_t dz_desc, const void *dz,
    const cnnlTensorDescriptor_t x_desc, const void *x, const cnnlTensorDescriptor_t mean_desc,
    const void *mean, const cnnlTensorDescriptor_t invstd_desc, const void *invstd, void *workspace,
    size_t workspace_size, const cnnlTensorDescriptor_t dfilter_desc, void *dfilter,
    const cnnlTensorDescriptor_t dbias_desc, void *dbias, const cnnlTensorDescriptor_t sum_dy_desc,
    void *sum_dy, const cnnlTensorDescriptor_t sum_dy_xmu_desc, void *sum_dy_xmu,
    bool needs_input_grad0, bool needs_input_grad1, bool needs_input_grad2);
cnnlStatus_t cnnlSyncBatchNormBackwardElemt(
    cnnlHandle_t handle, const cnnlTensorDescriptor_t dy_desc, const void *dy,
    const cnnlTensorDescriptor_t x_desc, const void *x, const cnnlTensorDescriptor_t mean_desc,
    const void *mean, const cnnlTensorDescriptor_t invstd_desc, const void *invstd,
    const cnnlTensorDescriptor_t filter_desc, const void *filter,
    const cnnlTensorDescriptor_t mean_dy_desc, const void *mean_dy,
    const cnnlTensorDescriptor_t mean_dy_xmu_desc, const void *mean_dy_xmu,
    const cnnlTensorDescriptor_t dx_desc, void *dx);
/* Same as above with sums instead of means, and the counts of all devices as int32. */
cnnlStatus_t cnnlSyncBatchNormBackwardElemtV2(
    cnnlHandle_t handle, const cnnlTensorDescriptor_t dy_desc, const void *dy,
    const cnnlTensorDescriptor_t x_desc, const void *x, const cnnlTensorDescriptor_t mean_desc,
    const void *mean, const cnnlTensorDescriptor_t invstd_desc, const void *invstd,
    const cnnlTensorDescriptor_t filter_desc, const void *filter,
    const cnnlTensorDescriptor_t sum_dy_desc, const void *sum_dy,
    const cnnlTensorDescriptor_t sum_dy_xmu_desc, const void *sum_dy_xmu,
    const cnnlTensorDescriptor_t count_desc, const void *count,
    const cnnlTensorDescriptor_t dx_desc, void *dx);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* CNNL_VISION_H_ */
