/* SPDX-License-Identifier: MIT
 *
 * Registration of kernels at load time. A root's lowering includes this file after it has defined
 * __bang_kernel_registrar.
 */
#ifndef BANG_KERNEL_REGISTRATION_H_
#define BANG_KERNEL_REGISTRATION_H_

/* Registers a function that a template or a member names. Hidden, because a symbol that libraries
 * share would keep them from being unloaded. */
template <typename Function, Function kernel>
struct __attribute__((visibility("hidden"))) __bang_kernel_registration {
  static const char *name() { return __PRETTY_FUNCTION__; }
  static const __bang_kernel_registrar<Function, kernel> registrar;
};
template <typename Function, Function kernel>
const __bang_kernel_registrar<Function, kernel>
    __bang_kernel_registration<Function, kernel>::registrar(name());

#endif /* BANG_KERNEL_REGISTRATION_H_ */
