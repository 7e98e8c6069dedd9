/* SPDX-License-Identifier: MIT
 *
 * Two translation units that use the same names for different things and share kernels.
 */
#ifndef UNITS_H_
#define UNITS_H_

#include <cnrt.h>

#ifdef __BANG__
__mlu_global__ void defined_in_other(int *x, int n);

template <typename T>
__mlu_global__ void shared_template(T *x) {
  __nram__ T local[4] = {1, 2, 3, 4};
  x[0] = local[3];
}
extern template __mlu_global__ void shared_template<float>(float *);

/* Each unit defines VALUE before it includes this, so the bodies differ between units. */
struct Helper {
  __mlu_func__ int value() { return VALUE; }
  static __mlu_func__ int size() { return (int)sizeof(nram_buffer); }
};
template <typename T>
__mlu_func__ T helper() {
  return (T)VALUE;
}
#endif

void run_other(int *x, cnrtQueue_t queue);
void run_same_names(int *x, cnrtQueue_t queue);
int plain_c(int x);

#endif /* UNITS_H_ */
