/* SPDX-License-Identifier: MIT
 *
 * Compiled without contraction of a*b+c, because every operation must round to give the specified
 * bits. */
#include "data/random.h"

#include "data/isa_clones.h"

mluopRandom mluop_random_seed(int32_t seed) {
  /* The engine takes the seed as an unsigned number. */
  const uint32_t state = (uint32_t)((uint64_t)(int64_t)seed % MLUOP_RANDOM_MODULUS);
  return (mluopRandom){.state = state ? state : 1};
}

uint32_t mluop_random_next(mluopRandom *random) {
  random->state = mluop_random_multiply(random->state, MLUOP_RANDOM_MULTIPLIER);
  return random->state;
}

/* Each state depends on the previous one, so one sequence is limited by the latency of a
 * multiplication. Interleaving LANES sequences, each one state ahead of the next, hides it: each
 * advances by multiplier^LANES. */
FOR_EACH_ISA void mluop_random_next_lanes(mluopRandom *random, uint32_t *states, size_t n) {
  enum { LANES = 16 };
  size_t i = 0;
  for (; i < n && i < LANES; ++i) {
    states[i] = mluop_random_next(random);
  }
  mluopRandom power = {.state = 1};
  mluop_random_skip(&power, LANES);
  const uint32_t factor = power.state;
  for (; i + LANES <= n; i += LANES) {
    for (size_t k = 0; k < LANES; ++k) {
      states[i + k] = mluop_random_multiply(states[i + k - LANES], factor);
    }
  }
  for (; i < n; ++i) {
    states[i] = mluop_random_multiply(states[i - LANES], factor);
  }
  if (n) {
    random->state = states[n - 1];
  }
}

void mluop_random_skip(mluopRandom *random, uint64_t draws) {
  uint64_t factor = MLUOP_RANDOM_MULTIPLIER;
  uint64_t state = random->state;
  for (; draws; draws >>= 1) {
    if (draws & 1) {
      state = state * factor % MLUOP_RANDOM_MODULUS;
    }
    factor = factor * factor % MLUOP_RANDOM_MODULUS;
  }
  random->state = (uint32_t)state;
}
