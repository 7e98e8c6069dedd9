/* SPDX-License-Identifier: MIT
 *
 * Kernels for the card root: lowered as for the CPU, compiled to bitcode by clang, and instrumented
 * by bang-card.
 */
#ifndef CNCC_TARGET_CARD_H_
#define CNCC_TARGET_CARD_H_

#include "job.h"

extern const Target target_card;

#endif /* CNCC_TARGET_CARD_H_ */
