/* SPDX-License-Identifier: MIT
 *
 * Preloaded, it takes the work out of the functions of the language that the rows call: their hooks
 * still record them, so the logs of kernels whose control flow does not depend on data are the same
 * and take no time to make.
 */
#define WITHOUT_WORK(name)                                \
  __attribute__((visibility("default"))) void name(void); \
  void name(void) {}

WITHOUT_WORK(__bang_copy)
WITHOUT_WORK(__bang_vec_atomic)
WITHOUT_WORK(__bang_vec_argmax)
WITHOUT_WORK(__bang_vec_binary)
WITHOUT_WORK(__bang_vec_conv)
WITHOUT_WORK(__bang_vec_convert_strided)
WITHOUT_WORK(__bang_vec_fill)
WITHOUT_WORK(__bang_vec_fusion)
WITHOUT_WORK(__bang_vec_matmul)
WITHOUT_WORK(__bang_vec_pool)
WITHOUT_WORK(__bang_vec_reduce_sum)
WITHOUT_WORK(__bang_vec_reshape_filter)
WITHOUT_WORK(__bang_vec_scalar)
WITHOUT_WORK(__bang_vec_transpose)
WITHOUT_WORK(__bang_vec_unary)
