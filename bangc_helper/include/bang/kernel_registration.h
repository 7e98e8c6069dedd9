/* SPDX-License-Identifier: MIT
 *
 * Kernels that announce themselves: included by the lowering of a root, after its
 * __bang_kernel_registrar.
 */
#ifndef BANG_KERNEL_REGISTRATION_H_
#define BANG_KERNEL_REGISTRATION_H_

/* Announces the function of a template or a member, which names it. Of one library: what
 * libraries share in this way keeps them from being unloaded. */
template <typename Function, Function kernel>
struct __attribute__((visibility("hidden"))) __bang_kernel_registration {
  static const char *name() { return __PRETTY_FUNCTION__; }
  static const __bang_kernel_registrar<Function, kernel> registrar;
};
template <typename Function, Function kernel>
const __bang_kernel_registrar<Function, kernel>
    __bang_kernel_registration<Function, kernel>::registrar(name());

#endif /* BANG_KERNEL_REGISTRATION_H_ */
