/* SPDX-License-Identifier: MIT */
#include "halves.h"

#include <bang_host_functions_decls.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

/* Programs define this name to share declarations with kernels. */
typedef __half half;

static int failures = 0;

static void check(bool good, const char *what) {
  if (!good) {
    std::printf("%s is wrong\n", what);
    ++failures;
  }
}

template <typename T>
static void runs(const char *what) {
  const int n = 5000;
  std::vector<T> x(n), y(n, (T)3);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) {
    x[i] = (T)(i % 17 - 8);
    expected[i] = 0.25f * (float)x[i] + 3;
  }
  T *device[2] = {nullptr, nullptr};
  for (int i = 0; i < 2; ++i) {
    CNRT_CHECK(cnrtMalloc((void **)&device[i], n * sizeof(T)));
    CNRT_CHECK(cnrtMemcpy(device[i], i ? y.data() : x.data(), n * sizeof(T), cnrtMemcpyHostToDev));
  }
  axpy<T>((T)0.25, device[0], device[1], n, nullptr);
  CNRT_CHECK(cnrtQueueSync(nullptr));
  CNRT_CHECK(cnrtMemcpy(y.data(), device[1], n * sizeof(T), cnrtMemcpyDevToHost));
  bool good = true;
  for (int i = 0; i < n; ++i) good = good && (float)y[i] == expected[i];
  check(good, what);
  cnrtFree(device[0]);
  cnrtFree(device[1]);
}

template <typename T>
static T from_bits(unsigned bits) {
  const unsigned short low = (unsigned short)bits;
  T number;
  std::memcpy(&number, &low, sizeof number);
  return number;
}

/* Every number converted to float and back is the same. A float is rounded to the nearest number, a
 * tie to the even one. */
template <typename T>
static void converts(const char *what, unsigned infinity) {
  bool good = true;
  for (unsigned bits = 0; bits < infinity; ++bits) {
    const float here = from_bits<T>(bits), next = from_bits<T>(bits + 1);
    const T back = here, negative = -here;
    good = good && std::memcmp(&back, &bits, 2) == 0 && (float)negative == -here;
    if (bits + 1 < infinity) {
      const float middle = here + (next - here) / 2;
      good = good && (float)(T)middle == (bits % 2 == 0 ? here : next) &&
             (float)(T)std::nextafterf(middle, here) == here &&
             (float)(T)std::nextafterf(middle, next) == next;
    }
  }
  good = good && std::isinf((float)(T)3.5e38) && std::isnan((float)(T)NAN) &&
         (float)std::numeric_limits<T>::max() < std::numeric_limits<float>::infinity() &&
         (float)(T)std::nextafterf((float)std::numeric_limits<T>::max(), 0) ==
             (float)std::numeric_limits<T>::max();
  check(good, what);
}

int main() {
  converts<__half>("__half", 0x7c00);
  converts<__bang_bfloat16>("__bang_bfloat16", 0x7f80);
  half h = 1.5f;
  h += 2;
  h = -h * 2;
  check((float)h == -7 && __half2float(__float2half_rn(0.1f)) == (float)(half)0.1f, "arithmetic");
  check((float)__float2bfloat16__(1.01171875f) == 1.015625f, "to nearest");
  check(__bfloat162float(__float2bfloat16(2.5f)) == 2.5f && (float)(bfloat16_t)h == -7, "bfloat16");
  runs<__half>("a kernel of __half");
  runs<__bang_bfloat16>("a kernel of __bang_bfloat16");
  runs<float>("a kernel of float");
  if (failures == 0) std::puts("passed");
  return failures != 0;
}
