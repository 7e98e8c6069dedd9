/* SPDX-License-Identifier: MIT
 *
 * Kernels for the card root: lowered as for the CPU, then clang's bitcode with the hooks of
 * bang-card in it.
 */
#ifndef CNCC_TARGET_CARD_H_
#define CNCC_TARGET_CARD_H_

#include "job.h"

extern const Target target_card;

#endif /* CNCC_TARGET_CARD_H_ */
