/* SPDX-License-Identifier: MIT
 *
 * Functions of a C file that use the check macros as operators do.
 */
#ifndef API_GTEST_INTERNAL_CHECK_IN_C_H_
#define API_GTEST_INTERNAL_CHECK_IN_C_H_

#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* relation: 0 ==, 1 !=, 2 <=, 3 <, 4 >=, 5 > */
mluOpStatus_t checkRelationInC(int relation, int a, int b);
mluOpStatus_t checkKindInC(char kind);
mluOpStatus_t operatorChecksInC(mluOpHandle_t handle, const mluOpTensorDescriptor_t x_desc,
                                const void *x, const mluOpTensorDescriptor_t y_desc, int rows,
                                int columns);
mluOpStatus_t sameTypeInC(mluOpTensorDescriptor_t a, mluOpTensorDescriptor_t b);
mluOpStatus_t sameShapeInC(mluOpTensorDescriptor_t a, mluOpTensorDescriptor_t b);
/* Fewer than 10 elements and bytes, dimensions below 100. */
mluOpStatus_t limitsInC(mluOpTensorDescriptor_t desc, int num, int bytes);
mluOpStatus_t overlapInC(const void *x, mluOpTensorDescriptor_t x_desc, const void *y,
                         mluOpTensorDescriptor_t y_desc);
mluOpStatus_t optionalInC(const void *x, mluOpTensorDescriptor_t x_desc);
mluOpStatus_t rowsInC(mluOpTensorDescriptor_t desc);
mluOpStatus_t workspaceInC(void *workspace, size_t workspace_size, size_t needed);
mluOpStatus_t innerInC(mluOpStatus_t status, int is_good);
mluOpStatus_t launchInC(int is_good);

#ifdef __cplusplus
}
#endif
#endif /* API_GTEST_INTERNAL_CHECK_IN_C_H_ */
