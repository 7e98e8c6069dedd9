// SPDX-License-Identifier: MIT
#include "selftest/random_expected.h"

#include <cmath>
#include <limits>
#include <random>

namespace {

template <typename T, typename Distribution>
void Draw(int seed, Distribution distribution, size_t n, T *values) {
  std::default_random_engine engine(seed);
  for (size_t i = 0; i < n; ++i) {
    values[i] = distribution(engine);
  }
}

template <typename T>
std::uniform_real_distribution<T> Uniform(T lower, T upper) {
  return std::uniform_real_distribution<T>(lower,
                                           std::nextafter(upper, std::numeric_limits<T>::lowest()));
}

}  // namespace

void expected_uniform_float(int seed, float lower, float upper, size_t n, float *values) {
  Draw(seed, Uniform(lower, upper), n, values);
}
void expected_uniform_double(int seed, double lower, double upper, size_t n, double *values) {
  Draw(seed, Uniform(lower, upper), n, values);
}
void expected_gaussian_float(int seed, float mu, float sigma, size_t n, float *values) {
  Draw(seed, std::normal_distribution<float>(mu, sigma), n, values);
}
void expected_gaussian_double(int seed, double mu, double sigma, size_t n, double *values) {
  Draw(seed, std::normal_distribution<double>(mu, sigma), n, values);
}
