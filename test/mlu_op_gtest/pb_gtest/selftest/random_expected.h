/* SPDX-License-Identifier: MIT
 *
 * The same draws from the C++ library. */
#ifndef MLUOP_TEST_SELFTEST_RANDOM_EXPECTED_H_
#define MLUOP_TEST_SELFTEST_RANDOM_EXPECTED_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void expected_uniform_float(int seed, float lower, float upper, size_t n, float *values);
void expected_uniform_double(int seed, double lower, double upper, size_t n, double *values);
void expected_gaussian_float(int seed, float mu, float sigma, size_t n, float *values);
void expected_gaussian_double(int seed, double mu, double sigma, size_t n, double *values);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_SELFTEST_RANDOM_EXPECTED_H_ */
