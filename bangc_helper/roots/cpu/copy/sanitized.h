/* SPDX-License-Identifier: MIT
 *
 * Whether a sanitizer watches the accesses to memory. */
#ifndef BANGC_HELPER_CPU_COPY_SANITIZED_H_
#define BANGC_HELPER_CPU_COPY_SANITIZED_H_

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COPY_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COPY_IS_SANITIZED 1
#endif
#endif
#ifndef COPY_IS_SANITIZED
#define COPY_IS_SANITIZED 0
#endif

#endif /* BANGC_HELPER_CPU_COPY_SANITIZED_H_ */
