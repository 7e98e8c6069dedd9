/* SPDX-License-Identifier: MIT
 *
 * Alternative header name; bang.h declares the whole language.
 */
#ifndef BANG_DEVICE_TYPES_H_
#define BANG_DEVICE_TYPES_H_

#include "bang.h"

#endif /* BANG_DEVICE_TYPES_H_ */
