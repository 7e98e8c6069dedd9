/* SPDX-License-Identifier: MIT
 *
 * The part of the language that host programs may use: its 16-bit floats.
 */
#ifndef BANG_HOST_FUNCTIONS_DECLS_H_
#define BANG_HOST_FUNCTIONS_DECLS_H_

#include "bang_bf16.h"
#include "bang_fp16.h"

#endif /* BANG_HOST_FUNCTIONS_DECLS_H_ */
