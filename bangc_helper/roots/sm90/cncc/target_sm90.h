/* SPDX-License-Identifier: MIT
 *
 * Target for NVIDIA Hopper GPUs: CUDA C++ for nvcc; a core is a thread block.
 */
#ifndef CNCC_TARGET_SM90_H_
#define CNCC_TARGET_SM90_H_

#include "target.h"

extern const Target target_sm90;

#endif /* CNCC_TARGET_SM90_H_ */
