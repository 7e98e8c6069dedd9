/* SPDX-License-Identifier: MIT
 *
 * Products of 8- and 16-bit integers, in elements twice as wide. Included by bang/vector_api.h.
 */
#ifndef BANG_VECTOR_PRODUCT_H_
#define BANG_VECTOR_PRODUCT_H_

#include "bang/loops.h"

namespace bang_impl {

/* Runs backwards, because dst may start at the address of a factor. */
template <class Product, class Factor>
BANG_CALLED void multiply(Product *dst, const Factor *a, const Factor *b, int64_t b_n, int64_t n) {
  if (n <= 0) return;
  if (b_n <= 0 || n % b_n != 0) {
    fault(fault_illegal_operand, "product: the elements are no multiple of the segment");
  }
  __syncwarp();
  for (int64_t first = (n - 1) / warp_lanes * warp_lanes; first >= 0; first -= warp_lanes) {
    const int64_t i = first + lane_id();
    Product product = 0;
    if (i < n) product = (Product)((Product)a[i] * (Product)b[i % b_n]);
    __syncwarp();
    if (i < n) dst[i] = product;
    __syncwarp();
  }
}

template <int code>
BANG_INLINE void vec_product(void *dst, const void *a, const void *b, int64_t b_n, int64_t n) {
  typedef typename type_of<code>::type Factor;
  typedef typename std::conditional<
      sizeof(Factor) == 1,
      typename std::conditional<std::is_signed<Factor>::value, int16_t, uint16_t>::type,
      typename std::conditional<std::is_signed<Factor>::value, int32_t, uint32_t>::type>::type
      Product;
  multiply((Product *)dst, (const Factor *)a, (const Factor *)b, b_n, n);
}

}  // namespace bang_impl

#define __bang_vec_product(type, ...) bang_impl::vec_product<(type)>(__VA_ARGS__)

#endif /* BANG_VECTOR_PRODUCT_H_ */
