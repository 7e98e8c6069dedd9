/* SPDX-License-Identifier: MIT
 *
 * Elements of a tensor as text of a case file.
 */
#ifndef CORE_GEN_CASE_VALUE_H_
#define CORE_GEN_CASE_VALUE_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the value_ field of a tensor. Reading it back gives the same bits; is_hex writes floats as
 * bits, otherwise all NaNs become one. */
void mluop_gen_case_write_values(FILE *file, mluOpDataType_t dtype, const void *data, int64_t count,
                                 bool is_hex);

#ifdef __cplusplus
}
#endif
#endif /* CORE_GEN_CASE_VALUE_H_ */
