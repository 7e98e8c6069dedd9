/* SPDX-License-Identifier: MIT
 *
 * Kernels of language_other.mlu that language.mlu launches. */
#ifndef TEST_BANGC_HELPER_CORPUS_LANGUAGE_H_
#define TEST_BANGC_HELPER_CORPUS_LANGUAGE_H_

#include <cstdint>

struct Shape {
  int64_t dims[4];
  bool flip;
};

__mlu_global__ void elsewhere(int *out, Shape shape);

template <typename T>
__mlu_global__ void fillSequence(T *out, int n);
extern template __mlu_global__ void fillSequence<int>(int *, int);
extern template __mlu_global__ void fillSequence<float>(float *, int);

#endif /* TEST_BANGC_HELPER_CORPUS_LANGUAGE_H_ */
