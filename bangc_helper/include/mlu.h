/* SPDX-License-Identifier: MIT
 *
 * The header that kernels include; bang.h declares the language.
 */
#ifndef MLU_H_
#define MLU_H_

#include "bang.h"

#endif /* MLU_H_ */
