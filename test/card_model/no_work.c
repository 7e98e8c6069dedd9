/* SPDX-License-Identifier: MIT
 *
 * Preloaded, it replaces functions of the language by empty ones. Their hooks still record them, so
 * kernels whose control flow does not depend on data write the same logs in almost no time.
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
