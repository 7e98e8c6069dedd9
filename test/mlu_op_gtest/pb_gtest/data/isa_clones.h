/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_DATA_ISA_CLONES_H_
#define MLUOP_TEST_DATA_ISA_CLONES_H_

/* Compiles a function for several instruction sets; the program picks one at start. Not with
 * sanitizers, which are not initialised by then. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FOR_EACH_ISA __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define FOR_EACH_ISA
#endif

#endif /* MLUOP_TEST_DATA_ISA_CLONES_H_ */
