/* SPDX-License-Identifier: MIT
 *
 * Other name of a part of the language; bang.h has all of it.
 */
#ifndef BANG_DEVICE_TYPES_H_
#define BANG_DEVICE_TYPES_H_

#include "bang.h"

#endif /* BANG_DEVICE_TYPES_H_ */
