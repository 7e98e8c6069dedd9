/* SPDX-License-Identifier: MIT
 *
 * Alternative header name; bang.h declares the whole language.
 */
#ifndef BANG_MATH_DECLS_H_
#define BANG_MATH_DECLS_H_

#include "bang.h"

#endif /* BANG_MATH_DECLS_H_ */
