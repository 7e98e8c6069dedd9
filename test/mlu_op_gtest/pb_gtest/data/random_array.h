/* SPDX-License-Identifier: MIT
 *
 * Arrays of uniform and Gaussian values with the same bits that GCC's C++ library draws from the
 * same engine. Many threads make a long array, with the bits that one thread would give. */
#ifndef MLUOP_TEST_DATA_RANDOM_ARRAY_H_
#define MLUOP_TEST_DATA_RANDOM_ARRAY_H_

#include <stddef.h>
#include <stdint.h>

/* Largest number of values passed to a sink at once. Uniform values of the same piece of an array
 * come from one thread, block after block. */
enum { MLUOP_RANDOM_BLOCK = 1 << 12, MLUOP_RANDOM_UNIFORM_PIECE = 1 << 20 };

/* Receives values [begin, begin + n) of a drawn array. Called from several threads, once for each
 * value. */
typedef void (*mluopFloatSink)(void *arg, size_t begin, const float *values, size_t n);
typedef void (*mluopDoubleSink)(void *arg, size_t begin, const double *values, size_t n);

/* [lower, upper): the upper bound is excluded; equal bounds give a constant. */
float mluop_random_width_float(float lower, float upper); /* largest minus smallest value */
void mluop_random_uniform_float(int32_t seed, float lower, float upper, size_t count,
                                mluopFloatSink sink, void *arg);
void mluop_random_uniform_double(int32_t seed, double lower, double upper, size_t count,
                                 mluopDoubleSink sink, void *arg);

/* Returns 0, or -1 if there is no memory for the bookkeeping of rejected draws. */
int mluop_random_gaussian_float(int32_t seed, float mu, float sigma, size_t count,
                                mluopFloatSink sink, void *arg);
int mluop_random_gaussian_double(int32_t seed, double mu, double sigma, size_t count,
                                 mluopDoubleSink sink, void *arg);

#endif /* MLUOP_TEST_DATA_RANDOM_ARRAY_H_ */
