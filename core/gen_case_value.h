/* SPDX-License-Identifier: MIT
 *
 * Writes the elements of a tensor as text of a case file.
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

/* Writes the value_ field of a tensor. With is_hex floats are written as bits. Reading the field
 * back gives the same bits, except that without is_hex all NaNs become the same one. */
void mluop_gen_case_write_values(FILE *file, mluOpDataType_t dtype, const void *data, int64_t count,
                                 bool is_hex);

#ifdef __cplusplus
}
#endif
#endif /* CORE_GEN_CASE_VALUE_H_ */
