/* SPDX-License-Identifier: MIT
 *
 * Elementary functions on floats of all magnitudes: limits the error against long double, in units
 * of the last place, and requires the same bits on every instruction set.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bang/vector_api.h"
#include "harness.h"
#include "oracle.h"

/* Round 0: one float for each value of the upper 16 bits, so all exponents, both signs and NaN.
 * Later rounds: numbers in -100..100 and in 0.5..1.5. */
enum { COUNT = 1 << 16 };
static float x[COUNT], first[COUNT], y[COUNT];

static const struct {
  int op;
  const char *name;
  double limit;
} functions[] = {
    {BANG_EXP, "exp", 2},       {BANG_EXP2, "exp2", 2},           {BANG_LOG, "log", 2},
    {BANG_LOG2, "log2", 2},     {BANG_LOG10, "log10", 2},         {BANG_SIN, "sin", 1},
    {BANG_COS, "cos", 1},       {BANG_TANH, "tanh", 1},           {BANG_SIGMOID, "sigmoid", 1},
    {BANG_GELU, "gelu", 1},     {BANG_GELU_TANH, "gelu_tanh", 1}, {BANG_SOFTPLUS, "softplus", 1},
    {BANG_RECIP, "recip", 0.5}, {BANG_SQRT, "sqrt", 0.5},         {BANG_RSQRT, "rsqrt", 1}};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static long checked;
static double worst[FUNCTIONS];
static const char *first_isa;

static void make_arguments(int round) {
  for (uint32_t i = 0; i < COUNT; i++) {
    uint32_t bits = i << 16 | (uint32_t)(test_random() & 0xffff);
    memcpy(&x[i], &bits, sizeof bits);
    if (round == 1) {
      x[i] = (float)((double)(int64_t)test_random() * 0x1p-63) * 100.0f;
    } else if (round == 2) {
      x[i] = 1.0f + (float)((double)(int64_t)test_random() * 0x1p-63) * 0.5f;
    }
  }
}

/* |got - want| in units of the last place of want. */
static double error_of(float got, Exact want) {
  float nearest = (float)want;
  if (isnan(want) || isinf(nearest)) {
    return (isnan(want) && isnan(got)) || got == nearest ? 0 : 1e9;
  }
  Exact unit = ldexpl(1, -149);
  if (fabsl(want) >= 0x1p-126L) {
    int exponent;
    frexpl(want, &exponent);
    unit = ldexpl(1, exponent - 24);
  }
  return isnan(got) ? 1e9 : (double)(fabsl((Exact)got - want) / unit);
}

static Exact exact_function(int op, Exact v) {
  switch (op) {
    case BANG_EXP:
      return expl(v);
    case BANG_EXP2:
      return exp2l(v);
    case BANG_LOG:
      return logl(v);
    case BANG_LOG2:
      return log2l(v);
    case BANG_LOG10:
      return log10l(v);
    case BANG_SIN:
      return sinl(v);
    case BANG_COS:
      return cosl(v);
    case BANG_TANH:
      return tanhl(v);
    case BANG_SIGMOID:
      return 1 / (1 + expl(-v));
    case BANG_GELU:
      return isinf(v) ? (v > 0 ? v : -0.0L) : v / 2 * erfcl(-v / sqrtl(2));
    case BANG_GELU_TANH:
      return isinf(v) ? (v > 0 ? v : -0.0L)
                      : v / (1 + expl(-2 * sqrtl(2 / acosl(-1)) * (v + 0.044715L * v * v * v)));
    case BANG_SOFTPLUS:
      return v > 0 ? v + log1pl(expl(-v)) : log1pl(expl(v));
    case BANG_RECIP:
      return 1 / v;
    case BANG_SQRT:
      return sqrtl(v);
    default:
      return 1 / sqrtl(v);
  }
}

static int current;

static void run(const char *isa) {
  __bang_vec_unary(functions[current].op, BANG_F32, y, x, COUNT);
  if (first_isa == NULL) {
    first_isa = isa;
    memcpy(first, y, sizeof y);
    for (int i = 0; i < COUNT; i++) {
      double error = error_of(y[i], exact_function(functions[current].op, x[i]));
      checked++;
      worst[current] = error > worst[current] ? error : worst[current];
      if (error > functions[current].limit) {
        test_fail("%s(%.9g) = %.9g: off by %.3g last places", functions[current].name, x[i], y[i],
                  error);
      }
    }
    return;
  }
  for (int i = 0; i < COUNT; i++) {
    checked++;
    if (memcmp(&first[i], &y[i], sizeof y[i]) != 0 && !(isnan(first[i]) && isnan(y[i]))) {
      test_fail("%s(%.9g): %.9g on %s, %.9g on %s", functions[current].name, x[i], first[i],
                first_isa, y[i], isa);
    }
  }
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    make_arguments(round);
    for (current = 0; current < FUNCTIONS; current++) {
      first_isa = NULL;
      test_each_isa(run);
    }
  }
  for (int k = 0; k < FUNCTIONS; k++) {
    printf("%-9s at most %.3f last places off\n", functions[k].name, worst[k]);
  }
  return test_finish("elementary functions", checked);
}
