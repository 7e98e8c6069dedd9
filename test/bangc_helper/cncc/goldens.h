/* SPDX-License-Identifier: MIT
 *
 * Small BANG C sources and what their lowered text must contain.
 */
#ifndef TEST_BANGC_HELPER_CNCC_GOLDENS_H_
#define TEST_BANGC_HELPER_CNCC_GOLDENS_H_

typedef struct Golden {
  const char *what;
  const char *input;
  const char *checks[8]; /* texts that must appear; "!text" must not */
} Golden;

/* For the CPU, for the CPU with the address sanitizer, and for a GPU. An entry without a name ends
 * each array. */
extern const Golden goldens[];
extern const Golden redzone_goldens[];
extern const Golden gpu_goldens[];

#endif /* TEST_BANGC_HELPER_CNCC_GOLDENS_H_ */
