/* SPDX-License-Identifier: MIT
 *
 * Other name of a part of the language; bang.h has all of it.
 */
#ifndef BANG_VARIABLE_VECTOR_H_
#define BANG_VARIABLE_VECTOR_H_

#include "bang.h"

#endif /* BANG_VARIABLE_VECTOR_H_ */
