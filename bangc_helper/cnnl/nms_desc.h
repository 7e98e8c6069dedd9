/* SPDX-License-Identifier: MIT
 *
 * What a descriptor of non-maximum suppression holds.
 */
#ifndef CNNL_NMS_DESC_H_
#define CNNL_NMS_DESC_H_

#include "tensor.h"

struct cnnlNmsStruct {
  int32_t box_mode;
  int32_t output_mode;
  float iou_threshold;
  int32_t most;
  float confidence_threshold;
  float offset;
  int32_t input_layout;
  bool pads;
};

#endif /* CNNL_NMS_DESC_H_ */
