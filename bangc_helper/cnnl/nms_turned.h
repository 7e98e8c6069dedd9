/* SPDX-License-Identifier: MIT */
#ifndef CNNL_NMS_TURNED_H_
#define CNNL_NMS_TURNED_H_

#include "nms_desc.h"

/* For rotated boxes: x, y, z of the centre, three lengths, and an angle about z. They are sorted by
 * confidence and compared as seen from above. */
cnnlStatus_t cnnl_nms_turned(const char *function, cnnlHandle_t handle,
                             const struct cnnlNmsStruct *desc, const struct cnnl_tensor *boxes,
                             const struct cnnl_tensor *output, int *output_size);

#endif /* CNNL_NMS_TURNED_H_ */
