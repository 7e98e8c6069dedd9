/* SPDX-License-Identifier: MIT
 *
 * The name kernels include; the language itself is bang.h.
 */
#ifndef MLU_H_
#define MLU_H_

#include "bang.h"

#endif /* MLU_H_ */
