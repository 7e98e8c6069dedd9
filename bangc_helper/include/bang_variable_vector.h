/* SPDX-License-Identifier: MIT
 *
 * Alternative header name; bang.h declares the whole language.
 */
#ifndef BANG_VARIABLE_VECTOR_H_
#define BANG_VARIABLE_VECTOR_H_

#include "bang.h"

#endif /* BANG_VARIABLE_VECTOR_H_ */
