/* SPDX-License-Identifier: MIT
 *
 * Alternative header name; bang.h declares the whole language.
 */
#ifndef BANG_DEVICE_FUNCTIONS_MATH_H_
#define BANG_DEVICE_FUNCTIONS_MATH_H_

#include "bang.h"

#endif /* BANG_DEVICE_FUNCTIONS_MATH_H_ */
