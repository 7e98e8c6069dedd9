/* SPDX-License-Identifier: MIT
 *
 * Small texts of BANG C and what the lowering makes of them.
 */
#ifndef TEST_BANGC_HELPER_CNCC_GOLDENS_H_
#define TEST_BANGC_HELPER_CNCC_GOLDENS_H_

typedef struct Golden {
  const char *what;
  const char *input;
  const char *checks[8]; /* texts that must appear; "!text" must not */
} Golden;

/* For the CPU, for the address sanitizer there, and for a GPU; the last of each has no name. */
extern const Golden goldens[];
extern const Golden redzone_goldens[];
extern const Golden gpu_goldens[];

#endif /* TEST_BANGC_HELPER_CNCC_GOLDENS_H_ */
