/* SPDX-License-Identifier: MIT
 *
 * The value_* lists of a tensor. For a float type, hex strings and integers are its bits; for an
 * integer type, integers are values and must fit. */
#ifndef MLUOP_TEST_DATA_TENSOR_VALUES_H_
#define MLUOP_TEST_DATA_TENSOR_VALUES_H_

#include "base/text.h"
#include "data/dtype.h"

typedef enum mluopValueSource {
  MLUOP_VALUES_NONE,
  MLUOP_VALUES_H,
  MLUOP_VALUES_F,
  MLUOP_VALUES_I,
  MLUOP_VALUES_L,
  MLUOP_VALUES_UI,
  MLUOP_VALUES_UL,
} mluopValueSource;

/* The list that is used if a tensor has several. */
mluopValueSource mluop_test_tensor_value_source(const Mluoptest__Tensor *spec);
/* Length of that list; a complex element takes two entries. */
size_t mluop_test_tensor_value_count(const Mluoptest__Tensor *spec);

int mluop_test_tensor_values(const Mluoptest__Tensor *spec, const mluopDtypeInfo *info, void *data,
                             size_t count, mluopTestText *errors);

#endif /* MLUOP_TEST_DATA_TENSOR_VALUES_H_ */
